//! The whole encoder against `transformers`: `tests/reference/bert.py` made the numbers.

use safetensors::SafeTensors;

use super::*;
use crate::layers::{concat_rows, weighted_sum, whole};
use crate::toy::pretrained;

const EXPECTED: &[u8] = include_bytes!("../../../tests/reference/bert/expected.safetensors");

/// The sequences of the script: pieces, and how many of them are of the first segment.
fn sequences() -> [Vec<Piece>; 2] {
    let pieces: [(&[u32], usize); 2] = [
        (&[2, 5, 6, 7, 8, 3, 20, 25, 22, 23, 26, 13, 14, 3], 6),
        (&[2, 9, 7, 10, 11, 1, 3], 7),
    ];
    pieces.map(|(pieces, n_first)| {
        let piece = |(place, &piece): (usize, &u32)| Piece {
            piece,
            segment: u8::from(place >= n_first),
        };
        pieces.iter().enumerate().map(piece).collect()
    })
}

fn expected(name: &str) -> Matrix {
    let tensors = SafeTensors::deserialize(EXPECTED).unwrap();
    let tensor = tensors.tensor(name).unwrap();
    let (numbers, _) = tensor.data().as_chunks::<4>();
    let values = numbers.iter().map(|&it| f32::from_le_bytes(it)).collect();
    match *tensor.shape() {
        // Weights that rows are multiplied with are published the other way round.
        [n_rows, n_columns] if name.contains("encoder.layer") => {
            let published = Matrix::new(n_rows, n_columns, values);
            Matrix::from_fn(n_columns, n_rows, |row, column| published.row(column)[row])
        }
        [n_rows, n_columns] => Matrix::new(n_rows, n_columns, values),
        _ => Matrix::new(1, tensor.shape()[0], values),
    }
}

fn assert_close(what: &str, found: &Matrix, expected: &Matrix) {
    assert_eq!(found.shape(), expected.shape(), "{what}");
    for (index, (found, expected)) in found.values().iter().zip(expected.values()).enumerate() {
        let error = (found - expected).abs();
        assert!(
            error < 5e-5 * expected.abs().max(1.0),
            "{what}, value {index}: {found}, {expected}"
        );
    }
}

/// What becomes of the sequences when some of the layers are trained, and the gradients of the script's loss.
fn check(n_trained: Option<usize>, embeddings: bool) {
    let mut parameters = Parameters::default();
    let transformer = Transformer::new(&mut parameters, pretrained().weights, 0.5);
    let config = FineTuning {
        n_layers: n_trained,
        embeddings,
        ..FineTuning::default()
    };
    let mut rates = vec![None; parameters.len()];
    transformer.fine_tune(&config, &mut parameters, &mut rates);

    let sequences = sequences();
    let slices: Vec<&[Piece]> = sequences.iter().map(Vec::as_slice).collect();
    let mut tape = Tape::new(&parameters, Recording::Gradients);
    let states = transformer.read(&mut tape, &slices, &mut Dropout::default());
    let mut all = [0, 1].map(|it| tape.constant(expected(&format!("states.{it}"))));
    let found = tape.value(states).clone();
    let both = concat_rows(&mut tape, &all);
    assert_close("states", &found, tape.value(both));

    all = [0, 1].map(|it| tape.constant(expected(&format!("weights.{it}"))));
    let weights = concat_rows(&mut tape, &all);
    let weights = tape.value(weights).clone();
    let loss = weighted_sum(&mut tape, states, weights);
    let gradients = tape.backward(loss);
    let named = parameters.iter().zip(gradients).zip(parameters.learnt());
    for (((name, value), gradient), (_, learning)) in named {
        assert_eq!(gradient.is_some(), learning != Learning::Frozen, "{name}");
        if let Some(gradient) = gradient {
            let gradient = whole(&gradient, value.shape());
            assert_close(name, &gradient, &expected(&format!("gradients.{name}")));
        }
    }
}

#[test]
fn outputs_and_gradients_are_those_of_others() {
    check(None, true);
    check(None, false);
    check(Some(1), true);
    check(Some(7), true);
}

#[test]
fn each_sequence_is_read_as_if_it_were_alone() {
    let weights = pretrained().weights;
    for (index, sequence) in sequences().iter().enumerate() {
        let expected = expected(&format!("states.{index}"));
        assert_close("states", &hidden_states(&weights, sequence), &expected);
    }
}

#[test]
fn layers_are_trained_from_the_last_one_on_and_ever_more_slowly() {
    let mut parameters = Parameters::default();
    let transformer = Transformer::new(&mut parameters, pretrained().weights, 0.0);
    let config = FineTuning {
        n_layers: Some(1),
        embeddings: true,
        rate: 0.5,
        layer_decay: 0.5,
    };
    let mut rates = vec![None; parameters.len()];
    transformer.fine_tune(&config, &mut parameters, &mut rates);
    for (name, rate, learning) in [
        ("encoder.layer.1.output.dense.bias", 0.5, Learning::Whole),
        ("encoder.layer.0.output.dense.bias", 0.25, Learning::Frozen),
        ("embeddings.word_embeddings.weight", 0.125, Learning::Frozen),
    ] {
        let id = parameters.id(name);
        assert_eq!(
            (rates[id.index()], parameters.learning(id)),
            (Some(rate), learning)
        );
    }
    assert_eq!(transformer.n_parameters(), parameters.len());
}

#[test]
fn long_inputs_are_read_in_parts() {
    let sequence = |length| {
        vec![
            Piece {
                piece: 5,
                segment: 0
            };
            length
        ]
    };
    let sequences = [900, 100, 100, 2000, 24, 1000].map(sequence);
    let slices: Vec<&[Piece]> = sequences.iter().map(Vec::as_slice).collect();
    let lengths: Vec<usize> = parts(&slices).map(<[_]>::len).collect();
    assert_eq!(lengths, [2, 1, 1, 2]);
    assert_eq!(parts(&[]).count(), 0);
}

#[test]
fn what_nobody_learns_from_is_read_as_precisely_as_what_is_learnt_from() {
    let mut parameters = Parameters::default();
    let transformer = Transformer::new(&mut parameters, widened(pretrained().weights, 4), 0.0);
    let [sequence, _] = sequences();
    // Enough rows for products in half precision, few enough to be read at once.
    let slices = vec![&sequence[..]; MOST_ROWS_APART / sequence.len()];
    for precision in [Precision::Single, Precision::Half] {
        let [kept, apart] = [Recording::Gradients, Recording::ValuesOnly].map(|recording| {
            let mut tape = Tape::new(&parameters, recording).in_precision(precision);
            let states = transformer.read(&mut tape, &slices, &mut Dropout::default());
            tape.value(states).clone()
        });
        assert!(kept.values() == apart.values(), "{precision:?}");
    }
}

/// An encoder whose layers are so many times as wide, with the same numbers over and over.
fn widened(mut weights: Weights, factor: usize) -> Weights {
    weights.shape.width *= factor;
    for (name, matrix) in &mut weights.matrices {
        let (n_rows, n_columns) = matrix.shape();
        let is_layer = name.ends_with("weight") && name.contains("encoder.layer") && n_rows > 1;
        let n_more = if is_layer { factor * n_rows } else { n_rows };
        *matrix = Matrix::from_fn(n_more, factor * n_columns, |row, column| {
            matrix.row(row % n_rows)[column % n_columns]
        });
    }
    weights
}
