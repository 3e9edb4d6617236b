//! Spider's exact set match without values: whether two queries ask the same, clause by clause.
//!
//! The metric is defined by the official script (`evaluation.py` and `process_sql.py` of the Spider
//! release). This is an independent implementation of what that script does, its peculiarities
//! included, since published figures contain them; each is described where it is kept, with the
//! name of the function that has it. Clauses are
//! compared as sets, values and `DISTINCT` set aside, columns that a foreign key ties together
//! count as one, and the tables of `FROM` must agree (so that `count(*)` of one table is not
//! `count(*)` of another).
//!
//! Two rules differ between versions of the script. The conditions of joins are *not* compared,
//! as in all versions but one. A `LIMIT` must be an integer, which is compared in sub-queries, as in
//! the version that wrote the parses of the dataset; later ones read 1 whatever it is.

use std::ops::Index;

use serde::{Deserialize, Serialize, Serializer};

mod compare;
mod hardness;
mod normalize;
mod parser;
mod schema;
pub mod structure;
mod tokens;

pub use hardness::Hardness;
pub use parser::parse;
pub use schema::SpiderSchema;

/// How a predicted query compares with the gold one.
#[derive(Clone, Debug, PartialEq)]
pub struct SqlMatch {
    /// How hard the gold query is.
    pub hardness: Hardness,
    /// Whether all of it agrees.
    pub is_exact: bool,
    /// The components.
    pub components: ComponentScores,
    /// Why the prediction could not be parsed; it then counts as an empty query.
    pub prediction_error: Option<SqlParseError>,
}

/// Compares `predicted` with `gold`, two queries over `schema`.
///
/// ```
/// use patois_metrics::sql_match::{SpiderSchema, exact_match};
/// use patois_languages::sql::DatabaseSchema;
///
/// let tables = r#"[{
///     "db_id": "pets",
///     "table_names": ["pet"], "table_names_original": ["Pet"],
///     "column_names": [[-1, "*"], [0, "name"], [0, "age"]],
///     "column_names_original": [[-1, "*"], [0, "Name"], [0, "Age"]],
///     "column_types": ["text", "text", "number"],
///     "primary_keys": [], "foreign_keys": []
/// }]"#;
/// let schema = SpiderSchema::new(&DatabaseSchema::from_tables_json(tables)?["pets"]);
/// let gold = "SELECT name FROM Pet WHERE age > 3 AND name = 'Rex'";
/// let predicted = "SELECT T1.name FROM pet AS T1 WHERE T1.name = 'Tom' AND T1.age > 5";
/// assert!(exact_match(&schema, gold, predicted)?.is_exact);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// When the gold query cannot be parsed. A prediction that cannot be parsed is wrong.
pub fn exact_match(
    schema: &SpiderSchema,
    gold: &str,
    predicted: &str,
) -> Result<SqlMatch, SqlParseError> {
    let gold = parse(schema, gold)?;
    let hardness = Hardness::of(&gold);
    let gold = normalize::normalize(gold, schema);
    let (predicted, prediction_error) = match parse(schema, predicted) {
        Ok(query) => (normalize::normalize(query, schema), None),
        Err(error) => (structure::Query::default(), Some(error)),
    };
    let (components, is_exact) = compare::compare(schema, &predicted, &gold);
    Ok(SqlMatch {
        hardness,
        is_exact,
        components,
        prediction_error,
    })
}

/// Why the official parser does not understand a query.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SqlParseError {
    /// Quotes of either kind do not pair up.
    #[error("expected an even number of quotes")]
    Quotes,
    /// More text than a query can have.
    #[error("expected at most {} bytes, found {n_bytes}", tokens::MAX_BYTES)]
    TooLong {
        /// The length.
        n_bytes: usize,
    },
    /// Queries inside queries, too many of them.
    #[error("expected at most {limit} queries inside each other")]
    TooDeep {
        /// How many are allowed.
        limit: usize,
    },
    /// The text ends where more is needed.
    #[error("unexpected end of the query")]
    End,
    /// A query without tables.
    #[error("expected a FROM clause")]
    NoFrom,
    /// A token that cannot stand where it does.
    #[error("expected {expected}, found `{found}`")]
    Unexpected {
        /// What could stand there.
        expected: &'static str,
        /// What does.
        found: String,
    },
    /// An alias that hides a table.
    #[error("alias `{0}` is the name of a table")]
    AliasOfTable(String),
    /// A name that is neither a table nor an alias.
    #[error("unknown table `{0}`")]
    UnknownTable(String),
    /// A name that is not a column of any table in sight.
    #[error("unknown column `{0}`")]
    UnknownColumn(String),
    /// Some conditions have a connective between them, and some do not.
    #[error("expected conditions and connectives in turns")]
    Connectives,
}

/// A part of a query that is compared on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Component {
    /// The projected values with their aggregates.
    #[serde(rename = "select")]
    Select,
    /// The projected values without aggregates.
    #[serde(rename = "select(no AGG)")]
    SelectColumns,
    /// The conditions of `WHERE`.
    #[serde(rename = "where")]
    Where,
    /// What `WHERE` compares, whatever the operator.
    #[serde(rename = "where(no OP)")]
    WhereColumns,
    /// The names of the grouping columns.
    #[serde(rename = "group(no Having)")]
    GroupColumns,
    /// The grouping columns in their order, and `HAVING`.
    #[serde(rename = "group")]
    Group,
    /// The order, and whether there is a limit.
    #[serde(rename = "order")]
    Order,
    /// Which connectives occur in `WHERE`.
    #[serde(rename = "and/or")]
    AndOr,
    /// The operands of `INTERSECT`, `UNION`, `EXCEPT`.
    #[serde(rename = "IUEN")]
    SetOperations,
    /// Which keywords occur.
    #[serde(rename = "keywords")]
    Keywords,
}

impl Component {
    /// All components, in the order of the official report.
    pub const ALL: [Component; 10] = [
        Component::Select,
        Component::SelectColumns,
        Component::Where,
        Component::WhereColumns,
        Component::GroupColumns,
        Component::Group,
        Component::Order,
        Component::AndOr,
        Component::SetOperations,
        Component::Keywords,
    ];

    /// The official name.
    pub fn name(self) -> &'static str {
        match self {
            Component::Select => "select",
            Component::SelectColumns => "select(no AGG)",
            Component::Where => "where",
            Component::WhereColumns => "where(no OP)",
            Component::GroupColumns => "group(no Having)",
            Component::Group => "group",
            Component::Order => "order",
            Component::AndOr => "and/or",
            Component::SetOperations => "IUEN",
            Component::Keywords => "keywords",
        }
    }
}

/// The score of one component of one query.
///
/// Precision, recall and F1 of the official script are all 1 or all 0 for one query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PartialScore {
    /// Whether the component agrees.
    pub is_correct: bool,
    /// How many elements the gold query has.
    pub n_gold: usize,
    /// How many elements the predicted query has.
    pub n_predicted: usize,
}

impl PartialScore {
    fn new(n_gold: usize, n_predicted: usize, n_common: usize) -> PartialScore {
        PartialScore {
            is_correct: n_gold == n_predicted && n_common == n_gold,
            n_gold,
            n_predicted,
        }
    }
}

/// The scores of all components.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComponentScores([PartialScore; Component::ALL.len()]);

impl ComponentScores {
    fn new(score: impl Fn(Component) -> PartialScore) -> ComponentScores {
        ComponentScores(Component::ALL.map(score))
    }

    /// The score of one component.
    pub fn get(&self, component: Component) -> PartialScore {
        self[component]
    }
}

/// A map from the official names of the components to their scores.
impl Serialize for ComponentScores {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(Component::ALL.map(|it| (it.name(), self[it])))
    }
}

impl Index<Component> for ComponentScores {
    type Output = PartialScore;

    fn index(&self, component: Component) -> &PartialScore {
        &self.0[component as usize]
    }
}

#[cfg(test)]
mod tests;
