//! candidates → idioms: those that make programs likelier to a model that has not learnt from them.

use patois_syntax::{ExtendedGrammar, Idiom, IdiomExpansion, IdiomLibrary};
use patois_synthesis::{Model, Objective, Trainer, TrainingExample};
use rayon::prelude::*;

use super::Surroundings;
use super::config::{RunConfig, SelectionConfig};
use super::error::StageError;
use super::mark::{examples, new_models, specify};
use super::mine::{Idioms, describe, mine, ranking};
use super::observer::{Event, Observer, Work, observed};
use super::read::Source;

/// Into how many parts the training programs are cut; one of them is held out in each round.
const N_PARTS: usize = 5;

/// How many programs of a part a model is asked about, at most.
const MAX_HELD_OUT: usize = 200;

/// How many examples are looked at together.
const N_TOGETHER: usize = 10;

/// The idioms of a run; where a selection is asked for, those of the ranking that a model has use for, best first.
///
/// In each round the next candidates of the ranking join those that were accepted before. A model that may write all
/// of them learns from four fifths of the programs by [`Objective::Marginal`], so that it decides itself what it writes
/// programs with; an idiom is accepted if the programs of the last fifth are likelier with it than without it.
///
/// # Errors
///
/// When idioms cannot be mined, a model cannot be trained, or somebody does not want to wait.
pub(super) fn mine_and_select(
    config: &RunConfig,
    source: &Source,
    here: &Surroundings,
    watch: &mut dyn Observer,
) -> Result<Idioms, StageError> {
    let selection = config.idioms.selection;
    let Some(selection) = selection.filter(|_| config.training.objective != Objective::Plain)
    else {
        return mine(config, source, watch);
    };
    let (grammar, n_wanted) = (&source.programs.grammar, config.idioms.mining.n_idioms);
    let mut longer = config.clone();
    longer.idioms.mining.n_idioms *= selection.n_rounds;
    let candidates = ranking(&longer, source, watch)?.library;
    let candidates: Vec<Idiom> = candidates.iter().map(|it| it.1.clone()).collect();
    let mut accepted: Vec<Idiom> = Vec::new();
    for (round, batch) in candidates.chunks(n_wanted.max(1)).enumerate() {
        let all: Vec<Idiom> = accepted.iter().chain(batch).cloned().collect();
        let library = IdiomLibrary::new(grammar, all.clone());
        let part = source.with_held_out(round % N_PARTS, N_PARTS);
        let guide = Guide::learn(config, selection, &part, &library, here, watch)?;
        let mut gains: Vec<(f64, Idiom)> = guide.gains().into_iter().zip(all).collect();
        gains.retain(|it| it.0 > 0.0);
        gains.sort_by(|left, right| right.0.total_cmp(&left.0));
        accepted = gains.into_iter().map(|it| it.1).collect();
    }
    accepted.truncate(n_wanted);
    let library = IdiomLibrary::new(grammar, accepted);
    let file = describe(config, source, &library);
    Ok(Idioms { library, file })
}

/// A model, and programs that it has not learnt from.
struct Guide {
    model: Model,
    held_out: Vec<TrainingExample>,
}

impl Guide {
    fn learn(
        config: &RunConfig,
        selection: SelectionConfig,
        source: &Source,
        library: &IdiomLibrary,
        here: &Surroundings,
        watch: &mut dyn Observer,
    ) -> Result<Guide, StageError> {
        let mut config = config.clone();
        config.model.idioms = IdiomExpansion::Replayed;
        config.training.objective = Objective::Marginal;
        config.training.n_models = 1;
        config.training.n_steps = selection.n_steps;
        config.training.cpu_seconds = None;
        let grammar = ExtendedGrammar::new(&source.programs.grammar, library)?;
        let specs = specify(&config, source, here)?;
        let models = new_models(&config, source, &specs, None, &grammar, &here.data)?;
        let examples = examples(&config, source, &specs, &grammar, &models[0]);
        let training = config.training.clone();
        let mut trainer = Trainer::new(models, examples.train, training, config.seed)?;
        let n_steps = (0, selection.n_steps);
        observed(watch, Work::Selecting, n_steps, |watch| {
            while !trainer.is_spent() {
                let record = trainer.step()?;
                if watch.see(Event::Step(record)).is_break() {
                    return Err(StageError::Stopped);
                }
            }
            Ok(())
        })?;
        let mut held_out = examples.dev;
        held_out.truncate(MAX_HELD_OUT);
        Ok(Guide {
            model: trainer.models().swap_remove(0),
            held_out,
        })
    }

    /// How much likelier the programs that are held out are with each idiom than without it: ln of the ratio.
    fn gains(&self) -> Vec<f64> {
        let loss = |model: &Model| -> f64 {
            let examples: Vec<&TrainingExample> = self.held_out.iter().collect();
            let chunks = examples.chunks(N_TOGETHER);
            chunks.map(|it| model.loss(it, Objective::Marginal)).sum()
        };
        let with_all = loss(&self.model);
        let idioms = (0..self.model.actions.n_idioms()).into_par_iter();
        idioms
            .map(|idiom| loss(&self.model.without(idiom)) - with_all)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::{DataDir, Split};
    use crate::run::Unobserved;
    use crate::spec::linking::ValueCache;

    const CONFIG: &str = "
        n_train = 60
        [idioms]
        mining = { n_idioms = 4 }
        selection = { n_rounds = 2, n_steps = 4 }
        [model]
        encoder = 'schema'
        word_size = 8
        hidden_size = 8
        action_size = 4
        symbol_size = 4
        attention_size = 4
        relations = { n_layers = 1, n_heads = 2, feed_forward_size = 8 }
    ";

    fn here() -> Surroundings {
        Surroundings {
            data: DataDir::locate(None),
            values: ValueCache::none(),
        }
    }

    #[test]
    fn what_is_selected_is_of_the_ranking() {
        let mut config = RunConfig::parse("select.toml", CONFIG).unwrap();
        let source = Source::read(&config, &here().data).unwrap();
        let select = || mine_and_select(&config, &source, &here(), &mut Unobserved).unwrap();
        let idioms = select();
        assert_eq!(idioms.library, select().library);
        assert!(idioms.library.len() <= 4);
        config.idioms.mining.n_idioms = 8;
        let all = ranking(&config, &source, &mut Unobserved).unwrap().library;
        for (_, idiom) in idioms.library.iter() {
            assert!(all.iter().any(|it| it.1.fragment == idiom.fragment));
        }
    }

    #[test]
    fn every_training_program_is_held_out_once() {
        let config = RunConfig::parse("select.toml", CONFIG).unwrap();
        let source = Source::read(&config, &here().data).unwrap();
        let mut held_out = 0;
        for part in 0..N_PARTS {
            let part = source.with_held_out(part, N_PARTS);
            let n_train = part.programs.of(Split::Train).count();
            assert_eq!(n_train + part.programs.of(Split::Dev).count(), 60);
            held_out += 60 - n_train;
        }
        assert_eq!(held_out, 60);
    }

    #[test]
    fn there_is_nothing_to_choose_from_a_file() {
        let config = "[idioms]\nfile = 'mine.json'\nselection = { n_rounds = 2 }";
        let error = RunConfig::parse("select.toml", config).unwrap_err();
        let expected =
            "`idioms.selection`: expected idioms that are mined, found `idioms.file`, mine.json";
        assert!(error.to_string().contains(expected), "{error}");
    }
}
