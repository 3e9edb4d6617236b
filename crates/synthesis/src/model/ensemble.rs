//! Several models that were trained for the same, one step at a time.

use super::Model;
use super::inference::{Encoding, Inference, State, StepInput, SubtokenProbabilities};
use crate::config::Precision;
use crate::training_example::{EncodedCopy, EncodedSpec};

/// Models whose opinions count equally: an action is as probable as it is to them on average.
///
/// All must know the same words, subtokens and rules; one model alone is what it is.
pub struct Ensemble<'m> {
    members: Vec<Inference<'m>>,
    /// How exactly specifications are read.
    precision: Precision,
}

/// A specification as each model reads it.
pub(crate) struct Encodings(Vec<Encoding>);

/// What a step leaves behind in each model.
#[derive(Clone, Debug, PartialEq)]
pub struct States(Box<[State]>);

impl StepInput<'_, Encodings, States> {
    /// What the step of one of the models begins with.
    fn of(&self, member: usize) -> StepInput<'_> {
        StepInput {
            encoding: &self.encoding.0[member],
            previous: self.previous,
            parent_action: self.parent_action,
            symbol: self.symbol,
            place: self.place,
            before: self.before.map(|it| &it.0[member]),
            parent: self.parent.map(|it| &it.0[member]),
        }
    }
}

impl<'m> Ensemble<'m> {
    /// Makes models ready to take single steps.
    ///
    /// # Panics
    ///
    /// When there is none.
    pub fn new(models: &'m [Model]) -> Ensemble<'m> {
        assert!(!models.is_empty(), "expected at least one model");
        Ensemble {
            members: models.iter().map(Model::inference).collect(),
            precision: Precision::Single,
        }
    }

    /// The same, but specifications are read in another precision: that of training, as a rule.
    #[must_use]
    pub fn in_precision(self, precision: Precision) -> Ensemble<'m> {
        Ensemble { precision, ..self }
    }

    /// One of the models: what it knows, all know.
    pub(crate) fn model(&self) -> &'m Model {
        self.members[0].model()
    }

    /// Encodes a specification.
    pub(crate) fn encode(&self, spec: &EncodedSpec) -> Encodings {
        let members = self.members.iter();
        Encodings(members.map(|it| it.encode(spec, self.precision)).collect())
    }

    /// Takes a step for each input.
    pub(crate) fn step(&self, inputs: &[StepInput<'_, Encodings, States>]) -> Vec<States> {
        let members = self.members.iter().enumerate();
        let mut states: Vec<_> = members
            .map(|(index, member)| {
                let own: Vec<StepInput<'_>> = inputs.iter().map(|it| it.of(index)).collect();
                member.step(&own).into_iter()
            })
            .collect();
        let of_input = |_| States(states.iter_mut().filter_map(Iterator::next).collect());
        inputs.iter().map(of_input).collect()
    }

    /// ln p of the rules that expand a symbol, as `possible` lists them.
    pub(crate) fn rules(&self, states: &States, possible: &[u32]) -> Vec<f32> {
        let members = self.members.iter().zip(&states.0);
        ln_mean(members.map(|(member, state)| member.rules(state, possible)))
    }

    /// ln p of the items that can be pointed at.
    ///
    /// # Panics
    ///
    /// When the models were not made for contexts.
    pub(crate) fn items(&self, states: &States, encodings: &Encodings, items: &[u32]) -> Vec<f32> {
        let members = self.members.iter().zip(&states.0).zip(&encodings.0);
        ln_mean(members.map(|((member, state), encoding)| member.items(state, encoding, items)))
    }

    /// The probabilities of subtokens of text.
    pub(crate) fn subtokens(
        &self,
        states: &States,
        encodings: &Encodings,
        copies: &[EncodedCopy],
    ) -> SubtokenProbabilities {
        let members = self.members.iter().zip(&states.0).zip(&encodings.0);
        let all: Vec<SubtokenProbabilities> = members
            .map(|((member, state), encoding)| member.subtokens(state, encoding, copies))
            .collect();
        SubtokenProbabilities {
            generated: mean(all.iter().map(|it| &it.generated[..])),
            copied: mean(all.iter().map(|it| &it.copied[..])),
        }
    }
}

fn mean<'a>(mut all: impl ExactSizeIterator<Item = &'a [f32]>) -> Vec<f32> {
    let share = 1.0 / all.len() as f32;
    let mut mean: Vec<f32> = all.next().unwrap_or_default().to_vec();
    for other in all {
        for (sum, value) in mean.iter_mut().zip(other) {
            *sum += value;
        }
    }
    for value in &mut mean {
        *value *= share;
    }
    mean
}

/// The logarithms of the means of what are logarithms.
fn ln_mean(mut all: impl ExactSizeIterator<Item = Vec<f32>>) -> Vec<f32> {
    let ln_n = (all.len() as f32).ln();
    let mut result = all.next().unwrap_or_default();
    for other in all {
        for (sum, value) in result.iter_mut().zip(other) {
            let (high, low) = (sum.max(value), sum.min(value));
            *sum = high + (low - high).exp().ln_1p();
        }
    }
    for value in &mut result {
        *value -= ln_n;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_of_logarithms_are_those_of_what_they_are_of() {
        let logarithms = [[0.5_f32, 0.1], [0.25, 0.3], [0.75, 0.2]].map(|it| it.map(f32::ln));
        let result = ln_mean(logarithms.into_iter().map(|it| it.to_vec()));
        for (found, expected) in result.iter().zip([0.5_f32, 0.2]) {
            assert!((found.exp() - expected).abs() < 1e-6, "{found}");
        }
        assert_eq!(ln_mean(std::iter::once(vec![-1.5])), [-1.5]);
    }

    #[test]
    fn means_of_one_are_that_one() {
        let one = [0.1_f32, 0.9];
        assert_eq!(mean(std::iter::once(&one[..])), one);
        assert_eq!(mean([&one[..], &[0.5, 0.5]].into_iter()), [0.3, 0.7]);
    }
}
