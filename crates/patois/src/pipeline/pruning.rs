//! Libraries without the idioms that a model has no use for: what synthesis tells mining.

use std::ops::ControlFlow;

use patois_mining::Sweep;
use patois_syntax::{ExtendedGrammar, Idiom, IdiomLibrary};
use patois_synthesis::{Lesson, Model, Spec};
use rayon::prelude::*;

use super::{Idioms, PipelineError, Source, describe, lessons, mine};
use crate::run_config::RunConfig;

/// What came of pruning a library.
#[derive(Clone, Debug)]
pub struct Pruned {
    /// How often each idiom of the old library is expected in the derivations of the training
    /// programs.
    pub uses: Vec<f64>,
    /// How many idioms of the new library are of the old one; they come first.
    pub n_kept: usize,
    /// The new library.
    pub idioms: Idioms,
}

/// Drops the idioms of a library that its models expect less than `min_uses` times in all training
/// programs, and fills up from the ranking that the library was taken from.
///
/// Where the library was read from a file there is no ranking, and it only shrinks.
///
/// # Errors
///
/// When the miner cannot be configured so.
///
/// # Panics
///
/// When there is no model, or the grammar is not that of the programs.
pub fn prune(
    config: &RunConfig,
    source: &Source,
    specs: &[Spec],
    (models, grammar): (&[Model], &ExtendedGrammar<'_>),
    min_uses: f64,
    watch: &mut dyn FnMut(&Sweep) -> ControlFlow<()>,
) -> Result<Pruned, PipelineError> {
    let lessons = lessons(source, specs, grammar, &models[0]).train;
    let uses = expected_uses(models, &lessons, grammar.library().len());
    let old: Vec<&Idiom> = grammar.library().iter().map(|it| it.1).collect();
    let is_used = |index: &usize| uses[*index] >= min_uses;
    let kept: Vec<Idiom> = (0..old.len())
        .filter(is_used)
        .map(|it| old[it].clone())
        .collect();
    let n_kept = kept.len();
    let mut all = kept;
    if config.idioms.file.is_none() && n_kept < old.len() {
        let mut longer = config.clone();
        longer.idioms.mining.n_idioms += old.len() - n_kept;
        let ranking = mine(&longer, source, watch)?;
        let is_new = |it: &&Idiom| !old.iter().any(|old| old.fragment == it.fragment);
        let new = ranking.iter().map(|it| it.1).filter(is_new).cloned();
        all.extend(new.take(old.len() - n_kept));
    }
    let library = IdiomLibrary::new(grammar.grammar(), all);
    let mut file = describe(config, source, &library);
    file.config["min_uses"] = min_uses.into();
    Ok(Pruned {
        uses,
        n_kept,
        idioms: Idioms { library, file },
    })
}

/// The mean over models of how often each idiom is expected, given the programs.
fn expected_uses(models: &[Model], lessons: &[Lesson], n_idioms: usize) -> Vec<f64> {
    let of_lesson = |model: &Model, lesson: &Lesson| model.idiom_uses(&[lesson]);
    let pairs = models
        .par_iter()
        .flat_map(|model| lessons.par_iter().map(move |lesson| (model, lesson)));
    let all: Vec<Vec<f64>> = pairs
        .map(|(model, lesson)| of_lesson(model, lesson))
        .collect();
    let mut uses = vec![0.0; n_idioms];
    for own in all {
        for (sum, own) in uses.iter_mut().zip(own) {
            *sum += own / models.len() as f64;
        }
    }
    uses
}
