//! The gradient of the whole network against differences of its loss.

use super::{Dropout, Loss, Model};
use crate::config::{EncoderKind, Objective, Precision};
use crate::layers::whole;
use crate::parameters::ParameterId;
use crate::toy::Class;
use crate::training_example::TrainingExample;

/// Moves one matrix of weights along its gradient, and back again: the loss must change as the gradient
/// says.
fn check(objective: Objective, class: &Class, encoder: EncoderKind) {
    let model = class.model(encoder, 0.0, 1);
    let examples = class.examples(&model);
    let examples: Vec<&TrainingExample> = examples.iter().collect();
    let loss = Loss {
        objective,
        weight: 1.0,
        precision: Precision::Single,
    };
    let (_, gradients) = model.gradients(&examples, loss, &mut Dropout::default());
    let names: Vec<String> = model.parameters.iter().map(|it| it.0.to_owned()).collect();
    for (index, (name, gradient)) in names.iter().zip(gradients).enumerate() {
        let Some(gradient) = gradient else {
            panic!("{objective:?} {encoder:?}: {name} has no gradient");
        };
        let gradient = whole(
            &gradient,
            model.parameters.get(ParameterId::new(index)).shape(),
        );
        let square = |it: &f32| f64::from(*it) * f64::from(*it);
        let length = gradient.values().iter().map(square).sum::<f64>().sqrt();
        // Short, for rectified linear units have kinks.
        let step = 2e-3 / length.max(1e-2);
        let at = |factor: f64| {
            let moved = moved(&model, index, gradient.values(), factor);
            moved.loss(&examples, objective)
        };
        let expected = (at(step) - at(-step)) / (2.0 * step);
        let found = length * length;
        assert!(
            (found.sqrt() - expected.max(0.0).sqrt()).abs() < 0.02 * length + 5e-3,
            "{objective:?} {encoder:?}: {name}: gradient {found}, difference quotient {expected}"
        );
    }
}

fn moved(model: &Model, index: usize, direction: &[f32], factor: f64) -> Model {
    let mut model = model.clone();
    let parameter = model.parameters.get_mut(ParameterId::new(index));
    for (value, direction) in parameter.values_mut().iter_mut().zip(direction) {
        *value += (f64::from(*direction) * factor) as f32;
    }
    model
}

#[test]
fn gradients_of_the_whole_network() {
    for (objective, class) in Class::all() {
        for encoder in [
            EncoderKind::Words,
            EncoderKind::Schema,
            EncoderKind::Pretrained,
        ] {
            check(objective, &class, encoder);
        }
    }
}
