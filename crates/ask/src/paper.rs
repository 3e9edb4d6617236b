//! Questions about a database whose answers are known: what exams consist of, and what confidence is fitted to.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use patois::corpus::{Corpus, Split};
use patois_database::Place;
use patois_languages::sql::DatabaseSchema;
use serde::{Deserialize, Serialize};

use crate::source::{Keys, Source, SourceError};

/// A question, and the query whose rows answer it; none where nothing in the database does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pair {
    /// The question.
    pub question: String,
    /// The query.
    #[serde(default)]
    pub sql: Option<String>,
}

/// A question that nothing in its database answers.
#[derive(Deserialize)]
struct Unanswerable {
    text: String,
    database: String,
}

/// A database with questions about it.
#[derive(Clone, Debug)]
pub struct Paper {
    /// What it is called.
    pub name: String,
    /// The questions.
    pub pairs: Vec<Pair>,
    place: Place,
    schema: Arc<DatabaseSchema>,
}

/// Why there are no questions to ask.
#[derive(Debug, thiserror::Error)]
pub enum PaperError {
    /// A file or folder cannot be read.
    #[error("cannot read `{file}`: {error}")]
    Read {
        /// Which one.
        file: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A line is no pair.
    #[error("`{file}`, line {line}: expected an object with {expected}: {error}")]
    Line {
        /// The file.
        file: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// What it should have.
        expected: &'static str,
        /// What was found.
        error: serde_json::Error,
    },
    /// There is nothing in it.
    #[error("there is no pair in `{file}`")]
    Empty {
        /// The file or folder.
        file: PathBuf,
    },
    /// The database cannot be used.
    #[error("`{file}`: {error}")]
    Source {
        /// The script.
        file: PathBuf,
        /// Why.
        error: SourceError,
    },
}

impl Pair {
    /// The pairs of a file of JSON lines.
    ///
    /// # Errors
    ///
    /// When it cannot be read, a line is no pair, or there is none.
    pub fn read(file: &Path) -> Result<Vec<Pair>, PaperError> {
        let text = read(file)?;
        let lines = text.lines().zip(1..);
        let lines = lines.filter(|it| !it.0.trim().is_empty());
        let pair = |(row, line)| {
            serde_json::from_str(row).map_err(|error| PaperError::Line {
                file: file.to_owned(),
                line,
                expected: "`question` and `sql`",
                error,
            })
        };
        let pairs: Vec<Pair> = lines.map(pair).collect::<Result<_, _>>()?;
        if pairs.is_empty() {
            let file = file.to_owned();
            return Err(PaperError::Empty { file });
        }
        Ok(pairs)
    }
}

impl Paper {
    /// The papers of a folder: for each script `NAME.sql` that makes a database, the pairs of `NAME.jsonl`.
    ///
    /// # Errors
    ///
    /// When there is none, or one of them cannot be used.
    pub fn read_folder(folder: &Path) -> Result<Vec<Paper>, PaperError> {
        let failed = |error| PaperError::Read {
            file: folder.to_owned(),
            error,
        };
        let mut scripts = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.extension().is_some_and(|it| it == "sql") {
                scripts.push(path);
            }
        }
        scripts.sort();
        if scripts.is_empty() {
            let file = folder.to_owned();
            return Err(PaperError::Empty { file });
        }
        scripts.iter().map(|it| Paper::of_script(it)).collect()
    }

    fn of_script(script: &Path) -> Result<Paper, PaperError> {
        let name = script.file_stem().unwrap_or_default();
        let name = name.to_string_lossy().into_owned();
        let place = Place::Script(read(script)?);
        let source = Source::of_place(place.clone(), &name, Keys::Guessed);
        let source = source.map_err(|error| PaperError::Source {
            file: script.to_owned(),
            error,
        })?;
        Ok(Paper {
            name,
            pairs: Pair::read(&script.with_extension("jsonl"))?,
            place,
            schema: source.schema,
        })
    }

    /// The dev questions of a corpus, as far as nothing has been learnt about their databases there.
    pub fn of_dev(corpus: &Corpus) -> Vec<Paper> {
        let of_train = corpus.of(Split::Train);
        let known: BTreeSet<&str> = of_train.filter_map(|it| it.database.as_deref()).collect();
        let mut papers: BTreeMap<&str, Paper> = BTreeMap::new();
        for example in corpus.of(Split::Dev) {
            let name = example.database.as_deref();
            let Some(name) = name.filter(|it| !known.contains(it)) else {
                continue;
            };
            let (Some(place), Some(schema)) = (corpus.places.get(name), corpus.databases.get(name))
            else {
                continue;
            };
            let paper = papers.entry(name).or_insert_with(|| Paper {
                name: name.to_owned(),
                pairs: Vec::new(),
                place: place.clone(),
                schema: Arc::clone(schema),
            });
            paper.pairs.push(Pair {
                question: example.text.clone(),
                sql: Some(example.code.clone()),
            });
        }
        papers.into_values().collect()
    }

    /// Adds the questions of a file of JSON lines, with `text` and `database`, that nothing in their databases answers.
    /// Those about other databases are left out.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or a line is no question.
    pub fn add_unanswerable(papers: &mut [Paper], file: &Path) -> Result<(), PaperError> {
        for (row, line) in read(file)?.lines().zip(1..) {
            let found = serde_json::from_str(row).map_err(|error| PaperError::Line {
                file: file.to_owned(),
                line,
                expected: "`text` and `database`",
                error,
            });
            let Unanswerable { text, database } = found?;
            for paper in papers.iter_mut().filter(|it| it.name == database) {
                paper.pairs.push(Pair {
                    question: text.clone(),
                    sql: None,
                });
            }
        }
        Ok(())
    }

    /// What the questions are about.
    ///
    /// # Errors
    ///
    /// When the database cannot be used.
    pub fn source(&self) -> Result<Source, SourceError> {
        let mut source = Source::of_place(self.place.clone(), &self.name, Keys::Declared)?;
        source.schema = Arc::clone(&self.schema);
        Ok(source)
    }
}

fn read(file: &Path) -> Result<String, PaperError> {
    std::fs::read_to_string(file).map_err(|error| PaperError::Read {
        file: file.to_owned(),
        error,
    })
}
