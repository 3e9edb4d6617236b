//! Files of tables that become one database.
//!
//! What is in CSV, TSV or JSON lines is read once to tell what its columns are and once more into a new database in a
//! temporary folder; never is more than one row in memory. Nothing is written beside the files.

mod budget;
mod date;
mod delimited;
mod dialect;
mod encoding;
mod error;
mod guess;
mod json;
mod kind;
mod names;
mod notes;
mod number;
mod sqlite;
mod table;

use std::path::{Path, PathBuf};

use rusqlite::Connection;
use tempfile::TempDir;

pub use self::budget::ImportLimits;
pub use self::error::ImportError;
pub use self::kind::{FileKind, kind_of};

use self::budget::{Budget, Cut};
use self::delimited::DelimitedRows;
use self::json::JsonRows;
use self::names::{Taken, table_name};
use self::number::Style;
use self::table::Plan;
use crate::{Database, Place, bound_memory, memory};

/// Files that became one database.
///
/// The database is in a temporary folder, which goes together with this value.
#[derive(Debug)]
pub struct Imported {
    /// Where the database is.
    pub place: Place,
    /// What a user should know about how the files were read, each with the name of the file.
    pub notes: Vec<String>,
    /// The tables, in the order of the files.
    pub tables: Vec<ImportedTable>,
    /// Deletes the folder.
    _folder: TempDir,
}

/// A table of an imported database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedTable {
    /// What it is called.
    pub name: String,
    /// The file that it comes from.
    pub file: PathBuf,
    /// How many rows it has.
    pub n_rows: u64,
    /// Whether the file has more.
    pub is_cut: bool,
}

/// Makes one database of several files.
///
/// Each file of CSV, TSV or JSON is a table, called by the file's name; of a SQLite database, all tables are copied. What
/// columns hold is told by all their values; what was decided about them is said in [`notes`](Imported::notes).
///
/// ```
/// use std::fs;
/// use patois_database::{ImportLimits, QueryLimits, import};
///
/// let folder = tempfile::tempdir()?;
/// let files = ["customers.csv", "orders.jsonl"].map(|it| folder.path().join(it));
/// fs::write(&files[0], "id,name\n1,Ada\n2,Ida\n")?;
/// fs::write(&files[1], "{\"id\": 1, \"customer_id\": 2, \"amount\": 9.5}\n")?;
///
/// let imported = import(&files, &ImportLimits::default())?;
/// let shop = imported.place.open("shop")?;
/// let sql = "SELECT name, amount FROM orders JOIN customers ON customers.id = customer_id";
/// assert_eq!(shop.query(sql, &QueryLimits::default())?.rows[0][0].to_string(), "Ida");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// When a file cannot be read or is none of these, when a line is not JSON, when there are more columns than SQLite has,
/// or when the database cannot be written.
pub fn import(files: &[PathBuf], limits: &ImportLimits) -> Result<Imported, ImportError> {
    bound_memory()?;
    let first = files.first().ok_or(ImportError::Nothing)?;
    let kinds = files.iter().map(|file| kind_of(file));
    let kinds = kinds.collect::<Result<Vec<FileKind>, ImportError>>()?;
    memory::limited(MEMORY, || {
        let mut importer = Importer::new(&table_name(first), limits)?;
        for (file, kind) in files.iter().zip(kinds) {
            importer.add(file, kind)?;
        }
        importer.finish()
    })
}

/// As many columns as SQLite has.
const MAX_COLUMNS: usize = 2_000;

/// How many bytes a row may have.
const MAX_ROW_BYTES: usize = 16 << 20;

/// How many bytes SQLite may take.
const MEMORY: usize = 256 << 20;

/// The journal is for those who might want the file after a failure.
const SETTINGS: &str =
    "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF;
    PRAGMA cache_size = -32768; PRAGMA locking_mode = NORMAL;";

/// The rows of a file, one after the other.
trait Rows {
    /// Goes to the next row; false where there is none.
    fn advance(&mut self) -> Result<bool, ImportError>;
    /// What the file calls its columns, as far as it was read.
    fn names(&self) -> Vec<&str>;
    /// How many columns there are, as far as the file was read.
    fn n_columns(&self) -> usize;
    /// A cell of the row; empty where it has none.
    fn cell(&self, column: usize) -> &[u8];
    /// How many bytes were read, up to the end of the row.
    fn n_bytes(&self) -> u64;
    /// What a user should know about the rows so far.
    fn notes(&self) -> Vec<String>;
}

/// A database on its way.
struct Importer {
    folder: TempDir,
    file: PathBuf,
    connection: Connection,
    budget: Budget,
    limits: ImportLimits,
    names: Taken,
    notes: Vec<String>,
    tables: Vec<ImportedTable>,
    /// Views, each with the file that it comes from.
    views: Vec<(PathBuf, String)>,
}

impl Importer {
    fn new(name: &str, limits: &ImportLimits) -> Result<Importer, ImportError> {
        let folder = tempfile::tempdir();
        let folder = folder.map_err(|error| ImportError::Write(error.to_string()))?;
        let file = folder.path().join(format!("{name}.sqlite"));
        let connection = Connection::open(&file).and_then(|connection| {
            connection.execute_batch(SETTINGS)?;
            connection.execute_batch("BEGIN")?;
            Ok(connection)
        });
        Ok(Importer {
            connection: connection.map_err(|error| ImportError::write(&error))?,
            folder,
            file,
            budget: Budget::of(limits),
            limits: *limits,
            names: Taken::default(),
            notes: Vec::new(),
            tables: Vec::new(),
            views: Vec::new(),
        })
    }

    fn add(&mut self, file: &Path, kind: FileKind) -> Result<(), ImportError> {
        match kind {
            FileKind::Sqlite => self.add_database(file),
            FileKind::Csv | FileKind::Tsv => {
                let dialect = DelimitedRows::dialect(file, kind)?;
                let open = || DelimitedRows::open(file, dialect);
                let n_columns = self.add_rows(file, dialect.style(), open)?;
                self.note_all(file, notes::of_dialect(dialect, n_columns));
                Ok(())
            }
            FileKind::JsonLines => {
                self.add_rows(file, Style::Point, || JsonRows::open(file))?;
                Ok(())
            }
        }
    }

    /// Makes a table of the rows of a file; returns how many columns it has.
    fn add_rows<R: Rows>(
        &mut self,
        file: &Path,
        style: Style,
        open: impl Fn() -> Result<R, ImportError>,
    ) -> Result<usize, ImportError> {
        let table = self.names.take(&table_name(file));
        let plan = Plan::of(&mut open()?, &table, style, &self.budget)?;
        if plan.columns.is_empty() {
            let path = file.to_owned();
            let found = "without columns";
            return Err(ImportError::Unknown { path, found });
        }
        plan.create(&self.connection, &table)
            .map_err(|error| ImportError::write(&error))?;
        let mut rows = open()?;
        let filled = plan.fill(&mut rows, &self.connection, &table, &self.budget, file)?;
        self.budget.n_bytes = self.budget.n_bytes.saturating_sub(rows.n_bytes());
        self.note_all(file, rows.notes());
        self.note_all(file, notes::of_columns(&plan));
        self.note_all(file, notes::of_repairs(filled.repairs));
        self.add_table(file, &table, filled.n_rows, filled.cut);
        Ok(plan.columns.len())
    }

    fn add_table(&mut self, file: &Path, name: &str, n_rows: u64, cut: Option<Cut>) {
        let limits = self.limits;
        let reason = cut.map(|cut| match cut {
            Cut::Rows => {
                let rows = notes::counted(limits.n_rows, "row", "rows");
                format!("a table has {rows} at most")
            }
            Cut::Bytes => format!("{} MB are read at most", limits.n_bytes >> 20),
            Cut::Time => format!("it is read for {:?} at most", limits.time),
        });
        if let Some(reason) = reason {
            let rows = notes::counted(n_rows, "row", "rows");
            self.note(
                file,
                &format!("`{name}` has the first {rows}, there are more: {reason}"),
            );
        }
        self.tables.push(ImportedTable {
            name: name.to_owned(),
            file: file.to_owned(),
            n_rows,
            is_cut: cut.is_some(),
        });
    }

    fn note(&mut self, file: &Path, note: &str) {
        let name = file.file_name().unwrap_or(file.as_os_str());
        self.notes
            .push(format!("`{}`: {note}", name.to_string_lossy()));
    }

    fn note_all(&mut self, file: &Path, notes: Vec<String>) {
        for note in notes {
            self.note(file, &note);
        }
    }

    fn finish(mut self) -> Result<Imported, ImportError> {
        self.connection
            .execute_batch("COMMIT")
            .map_err(|error| ImportError::write(&error))?;
        if !self.views.is_empty() {
            let database = Database::open(&self.file)?;
            self.check_views(&database)?;
        }
        let closed = self.connection.close();
        closed.map_err(|(_, error)| ImportError::write(&error))?;
        Ok(Imported {
            place: Place::File(self.file),
            notes: self.notes,
            tables: self.tables,
            _folder: self.folder,
        })
    }
}

#[cfg(test)]
mod tests;
