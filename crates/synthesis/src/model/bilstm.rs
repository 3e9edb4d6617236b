//! A recurrent layer in both directions.

use std::sync::Arc;

use rand::Rng;

use super::Dropout;
use crate::layers::{concat_columns, gather_rows, linear, look_up, lstm};
use crate::lexicon::Words;
use crate::matrix::Matrix;
use crate::parameters::{ParameterId, Parameters, glorot, orthogonal_blocks};
use crate::sequences::Sequences;
use crate::tape::{Tape, Var};

/// Reads sequences of words forwards and backwards; half of the width is for each.
#[derive(Clone, Copy, Debug)]
pub(super) struct BiLstm {
    forwards: Direction,
    backwards: Direction,
    half: usize,
    dropout: f32,
}

#[derive(Clone, Copy, Debug)]
struct Direction {
    input: ParameterId,
    bias: ParameterId,
    recurrent: ParameterId,
}

impl Direction {
    fn new(
        parameters: &mut Parameters,
        name: &str,
        sizes: (usize, usize),
        rng: &mut impl Rng,
    ) -> Direction {
        let (word_size, size) = sizes;
        Direction {
            input: parameters.begin(format!("{name}.input"), (word_size, 4 * size), |it| {
                glorot(it, rng)
            }),
            bias: parameters.begin(format!("{name}.bias"), (1, 4 * size), forget_bias),
            recurrent: parameters.begin(format!("{name}.recurrent"), (size, 4 * size), |_| {
                orthogonal_blocks(size, 4, rng)
            }),
        }
    }
}

/// The bias of the gates: one for forgetting, so that cells remember at first; zero for the others.
pub(super) fn forget_bias((n_rows, width): (usize, usize)) -> Matrix {
    let forgetting = width / 4..width / 2;
    Matrix::from_fn(n_rows, width, |_, column| {
        f32::from(u8::from(forgetting.contains(&column)))
    })
}

/// What came of reading.
pub(super) struct Read {
    forwards: Var,
    backwards: Var,
    /// For each given sequence, its place among those sorted by length.
    places: Vec<usize>,
    sequences: Arc<Sequences>,
}

impl BiLstm {
    pub(super) fn new(
        parameters: &mut Parameters,
        name: &str,
        (word_size, size): (usize, usize),
        dropout: f32,
        rng: &mut impl Rng,
    ) -> BiLstm {
        let half = size / 2;
        let mut direction = |which: &str| {
            Direction::new(
                parameters,
                &format!("{name}.{which}"),
                (word_size, half),
                rng,
            )
        };
        BiLstm {
            forwards: direction("forwards"),
            backwards: direction("backwards"),
            half,
            dropout,
        }
    }

    /// Reads sequences of rows of the word table.
    pub(super) fn read(
        &self,
        tape: &mut Tape<'_>,
        (table, words): (ParameterId, &Words),
        texts: &[&[u32]],
        dropout: &mut Dropout,
    ) -> Read {
        let mut order: Vec<usize> = (0..texts.len()).collect();
        order.sort_by_key(|&it| std::cmp::Reverse(texts[it].len()));
        let mut places = vec![0; texts.len()];
        for (place, &text) in order.iter().enumerate() {
            places[text] = place;
        }
        let lengths = order.iter().map(|&it| texts[it].len()).collect();
        let sequences = Arc::new(Sequences::new(lengths));

        let mut rows = vec![0; sequences.n_rows()];
        let mut reversed = vec![0; sequences.n_rows()];
        for (place, &text) in order.iter().enumerate() {
            let length = texts[text].len();
            for (step, &word) in texts[text].iter().enumerate() {
                rows[sequences.row(place, step)] = word;
                let from_the_end = sequences.row(place, length - 1 - step);
                reversed[from_the_end] = sequences.row(place, step) as u32;
            }
        }
        let embedded = look_up(tape, table.into(), words.vectors(), Arc::new(rows));
        let rows = Arc::new(sequences.sequence_of_rows());
        let embedded = dropout.columns(tape, embedded, (sequences.len(), &rows), self.dropout);
        let reversed = gather_rows(tape, embedded, Arc::new(reversed));
        let mut run = |direction: Direction, x: Var| {
            let gates = linear(tape, x, direction.input.into(), Some(direction.bias.into()));
            let masks = dropout.masks(sequences.len(), self.half, self.dropout);
            let sequences = Arc::clone(&sequences);
            lstm(tape, gates, direction.recurrent.into(), sequences, masks)
        };
        Read {
            forwards: run(self.forwards, embedded),
            backwards: run(self.backwards, reversed),
            places,
            sequences,
        }
    }
}

impl Read {
    /// The states at every word of every sequence, in the given order: [words, width].
    pub(super) fn words(&self, tape: &mut Tape<'_>) -> Var {
        let positions = self.places.iter().flat_map(|&place| {
            let length = self.sequences.length(place);
            (0..length).map(move |step| (place, step, length - 1 - step))
        });
        self.states(tape, positions)
    }

    /// The last state of each direction, for every sequence in the given order: [sequences, width].
    pub(super) fn ends(&self, tape: &mut Tape<'_>) -> Var {
        let positions = self.places.iter().map(|&place| {
            let last = self.sequences.length(place) - 1;
            (place, last, last)
        });
        self.states(tape, positions)
    }

    fn states(
        &self,
        tape: &mut Tape<'_>,
        positions: impl Iterator<Item = (usize, usize, usize)>,
    ) -> Var {
        let row = |place, step| self.sequences.row(place, step) as u32;
        let (forwards, backwards) = positions
            .map(|(place, forwards, backwards)| (row(place, forwards), row(place, backwards)))
            .unzip();
        let forwards = gather_rows(tape, self.forwards, Arc::new(forwards));
        let backwards = gather_rows(tape, self.backwards, Arc::new(backwards));
        concat_columns(tape, &[forwards, backwards])
    }
}
