//! What was said about a database: questions with the right query, and what tables and columns are called.
//!
//! It is kept beside the database in `FILE.patois`, one JSON object a line, to which lines are only added. The database
//! itself is never written to.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use patois_languages::sql::DatabaseSchema;
use rust_stemmers::{Algorithm, Stemmer};
use serde::{Deserialize, Serialize};

/// What was said about one database.
#[derive(Debug, Default)]
pub struct Memory {
    /// Where it is kept; nowhere for a database inside the program.
    path: Option<PathBuf>,
    lessons: Vec<Lesson>,
    notes: Vec<Note>,
}

/// A question, and the query that answers it, as a person said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lesson {
    /// The question.
    pub question: String,
    /// The query.
    pub code: String,
}

/// What a table or a column is called by people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// The table.
    pub table: String,
    /// The column, where it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// What people call it.
    pub words: String,
}

/// A line of the file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Line {
    /// The first one: what the others are about.
    Memory {
        version: u32,
        tables: Vec<String>,
    },
    Lesson(Lesson),
    Note(Note),
}

const VERSION: u32 = 1;

/// How long a file may be: what people say by hand is far shorter.
const MAX_BYTES: u64 = 64 << 20;

/// Why a memory cannot be used or added to.
#[derive(Debug, thiserror::Error)]
pub enum MemoryError {
    /// The system refuses.
    #[error("cannot {what} `{path}`: {source}")]
    File {
        /// What was tried.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Something else stands there.
    #[error("`{path}`, line {line}: expected a line of a patois memory, found {found}")]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What stands there.
        found: String,
    },
    /// It was written by a later version.
    #[error("`{path}` is of version {found}, expected {VERSION}")]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// None of its tables is here.
    #[error("`{path}` is about another database, with the tables {tables}")]
    Other {
        /// The file.
        path: PathBuf,
        /// The tables it is about.
        tables: String,
    },
    /// It is too long to be one.
    #[error("`{path}` has {found} bytes, expected at most {MAX_BYTES}")]
    Size {
        /// The file.
        path: PathBuf,
        /// How many bytes it has.
        found: u64,
    },
    /// A note about something that the database does not have.
    #[error("there is no {what} called `{name}`")]
    Unknown {
        /// `table` or `column`.
        what: &'static str,
        /// The name.
        name: String,
    },
}

impl Memory {
    /// The memory beside a database file; empty where there is none yet. A last line that was not finished is as if it
    /// were not there.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is no memory, or is about another database.
    pub fn beside(file: &Path, schema: &DatabaseSchema) -> Result<Memory, MemoryError> {
        let mut name = file.as_os_str().to_owned();
        name.push(".patois");
        let path = PathBuf::from(name);
        let mut memory = Memory::default();
        if let Some(text) = read(&path)? {
            memory.take(&path, &text, schema)?;
        }
        memory.path = Some(path);
        Ok(memory)
    }

    /// Takes in the lines of a file.
    fn take(
        &mut self,
        path: &Path,
        text: &str,
        schema: &DatabaseSchema,
    ) -> Result<(), MemoryError> {
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        for (index, line) in whole.lines().enumerate() {
            let parsed = serde_json::from_str(line);
            let wrong = |error: serde_json::Error| MemoryError::Line {
                path: path.to_owned(),
                line: index + 1,
                found: format!("{} ({error})", beginning(line)),
            };
            match parsed.map_err(wrong)? {
                Line::Memory { version, tables } => check(path, version, &tables, schema)?,
                Line::Lesson(lesson) => self.lessons.push(lesson),
                Line::Note(note) => self.notes.push(note),
            }
        }
        Ok(())
    }

    /// All questions with their queries, in the order in which they were said.
    pub fn lessons(&self) -> &[Lesson] {
        &self.lessons
    }

    /// All notes, in the order in which they were made.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Where it is kept.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The query that was said to be right for a question that comes to the same; the last one, where several were.
    pub fn recall(&self, question: &str) -> Option<&Lesson> {
        let meaning = meaning(question);
        let mut lessons = self.lessons.iter().rev();
        lessons.find(|it| self::meaning(&it.question) == meaning)
    }

    /// Remembers which query is right for a question.
    ///
    /// # Errors
    ///
    /// When the file cannot be written to.
    pub fn learn(&mut self, lesson: Lesson, schema: &DatabaseSchema) -> Result<(), MemoryError> {
        self.append(&Line::Lesson(lesson.clone()), schema)?;
        self.lessons.push(lesson);
        Ok(())
    }

    /// Remembers what a table or a column is called.
    ///
    /// # Errors
    ///
    /// When the database has no such thing, or the file cannot be written to.
    pub fn note(&mut self, note: Note, schema: &DatabaseSchema) -> Result<(), MemoryError> {
        find(&note, schema)?;
        self.append(&Line::Note(note.clone()), schema)?;
        self.notes.push(note);
        Ok(())
    }

    /// The schema with the names that people use; notes about what is not there any more are left out.
    pub fn spoken(&self, schema: &DatabaseSchema) -> DatabaseSchema {
        let mut spoken = schema.clone();
        for note in &self.notes {
            match find(note, schema) {
                Ok((table, None)) => spoken.tables[table].words.clone_from(&note.words),
                Ok((_, Some(column))) => spoken.columns[column].words.clone_from(&note.words),
                Err(_) => {}
            }
        }
        spoken
    }

    fn append(&self, line: &Line, schema: &DatabaseSchema) -> Result<(), MemoryError> {
        let Some(path) = &self.path else {
            return Ok(());
        };
        append(path, line, schema).map_err(|source| MemoryError::File {
            what: "write to",
            path: path.clone(),
            source,
        })
    }
}

/// The text of a file, where there is one.
fn read(path: &Path) -> Result<Option<String>, MemoryError> {
    let error = |source| MemoryError::File {
        what: "read",
        path: path.to_owned(),
        source,
    };
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        other => other.map_err(error)?,
    };
    let found = file.metadata().map_err(error)?.len();
    if found > MAX_BYTES {
        let path = path.to_owned();
        return Err(MemoryError::Size { path, found });
    }
    let mut bytes = Vec::new();
    file.take(MAX_BYTES)
        .read_to_end(&mut bytes)
        .map_err(error)?;
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

fn check(
    path: &Path,
    version: u32,
    tables: &[String],
    schema: &DatabaseSchema,
) -> Result<(), MemoryError> {
    if version > VERSION {
        return Err(MemoryError::Version {
            path: path.to_owned(),
            found: version,
        });
    }
    let is_here = |name: &String| schema.tables.iter().any(|it| it.name == *name);
    if !tables.is_empty() && !tables.iter().any(is_here) {
        return Err(MemoryError::Other {
            path: path.to_owned(),
            tables: tables.join(", "),
        });
    }
    Ok(())
}

/// Adds a line, after the first one where there is none, and in the place of one that was not finished.
fn append(path: &Path, line: &Line, schema: &DatabaseSchema) -> io::Result<()> {
    let mut options = OpenOptions::new();
    let mut file = options
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)?;
    let mut text = Vec::new();
    file.read_to_end(&mut text)?;
    let end = text
        .iter()
        .rposition(|&it| it == b'\n')
        .map_or(0, |it| it + 1);
    file.set_len(end as u64)?;
    file.seek(SeekFrom::Start(end as u64))?;
    let mut added = Vec::new();
    if end == 0 {
        let tables = schema.tables.iter().map(|it| it.name.clone()).collect();
        let version = VERSION;
        serde_json::to_writer(&mut added, &Line::Memory { version, tables })?;
        added.push(b'\n');
    }
    serde_json::to_writer(&mut added, line)?;
    added.push(b'\n');
    file.write_all(&added)?;
    file.sync_data()
}

/// The table and the column that a note is about.
fn find(note: &Note, schema: &DatabaseSchema) -> Result<(usize, Option<usize>), MemoryError> {
    let unknown = |what, name: &str| MemoryError::Unknown {
        what,
        name: name.to_owned(),
    };
    let mut tables = schema.tables.iter();
    let table = tables.position(|it| it.name.eq_ignore_ascii_case(&note.table));
    let table = table.ok_or_else(|| unknown("table", &note.table))?;
    let Some(name) = &note.column else {
        return Ok((table, None));
    };
    let mut columns = schema.columns.iter();
    let column =
        columns.position(|it| it.table == Some(table) && it.name.eq_ignore_ascii_case(name));
    let column = column.ok_or_else(|| unknown("column", &format!("{}.{name}", note.table)))?;
    Ok((table, Some(column)))
}

/// Words that change nothing about what is asked for.
const SILENT: [&str; 24] = [
    "a", "all", "an", "are", "can", "display", "do", "find", "for", "get", "give", "i", "is",
    "list", "me", "of", "please", "return", "show", "tell", "the", "us", "want", "you",
];

/// What a question comes to: the stems of its words in order, without those that change nothing.
pub(crate) fn meaning(question: &str) -> Vec<String> {
    let stemmer = Stemmer::create(Algorithm::English);
    let silent: BTreeSet<&str> = SILENT.into_iter().collect();
    let words = patois::spec::words::words(question).into_iter();
    let words = words.map(|it| it.text.to_lowercase());
    let words = words
        .filter(|it| it.contains(|c: char| c.is_alphanumeric()) && !silent.contains(it.as_str()));
    words.map(|it| stemmer.stem(&it).into_owned()).collect()
}

/// The beginning of a line, for a message.
fn beginning(line: &str) -> String {
    const MOST: usize = 40;
    let mut shown: String = line.chars().take(MOST).collect();
    if shown.len() < line.len() {
        shown.push('…');
    }
    format!("`{}`", shown.escape_debug())
}

#[cfg(test)]
mod tests {
    use patois_database::Database;

    use super::*;

    fn schema() -> DatabaseSchema {
        let script = "CREATE TABLE emp(emp_nm TEXT, dob DATE);";
        Database::from_script("x", script)
            .unwrap()
            .schema()
            .unwrap()
            .schema
    }

    fn lesson(question: &str) -> Lesson {
        Lesson {
            question: question.to_owned(),
            code: format!("SELECT '{question}'"),
        }
    }

    #[test]
    fn what_was_said_is_there_again() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("firm.sqlite");
        let schema = schema();
        let mut memory = Memory::beside(&file, &schema).unwrap();
        assert_eq!(memory.recall("Who is the oldest?"), None);
        memory
            .learn(lesson("How many employees?"), &schema)
            .unwrap();
        memory.learn(lesson("Who is the oldest?"), &schema).unwrap();
        let note = Note {
            table: "EMP".to_owned(),
            column: Some("emp_nm".to_owned()),
            words: "employee name".to_owned(),
        };
        memory.note(note, &schema).unwrap();
        let again = Memory::beside(&file, &schema).unwrap();
        assert_eq!(again.lessons(), memory.lessons());
        let recalled = again.recall("Please tell me: who's oldest").is_some();
        assert!(!recalled, "`who's` is another word");
        assert!(again.recall("who is oldest").is_some());
        assert_eq!(again.spoken(&schema).columns[1].words, "employee name");
    }

    #[test]
    fn a_line_that_was_not_finished_is_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("firm.sqlite");
        let schema = schema();
        let mut memory = Memory::beside(&file, &schema).unwrap();
        memory.learn(lesson("How many?"), &schema).unwrap();
        let path = memory.path().unwrap().to_owned();
        let mut text = std::fs::read_to_string(&path).unwrap();
        text.push_str("{\"kind\":\"lesson\",\"ques");
        std::fs::write(&path, text).unwrap();
        let mut memory = Memory::beside(&file, &schema).unwrap();
        assert_eq!(memory.lessons().len(), 1);
        memory.learn(lesson("How old?"), &schema).unwrap();
        assert_eq!(Memory::beside(&file, &schema).unwrap().lessons().len(), 2);
    }

    #[test]
    fn other_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("firm.sqlite");
        let path = folder.path().join("firm.sqlite.patois");
        let check = |text: &str, expected: &str| {
            std::fs::write(&path, text).unwrap();
            let found = Memory::beside(&file, &schema()).unwrap_err().to_string();
            assert!(found.contains(expected), "{found}");
        };
        check(
            "hello\n",
            "line 1: expected a line of a patois memory, found `hello`",
        );
        check(
            "{\"kind\":\"memory\",\"version\":1,\"tables\":[\"pet\"]}\n",
            "is about another database, with the tables pet",
        );
        check(
            "{\"kind\":\"memory\",\"version\":9,\"tables\":[\"emp\"]}\n",
            "is of version 9, expected 1",
        );
    }

    #[test]
    fn notes_are_about_what_is_there() {
        let note = Note {
            table: "emp".to_owned(),
            column: Some("salary".to_owned()),
            words: "pay".to_owned(),
        };
        let error = Memory::default().note(note, &schema()).unwrap_err();
        assert_eq!(error.to_string(), "there is no column called `emp.salary`");
    }
}
