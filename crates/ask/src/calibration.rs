//! Fitting confidence to questions about databases that the model has not seen.

use patois::run::synthesizer::Synthesizer;
use patois::spec::linking::ValueCache;
use patois_database::QueryLimits;
use patois_metrics::execution_match;
use rayon::prelude::*;
use serde::Serialize;

use crate::asker::{AskError, Asker};
use crate::confidence::{Confidence, Known};
use crate::memory::Memory;
use crate::paper::Paper;
use crate::question_words::QuestionWords;

/// What is known of one question: its first answers.
#[derive(Clone, Debug)]
struct Asked {
    database: usize,
    answers: Vec<Known>,
    is_stranger: bool,
    /// Whether it was written about this database, which does not answer it.
    is_near_miss: bool,
    /// How much it counts.
    weight: f64,
}

/// How much a question counts that its database does not answer, though somebody might well ask it. There are few of them;
/// questions about other databases are easy to tell.
const NEAR_MISS: f64 = 3.0;

/// How many answers of a question are looked at.
const N_ANSWERS: usize = 4;

/// How good answers are, and how well one can tell; measured on databases that confidence was not fitted to.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CalibrationFigures {
    /// How many questions were asked of their own databases.
    pub n_questions: usize,
    /// How many were asked of another one, and should be refused.
    pub n_strangers: usize,
    /// The share of questions whose first answer is right.
    pub first_is_right: f64,
    /// The share of questions with a right answer among the first three.
    pub right_among_three: f64,
    /// By how much confidence and the share of right answers differ, on average over ten classes of confidence.
    pub calibration_error: f64,
    /// How often an answer that is right is more confident than one that is not.
    pub area_under_curve: f64,
    /// The share of strangers that are refused.
    pub refused_strangers: f64,
    /// How many more were written about their databases and have no answer there.
    pub n_near_misses: usize,
    /// The share of those that are refused.
    pub refused_near_misses: f64,
    /// The share of right first answers that are refused, too.
    pub lost: f64,
}

/// The share of right answers that may be lost by refusing.
const LOST: f64 = 0.04;

/// Asks a model the questions of some papers, about their own databases and about others, and fits confidence to how
/// often it is right. The papers come in collections, each of which counts as much as any other. The figures are of a
/// fit to one half of the databases, measured on the other; there each question counts once.
///
/// # Errors
///
/// When a database cannot be used.
pub fn calibrate(
    model: &Synthesizer,
    collections: &[Vec<Paper>],
    words: &QuestionWords,
) -> Result<(Confidence, CalibrationFigures), AskError> {
    let plain = Confidence::unfitted(words.clone());
    let mut asked: Vec<Asked> = Vec::new();
    for papers in collections {
        let n_before = asked.iter().map(|it| it.database + 1).max().unwrap_or(0);
        let of_paper: Result<Vec<Vec<Asked>>, AskError> = (0..papers.len())
            .into_par_iter()
            .map(|index| ask_about(model, &plain, papers, index))
            .collect();
        let mut own: Vec<Asked> = of_paper?.into_iter().flatten().collect();
        let weight = 1.0 / own.len().max(1) as f64;
        for it in &mut own {
            it.database += n_before;
            it.weight *= weight;
        }
        asked.append(&mut own);
    }
    let fit = |is_wanted: &dyn Fn(&Asked) -> bool| {
        let own: Vec<&Asked> = asked.iter().filter(|it| is_wanted(it)).collect();
        fit(&own, words)
    };
    let halves = [0, 1].map(|half| fit(&|it| it.database % 2 != half));
    let figures = figures(&asked, |it| &halves[it.database % 2]);
    Ok((fit(&|_| true), figures))
}

/// Asks one database its own questions, and those that have an answer in the next one.
fn ask_about(
    model: &Synthesizer,
    confidence: &Confidence,
    papers: &[Paper],
    index: usize,
) -> Result<Vec<Asked>, AskError> {
    let (paper, next) = (&papers[index], &papers[(index + 1) % papers.len()]);
    let source = paper.source().map_err(AskError::Source)?;
    let database = source.place.open(&paper.name)?;
    let none = (Memory::default(), ValueCache::none());
    let asker = Asker::new(model, confidence.clone(), source, none.0, none.1)?;
    let own = paper.pairs.iter().map(|it| (it, it.sql.is_none()));
    let others = next.pairs.iter().map(|it| (it, true));
    let others = others.filter(|it| it.0.sql.is_some() && next.name != paper.name);
    let mut asked = Vec::new();
    for (pair, is_stranger) in own.chain(others) {
        let is_right = |code: &str| {
            let limits = QueryLimits::default();
            let gold = pair.sql.as_ref().filter(|_| !is_stranger);
            let matching = gold.map(|it| execution_match(&database, it, code, &limits));
            matching.is_some_and(|it| it.is_ok_and(|it| it.is_equal))
        };
        let candidates = asker.evidence(&pair.question)?.into_iter().take(N_ANSWERS);
        let answers = candidates.map(|(it, evidence)| Known {
            evidence,
            is_right: is_right(&it.code),
            is_about: !is_stranger,
        });
        asked.push(Asked {
            database: index,
            answers: answers.collect(),
            is_stranger,
            is_near_miss: pair.sql.is_none(),
            weight: if pair.sql.is_none() { NEAR_MISS } else { 1.0 },
        });
    }
    Ok(asked)
}

/// Fits confidence, and the threshold at which few right answers are lost.
fn fit(asked: &[&Asked], words: &QuestionWords) -> Confidence {
    let answers = asked
        .iter()
        .flat_map(|asked| asked.answers.iter().map(|it| (it, asked.weight)));
    let answers: Vec<(&Known, f64)> = answers.collect();
    let mut fitted = Confidence::fit(&answers, words.clone());
    let right = answers
        .iter()
        .filter(|(it, _)| it.is_right && it.evidence.rank == 0);
    let right = right.map(|(it, weight)| (fitted.about(&it.evidence), *weight));
    let mut right: Vec<(f64, f64)> = right.collect();
    right.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut may_be_lost = right.iter().map(|it| it.1).sum::<f64>() * LOST;
    let kept = right.iter().find(|(_, weight)| {
        may_be_lost -= weight;
        may_be_lost < 0.0
    });
    fitted.threshold = kept.map_or(0.0, |it| it.0);
    fitted
}

fn figures<'c>(
    asked: &[Asked],
    confidence: impl Fn(&Asked) -> &'c Confidence,
) -> CalibrationFigures {
    let share = |n: usize, of: usize| n as f64 / of.max(1) as f64;
    let (strangers, own): (Vec<&Asked>, Vec<&Asked>) = asked.iter().partition(|it| it.is_stranger);
    let is_refused = |it: &Asked| {
        let first = it.answers.first();
        first.is_none_or(|known| confidence(it).is_refused(&known.evidence))
    };
    let answered = own.iter().filter_map(|it| Some((*it, it.answers.first()?)));
    let answered: Vec<(&Asked, &Known)> = answered.collect();
    let right = answered.iter().filter(|it| it.1.is_right);
    let (n_right, n_lost) = (
        right.clone().count(),
        right.filter(|it| is_refused(it.0)).count(),
    );
    let is_among = |it: &&&Asked| it.answers.iter().take(3).any(|it| it.is_right);
    let refused = |of: &[&Asked]| share(of.iter().filter(|it| is_refused(it)).count(), of.len());
    let (near_misses, strangers): (Vec<&Asked>, Vec<&Asked>) =
        strangers.iter().partition(|it| it.is_near_miss);
    let pairs = answered
        .iter()
        .map(|(asked, it)| (confidence(asked).of(&it.evidence), it.is_right));
    let pairs: Vec<(f64, bool)> = pairs.collect();
    CalibrationFigures {
        n_questions: own.len(),
        n_strangers: strangers.len(),
        first_is_right: share(n_right, own.len()),
        right_among_three: share(own.iter().filter(is_among).count(), own.len()),
        calibration_error: calibration_error(&pairs),
        area_under_curve: area_under_curve(&pairs),
        refused_strangers: refused(&strangers),
        n_near_misses: near_misses.len(),
        refused_near_misses: refused(&near_misses),
        lost: share(n_lost, n_right),
    }
}

/// How many classes of confidence there are.
const N_CLASSES: usize = 10;

/// By how much confidence and the share of what is right differ: the mean over classes of equal width, by their size
/// (Naeini et al. 2015).
pub fn calibration_error(answers: &[(f64, bool)]) -> f64 {
    let differences = (0..N_CLASSES).map(|class| {
        let end = |class: usize| class as f64 / N_CLASSES as f64;
        let is_last = class + 1 == N_CLASSES;
        let own = answers.iter().filter(|(confidence, _)| {
            *confidence >= end(class) && (is_last || *confidence < end(class + 1))
        });
        let difference = own.map(|&(sure, is_right)| sure - f64::from(u8::from(is_right)));
        difference.sum::<f64>().abs()
    });
    differences.sum::<f64>() / answers.len().max(1) as f64
}

/// How often what is right has more confidence than what is not; ties count half.
pub fn area_under_curve(answers: &[(f64, bool)]) -> f64 {
    let (right, wrong): (Vec<_>, Vec<_>) = answers.iter().partition(|it| it.1);
    let mut wins = 0.0;
    for (better, _) in &right {
        for (worse, _) in &wrong {
            wins += match better.total_cmp(worse) {
                std::cmp::Ordering::Greater => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Less => 0.0,
            };
        }
    }
    let n_pairs = right.len() * wrong.len();
    if n_pairs == 0 {
        0.5
    } else {
        wins / n_pairs as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_and_areas_are_those_of_their_definitions() {
        let check = |answers: &[(f64, bool)], error: f64, area: f64| {
            assert!(
                (calibration_error(answers) - error).abs() < 1e-9,
                "{answers:?}"
            );
            assert!(
                (area_under_curve(answers) - area).abs() < 1e-9,
                "{answers:?}"
            );
        };
        check(&[], 0.0, 0.5);
        check(
            &[(0.75, true), (0.75, true), (0.75, true), (0.75, false)],
            0.0,
            0.5,
        );
        check(&[(1.0, true), (0.0, false)], 0.0, 1.0);
        check(&[(0.0, true), (1.0, false)], 1.0, 0.0);
        check(
            &[(0.95, true), (0.55, false), (0.25, true)],
            (0.05 + 0.55 + 0.75) / 3.0,
            0.5,
        );
    }
}
