//! Libraries without the idioms that a model has no use for: what synthesis tells mining.

use std::sync::Mutex;

use patois_syntax::{ExtendedGrammar, Idiom, IdiomLibrary};
use patois_synthesis::TrainingExample;
use rayon::prelude::*;

use super::Surroundings;
use super::error::StageError;
use super::mark::{examples, specify};
use super::mine::{Idioms, describe, ranking};
use super::observer::{Event, Observer, Work, lock, observed};
use super::read::Source;
use super::synthesizer::Synthesizer;

/// What came of pruning the library of a model.
#[derive(Clone, Debug)]
pub struct Pruned {
    /// How often each idiom of the old library is used.
    pub uses: Vec<f64>,
    /// How many idioms of the new library are of the old one; they come first.
    pub n_kept: usize,
    /// The new library.
    pub idioms: Idioms,
}

/// Drops the idioms that a model uses less than `min_uses` times in its training programs, and fills up
/// from the ranking that the library was taken from.
///
/// Where the library was read from a file there is no ranking, and it only shrinks.
///
/// # Errors
///
/// When the corpus is not there any more, or is another.
pub fn prune(
    synthesizer: &Synthesizer,
    min_uses: f64,
    here: &Surroundings,
    watch: &mut dyn Observer,
) -> Result<Pruned, StageError> {
    let (config, library) = (&synthesizer.config, &synthesizer.library);
    let source = Source::read(config, &here.data)?;
    let uses = idiom_uses(synthesizer, &source, here, watch)?;
    let old: Vec<&Idiom> = library.iter().map(|it| it.1).collect();
    let used = old.iter().zip(&uses).filter(|it| *it.1 >= min_uses);
    let mut all: Vec<Idiom> = used.map(|it| (*it.0).clone()).collect();
    let n_kept = all.len();
    if config.idioms.file.is_none() && n_kept < old.len() {
        let mut longer = config.clone();
        longer.idioms.mining.n_idioms *= 2;
        let ranking = ranking(&longer, &source, watch)?.library;
        let ranking: Vec<&Idiom> = ranking.iter().map(|it| it.1).collect();
        let is_old = |it: &&Idiom| old.iter().any(|old| old.fragment == it.fragment);
        let n_seen = ranking.iter().rposition(is_old).map_or(0, |it| it + 1);
        let new = ranking[n_seen..].iter().take(old.len() - n_kept);
        all.extend(new.map(|it| (*it).clone()));
    }
    let library = IdiomLibrary::new(&source.programs.grammar, all);
    let mut file = describe(config, &source, &library);
    file.config["min_uses"] = min_uses.into();
    Ok(Pruned {
        uses,
        n_kept,
        idioms: Idioms { library, file },
    })
}

/// How often models expect each idiom of their library in the derivations of the training programs: the
/// mean over the models. Of models that take idioms as one step, how often the shortest derivations have
/// them.
fn idiom_uses(
    synthesizer: &Synthesizer,
    source: &Source,
    here: &Surroundings,
    watch: &mut dyn Observer,
) -> Result<Vec<f64>, StageError> {
    let (models, library) = (&synthesizer.models, &synthesizer.library);
    let grammar = ExtendedGrammar::new(&source.programs.grammar, library)?;
    // Each program counts once.
    let mut once = synthesizer.config.clone();
    once.training.n_derivations = 1;
    let specs = specify(&once, source, here)?;
    let examples = examples(&once, source, &specs, &grammar, &models[0]).train;
    let all: Vec<Vec<f64>> = observed(watch, Work::Counting, (0, examples.len()), |watch| {
        let watch = Mutex::new(watch);
        let of_example = |example: &TrainingExample| {
            let uses = models.iter().map(|model| model.idiom_uses(&[example]));
            let uses = sum(library.len(), uses);
            let _ = lock(&watch).see(Event::Counted);
            uses
        };
        examples.par_iter().map(of_example).collect()
    });
    let mut uses = sum(library.len(), all.into_iter());
    for uses in &mut uses {
        *uses /= models.len() as f64;
    }
    Ok(uses)
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
