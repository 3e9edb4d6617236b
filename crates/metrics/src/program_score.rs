//! Programs of one language: equal syntax trees, and BLEU.

use patois_syntax::Language;
use serde::Serialize;

use crate::bleu::BleuCounts;

/// How a predicted program compares with the gold one.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ProgramScore {
    /// Whether the syntax trees are equal.
    pub exact_match: bool,
    /// BLEU of this program alone.
    pub sentence_bleu: f64,
    /// What BLEU of all programs is made of.
    #[serde(skip)]
    pub counts: BleuCounts,
    /// Why one of the programs has no syntax tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The figures of many programs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProgramFigures {
    /// How many programs.
    pub examples: usize,
    /// The share with equal syntax trees.
    pub exact_match: f64,
    /// The mean of the programs' BLEU.
    pub sentence_bleu: f64,
    /// BLEU of all programs as one.
    pub corpus_bleu: f64,
}

impl ProgramScore {
    /// Compares two programs. One that does not parse is equal to none.
    ///
    /// ```
    /// use patois_metrics::ProgramScore;
    /// use patois_languages::python::Python;
    ///
    /// assert!(ProgramScore::new(&Python, "x = (1)  # one", "x=1").exact_match);
    /// assert!(!ProgramScore::new(&Python, "x = 1", "x = ").exact_match);
    /// ```
    pub fn new(language: &dyn Language, gold: &str, predicted: &str) -> ProgramScore {
        let parse = |what: &str, code: &str| {
            let parsed = language.parse(code);
            parsed.map_err(|error| format!("the {what} program does not parse: {error}"))
        };
        let (exact_match, error) = match (parse("gold", gold), parse("predicted", predicted)) {
            (Ok(gold), Ok(predicted)) => (gold == predicted, None),
            (Err(error), _) | (_, Err(error)) => (false, Some(error)),
        };
        let counts = BleuCounts::of(gold, predicted);
        ProgramScore {
            exact_match,
            sentence_bleu: counts.sentence(),
            counts,
            error,
        }
    }
}

impl ProgramFigures {
    /// The figures of all programs.
    pub fn of(scores: &[ProgramScore]) -> ProgramFigures {
        let n_exact = scores.iter().filter(|it| it.exact_match).count();
        let n_programs = scores.len().max(1) as f64;
        ProgramFigures {
            examples: scores.len(),
            exact_match: n_exact as f64 / n_programs,
            sentence_bleu: scores.iter().map(|it| it.sentence_bleu).sum::<f64>() / n_programs,
            corpus_bleu: scores
                .iter()
                .map(|it| it.counts)
                .sum::<BleuCounts>()
                .corpus(),
        }
    }
}
