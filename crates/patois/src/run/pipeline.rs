//! The main path: every stage of a run, in order.
//!
//! ```text
//! corpus → trees → idioms → marked trees → training → model → synthesis → evaluation / report
//!        read    mine     mark             train            synthesize  report
//! ```
//!
//! A stage that already has its result in the folder of the run is not done again: idioms and steps of a
//! checkpoint are taken from there.

use std::time::Instant;

use patois_collective::{Alone, Collective, Writer};
use patois_syntax::{ExtendedGrammar, Fingerprint, Tree};
use patois_synthesis::{ExampleSource, SearchConfig, Trainer, TrainingExample};

use super::Surroundings;
use super::beginning::Beginning;
use super::card::ModelCard;
use super::config::RunConfig;
use super::error::StageError;
use super::folder::{BASELINE, RunDir, RunFile};
use super::mark::{examples_of, new_models, read_once, specs_of, topics};
use super::observer::{Event, Observer};
use super::read::{Source, open_corpus};
use super::select::mine_and_select;
use super::stopwatch::Stopwatch;
use super::synthesize::{Prediction, synthesize, to_json_lines};
use super::synthesizer::Synthesizer;
use super::train::{Checkpoint, StopReason, Trained, Training};
use crate::augment::{AugmentedExamples, Augmenter, SharedExamples};
use crate::corpus::{Corpus, CorpusOptions, Split};
use crate::report::results::{Evaluation, Results};
use crate::report::{CorpusSummary, Report, System};
use crate::spec::Topics;

/// What came of a run.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It was asked to stop while the model in this folder was trained, and can be gone on with.
    Stopped(RunDir, Trained),
    /// All stages are done.
    Done(Trained, Box<Report>),
}

/// All stages, from a corpus to a report in the folder of the run.
///
/// # Errors
///
/// When a stage cannot do its part.
pub fn run(
    config: &RunConfig,
    dir: &RunDir,
    here: &Surroundings,
    watch: &mut dyn Observer,
) -> Result<Outcome, StageError> {
    // Better now than after hours of training.
    dir.check()?;
    let mut clock = Stopwatch::start();
    let corpus = open_corpus(config, &here.data)?;
    note(&corpus, watch);
    let source = Source::of(config, corpus.clone(), &here.data)?;
    clock.lap("read");
    if let Some(config) = config.of_baseline() {
        let baseline = dir.of_baseline(&config)?;
        let trained = learn(
            &config,
            &source,
            &baseline,
            here,
            &Alone,
            &mut Stopwatch::start(),
            watch,
        )?;
        if trained.reason == StopReason::Asked {
            return Ok(Outcome::Stopped(baseline, trained));
        }
        clock.lap(BASELINE);
    }
    let trained = learn(config, &source, dir, here, &Alone, &mut clock, watch)?;
    if trained.reason == StopReason::Asked {
        return Ok(Outcome::Stopped(dir.clone(), trained));
    }
    let mut report = Report::of_run(dir)?;
    report.corpus = CorpusSummary::of(&corpus);
    report.take_times(&clock);
    let mut predictions = Vec::new();
    for dir in dir.baseline()?.iter().chain([dir]) {
        let synthesizer = Synthesizer::load(dir)?;
        predictions.clear();
        let can_be_asked = |&it: &Split| it != Split::Train && corpus.of(it).next().is_some();
        for split in corpus.splits().into_iter().filter(can_be_asked) {
            let asked = Asked {
                split,
                search: synthesizer.config.search,
                limit: None,
            };
            let answers = ask(&synthesizer, &corpus, &asked, here, watch)?;
            answers.add_to(&mut report, &synthesizer, &asked);
            predictions.extend(answers.predictions);
        }
    }
    dir.write(RunFile::Predictions, to_json_lines(&predictions))?;
    report.write(dir)?;
    Ok(Outcome::Done(trained, Box::new(report)))
}

/// The stages up to a trained model in the folder of the run.
///
/// # Errors
///
/// When a stage cannot do its part.
pub fn train(
    config: &RunConfig,
    dir: &RunDir,
    here: &Surroundings,
    watch: &mut dyn Observer,
) -> Result<Trained, StageError> {
    train_on(&Alone, config, dir, here, watch)
}

/// The same as one of several ranks, which all have the same folder and take the same steps: each looks at some
/// shards of a batch. Rank 0 writes the files.
///
/// # Errors
///
/// When a stage cannot do its part, or ranks were given different things to do.
pub fn train_on(
    ranks: &dyn Collective,
    config: &RunConfig,
    dir: &RunDir,
    here: &Surroundings,
    watch: &mut dyn Observer,
) -> Result<Trained, StageError> {
    let source = Source::read(config, &here.data)?;
    note(&source.programs.corpus, watch);
    check_same(ranks, config, &source)?;
    let mut clock = Stopwatch::start();
    learn(config, &source, dir, here, ranks, &mut clock, watch)
}

/// Refuses ranks that have read another corpus than rank 0, or another configuration.
fn check_same(
    ranks: &dyn Collective,
    config: &RunConfig,
    source: &Source,
) -> Result<(), StageError> {
    let mut known = Writer::default();
    known.text(env!("CARGO_PKG_VERSION"));
    known.text(&Fingerprint::of(&format!("{config:?}")).to_string());
    known.text(&source.programs.grammar.fingerprint().to_string());
    for split in [Split::Train, Split::Dev] {
        let trees = source.trees(split);
        known.number(trees.len() as u64);
        known.number(trees.iter().map(Tree::n_nodes).sum::<usize>() as u64);
    }
    let known = ranks.all_gather(known.finish());
    match known.iter().position(|it| *it != known[0]) {
        Some(rank) => Err(StageError::OtherRank(rank)),
        None => Ok(()),
    }
}

/// Passes on what was decided for a corpus.
fn note(corpus: &Corpus, watch: &mut dyn Observer) {
    for note in &corpus.notes {
        let _ = watch.see(Event::Noted(note));
    }
}

/// The stages between the trees of a corpus and a trained model.
fn learn(
    config: &RunConfig,
    source: &Source,
    dir: &RunDir,
    here: &Surroundings,
    ranks: &dyn Collective,
    clock: &mut Stopwatch,
    watch: &mut dyn Observer,
) -> Result<Trained, StageError> {
    let is_writer = ranks.rank() == 0;
    if is_writer {
        dir.check()?;
    }
    let made_by = dir.fingerprint()?;
    let checkpoint = Checkpoint::of(dir)?;
    let beginning = match checkpoint {
        None => Beginning::of(config, source)?,
        Some(_) => None,
    };
    let library = if let Some(checkpoint) = &checkpoint {
        checkpoint.idioms(&source.programs.grammar)?
    } else {
        let mut idioms = match &beginning {
            Some(beginning) => beginning.idioms(config, source),
            None => mine_and_select(config, source, here, watch)?,
        };
        idioms.file.run = Some(made_by);
        if is_writer {
            idioms.file.write(&dir.file(RunFile::Idioms))?;
        }
        clock.lap("mine");
        idioms.library
    };
    let grammar = ExtendedGrammar::new(&source.programs.grammar, &library)?;
    let topics = topics(config, source, here)?;
    let specs = specs_of(source, &topics);
    let augmenter = augmenter(config, source, topics)?;
    let models = if let Some(checkpoint) = &checkpoint {
        checkpoint.models(&grammar)?
    } else if let Some(beginning) = beginning {
        beginning.models
    } else {
        let augmenter = augmenter.as_ref();
        new_models(config, source, &specs, augmenter, &grammar, &here.data)?
    };
    let splits: &[Split] = match augmenter {
        Some(_) => &[Split::Dev],
        None => &[Split::Train, Split::Dev],
    };
    let mut examples = examples_of(splits, config, source, &specs, &grammar, &models[0]);
    read_once(config, &mut examples, &models, here, watch);
    let train: Box<dyn ExampleSource + '_> = match augmenter {
        Some(it) => Box::new(AugmentedExamples::new(it, grammar, &models[0])),
        None => seen_as_often(config, source, examples.train),
    };
    let training = &config.training;
    let trainer = match &checkpoint {
        Some(checkpoint) => checkpoint.trainer(&grammar, models, train, training)?,
        None => Trainer::new(models, train, training.clone(), config.seed)?,
    };
    clock.lap("mark and link");
    let mut training = Training {
        trainer: trainer.on(ranks),
        ranks,
        dev: examples.dev,
        card: ModelCard::new(&source.programs, &library, made_by),
        grammar,
        run: dir,
    };
    training.run(watch)
}

/// What draws the training examples, where they are changed.
fn augmenter<'a>(
    config: &'a RunConfig,
    source: &'a Source,
    topics: Topics,
) -> Result<Option<Augmenter<'a>>, StageError> {
    if config.augment.is_off() {
        return Ok(None);
    }
    let augmenter = Augmenter::new(config, source, topics);
    augmenter.map(Some).map_err(StageError::Linking)
}

/// Training examples that stay what they are, each seen as often as its source is to be.
fn seen_as_often(
    config: &RunConfig,
    source: &Source,
    examples: Vec<TrainingExample>,
) -> Box<dyn ExampleSource> {
    let shares = source.shares_of_derivations(config);
    if shares.is_plain() {
        return Box::new(examples);
    }
    Box::new(SharedExamples { examples, shares })
}

/// What a model is asked.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// The part of the corpus.
    pub split: Split,
    /// How programs are searched for.
    pub search: SearchConfig,
    /// How many examples, the first ones; without it, all.
    pub limit: Option<usize>,
}

/// What a model answered.
#[derive(Clone, Debug)]
pub struct Answered {
    /// The predictions, in the order of the examples.
    pub predictions: Vec<Prediction>,
    /// How many examples could not be asked.
    pub n_dropped: usize,
    /// How long it took, in seconds.
    pub seconds: f64,
}

/// Asks a trained model about a part of its corpus, and renews the report of its run where nothing was
/// left out.
///
/// # Errors
///
/// When the corpus has no such part, or a stage cannot do its part.
pub fn evaluate(
    synthesizer: &Synthesizer,
    dir: &RunDir,
    asked: &Asked,
    here: &Surroundings,
    watch: &mut dyn Observer,
) -> Result<Answered, StageError> {
    dir.check()?;
    let corpus = open_corpus(&synthesizer.config, &here.data)?;
    let answered = ask(synthesizer, &corpus, asked, here, watch)?;
    // Figures of some examples must not take the place of figures of all.
    if asked.limit.is_none() {
        let mut report = Report::of_run(dir)?;
        report.corpus = CorpusSummary::of(&corpus);
        answered.add_to(&mut report, synthesizer, asked);
        report.write(dir)?;
    }
    Ok(answered)
}

/// Asks a trained model about a part of another corpus than its own. Nothing is written.
///
/// # Errors
///
/// When there is no such corpus, its programs are of another language, it has no such part, or a stage cannot do
/// its part.
pub fn evaluate_on(
    corpus: &str,
    synthesizer: &Synthesizer,
    asked: &Asked,
    here: &Surroundings,
    watch: &mut dyn Observer,
) -> Result<Answered, StageError> {
    let expected = &synthesizer.card.language;
    let options = CorpusOptions {
        language: Some(expected.clone()),
        ..CorpusOptions::default()
    };
    let mut corpus = Corpus::open(corpus, &here.data, &options)?;
    if corpus.language != *expected {
        return Err(StageError::OtherLanguage {
            corpus: corpus.name,
            found: corpus.language,
            expected: expected.clone(),
        });
    }
    corpus.complete_splits();
    note(&corpus, watch);
    ask(synthesizer, &corpus, asked, here, watch)
}

fn ask(
    synthesizer: &Synthesizer,
    corpus: &Corpus,
    asked: &Asked,
    here: &Surroundings,
    watch: &mut dyn Observer,
) -> Result<Answered, StageError> {
    let mut corpus = corpus.clone();
    // Where every row was dropped, no dev split could be made of others.
    if !corpus.examples.is_empty() {
        let splits = corpus.splits();
        if !splits.contains(&asked.split) {
            return Err(StageError::NoSplit {
                corpus: corpus.name,
                split: asked.split,
                splits,
            });
        }
        corpus.keep(asked.split);
    }
    if corpus.examples.is_empty() {
        return Err(StageError::NoExamples {
            first: corpus.first_dropped(),
            corpus: corpus.name,
            split: asked.split,
        });
    }
    if let Some(limit) = asked.limit {
        corpus.examples.truncate(limit);
    }
    let started = Instant::now();
    Ok(Answered {
        predictions: synthesize(synthesizer, &corpus, asked.search, here, watch)?,
        n_dropped: corpus.dropped.len(),
        seconds: started.elapsed().as_secs_f64(),
    })
}

impl Answered {
    /// Adds what a model answered to the report of its run.
    fn add_to(&self, report: &mut Report, synthesizer: &Synthesizer, asked: &Asked) {
        let (card, set) = (&synthesizer.card, asked.split);
        let name = System::name_of(card.n_idioms);
        let evaluation = Evaluation {
            set,
            language: &card.language,
            step: card.step,
            beam: asked.search.beam_size,
            seconds: self.seconds,
        };
        report.time(format!("write {set}, {name}"), self.seconds);
        report.add(name, Results::new(evaluation, &self.predictions));
    }
}
