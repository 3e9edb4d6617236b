//! The dev split of a corpus as other people would have asked it: a copy to measure models on.
//!
//! Questions are reworded, or the tables and columns of the databases are called by other names; queries stay right. The
//! copy is a folder in Spider's layout that needs nothing beside it: `tables.json`, `dev.json`, and
//! `database/NAME/NAME.sqlite` for each database.

mod folder;

use std::collections::BTreeSet;
use std::sync::Arc;

use indexmap::IndexMap;
use patois_database::{DatabaseError, Names};
use patois_languages::sql::{DatabaseSchema, Mode, Sql};
use patois_syntax::Language as _;
use patois_synthesis::Linking;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

pub use folder::{Existing, write};

use super::{Corpus, Example, Split};
use crate::augment::{Abbreviations, lower_cased, misspelt, with_synonyms};
use crate::spec::Topics;
use crate::spec::linking::ValueCache;

/// What is different in a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Words of questions that name a table or a column are replaced by synonyms.
    Synonyms,
    /// Names of tables and columns are abbreviated, in the databases themselves.
    Abbreviations,
    /// Questions are in lower case.
    LowerCase,
    /// Words of questions are misspelt.
    Typos,
}

/// A copy of a dev split, on its way to a folder.
#[derive(Clone, Debug)]
pub struct Perturbed {
    rows: Vec<Row>,
    databases: Vec<RenamedDatabase>,
    /// What was changed.
    pub figures: PerturbFigures,
}

/// A question and its query, as they were and as they are.
#[derive(Clone, Debug)]
struct Row {
    id: String,
    database: usize,
    question: String,
    query: String,
    query_before: String,
}

/// A database, and what its tables and columns are called.
#[derive(Clone, Debug)]
struct RenamedDatabase {
    name_before: String,
    /// As it is in the copy, its name included.
    schema: DatabaseSchema,
    names: Vec<Names>,
}

/// What was changed, and whether queries are still right.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PerturbFigures {
    /// Questions in the copy.
    pub questions: usize,
    /// Those that are other ones now.
    pub changed_questions: usize,
    /// Words in them that were replaced or misspelt.
    pub changed_words: usize,
    /// Databases in the copy.
    pub databases: usize,
    /// Their tables.
    pub tables: usize,
    /// Those that are called otherwise now.
    pub renamed_tables: usize,
    /// Their columns.
    pub columns: usize,
    /// Those that are called otherwise now.
    pub renamed_columns: usize,
    /// Queries that return the rows that they returned before.
    pub same_rows: usize,
    /// Queries that could not be run before.
    pub not_run: usize,
    /// Rows that are left out, and why.
    pub left_out: Vec<String>,
}

/// Why there is no copy.
#[derive(Debug, thiserror::Error)]
pub enum PerturbError {
    /// Programs that are no queries.
    #[error("`{corpus}`: expected SQL queries, found {found} programs")]
    NotSql {
        /// The corpus.
        corpus: String,
        /// Its language.
        found: String,
    },
    /// There is nothing to copy.
    #[error("`{corpus}`: expected a dev split, found none")]
    NoDev {
        /// The corpus.
        corpus: String,
    },
    /// The folder is there already.
    #[error("`{}` exists already", .0.display())]
    Exists(std::path::PathBuf),
    /// The folder is there, and holds something else.
    #[error("`{}`: expected a folder with `tables.json` and `dev.json` to replace, found something else", .0.display())]
    NotReplaced(std::path::PathBuf),
    /// A database that cannot be read or copied.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// A file that cannot be written.
    #[error("cannot write `{}`: {source}", path.display())]
    Write {
        /// The file or folder.
        path: std::path::PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
}

/// Makes a copy of the dev split of a corpus; the same for the same seed.
///
/// # Errors
///
/// When its programs are no queries, it has no dev split, or a database is missing.
pub fn perturb(
    corpus: &Corpus,
    kind: Kind,
    seed: u64,
    values: &ValueCache,
) -> Result<Perturbed, PerturbError> {
    let name = || corpus.name.clone();
    if corpus.language != "sql" {
        return Err(PerturbError::NotSql {
            corpus: name(),
            found: corpus.language.clone(),
        });
    }
    let mut dev = corpus.clone();
    dev.keep(Split::Dev);
    dev.examples.retain(|it| {
        let database = it.database.as_ref();
        database.is_some_and(|it| dev.databases.contains_key(it))
    });
    if dev.examples.is_empty() {
        return Err(PerturbError::NoDev { corpus: name() });
    }
    let mut perturbed = Perturbed {
        rows: Vec::new(),
        databases: Vec::new(),
        figures: PerturbFigures::default(),
    };
    let databases = perturbed.add_databases(&dev, kind, seed);
    let reworder = Reworder::new(&dev, kind, seed, values)?;
    for (index, example) in dev.examples.iter().enumerate() {
        let database = example.database.as_ref().map_or(0, |it| databases[it]);
        perturbed.add(&reworder, (index, example), database, &dev);
    }
    Ok(perturbed)
}

impl Perturbed {
    /// Adds the databases that examples are about; returns their places by name.
    fn add_databases(&mut self, dev: &Corpus, kind: Kind, seed: u64) -> IndexMap<String, usize> {
        let mut places: IndexMap<String, usize> = IndexMap::new();
        let mut taken = BTreeSet::new();
        for name in dev.examples.iter().filter_map(|it| it.database.as_ref()) {
            if places.contains_key(name) {
                continue;
            }
            let mut rng = generator(seed, 1 << 40 | places.len() as u64);
            let before = &dev.databases[name];
            let mut schema = DatabaseSchema::clone(before);
            schema.name = unique(&plain_name(name), &mut taken);
            let names = match kind {
                Kind::Abbreviations => abbreviate(&mut schema, &mut rng),
                Kind::Synonyms | Kind::LowerCase | Kind::Typos => Vec::new(),
            };
            self.count(before, &schema);
            places.insert(name.clone(), self.databases.len());
            self.databases.push(RenamedDatabase {
                name_before: name.clone(),
                schema,
                names,
            });
        }
        places
    }

    fn count(&mut self, before: &DatabaseSchema, after: &DatabaseSchema) {
        let figures = &mut self.figures;
        figures.databases += 1;
        figures.tables += before.tables.len();
        figures.columns += before.columns.len() - 1;
        let tables = before.tables.iter().zip(&after.tables);
        figures.renamed_tables += tables.filter(|it| it.0.name != it.1.name).count();
        let columns = before.columns.iter().zip(&after.columns);
        figures.renamed_columns += columns.filter(|it| it.0.name != it.1.name).count();
    }

    fn add(
        &mut self,
        reworder: &Reworder,
        (index, example): (usize, &Example),
        database: usize,
        dev: &Corpus,
    ) {
        let renamed = &self.databases[database];
        let query = if renamed.names.is_empty() {
            Ok(example.code.clone())
        } else {
            reprinted(
                &example.code,
                &dev.databases[&renamed.name_before],
                &renamed.schema,
            )
        };
        let query = match query {
            Ok(query) => query,
            Err(reason) => {
                self.figures
                    .left_out
                    .push(format!("{}: {reason}", example.id));
                return;
            }
        };
        let (question, n_words) = reworder.reword(index, example);
        self.figures.changed_questions += usize::from(question != example.text);
        self.figures.changed_words += n_words;
        self.rows.push(Row {
            id: example.id.clone(),
            database,
            question,
            query,
            query_before: example.code.clone(),
        });
    }
}

/// A query over the same tables and columns under other names.
fn reprinted(
    query: &str,
    before: &Arc<DatabaseSchema>,
    after: &DatabaseSchema,
) -> Result<String, String> {
    let parsed = Sql::new(Arc::clone(before), Mode::Full).parse(query);
    let parsed = parsed.map_err(|error| format!("does not parse: {error}"))?;
    let printed = Sql::new(Arc::new(after.clone()), Mode::Full).print(&parsed);
    printed.map_err(|error| format!("cannot be printed: {error}"))
}

/// Asks questions in other words.
struct Reworder {
    kind: Kind,
    seed: u64,
    topics: Topics,
    /// The words of each schema.
    taken: IndexMap<String, BTreeSet<String>>,
}

impl Reworder {
    fn new(
        dev: &Corpus,
        kind: Kind,
        seed: u64,
        values: &ValueCache,
    ) -> Result<Reworder, DatabaseError> {
        // What is a value, and not a name, is known from the databases.
        let topics = match kind {
            Kind::Synonyms => Topics::linked(dev, Linking::Values, values)?,
            Kind::Abbreviations | Kind::LowerCase | Kind::Typos => Topics::default(),
        };
        let taken = dev.databases.iter();
        let taken = taken.map(|(name, schema)| (name.clone(), crate::augment::words_of(schema)));
        Ok(Reworder {
            kind,
            seed,
            topics,
            taken: taken.collect(),
        })
    }

    /// The question of an example, and how many of its words were replaced.
    fn reword(&self, index: usize, example: &Example) -> (String, usize) {
        let mut rng = generator(self.seed, index as u64);
        match self.kind {
            Kind::Abbreviations => (example.text.clone(), 0),
            Kind::LowerCase => (lower_cased(&example.text), 0),
            Kind::Typos => misspelt(&example.text, &mut rng),
            Kind::Synonyms => {
                let spec = self.topics.spec(example);
                let database = example.database.as_deref().unwrap_or_default();
                match self.taken.get(database) {
                    Some(taken) => with_synonyms(&example.text, &spec, taken, 1.0, &mut rng),
                    None => (example.text.clone(), 0),
                }
            }
        }
    }
}

fn generator(seed: u64, stream: u64) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(stream);
    rng
}

/// Abbreviates the names of a schema; those of tables that SQLite made stay.
fn abbreviate(schema: &mut DatabaseSchema, rng: &mut ChaCha8Rng) -> Vec<Names> {
    let mut short = Abbreviations::default();
    let mut renamed = Vec::new();
    let mut tables = BTreeSet::new();
    let is_own = |name: &str| !name.to_lowercase().starts_with("sqlite_");
    for index in 0..schema.tables.len() {
        let before = schema.tables[index].name.clone();
        if !is_own(&before) {
            continue;
        }
        let name = unique(&short_name(&mut short, &before, rng), &mut tables);
        schema.tables[index].words = name.replace('_', " ");
        schema.tables[index].name.clone_from(&name);
        let mut columns = BTreeSet::new();
        let own = schema
            .columns
            .iter_mut()
            .filter(|it| it.table == Some(index));
        let pairs = own.map(|column| {
            let name = unique(&short_name(&mut short, &column.name, rng), &mut columns);
            column.words = name.replace('_', " ");
            (std::mem::replace(&mut column.name, name.clone()), name)
        });
        renamed.push(Names {
            columns: pairs.collect(),
            table: (before, name),
        });
    }
    renamed
}

/// An abbreviated identifier; one that is nothing but marks stays as it is.
fn short_name(short: &mut Abbreviations, name: &str, rng: &mut ChaCha8Rng) -> String {
    match short.of_identifier(name, rng) {
        short if short.is_empty() => name.to_owned(),
        short => short,
    }
}

/// A name that is not taken yet, whatever its case.
fn unique(name: &str, taken: &mut BTreeSet<String>) -> String {
    let mut found = name.to_owned();
    let mut number = 2;
    while !taken.insert(found.to_lowercase()) {
        found = format!("{name}_{number}");
        number += 1;
    }
    found
}

/// The name of a database that may be the path of its file.
fn plain_name(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let stem = last
        .strip_suffix(".sqlite")
        .or_else(|| last.strip_suffix(".db"));
    stem.unwrap_or(last).to_owned()
}

#[cfg(test)]
mod tests;
