//! Libraries without the idioms that a model has no use for: what synthesis tells mining.

use std::ops::ControlFlow;

use patois_mining::Sweep;
use patois_syntax::{ExtendedGrammar, Idiom, IdiomLibrary};
use patois_synthesis::{Model, Spec, TrainingExample};
use rayon::prelude::*;

use super::{Idioms, PipelineError, Source, describe, mine, training_examples};
use crate::run::config::RunConfig;

/// What came of pruning a library.
#[derive(Clone, Debug)]
pub struct Pruned {
    /// How many idioms of the new library are of the old one; they come first.
    pub n_kept: usize,
    /// The new library.
    pub idioms: Idioms,
}

/// How often models expect each idiom of a library in the derivations of the training programs: the
/// mean over the models. Of models that unroll idioms at once, how often the shortest derivations have
/// them. `watch` is told of every program.
///
/// # Panics
///
/// When there is no model, or the grammar is not that of the programs.
pub fn idiom_uses(
    config: &RunConfig,
    source: &Source,
    specs: &[Spec],
    grammar: &ExtendedGrammar<'_>,
    models: &[Model],
    watch: &(dyn Fn() + Sync),
) -> Vec<f64> {
    // Each program counts once.
    let mut once = config.clone();
    once.training.n_derivations = 1;
    let examples = training_examples(&once, source, specs, grammar, &models[0]).train;
    let of_example = |example: &TrainingExample| {
        let uses = models.iter().map(|model| model.idiom_uses(&[example]));
        let uses = sum(grammar.library().len(), uses);
        watch();
        uses
    };
    let all: Vec<Vec<f64>> = examples.par_iter().map(of_example).collect();
    let mut uses = sum(grammar.library().len(), all.into_iter());
    for uses in &mut uses {
        *uses /= models.len() as f64;
    }
    uses
}

fn sum(n: usize, all: impl Iterator<Item = Vec<f64>>) -> Vec<f64> {
    let mut sums = vec![0.0; n];
    for own in all {
        for (sum, own) in sums.iter_mut().zip(own) {
            *sum += own;
        }
    }
    sums
}

/// Drops the idioms of a library that are used less than `min_uses` times, and fills up from the
/// ranking that the library was taken from.
///
/// Where the library was read from a file there is no ranking, and it only shrinks.
///
/// # Errors
///
/// When the miner cannot be configured so.
pub fn prune(
    config: &RunConfig,
    source: &Source,
    library: &IdiomLibrary,
    (uses, min_uses): (&[f64], f64),
    watch: &mut dyn FnMut(&Sweep) -> ControlFlow<()>,
) -> Result<Pruned, PipelineError> {
    let old: Vec<&Idiom> = library.iter().map(|it| it.1).collect();
    let used = old.iter().zip(uses).filter(|it| *it.1 >= min_uses);
    let mut all: Vec<Idiom> = used.map(|it| (*it.0).clone()).collect();
    let n_kept = all.len();
    if config.idioms.file.is_none() && n_kept < old.len() {
        let mut longer = config.clone();
        longer.idioms.mining.n_idioms *= 2;
        let ranking = mine(&longer, source, watch)?;
        let ranking: Vec<&Idiom> = ranking.iter().map(|it| it.1).collect();
        let is_old = |it: &&Idiom| old.iter().any(|old| old.fragment == it.fragment);
        let n_seen = ranking.iter().rposition(is_old).map_or(0, |it| it + 1);
        let new = ranking[n_seen..].iter().take(old.len() - n_kept);
        all.extend(new.map(|it| (*it).clone()));
    }
    let library = IdiomLibrary::new(&source.programs.grammar, all);
    let mut file = describe(config, source, &library);
    file.config["min_uses"] = min_uses.into();
    Ok(Pruned {
        n_kept,
        idioms: Idioms { library, file },
    })
}
