//! From log-probabilities of actions to that of programs.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::matrix::Matrix;
use crate::tape::{Tape, Var};

/// All derivations of a program with idioms, as a graph that is linear in nodes and occurrences.
///
/// A node stands for a subtree. Each of its alternatives is one way to build it: actions that are
/// chosen, and the subtrees that remain to be built. Nodes come after those that they need; the last
/// one is the program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Derivations {
    /// The nodes.
    pub nodes: Vec<Vec<Alternative>>,
    /// How many actions are chosen from.
    pub n_choices: usize,
}

/// One way to build a subtree.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alternative {
    /// The actions that are chosen, as indices into the log-probabilities.
    pub choices: Vec<u32>,
    /// The subtrees that remain.
    pub nodes: Vec<u32>,
}

/// What is expected less often than this does not count. Products with numbers near the smallest that
/// there are take processors a hundred times as long as others.
const NEGLIGIBLE: f64 = 1e-9;

impl Derivations {
    /// The log-probability of each node: the sum over all ways to build it.
    ///
    /// ```text
    /// inside(n) = ln Σ over alternatives A of exp(Σ ln p(A.choices) + Σ inside(A.nodes))
    /// ```
    pub fn inside(&self, ln_p: &[f32]) -> Vec<f64> {
        let mut inside = Vec::with_capacity(self.nodes.len());
        for alternatives in &self.nodes {
            inside.push(ln_sum(alternatives.iter().map(|it| it.ln_p(ln_p, &inside))));
        }
        inside
    }

    /// How often each action is expected to be chosen, given the program: the derivative of its
    /// log-probability with respect to those of the actions.
    pub fn posterior(&self, ln_p: &[f32]) -> Vec<f64> {
        let inside = self.inside(ln_p);
        let mut outside = vec![0.0; self.nodes.len()];
        let mut posterior = vec![0.0; ln_p.len()];
        if let Some(program) = outside.last_mut() {
            *program = 1.0;
        }
        for (node, alternatives) in self.nodes.iter().enumerate().rev() {
            if outside[node] < NEGLIGIBLE {
                continue;
            }
            for alternative in alternatives {
                let ln_share = alternative.ln_p(ln_p, &inside) - inside[node];
                let expected = outside[node] * ln_share.exp();
                if expected < NEGLIGIBLE {
                    continue;
                }
                for &choice in &alternative.choices {
                    posterior[choice as usize] += expected;
                }
                for &child in &alternative.nodes {
                    outside[child as usize] += expected;
                }
            }
        }
        posterior
    }
}

impl Alternative {
    fn ln_p(&self, ln_p: &[f32], inside: &[f64]) -> f64 {
        let choices = self.choices.iter().map(|&it| f64::from(ln_p[it as usize]));
        let nodes = self.nodes.iter().map(|&it| inside[it as usize]);
        choices.sum::<f64>() + nodes.sum::<f64>()
    }
}

fn ln_sum(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let greatest = values.clone().fold(f64::NEG_INFINITY, f64::max);
    if greatest == f64::NEG_INFINITY {
        return greatest;
    }
    greatest + values.map(|it| (it - greatest).exp()).sum::<f64>().ln()
}

/// `weight` times the sum of the log-probabilities of programs, [1, 1]. The actions of each
/// program begin at its index in `ln_p` [actions, 1].
///
/// This is the paper's eq. 3, the sum over traces, all those that build the program, computed exactly.
pub(crate) fn inside(
    tape: &mut Tape<'_>,
    ln_p: Var,
    programs: Arc<Vec<(Arc<Derivations>, usize)>>,
    weight: f32,
) -> Var {
    let values = tape.value(ln_p).values();
    let mut total = 0.0;
    for (derivations, start) in programs.iter() {
        let own = &values[*start..start + derivations.n_choices];
        total += derivations.inside(own).last().copied().unwrap_or(0.0);
    }
    let value = Matrix::new(1, 1, vec![(total * f64::from(weight)) as f32]);
    tape.push(value, move |values, gradient, gradients| {
        let factor = f64::from(gradient.values()[0]) * f64::from(weight);
        let values = &values[ln_p];
        let mut result = Matrix::zeros(values.n_rows(), 1);
        for (derivations, start) in programs.iter() {
            let own = *start..start + derivations.n_choices;
            let posterior = derivations.posterior(&values.values()[own.clone()]);
            for (result, expected) in result.values_mut()[own].iter_mut().zip(posterior) {
                *result += (expected * factor) as f32;
            }
        }
        gradients.add(ln_p, result);
    })
}

/// The sum of values, each times its weight, [1, 1].
pub(crate) fn weighted_sum(tape: &mut Tape<'_>, x: Var, weights: Matrix) -> Var {
    let values = tape.value(x).values().iter().zip(weights.values());
    let total: f64 = values
        .map(|(x, weight)| f64::from(*x) * f64::from(*weight))
        .sum();
    let value = Matrix::new(1, 1, vec![total as f32]);
    tape.push(value, move |_, gradient, gradients| {
        let mut result = weights.clone();
        for value in result.values_mut() {
            *value *= gradient.values()[0];
        }
        gradients.add(x, result);
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::gradient_check::{check, values};

    fn alternative(choices: &[u32], nodes: &[u32]) -> Alternative {
        Alternative {
            choices: choices.to_vec(),
            nodes: nodes.to_vec(),
        }
    }

    /// Two leaves below a node; an idiom may build the node with its first leaf or with both.
    fn derivations() -> Derivations {
        Derivations {
            nodes: vec![
                vec![alternative(&[0, 1], &[])],
                vec![alternative(&[2], &[]), alternative(&[3], &[])],
                vec![
                    alternative(&[4], &[0, 1]),
                    alternative(&[5], &[1]),
                    alternative(&[6], &[]),
                ],
            ],
            n_choices: 7,
        }
    }

    #[test]
    fn all_derivations_are_summed() {
        let ln_p = [-0.1, -0.2, -0.3, -1.4, -0.5, -2.6, -3.7_f32];
        let p: Vec<f64> = ln_p.iter().map(|&it| f64::from(it).exp()).collect();
        let leaf = p[2] + p[3];
        let expected = p[4] * p[0] * p[1] * leaf + p[5] * leaf + p[6];
        let found = derivations().inside(&ln_p)[2];
        assert!((found - expected.ln()).abs() < 1e-9);

        let posterior = derivations().posterior(&ln_p);
        assert!((posterior[6] - p[6] / expected).abs() < 1e-9);
        assert!((posterior[0] - p[4] * p[0] * p[1] * leaf / expected).abs() < 1e-9);
    }

    #[test]
    fn gradients() {
        let programs = Arc::new(vec![
            (Arc::new(derivations()), 0),
            (Arc::new(derivations()), 7),
        ]);
        check(&[values(14, 1)], |tape, [ln_p]| {
            inside(tape, ln_p, Arc::clone(&programs), 0.5)
        });
        check(&[values(3, 2)], |tape, [x]| {
            weighted_sum(tape, x, values(3, 2))
        });
    }
}
