//! From gradients to steps.

use rayon::prelude::*;

use crate::config::{Optimizer, Schedule};
use crate::gradient::Gradient;
use crate::matrix::Matrix;
use crate::parameters::{Learning, Parameters};
use crate::simd;

/// What an optimiser remembers: two running means for each weight that is learnt.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Memory {
    /// Adadelta: of squared gradients. Adam: of gradients.
    pub(crate) first: Vec<Matrix>,
    /// Adadelta: of squared steps. Adam: of squared gradients.
    pub(crate) second: Vec<Matrix>,
}

impl Memory {
    /// Of an optimiser that has not taken a step.
    pub(crate) fn new(parameters: &Parameters) -> Memory {
        let zeros = || parameters.learnt().map(begin).collect();
        Memory {
            first: zeros(),
            second: zeros(),
        }
    }

    /// Begins to remember what is learnt from now on, and was not before.
    pub(crate) fn complete(&mut self, parameters: &Parameters) {
        for remembered in [&mut self.first, &mut self.second] {
            for (remembered, learnt) in remembered.iter_mut().zip(parameters.learnt()) {
                if remembered.shape() != learnt.0.shape() {
                    *remembered = begin(learnt);
                }
            }
        }
    }
}

/// Zeros for each weight, if it is learnt.
fn begin((weights, learning): (&Matrix, Learning)) -> Matrix {
    match learning {
        Learning::Frozen => Matrix::default(),
        Learning::Whole | Learning::Rows => Matrix::zeros(weights.n_rows(), weights.n_columns()),
    }
}

/// A step that is taken.
pub(crate) struct Step<'a> {
    /// Its number, counted from zero.
    pub(crate) index: usize,
    /// The schedule's factor.
    pub(crate) factor: f32,
    /// The rates of parameters that have their own.
    pub(crate) rates: &'a [Option<f32>],
}

impl Schedule {
    /// The factor of the learning rate at a step, counted from zero: the paper's warm-up, linear and then
    /// a power of what is left of the budget, of which a share is spent.
    pub(crate) fn factor(self, step: usize, share_spent: f32) -> f32 {
        match self {
            Schedule::Constant => 1.0,
            Schedule::WarmUp { n_warm_up, .. } if step < n_warm_up => {
                (step + 1) as f32 / n_warm_up as f32
            }
            Schedule::WarmUp { power, .. } => (1.0 - share_spent).max(0.0).powf(power),
        }
    }
}

impl Optimizer {
    /// Takes a step. A weight without a gradient stays.
    pub(crate) fn apply(
        self,
        parameters: &mut Parameters,
        gradients: &[Option<Gradient>],
        memory: &mut Memory,
        step: &Step<'_>,
    ) {
        let memories = memory.first.iter_mut().zip(&mut memory.second);
        let weights: Vec<_> = parameters
            .values_mut()
            .zip(gradients)
            .zip(memories)
            .enumerate()
            .collect();
        weights
            .into_par_iter()
            .for_each(|(index, ((weights, gradient), (first, second)))| {
                let Some(gradient) = gradient else { return };
                let optimizer = match step.rates.get(index) {
                    Some(&Some(rate)) => self.with_rate(rate),
                    _ => self,
                };
                let apply = |values: Values<'_>| {
                    optimizer.apply_to(values, step.index, step.factor);
                };
                let Some(rows) = gradient.rows() else {
                    return apply(Values {
                        weights: weights.values_mut(),
                        gradients: gradient.values().values(),
                        first: first.values_mut(),
                        second: second.values_mut(),
                    });
                };
                for (index, &row) in rows.iter().enumerate() {
                    let row = row as usize;
                    apply(Values {
                        weights: weights.row_mut(row),
                        gradients: gradient.values().row(index),
                        first: first.row_mut(row),
                        second: second.row_mut(row),
                    });
                }
            });
    }

    fn with_rate(self, own: f32) -> Optimizer {
        let mut optimizer = self;
        match &mut optimizer {
            Optimizer::Adadelta { rate, .. } | Optimizer::Adam { rate, .. } => *rate = own,
        }
        optimizer
    }

    fn apply_to(self, values: Values<'_>, step: usize, factor: f32) {
        match self {
            Optimizer::Adadelta { rate, rho, epsilon } => {
                adadelta(values, rate * factor, rho, epsilon);
            }
            Optimizer::Adam {
                rate,
                beta1,
                beta2,
                epsilon,
            } => {
                // Means that began at zero are too small at first.
                let n_steps = i32::try_from(step).unwrap_or(i32::MAX - 1) + 1;
                let rate = rate * factor / (1.0 - beta1.powi(n_steps));
                let root = (1.0 - beta2.powi(n_steps)).sqrt();
                adam(values, rate, (beta1, beta2), root, epsilon);
            }
        }
    }
}

/// Some weights, with all that belongs to them.
struct Values<'a> {
    weights: &'a mut [f32],
    gradients: &'a [f32],
    first: &'a mut [f32],
    second: &'a mut [f32],
}

/// `d = √(s + ε) / √(m + ε) g`, with running means `m` of `g²` and `s` of `d²`.
fn adadelta(values: Values<'_>, rate: f32, rho: f32, epsilon: f32) {
    simd::vectorized(
        #[inline(always)]
        || {
            let means = values.first.iter_mut().zip(values.second);
            let weights = values.weights.iter_mut().zip(values.gradients);
            for ((weight, gradient), (squares, steps)) in weights.zip(means) {
                *squares = rho * *squares + (1.0 - rho) * gradient * gradient;
                let step = ((*steps + epsilon) / (*squares + epsilon)).sqrt() * gradient;
                *steps = rho * *steps + (1.0 - rho) * step * step;
                *weight -= rate * step;
            }
        },
    );
}

/// `m / (√v / root + ε)`, with running means `m` of `g` and `v` of `g²`.
fn adam(values: Values<'_>, rate: f32, (beta1, beta2): (f32, f32), root: f32, epsilon: f32) {
    simd::vectorized(
        #[inline(always)]
        || {
            // Divisions take longest: there is one for each weight.
            let scale = 1.0 / root;
            let means = values.first.iter_mut().zip(values.second);
            let weights = values.weights.iter_mut().zip(values.gradients);
            for ((weight, gradient), (mean, squares)) in weights.zip(means) {
                *mean = beta1 * *mean + (1.0 - beta1) * gradient;
                *squares = beta2 * *squares + (1.0 - beta2) * gradient * gradient;
                *weight -= rate * *mean / squares.sqrt().mul_add(scale, epsilon);
            }
        },
    );
}

/// The norm of all gradients as one vector.
pub(super) fn norm(gradients: &[Option<Gradient>]) -> f64 {
    let squares = |it: &Gradient| {
        simd::vectorized(
            #[inline(always)]
            || {
                let mut sum = 0.0;
                for values in it.values().values().chunks(4096) {
                    sum += f64::from(simd::dot(values, values));
                }
                sum
            },
        )
    };
    let squares: Vec<f64> = gradients.par_iter().flatten().map(squares).collect();
    squares.iter().sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_warms_up_and_falls() {
        let schedule = Schedule::WarmUp {
            n_warm_up: 4,
            power: 0.5,
        };
        let found: Vec<f32> = [0, 1, 3, 4, 75, 100]
            .map(|it| schedule.factor(it, it as f32 / 100.0))
            .to_vec();
        assert_eq!(found, [0.25, 0.5, 1.0, 0.96_f32.sqrt(), 0.5, 0.0]);
    }

    /// Two steps by hand: gradients 1 and then 2, the first mean kept by half.
    #[test]
    fn adadelta_by_hand() {
        let optimizer = Optimizer::Adadelta {
            rate: 1.0,
            rho: 0.5,
            epsilon: 0.5,
        };
        let mut parameters = Parameters::default();
        let id = parameters.add("x", Matrix::zeros(1, 1));
        let mut memory = Memory::new(&parameters);
        for (step, gradient) in [1.0, 2.0].into_iter().enumerate() {
            let gradients = [Some(Gradient::of_all(Matrix::new(1, 1, vec![gradient])))];
            let step = Step {
                index: step,
                factor: 1.0,
                rates: &[],
            };
            optimizer.apply(&mut parameters, &gradients, &mut memory, &step);
        }
        // m = 0.5, d = √(0.5 / 1) = 0.7071, s = 0.25; then m = 2.25, d = √(0.75 / 2.75) 2 = 1.0445.
        let expected = -(0.5_f32.sqrt() + (0.75_f32 / 2.75).sqrt() * 2.0);
        assert!((parameters.get(id).values()[0] - expected).abs() < 1e-6);
    }

    /// A row that no example asks for stays as it is, and nothing is remembered of it.
    #[test]
    fn rows_are_learnt_on_their_own_and_with_their_own_rate() {
        let start = Matrix::from_fn(3, 2, |row, column| (row + column) as f32);
        let mut whole = Parameters::default();
        let id = whole.add("x", start.clone());
        let mut rows = whole.clone();
        rows.set_learning(id, Learning::Rows);
        let gradient = Matrix::new(1, 2, vec![0.5, -2.0]);
        let all = Matrix::new(3, 2, vec![0.0, 0.0, 0.5, -2.0, 0.0, 0.0]);
        let slow = Optimizer::ADAM.with_rate(0.1);
        for (parameters, gradient, optimizer, rates) in [
            (&mut whole, Gradient::of_all(all), slow, [None]),
            (
                &mut rows,
                Gradient::of_rows(&[1], &gradient),
                Optimizer::ADAM,
                [Some(0.1)],
            ),
        ] {
            let mut memory = Memory::new(parameters);
            for index in 0..3 {
                let gradients = [Some(gradient.clone())];
                let step = Step {
                    index,
                    factor: 1.0,
                    rates: &rates,
                };
                optimizer.apply(parameters, &gradients, &mut memory, &step);
            }
            assert!(memory.first[0].row(0).iter().all(|&it| it == 0.0));
        }
        assert_eq!(whole.get(id), rows.get(id));
        assert_eq!(rows.get(id).row(2), start.row(2));
        assert!((rows.get(id).row(1)[0] - 0.7).abs() < 1e-5);
    }
}
