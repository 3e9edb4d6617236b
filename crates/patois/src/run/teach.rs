//! A trained model that goes on learning, from a few examples of somebody's own.

use patois_syntax::{ExtendedGrammar, Marker};
use patois_synthesis::{ExampleEncoder, Trainer, TrainingConfig, TrainingExample};

use super::error::StageError;
use super::observer::{Event, Observer, Work, observed};
use super::synthesizer::{Subject, Synthesizer};
use crate::spec::subtokens::Subtokenizer;

/// A text, and the program that is right for it.
#[derive(Clone, Copy)]
pub struct Lesson<'a> {
    /// What it is about.
    pub subject: &'a Subject,
    /// The text.
    pub text: &'a str,
    /// The program.
    pub code: &'a str,
}

/// What came of teaching.
#[derive(Clone, Debug)]
pub struct Taught {
    /// The model, which has learnt.
    pub model: Synthesizer,
    /// How many lessons there were whose program could not be read, or not be written by the model.
    pub n_skipped: usize,
    /// The mean loss of the first and of the last steps, up to twenty of each.
    pub losses: (f64, f64),
}

/// How many steps a loss is averaged over.
const N_AVERAGED: usize = 20;

/// How far the copy goes on the way from what the model was to what it has learnt: what lies between knows nearly all of
/// the new, and has forgotten less of the old (Wortsman et al. 2022).
const FAR: f32 = 0.5;

/// A copy of a model that has learnt from lessons. Where the observer breaks, it has learnt that far.
///
/// # Errors
///
/// When there is nothing to learn from, or a loss is not a number.
///
/// # Panics
///
/// When the library of the model was exchanged for one of another grammar.
pub fn teach(
    model: &Synthesizer,
    lessons: &[Lesson<'_>],
    config: TrainingConfig,
    seed: u64,
    watch: &mut dyn Observer,
) -> Result<Taught, StageError> {
    let extended = ExtendedGrammar::new(&model.grammar, &model.library);
    let extended = extended.expect("the library is the grammar's");
    let examples: Vec<TrainingExample> = encode(model, &extended, lessons);
    let n_skipped = lessons.len() - examples.len();
    let n_steps = config.n_steps;
    let mut trainer = Trainer::new(model.models.clone(), examples, config, seed)?;
    let mut losses = Vec::with_capacity(n_steps);
    observed(watch, Work::Training, (0, n_steps), |watch| {
        while trainer.n_steps_taken() < n_steps {
            let record = trainer.step()?;
            losses.push(record.loss);
            if watch.see(Event::Step(record)).is_break() {
                break;
            }
        }
        Ok::<(), StageError>(())
    })?;
    let mean = |losses: &[f64]| losses.iter().sum::<f64>() / losses.len().max(1) as f64;
    let n_averaged = N_AVERAGED.min(losses.len());
    let learnt = model.models.iter().zip(trainer.models());
    let models = learnt.map(|(before, after)| before.towards(&after, FAR));
    Ok(Taught {
        model: Synthesizer {
            models: models.collect(),
            ..model.clone()
        },
        n_skipped,
        losses: (
            mean(&losses[..n_averaged]),
            mean(&losses[losses.len() - n_averaged..]),
        ),
    })
}

/// Lessons as the model learns from them; without those whose program is none of its grammar.
fn encode(
    model: &Synthesizer,
    grammar: &ExtendedGrammar<'_>,
    lessons: &[Lesson<'_>],
) -> Vec<TrainingExample> {
    let marker = Marker::new(&model.grammar, &model.library);
    let marker = marker.expect("the library is the grammar's");
    let network = model.model();
    let encoder = ExampleEncoder {
        grammar: *grammar,
        words: &network.words,
        actions: &network.actions,
        config: &network.config,
    };
    let encode = |(index, lesson): (usize, &Lesson<'_>)| {
        let language = lesson.subject.language();
        let tree = model
            .grammar
            .tree(&language.parse(lesson.code).ok()?)
            .ok()?;
        let spec = lesson.subject.spec(lesson.text);
        let subtokenizer = Subtokenizer::new(language, network.actions.subtokens(), &spec);
        let marked = marker.mark(&tree);
        let id = format!("lesson {}", index + 1);
        Some(encoder.encode(id, &spec, &marked, &subtokenizer, language))
    };
    lessons.iter().enumerate().filter_map(encode).collect()
}
