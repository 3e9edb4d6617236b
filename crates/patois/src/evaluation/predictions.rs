//! What a model writes for the examples of a split, and how good it is.

use std::collections::BTreeMap;
use std::sync::Arc;

use patois_languages::sql::{DatabaseSchema, Mode};
use patois_syntax::{IdiomId, Language};
use patois_synthesis::{SearchConfig, Searcher};
use rayon::prelude::*;
use serde::Serialize;

use super::program_score::{ProgramFigures, ProgramScore};
use super::query_score::{QueryFigures, QueryScore};
use super::sql_match::SpiderSchema;
use crate::corpus::{Corpus, Example, Languages, Split};
use crate::database::QueryLimits;
use crate::databases::Databases;
use crate::specs::Specs;
use crate::writer::Writer;

/// A line of `predictions.jsonl`: an example, and what the model made of it.
#[derive(Clone, Debug, Serialize)]
pub struct Prediction {
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

/// Predicts and scores the examples of a corpus.
pub struct Evaluator<'a> {
    writer: &'a Writer,
    searcher: Searcher<'a>,
    corpus: &'a Corpus,
    specs: &'a Specs,
    languages: Languages,
    databases: &'a Databases,
    schemas: BTreeMap<&'a str, SpiderSchema>,
    limits: QueryLimits,
}

impl<'a> Evaluator<'a> {
    /// An evaluator of a trained model on a corpus in the languages that it was trained with.
    pub fn new(
        writer: &'a Writer,
        config: SearchConfig,
        corpus: &'a Corpus,
        languages: Languages,
        specs: &'a Specs,
        databases: &'a Databases,
    ) -> Evaluator<'a> {
        let schema = |(name, schema): (&'a String, &Arc<DatabaseSchema>)| {
            (name.as_str(), SpiderSchema::new(schema))
        };
        Evaluator {
            writer,
            searcher: writer.searcher(config),
            specs,
            languages,
            databases,
            schemas: corpus.databases.iter().map(schema).collect(),
            corpus,
            limits: QueryLimits::default(),
        }
    }

    /// Predicts and scores all examples, on all threads; `watch` is told of each, in any order.
    pub fn run(&self, watch: &(dyn Fn(&Prediction) + Sync)) -> Vec<Prediction> {
        let examples = self.corpus.examples.par_iter();
        // Programs differ in length: one at a time, so that no thread is left with all the long ones.
        examples
            .with_max_len(1)
            .map(|example| {
                let prediction = self.predict(example);
                watch(&prediction);
                prediction
            })
            .collect()
    }

    fn predict(&self, example: &Example) -> Prediction {
        let mut prediction = Prediction {
            id: example.id.clone(),
            split: example.split,
            database: example.database.clone(),
            text: example.text.clone(),
            gold: example.code.clone(),
            predicted: String::new(),
            ln_p: None,
            idioms: Vec::new(),
            score: Score::Program(ProgramScore::default()),
            failure: None,
        };
        let language = match self.languages.of(example) {
            Ok(language) => language,
            Err(error) => {
                prediction.failure = Some(error.to_string());
                return prediction;
            }
        };
        let spec = self.specs.of(example);
        let answers = self
            .writer
            .write(&self.searcher, &example.text, &spec, language);
        if let Some(best) = answers.programs.into_iter().next() {
            prediction.ln_p = Some(best.found.ln_p);
            prediction.idioms = best.idioms().map(IdiomId::index).collect();
            prediction.predicted = best.code;
        } else {
            let why = answers.unprintable.into_iter().next();
            prediction.failure = Some(match why {
                Some(why) => format!("the program cannot be printed: {why}"),
                None => "no program was found".to_owned(),
            });
        }
        prediction.score = self.score(example, &prediction.predicted, language);
        prediction
    }

    fn score(&self, example: &Example, predicted: &str, language: &dyn Language) -> Score {
        let schema = example.database.as_deref();
        let schema = schema.and_then(|name| Some((name, self.schemas.get(name)?)));
        match schema {
            Some((name, schema)) => Score::Query(Box::new(self.score_query(
                name,
                schema,
                &example.code,
                predicted,
            ))),
            None => Score::Program(ProgramScore::new(language, &example.code, predicted)),
        }
    }

    /// Queries without values cannot be told apart by their rows, so they are not run.
    fn score_query(
        &self,
        database: &str,
        schema: &SpiderSchema,
        gold: &str,
        predicted: &str,
    ) -> QueryScore {
        let score = QueryScore::new(schema, gold, predicted);
        if Mode::from(self.writer.config.sql.mode) == Mode::Paper {
            return score;
        }
        match self.databases.open(database) {
            Ok(database) => score.executed(&database, gold, predicted, &self.limits),
            Err(error) => score.not_executed(error.to_string()),
        }
    }
}

impl Prediction {
    /// Whether it is an exact match.
    pub fn is_exact(&self) -> bool {
        match &self.score {
            Score::Program(score) => score.exact_match,
            Score::Query(score) => score.exact_match,
        }
    }

    /// All that went wrong on the way.
    pub fn errors(&self) -> impl Iterator<Item = &str> {
        let of_score: Vec<&String> = match &self.score {
            Score::Program(score) => score.error.iter().collect(),
            Score::Query(score) => score.errors.iter().collect(),
        };
        self.failure.iter().chain(of_score).map(String::as_str)
    }
}

impl Figures {
    /// The figures of all predictions; `language` is that of the programs.
    pub fn of(predictions: &[Prediction], language: &str) -> Figures {
        if language == "sql" {
            let score = |it: &Prediction| match &it.score {
                Score::Query(score) => score.as_ref().clone(),
                Score::Program(_) => QueryScore::default(),
            };
            let scores: Vec<QueryScore> = predictions.iter().map(score).collect();
            return Figures::Queries(Box::new(QueryFigures::of(&scores)));
        }
        let score = |it: &Prediction| match &it.score {
            Score::Program(score) => score.clone(),
            Score::Query(_) => ProgramScore::default(),
        };
        let scores: Vec<ProgramScore> = predictions.iter().map(score).collect();
        Figures::Programs(ProgramFigures::of(&scores))
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
