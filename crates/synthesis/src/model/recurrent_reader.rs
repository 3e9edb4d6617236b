//! Words, columns and tables read by recurrent layers.

use std::sync::Arc;

use rand::Rng;

use super::Dropout;
use super::bilstm::BiLstm;
use crate::config::ModelConfig;
use crate::layers::{concat_rows, gather_rows};
use crate::lexicon::Words;
use crate::parameters::{ParameterId, Parameters, normal};
use crate::tape::{Tape, Var};
use crate::training_example::EncodedSpec;

/// Reads the words of the question in both directions, and the words of each name.
#[derive(Clone, Debug)]
pub(super) struct RecurrentReader {
    words: ParameterId,
    question: BiLstm,
    names: Option<Names>,
}

#[derive(Clone, Copy, Debug)]
struct Names {
    column: BiLstm,
    table: BiLstm,
}

impl RecurrentReader {
    pub(super) fn new(
        parameters: &mut Parameters,
        config: &ModelConfig,
        words: &Words,
        reads_schema: bool,
        rng: &mut impl Rng,
    ) -> RecurrentReader {
        let shape = (words.n_learnt(), config.word_size);
        let table = parameters.begin("words", shape, |it| normal(it, 1.0, rng));
        let sizes = (config.word_size, config.hidden_size);
        let mut reader = |name: &str| BiLstm::new(parameters, name, sizes, config.dropout, rng);
        RecurrentReader {
            words: table,
            question: reader("question"),
            names: reads_schema.then(|| Names {
                column: reader("column"),
                table: reader("table"),
            }),
        }
    }

    /// Columns, tables and words of each specification: [elements, hidden].
    pub(super) fn read(
        &self,
        tape: &mut Tape<'_>,
        words: &Words,
        specs: &[&EncodedSpec],
        dropout: &mut Dropout,
    ) -> Var {
        let table = (self.words, words);
        let questions: Vec<&[u32]> = specs.iter().map(|it| &it.words[..]).collect();
        let read = self.question.read(tape, table, &questions, dropout);
        let question = read.words(tape);
        let Some(names) = &self.names else {
            return question;
        };
        let columns: Vec<&[u32]> = flat(specs, |it| &it.columns);
        let tables: Vec<&[u32]> = flat(specs, |it| &it.tables);
        let column = names.column.read(tape, table, &columns, dropout);
        let column = column.ends(tape);
        let named = names.table.read(tape, table, &tables, dropout);
        let named = named.ends(tape);
        let all = concat_rows(tape, &[column, named, question]);
        let starts = [0, columns.len(), columns.len() + tables.len()];
        gather_rows(tape, all, Arc::new(by_spec(specs, starts)))
    }
}

fn flat<'a>(
    specs: &[&'a EncodedSpec],
    texts: impl Fn(&'a EncodedSpec) -> &'a Vec<Vec<u32>>,
) -> Vec<&'a [u32]> {
    specs
        .iter()
        .flat_map(|spec| texts(spec).iter().map(|it| &it[..]))
        .collect()
}

/// The rows of all columns, all tables and all words, sorted by specification.
fn by_spec(specs: &[&EncodedSpec], starts: [usize; 3]) -> Vec<u32> {
    let mut next = starts;
    let mut rows = Vec::new();
    for spec in specs {
        let counts = [spec.columns.len(), spec.tables.len(), spec.words.len()];
        for (next, count) in next.iter_mut().zip(counts) {
            rows.extend((*next..*next + count).map(|row| row as u32));
            *next += count;
        }
    }
    rows
}
