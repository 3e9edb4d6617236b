//! SQL over a database: canonical trees whose columns and tables are references.
//!
//! ```
//! use std::sync::Arc;
//!
//! use patois_languages::sql::{DatabaseSchema, Mode, Sql};
//! use patois_syntax::Language;
//!
//! let tables = r#"[{
//!     "db_id": "music",
//!     "table_names": ["singer", "song"], "table_names_original": ["singer", "song"],
//!     "column_names": [[-1, "*"], [0, "id"], [0, "name"], [1, "singer id"], [1, "title"]],
//!     "column_names_original": [[-1, "*"], [0, "id"], [0, "name"], [1, "singer_id"], [1, "title"]],
//!     "column_types": ["text", "number", "text", "number", "text"],
//!     "primary_keys": [1], "foreign_keys": [[3, 1]]
//! }]"#;
//! let schema = Arc::new(DatabaseSchema::from_tables_json(tables)?["music"].clone());
//! let source = "select T2.title from singer as T1 join song as T2
//!               on T1.id = T2.singer_id where T1.name like \"A%\"";
//!
//! let full = Sql::new(schema.clone(), Mode::Full);
//! assert_eq!(
//!     full.print(&full.parse(source)?)?,
//!     "SELECT song.title FROM singer JOIN song ON singer.id = song.singer_id \
//!      WHERE singer.name LIKE 'A%'"
//! );
//! let paper = Sql::new(schema, Mode::Paper);
//! assert_eq!(
//!     paper.print(&paper.parse(source)?)?,
//!     "SELECT song.title FROM singer JOIN song ON singer.id = song.singer_id \
//!      WHERE singer.name LIKE 'terminal'"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod database;
mod follow;
mod from_clause;
mod functions;
mod gbnf;
mod identifier;
mod names;
mod paper;
mod parse;
mod print;
mod redundant;
mod resolve;
mod scan;
mod senseless;
mod text;
mod tree;
mod words;

use std::sync::{Arc, LazyLock};

use patois_syntax::{Ast, Beginning, Child, Grammar, Language, ParseError, PrintError, Schema};
use serde::{Deserialize, Serialize};

pub use database::{Column, ColumnKind, DatabaseSchema, DatabaseSchemaError, Table};
use follow::QueryBeginning;
pub use gbnf::{QueryGrammar, Symbol};
pub use names::{NO_KEY, NO_REVERSE_KEY};
pub use senseless::Holds;

/// How many nodes may stand one below the other in a tree: far more than people write, and safe on a
/// thread's usual stack. What is read and what is printed are held to the same, so that what was read prints and
/// what was printed can be read.
const MAX_DEPTH: usize = 256;

/// Why a tree cannot be read or printed, where it is too deep.
fn too_deep(ast: &Ast) -> Option<String> {
    let mut below = vec![(ast, 1)];
    while let Some((node, depth)) = below.pop() {
        if depth > MAX_DEPTH {
            return Some(format!("the tree is deeper than {MAX_DEPTH} nodes"));
        }
        let children = node.fields.iter().flat_map(|it| it.value.children());
        below.extend(children.filter_map(|it| match it {
            Child::Node(child) => Some((child, depth + 1)),
            Child::Text(_) | Child::Reference(_) => None,
        }));
    }
    None
}

/// SQL over one database.
#[derive(Clone, Debug)]
pub struct Sql {
    schema: Arc<DatabaseSchema>,
    mode: Mode,
}

/// How much of a query a tree holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// Everything.
    #[default]
    Full,
    /// No FROM clause, which is inferred when a tree is printed; a placeholder for every literal;
    /// LIMIT or not.
    Paper,
}

static FULL: LazyLock<Schema> = LazyLock::new(|| {
    Schema::parse(include_str!("sql/sql-full.asdl")).expect("sql-full.asdl is a schema")
});

static PAPER: LazyLock<Schema> = LazyLock::new(|| {
    Schema::parse(include_str!("sql/sql-paper.asdl")).expect("sql-paper.asdl is a schema")
});

impl Sql {
    /// SQL over the database that `schema` describes.
    pub fn new(schema: Arc<DatabaseSchema>, mode: Mode) -> Sql {
        Sql { schema, mode }
    }

    /// The database that references point into.
    pub fn database(&self) -> &Arc<DatabaseSchema> {
        &self.schema
    }

    /// How much of a query a tree holds.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// What a query computes, in words.
    ///
    /// # Errors
    ///
    /// When the tree is none of this grammar or of this database, or nested too deeply.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use patois_languages::sql::{DatabaseSchema, Mode, Sql};
    /// use patois_syntax::Language;
    ///
    /// let tables = r#"[{"db_id": "shop", "table_names": ["invoice"], "table_names_original": ["invoice"],
    ///     "column_names": [[-1, "*"], [0, "country"]], "column_names_original": [[-1, "*"], [0, "country"]],
    ///     "column_types": ["text", "text"], "primary_keys": [], "foreign_keys": []}]"#;
    /// let schema = DatabaseSchema::from_tables_json(tables)?["shop"].clone();
    /// let sql = Sql::new(Arc::new(schema), Mode::Full);
    /// let query = "SELECT country, count(*) FROM invoice GROUP BY country ORDER BY count(*) DESC";
    /// let words = sql.in_words(&sql.parse(query)?)?;
    /// assert_eq!(words, "number of invoices for each country, largest first");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn in_words(&self, ast: &Ast) -> Result<String, PrintError> {
        if let Some(message) = too_deep(ast) {
            return Err(PrintError::new(message));
        }
        match self.mode {
            Mode::Full => words::words(&self.schema, ast),
            Mode::Paper => words::words(&self.schema, &paper::to_full(&self.schema, ast)?),
        }
    }

    /// Whether a query says something twice: a result or a condition that is there already, a value between itself and
    /// itself.
    pub fn repeats_itself(ast: &Ast) -> bool {
        redundant::repeats_itself(ast)
    }

    /// How many parts of a query no question asks for, where `holds` tells what is in a column: the sum of names, a
    /// date above 5.
    pub fn n_senseless(ast: &Ast, holds: &dyn Fn(u32) -> Holds) -> usize {
        senseless::count(ast, holds)
    }

    /// Whether a query leaves out what another one finds (`NOT IN`): with NULL among that, it selects nothing at all.
    pub fn leaves_out(ast: &Ast) -> bool {
        senseless::leaves_out(ast)
    }

    /// The constructors of a mode; they are the same for every database.
    pub fn schema_of(mode: Mode) -> &'static Schema {
        match mode {
            Mode::Full => &FULL,
            Mode::Paper => &PAPER,
        }
    }
}

impl Language for Sql {
    fn name(&self) -> &'static str {
        "sql"
    }

    fn parse(&self, source: &str) -> Result<Ast, ParseError> {
        let full = parse::parse(&self.schema, source)?;
        let tree = match self.mode {
            Mode::Full => full,
            Mode::Paper => paper::from_full(&self.schema, &full)?,
        };
        match too_deep(&tree) {
            Some(message) => Err(ParseError::whole(message)),
            None => Ok(tree),
        }
    }

    fn print(&self, ast: &Ast) -> Result<String, PrintError> {
        if let Some(message) = too_deep(ast) {
            return Err(PrintError::new(message));
        }
        match self.mode {
            Mode::Full => print::print(&self.schema, ast),
            Mode::Paper => print::print(&self.schema, &paper::to_full(&self.schema, ast)?),
        }
    }

    fn schema(&self) -> Option<&Schema> {
        Some(Sql::schema_of(self.mode))
    }

    /// A subtoken is a word, a number, or a single other character; one space before it belongs to
    /// it: `New York%` is `New`, ` York`, `%`.
    fn split_text<'t>(&self, text: &'t str) -> Vec<&'t str> {
        text::split(text)
    }

    fn accepts_text(&self, ty: &str, text: &str) -> bool {
        text::accepts(ty, text)
    }

    /// Columns of the tables in scope, tables that a key leads to, aggregates where SQL has a place for them, and so on.
    fn beginning(&self, grammar: &Grammar) -> Option<Box<dyn Beginning>> {
        let beginning = QueryBeginning::new(&self.schema, self.mode, grammar);
        Some(Box::new(beginning))
    }
}
