//! Layers and optimisers against PyTorch: `tests/reference/make.py` made the numbers.

use std::sync::Arc;

use indexmap::IndexMap;
use serde::Deserialize;

use crate::config::Optimizer;
use crate::gradient::Gradient;
use crate::layers::{
    CopyOrigin, DecoderInputs, DecoderPlan, ElementRows, EncodedCopy, Group, Norm, PointerChoice,
    RuleChoice, TextChoice, TextLogits, add_and_norm, attend, choose_items, choose_rules,
    choose_texts, decode, linear, lstm, tanh, weighted_sum,
};
use crate::matrix::Matrix;
use crate::parameters::Parameters;
use crate::sequences::Sequences;
use crate::tape::{Recording, Tape, Var};
use crate::training::{Memory, Step};

#[derive(Deserialize)]
struct Reference {
    layers: IndexMap<String, Case>,
    optimizers: IndexMap<String, Steps>,
}

#[derive(Deserialize)]
struct Case {
    inputs: Vec<Numbers>,
    weights: Numbers,
    output: Numbers,
    gradients: Vec<Numbers>,
    #[serde(default)]
    relations: Vec<Vec<u8>>,
}

#[derive(Deserialize)]
struct Steps {
    start: Numbers,
    gradients: Vec<Numbers>,
    end: Numbers,
}

#[derive(Clone, Deserialize)]
struct Numbers {
    shape: [usize; 2],
    values: Vec<f32>,
}

impl Numbers {
    fn matrix(&self) -> Matrix {
        Matrix::new(self.shape[0], self.shape[1], self.values.clone())
    }
}

fn reference() -> Reference {
    serde_json::from_str(include_str!("../tests/reference/values.json"))
        .expect("the fixture is right")
}

fn check<const N: usize>(name: &str, layer: impl FnOnce(&mut Tape<'_>, [Var; N], &Case) -> Var) {
    let case = &reference().layers[name];
    let mut parameters = Parameters::default();
    let inputs: [Var; N] = std::array::from_fn(|it| {
        parameters
            .add(it.to_string(), case.inputs[it].matrix())
            .into()
    });
    let mut tape = Tape::new(&parameters, Recording::Gradients);
    let output = layer(&mut tape, inputs, case);
    assert_close(
        &format!("{name}: output"),
        tape.value(output),
        &case.output.matrix(),
    );
    let loss = weighted_sum(&mut tape, output, case.weights.matrix());
    let gradients = tape.backward(loss);
    for (index, (found, expected)) in gradients.iter().zip(&case.gradients).enumerate() {
        let found = found.as_ref().expect("every input has a gradient");
        assert_close(
            &format!("{name}: gradient {index}"),
            found.values(),
            &expected.matrix(),
        );
    }
}

fn assert_close(what: &str, found: &Matrix, expected: &Matrix) {
    assert_eq!(found.shape(), expected.shape(), "{what}");
    for (index, (found, expected)) in found.values().iter().zip(expected.values()).enumerate() {
        let error = (found - expected).abs();
        assert!(
            error < 2e-6 * expected.abs().max(1.0),
            "{what}, value {index}: {found}, {expected}"
        );
    }
}

#[test]
fn plain_layers() {
    check("linear", |tape, [x, weight, bias], _| {
        linear(tape, x, weight, Some(bias))
    });
    check("tanh", |tape, [x], _| tanh(tape, x));
    check("layer_norm", |tape, [x, gain, bias], _| {
        let (n_rows, n_columns) = tape.value(x).shape();
        let nothing = tape.constant(Matrix::zeros(n_rows, n_columns));
        let epsilon = Norm::EPSILON;
        let norm = Norm {
            gain,
            bias,
            epsilon,
        };
        add_and_norm(tape, x, nothing, None, norm)
    });
}

#[test]
fn recurrence() {
    check("lstm", |tape, [inputs, weight], _| {
        let sequences = Arc::new(Sequences::new(vec![4, 2, 2]));
        lstm(tape, inputs, weight, sequences, None)
    });
}

#[test]
fn relation_aware_attention() {
    check("attend", |tape, [projected, keys, values], case| {
        let groups = [0..4, 4..7].into_iter().zip(&case.relations);
        let groups = groups.map(|(rows, relations)| Group {
            rows,
            relations: Arc::new(relations.clone()),
        });
        attend(tape, projected, keys, values, Arc::new(groups.collect()), 2)
    });
}

#[test]
fn decoder() {
    check(
        "decode",
        |tape, [gates, elements, keys, weight, attention], _| {
            let plan = DecoderPlan {
                sequences: Sequences::new(vec![4, 2]),
                parents: vec![None, None, Some(0), Some(1), Some(0), Some(4)],
                elements: vec![0..3, 3..5],
                masks: Some(Matrix::new(2, 3, vec![1.25, 0.0, 1.25, 1.25, 1.25, 1.25])),
            };
            let inputs = DecoderInputs {
                gates,
                elements,
                keys,
                weight,
                attention,
            };
            decode(tape, inputs, Arc::new(plan))
        },
    );
}

#[test]
fn heads() {
    check("rules", |tape, [logits], _| {
        let choice = |row, possible: &[u32], asked: &[u32]| RuleChoice {
            row,
            possible: possible.into(),
            asked: asked.to_vec(),
        };
        let choices = vec![
            choice(0, &[0, 2, 5], &[1]),
            choice(1, &[1, 3], &[0, 1]),
            choice(2, &[0, 1, 2, 3, 4, 5], &[4]),
        ];
        choose_rules(tape, logits, Arc::new(choices))
    });
    check("items", |tape, [queries, items], _| {
        let choice = |row, items: std::ops::Range<u32>, target| PointerChoice {
            row,
            start: 0,
            items: items.collect(),
            target,
        };
        let choices = vec![choice(0, 1..5, 3), choice(1, 0..3, 1)];
        choose_items(tape, queries, items, Arc::new(choices))
    });
    check("texts", |tape, [vocabulary, copying, words], _| {
        let copies = [[0, 0, 0], [0, 2, 1], [2, 2, 0]].map(|[first, last, form]| EncodedCopy {
            first,
            last,
            origin: CopyOrigin::Words(form),
        });
        let copies = Arc::new(copies.to_vec());
        let choice = |row, subtoken, copied: &[u32]| TextChoice {
            row,
            elements: ElementRows {
                start: 0,
                words: 1..4,
            },
            copies: Arc::clone(&copies),
            subtoken,
            copied: copied.to_vec(),
        };
        let choices = vec![
            choice(0, Some(3), &[]),
            choice(1, None, &[1]),
            choice(2, Some(0), &[0, 2]),
        ];
        let logits = TextLogits {
            vocabulary,
            copying,
            values: None,
            elements: words,
        };
        choose_texts(tape, logits, Arc::new(choices))
    });
}

#[test]
fn optimizers() {
    let reference = reference();
    for (name, optimizer) in [("adam", Optimizer::ADAM), ("adadelta", Optimizer::ADADELTA)] {
        let steps = &reference.optimizers[name];
        let mut parameters = Parameters::default();
        let id = parameters.add("x", steps.start.matrix());
        let mut memory = Memory::new(&parameters);
        for (step, gradient) in steps.gradients.iter().enumerate() {
            let gradients = [Some(Gradient::of_all(gradient.matrix()))];
            let step = Step {
                index: step,
                factor: 1.0,
                rates: &[],
            };
            optimizer.apply(&mut parameters, &gradients, &mut memory, &step);
        }
        assert_close(name, parameters.get(id), &steps.end.matrix());
    }
}
