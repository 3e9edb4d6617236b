//! What is measured of one run.

use std::path::Path;

use patois_metrics::corpus_bleu;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::run::folder::RunFile;

/// What is measured of one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// The share of exact matches.
    pub exact_match: f64,
    /// The share of queries with the same rows, where they were run.
    pub execution: Option<f64>,
    /// The mean of the programs' BLEU.
    pub sentence_bleu: Option<f64>,
    /// BLEU of all programs as one.
    pub corpus_bleu: Option<f64>,
    /// How many different idioms are used.
    pub idioms_used: usize,
    /// Whether each example is an exact match; written as a text of zeros and ones.
    #[serde(serialize_with = "write_bits", deserialize_with = "read_bits")]
    pub right: Vec<bool>,
    /// Where each example comes from; empty in records from before it was written down.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ids: Vec<String>,
    /// The logarithm of the probability of what was written for each example, rounded; none where nothing was.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ln_p: Vec<Option<f64>>,
    /// How many idioms were used for each example.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub n_idioms: Vec<usize>,
}

/// What is read of a prediction.
#[derive(Deserialize)]
struct Row {
    id: String,
    ln_p: Option<f64>,
    gold: String,
    predicted: String,
    exact_match: bool,
    sentence_bleu: Option<f64>,
    execution: Option<bool>,
    idioms: Vec<usize>,
}

impl Figures {
    /// The figures of the run in a folder, from its predictions; none where it has not made any.
    pub(crate) fn of(run: &Path) -> Option<Figures> {
        let text = std::fs::read_to_string(run.join(RunFile::Predictions.name())).ok()?;
        let rows = text.lines().map(|it| serde_json::from_str(it).ok());
        Some(Figures::of_rows(&rows.collect::<Option<Vec<Row>>>()?))
    }

    /// How many examples are an exact match.
    pub(super) fn n_right(&self) -> usize {
        self.right.iter().filter(|it| **it).count()
    }

    fn of_rows(rows: &[Row]) -> Figures {
        let n = rows.len().max(1) as f64;
        let all = |values: Vec<f64>| {
            (values.len() == rows.len() && !rows.is_empty()).then(|| values.iter().sum::<f64>() / n)
        };
        let bleu = rows.iter().filter_map(|it| it.sentence_bleu).collect();
        let sentence_bleu = all(bleu);
        let pairs = rows
            .iter()
            .map(|it| (it.gold.as_str(), it.predicted.as_str()));
        let mut idioms: Vec<usize> = rows.iter().flat_map(|it| it.idioms.clone()).collect();
        idioms.sort_unstable();
        idioms.dedup();
        let executed = rows.iter().filter_map(|it| it.execution);
        Figures {
            exact_match: rows.iter().filter(|it| it.exact_match).count() as f64 / n,
            execution: all(executed.map(|it| f64::from(u8::from(it))).collect()),
            sentence_bleu,
            corpus_bleu: sentence_bleu.map(|_| corpus_bleu(pairs)),
            idioms_used: idioms.len(),
            right: rows.iter().map(|it| it.exact_match).collect(),
            ids: rows.iter().map(|it| it.id.clone()).collect(),
            ln_p: rows.iter().map(|it| it.ln_p.map(rounded)).collect(),
            n_idioms: rows.iter().map(|it| it.idioms.len()).collect(),
        }
    }
}

/// As exact as anybody will want to know it.
fn rounded(ln_p: f64) -> f64 {
    (ln_p * 1e4).round() / 1e4
}

fn write_bits<S: Serializer>(bits: &[bool], serializer: S) -> Result<S::Ok, S::Error> {
    let text: String = bits.iter().map(|it| if *it { '1' } else { '0' }).collect();
    serializer.serialize_str(&text)
}

fn read_bits<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<bool>, D::Error> {
    let bit = |it: char| match it {
        '0' => Ok(false),
        '1' => Ok(true),
        _ => Err(serde::de::Error::custom(format!(
            "expected zeros and ones, found `{it}`"
        ))),
    };
    String::deserialize(deserializer)?
        .chars()
        .map(bit)
        .collect()
}
