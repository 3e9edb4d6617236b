//! What a model writes for the examples of a split, and how good it is.

use std::sync::Mutex;

use patois_database::Databases;
use patois_languages::sql::Mode;
use patois_metrics::{ProgramFigures, ProgramScore, QueryFigures, QueryScore, QueryScorer};
use patois_syntax::{Fingerprint, IdiomId, Language};
use patois_synthesis::{Found, SearchConfig, Searcher, Spec};
use rayon::prelude::*;
use serde::Serialize;

use super::Surroundings;
use super::error::StageError;
use super::observer::{Event, Observer, Work, lock, observed};
use super::standing::SecondOpinion;
use super::synthesizer::{Answers, Request, Synthesizer};
use super::trace::{Part, item_name, parts};
use crate::corpus::{Corpus, Example, Languages, Split};
use crate::spec::Topics;

/// A line of `predictions.jsonl`: an example, and what the model made of it.
#[derive(Clone, Debug, Serialize)]
pub struct Prediction {
    /// What tells the configuration of the run that made the model, where that was written down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<Fingerprint>,
    /// Where the example comes from.
    pub id: String,
    /// The part of the corpus.
    pub split: Split,
    /// The database that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub database: Option<String>,
    /// What was asked.
    pub text: String,
    /// What was expected.
    pub gold: String,
    /// What the model wrote; empty where it wrote nothing.
    pub predicted: String,
    /// The logarithm of its probability.
    pub ln_p: Option<f64>,
    /// The indices of the idioms that were used, in the order in which they were chosen.
    pub idioms: Vec<usize>,
    /// What made which part of it; not written to the file.
    #[serde(skip)]
    pub trace: Vec<Part>,
    /// How good it is.
    #[serde(flatten)]
    pub score: Score,
    /// Why nothing was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

/// How good a prediction is.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Score {
    /// A program.
    Program(ProgramScore),
    /// A query.
    Query(Box<QueryScore>),
}

/// The figures of a split.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Figures {
    /// Of programs.
    Programs(ProgramFigures),
    /// Of queries.
    Queries(Box<QueryFigures>),
}

/// How many texts the network is asked for at once.
const N_AT_ONCE: usize = 4;

/// What a model writes for the examples of a corpus, each scored; all threads write.
///
/// # Errors
///
/// When words are linked to values that cannot be read, or the observer breaks.
pub(crate) fn synthesize(
    synthesizer: &Synthesizer,
    corpus: &Corpus,
    search: SearchConfig,
    here: &Surroundings,
    watch: &mut dyn Observer,
) -> Result<Vec<Prediction>, StageError> {
    let evaluator = Evaluator::new(synthesizer, corpus, search, here)?;
    let n_examples = corpus.examples.len();
    observed(watch, Work::Writing, (0, n_examples), |watch| {
        evaluator.run(watch)
    })
}

/// Predicts and scores the examples of a corpus.
struct Evaluator<'a> {
    synthesizer: &'a Synthesizer,
    searcher: Searcher<'a>,
    corpus: &'a Corpus,
    topics: Topics,
    languages: Languages,
    queries: QueryScorer,
    /// Where queries are run, if they are.
    databases: Option<Databases>,
}

impl<'a> Evaluator<'a> {
    fn new(
        synthesizer: &'a Synthesizer,
        corpus: &'a Corpus,
        search: SearchConfig,
        here: &Surroundings,
    ) -> Result<Evaluator<'a>, StageError> {
        let config = &synthesizer.config;
        let linking = synthesizer.model().config.relations.linking;
        let topics = Topics::linked(corpus, linking, &here.values);
        // Queries without values cannot be told apart by their rows, so they are not run.
        let is_run = corpus.language == "sql" && config.sql.mode == Mode::Full;
        let databases = is_run.then(|| corpus.places());
        Ok(Evaluator {
            synthesizer,
            searcher: synthesizer.searcher(search),
            topics: topics.map_err(StageError::Linking)?,
            languages: Languages::of_corpus(corpus, config.sql.mode)?,
            queries: QueryScorer::new(&corpus.databases, databases.clone()),
            databases,
            corpus,
        })
    }

    fn run(&self, watch: &mut dyn Observer) -> Result<Vec<Prediction>, StageError> {
        let watch = Mutex::new(watch);
        let batches = self.corpus.examples.par_chunks(N_AT_ONCE);
        // Programs differ in length: no thread is to be left with all the long ones.
        let predictions = batches.with_max_len(1).map(|examples| {
            let predictions = self.predict(examples);
            let mut watch = lock(&watch);
            let mut seen = predictions.iter().map(|it| watch.see(Event::Written(it)));
            if seen.any(|it| it.is_break()) {
                return Err(StageError::Stopped);
            }
            Ok(predictions)
        });
        let predictions: Result<Vec<Vec<Prediction>>, StageError> = predictions.collect();
        Ok(predictions?.into_iter().flatten().collect())
    }

    fn predict(&self, examples: &[Example]) -> Vec<Prediction> {
        let specs: Vec<Spec> = examples.iter().map(|it| self.topics.spec(it)).collect();
        let none = |it| Prediction::none(it, self.synthesizer.card.run);
        let mut predictions: Vec<Prediction> = examples.iter().map(none).collect();
        let mut requests = Vec::new();
        let mut asked = Vec::new();
        for ((example, spec), prediction) in examples.iter().zip(&specs).zip(&mut predictions) {
            match self.languages.of(example) {
                Ok(language) => {
                    requests.push(Request { spec, language });
                    asked.push((example, prediction));
                }
                Err(error) => prediction.failure = Some(error.to_string()),
            }
        }
        let answers = self.synthesizer.answer_all(&self.searcher, &requests);
        for (((example, prediction), request), answers) in
            asked.into_iter().zip(&requests).zip(answers)
        {
            self.take(prediction, example, request, answers);
        }
        predictions
    }

    /// Takes the best answer for an example, and scores it.
    fn take(
        &self,
        prediction: &mut Prediction,
        example: &Example,
        request: &Request<'_>,
        mut answers: Answers,
    ) {
        // A database that cannot be opened is told of by the score.
        let place = self.databases.as_ref().zip(example.database.as_deref());
        if let Some(Ok(database)) = place.map(|(databases, name)| databases.open(name)) {
            answers.put_to_the_test(&SecondOpinion {
                grammar: &self.synthesizer.grammar,
                spec: request.spec,
                database: &database,
            });
        }
        if let Some(best) = answers.programs.into_iter().next() {
            prediction.ln_p = Some(best.found.ln_p);
            prediction.idioms = best.idioms().map(IdiomId::index).collect();
            prediction.trace = self.trace(example, request.spec, &best.found);
            prediction.predicted = best.code;
        } else {
            let why = answers.unprintable.into_iter().next();
            prediction.failure = Some(match why {
                Some(why) => format!("the program cannot be printed: {why}"),
                None => "no program was found".to_owned(),
            });
        }
        prediction.score = self.score(example, &prediction.predicted, request.language);
    }

    fn trace(&self, example: &Example, spec: &Spec, found: &Found) -> Vec<Part> {
        let database = example.database.as_deref();
        let schema = database.and_then(|it| self.corpus.databases.get(it));
        let name = |ty: &str, item| item_name(schema.map(AsRef::as_ref), ty, item);
        parts(&self.synthesizer.grammar, found, spec, &name)
    }

    fn score(&self, example: &Example, predicted: &str, language: &dyn Language) -> Score {
        let gold = &example.code;
        match example.database.as_deref().filter(|_| self.is_sql()) {
            Some(database) => Score::Query(Box::new(self.queries.score(database, gold, predicted))),
            None => Score::Program(ProgramScore::new(language, gold, predicted)),
        }
    }

    fn is_sql(&self) -> bool {
        self.corpus.language == "sql"
    }
}

impl Prediction {
    /// No program yet.
    fn none(example: &Example, run: Option<Fingerprint>) -> Prediction {
        Prediction {
            run,
            id: example.id.clone(),
            split: example.split,
            database: example.database.clone(),
            text: example.text.clone(),
            gold: example.code.clone(),
            predicted: String::new(),
            ln_p: None,
            idioms: Vec::new(),
            trace: Vec::new(),
            score: Score::Program(ProgramScore::default()),
            failure: None,
        }
    }

    /// Whether it is an exact match.
    pub fn is_exact(&self) -> bool {
        self.score.is_exact()
    }

    /// All that went wrong on the way.
    pub fn errors(&self) -> impl Iterator<Item = &str> {
        let failure = self.failure.as_deref();
        failure.into_iter().chain(self.score.errors())
    }
}

impl Score {
    /// Whether it is an exact match.
    pub(crate) fn is_exact(&self) -> bool {
        match self {
            Score::Program(score) => score.exact_match,
            Score::Query(score) => score.exact_match,
        }
    }

    /// All that went wrong on the way.
    pub fn errors(&self) -> impl Iterator<Item = &str> {
        let errors = match self {
            Score::Program(score) => score.error.as_slice(),
            Score::Query(score) => score.errors.as_slice(),
        };
        errors.iter().map(String::as_str)
    }
}

impl Figures {
    /// The figures of all scores; `language` is that of the programs.
    pub fn of<'a>(scores: impl IntoIterator<Item = &'a Score>, language: &str) -> Figures {
        let (mut programs, mut queries) = (Vec::new(), Vec::new());
        for score in scores {
            match score {
                Score::Program(score) => programs.push(score.clone()),
                Score::Query(score) => queries.push(score.as_ref().clone()),
            }
        }
        if language == "sql" {
            // A query without a database was scored as nothing at all.
            queries.resize_with(queries.len() + programs.len(), QueryScore::default);
            return Figures::Queries(Box::new(QueryFigures::of(&queries)));
        }
        Figures::Programs(ProgramFigures::of(&programs))
    }
}

/// The predictions as lines of JSON.
///
/// # Panics
///
/// Never: texts and finite numbers are always JSON.
pub fn to_json_lines(predictions: &[Prediction]) -> String {
    let line = |it: &Prediction| {
        let json = serde_json::to_string(it);
        json.expect("texts and numbers are always JSON") + "\n"
    };
    predictions.iter().map(line).collect()
}
