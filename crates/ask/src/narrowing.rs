//! Databases with more tables than a model can have in mind: each question is read beside those that it may be about.

use std::collections::{BTreeMap, BTreeSet};

use patois_languages::sql::DatabaseSchema;

use crate::memory::meaning;

/// Up to so many tables and columns, a question is read beside all of them.
const MOST_AT_ONCE: usize = 1_000;

/// How many tables and columns are chosen for a question where there are more, about.
const N_CHOSEN: usize = 300;

/// How many letters a shortened word has at least: `cust` for `customer`.
const LEAST_LETTERS: usize = 3;

/// What a shortened word counts beside the word itself.
const SHORTENED: f64 = 0.5;

/// Whether a schema is too large to be read beside each question as a whole.
pub(crate) fn is_large(schema: &DatabaseSchema) -> bool {
    schema.tables.len() + schema.columns.len() > MOST_AT_ONCE
}

/// A large schema, of which each question is about a part.
pub(crate) struct Narrowing {
    schema: DatabaseSchema,
    /// What each table and its columns are called.
    words: Vec<BTreeMap<String, f64>>,
    /// The tables that keys join with each.
    neighbours: Vec<BTreeSet<usize>>,
    /// How many tables and columns each is: itself, and its columns.
    sizes: Vec<usize>,
}

impl Narrowing {
    pub(crate) fn new(schema: DatabaseSchema) -> Narrowing {
        let mut sizes = vec![1; schema.tables.len()];
        for table in schema.columns.iter().filter_map(|it| it.table) {
            sizes[table] += 1;
        }
        Narrowing {
            words: words_of_tables(&schema),
            neighbours: neighbours(&schema),
            sizes,
            schema,
        }
    }

    /// The part that a question may be about: tables whose names, or whose columns' names, it says, rare words before
    /// frequent ones, and the tables that keys join them with.
    pub(crate) fn part_for(&self, question: &str) -> DatabaseSchema {
        let scores = scores(&self.words, &meaning(question));
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
        let mut chosen = BTreeSet::new();
        let mut n_items = 0;
        let mut choose = |table: usize| {
            let has_room = chosen.is_empty() || n_items + self.sizes[table] <= N_CHOSEN;
            if has_room && chosen.insert(table) {
                n_items += self.sizes[table];
            }
        };
        let (said, others): (Vec<usize>, Vec<usize>) =
            order.into_iter().partition(|&it| scores[it] > 0.0);
        // The tables that are said take half of the room at most, so that what joins them has some, too.
        let mut n_said = 0;
        for &table in &said {
            n_said += self.sizes[table];
            if n_said <= N_CHOSEN / 2 || n_said == self.sizes[table] {
                choose(table);
            }
        }
        for &table in &said {
            self.neighbours[table].iter().for_each(|&it| choose(it));
        }
        said.into_iter().chain(others).for_each(choose);
        self.schema.restricted_to(&chosen)
    }
}

/// The stems of the names of each table and of its columns, those of the table twice.
fn words_of_tables(schema: &DatabaseSchema) -> Vec<BTreeMap<String, f64>> {
    let mut words = vec![BTreeMap::new(); schema.tables.len()];
    let mut add = |table: usize, spoken: &str, name: &str, weight: f64| {
        for stem in meaning(spoken).into_iter().chain(meaning(name)) {
            let known = words[table].entry(stem).or_insert(weight);
            *known = known.max(weight);
        }
    };
    for (index, table) in schema.tables.iter().enumerate() {
        add(index, &table.words, &table.name, 2.0);
    }
    for column in &schema.columns {
        if let Some(table) = column.table {
            add(table, &column.words, &column.name, 1.0);
        }
    }
    words
}

/// How much of a question each table says: for each word the weight of its name there, times how rare the word is.
fn scores(words: &[BTreeMap<String, f64>], question: &[String]) -> Vec<f64> {
    let mut scores = vec![0.0; words.len()];
    for asked in question {
        let weights: Vec<f64> = words.iter().map(|it| weight_in(it, asked)).collect();
        let n_tables = weights.iter().filter(|it| **it > 0.0).count();
        if n_tables > 0 {
            let rareness = (words.len() as f64 / n_tables as f64).ln_1p();
            for (score, weight) in scores.iter_mut().zip(&weights) {
                *score += weight * rareness;
            }
        }
    }
    scores
}

/// What a word counts among the words of a table.
fn weight_in(words: &BTreeMap<String, f64>, asked: &str) -> f64 {
    if let Some(weight) = words.get(asked) {
        return *weight;
    }
    let shortened = words
        .iter()
        .filter(|(word, _)| word.len() >= LEAST_LETTERS && asked.starts_with(word.as_str()));
    shortened.map(|it| SHORTENED * it.1).fold(0.0, f64::max)
}

/// The tables that keys join with each.
fn neighbours(schema: &DatabaseSchema) -> Vec<BTreeSet<usize>> {
    let mut neighbours = vec![BTreeSet::new(); schema.tables.len()];
    for &(from, to) in &schema.foreign_keys {
        if let (Some(from), Some(to)) = (schema.columns[from].table, schema.columns[to].table) {
            neighbours[from].insert(to);
            neighbours[to].insert(from);
        }
    }
    neighbours
}

#[cfg(test)]
mod tests {
    use patois_database::Database;

    use super::*;

    #[test]
    fn a_question_is_read_beside_the_tables_that_it_names_and_those_that_they_lead_to() {
        let filling =
            |index| format!("CREATE TABLE t{index}(id INTEGER PRIMARY KEY, name TEXT, a, b);");
        let mut script: String = (0..600).map(filling).collect();
        script += "CREATE TABLE region(code TEXT PRIMARY KEY, label TEXT);
            CREATE TABLE cust(no INTEGER PRIMARY KEY, fullname TEXT, region TEXT REFERENCES region(code));
            CREATE TABLE parcel(no INTEGER PRIMARY KEY, cust INTEGER REFERENCES cust(no), weight REAL);";
        let database = Database::from_script("large", &script).unwrap();
        let schema = database.schema().unwrap().schema;
        assert!(is_large(&schema));
        let found = Narrowing::new(schema).part_for("How heavy are the parcels of each customer?");
        let tables: Vec<&str> = found.tables.iter().map(|it| it.name.as_str()).collect();
        for wanted in ["parcel", "cust", "region"] {
            assert!(tables.contains(&wanted), "{tables:?}");
        }
        assert!(found.tables.len() + found.columns.len() <= N_CHOSEN + 1);
        assert!(!is_large(&found));
    }
}
