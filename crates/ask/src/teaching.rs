//! Teaching a copy of a model one database: what people said about it, and questions made from its tables.

mod queries;

use std::collections::BTreeSet;
use std::sync::Arc;

use patois::corpus::{Corpus, Split};
use patois::run::Observer;
use patois::run::synthesizer::{Subject, Synthesizer};
use patois::run::teach::{Lesson, Taught, teach};
use patois::spec::linking::ValueCache;
use patois_database::Database;
use patois_languages::sql::{DatabaseSchema, Mode, Sql};
use patois_syntax::Language;
use patois_synthesis::{FineTuning, Objective, Optimizer, Precision, Schedule, TrainingConfig};

use crate::asker::{AskError, about};
use crate::memory::Memory;
use crate::source::Source;
use queries::made_queries;

/// How often what a person said is learnt from for each time of what was made.
const SAID_OFTEN: usize = 15;

/// How many questions are made, at most.
const MOST_MADE: usize = 400;

/// How many examples of the embedded corpus are learnt from again, so that nothing is forgotten for what is new.
const N_KEPT_UP: usize = 300;

/// A copy of a model that has learnt one database, within a few minutes.
///
/// # Errors
///
/// When the database cannot be read, or there is nothing to learn from.
pub fn teach_database(
    model: &Synthesizer,
    source: &Source,
    memory: &Memory,
    embedded: &Corpus,
    n_steps: usize,
    watch: &mut dyn Observer,
) -> Result<Taught, AskError> {
    let values = ValueCache::none();
    let subject = about(model, source, memory, &values)?;
    let database = source.place.open(&source.schema.name)?;
    let spoken = memory.spoken(&source.schema);
    let made = made_questions(&spoken, &database);
    let known = known_subjects(model, embedded, &values)?;
    let mut lessons: Vec<Lesson<'_>> = Vec::new();
    for said in memory.lessons() {
        let lesson = Lesson {
            subject: &subject,
            text: &said.question,
            code: &said.code,
        };
        lessons.extend([lesson; SAID_OFTEN]);
    }
    lessons.extend(made.iter().map(|(text, code)| Lesson {
        subject: &subject,
        text,
        code,
    }));
    let n_known = known.iter().map(|it| it.1.len()).sum::<usize>();
    let step = n_known.div_ceil(N_KEPT_UP).max(1);
    let known = known.iter().flat_map(|(subject, pairs)| {
        pairs.iter().map(move |(text, code)| Lesson {
            subject,
            text,
            code,
        })
    });
    lessons.extend(known.step_by(step));
    teach(model, &lessons, training(n_steps), 0, watch).map_err(AskError::Teaching)
}

/// Small steps: the model knows nearly all of it.
fn training(n_steps: usize) -> TrainingConfig {
    TrainingConfig {
        objective: Objective::Marginal,
        n_steps,
        optimizer: Optimizer::Adam {
            rate: 1e-4,
            beta1: 0.9,
            beta2: 0.999,
            epsilon: 1e-9,
        },
        schedule: Schedule::WarmUp {
            n_warm_up: n_steps / 10,
            power: 1.0,
        },
        max_gradient_norm: Some(5.0),
        ema_decay: Some(0.98),
        precision: Precision::Half,
        pretrained: FineTuning {
            rate: 2e-5,
            ..FineTuning::default()
        },
        ..TrainingConfig::default()
    }
}

type Pairs = Vec<(String, String)>;

/// The databases of the embedded corpus with some of its questions.
fn known_subjects(
    model: &Synthesizer,
    embedded: &Corpus,
    values: &ValueCache,
) -> Result<Vec<(Subject, Pairs)>, AskError> {
    let mut subjects = Vec::new();
    for (name, schema) in &embedded.databases {
        let own = embedded.of(Split::Train);
        let own = own.filter(|it| it.database.as_ref() == Some(name));
        let pairs: Pairs = own.map(|it| (it.text.clone(), it.code.clone())).collect();
        if pairs.is_empty() {
            continue;
        }
        let place = embedded.places[name].clone();
        subjects.push((model.about(Arc::clone(schema), place, values)?, pairs));
    }
    Ok(subjects)
}

/// Queries over a database, each with what it computes in words as the question.
fn made_questions(schema: &DatabaseSchema, database: &Database) -> Pairs {
    let language = Sql::new(Arc::new(schema.clone()), Mode::Full);
    let mut seen = BTreeSet::new();
    let mut questions = Vec::new();
    for code in made_queries(schema, database) {
        let Ok(ast) = language.parse(&code) else {
            continue;
        };
        if let Ok(words) = language.in_words(&ast)
            && seen.insert(words.clone())
        {
            questions.push((words, code));
        }
    }
    // Tables in turns, so that none is left out where there are many.
    let step = questions.len().div_ceil(MOST_MADE).max(1);
    questions.into_iter().step_by(step).collect()
}

#[cfg(test)]
mod tests {
    use patois_database::QueryLimits;

    use super::*;

    #[test]
    fn questions_are_made_from_tables_and_keys() {
        let script = "CREATE TABLE city(id INTEGER PRIMARY KEY, name TEXT, people INTEGER);
            CREATE TABLE shop(id INTEGER PRIMARY KEY, city_id INTEGER REFERENCES city(id), kind TEXT, is_open INTEGER,
                since TEXT, first_shop INTEGER REFERENCES shop(id));
            CREATE TABLE sale(shop_id INTEGER REFERENCES shop(id), amount REAL);
            INSERT INTO city VALUES (1, 'Oslo', 700000);
            INSERT INTO shop VALUES (1, 1, 'books', 1, '2021-05-06', NULL), (2, 1, NULL, 0, '2022-01-01', 1);
            INSERT INTO sale VALUES (1, 9.5);";
        let database = Database::from_script("towns", script).unwrap();
        let schema = database.schema().unwrap().schema;
        let made = made_questions(&schema, &database);
        for (question, code) in &made {
            assert!(
                database.query(code, &QueryLimits::default()).is_ok(),
                "{question}: {code}"
            );
        }
        for part in [
            "'Oslo'",
            "max(\"people\")",
            "\"is_open\" = 0",
            "\"since\" >= '2022-01-01'",
            "\"kind\" IS NULL",
            "\"shop\" AS T1 JOIN \"shop\" AS T2",
            "JOIN \"sale\"",
            "sum(\"sale\".\"amount\") FROM \"city\" JOIN \"shop\"",
        ] {
            let has = made.iter().any(|(_, code)| code.contains(part));
            assert!(has, "{part} in {made:?}");
        }
    }
}
