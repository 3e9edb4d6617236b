//! Values of conditions, and others of the same columns.

use std::ops::{ControlFlow, Range};

use indexmap::{IndexMap, IndexSet};
use patois_database::{DatabaseError, ScanLimits, ValueRef};
use patois_languages::sql::DatabaseSchema;
use patois_syntax::{Grammar, Label, NodeId, Text, Tree};
use rand::RngExt as _;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::needed::constructor;
use super::question::replace;
use crate::corpus::Corpus;

/// A value that a query compares a column with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The column.
    pub column: usize,
    /// The value.
    pub value: Text,
    /// Where it stands in the tree.
    pub nodes: Vec<NodeId>,
}

const COMPARISONS: [&str; 6] = [
    "Equal",
    "NotEqual",
    "Less",
    "LessEqual",
    "Greater",
    "GreaterEqual",
];

impl Condition {
    /// The conditions of a query, of the shape `column = value`. A text that also stands elsewhere in the query is
    /// left out: it may have to stay what it is.
    pub fn all_of(grammar: &Grammar, tree: &Tree) -> Vec<Condition> {
        let mut found: Vec<Condition> = Vec::new();
        for node in tree.nodes() {
            let Some((column, place, value)) = comparison(grammar, tree, node) else {
                continue;
            };
            let known = found
                .iter_mut()
                .find(|it| (it.column, it.value) == (column, value));
            match known {
                Some(condition) => condition.nodes.push(place),
                None => found.push(Condition {
                    column,
                    value,
                    nodes: vec![place],
                }),
            }
        }
        let is_all = |condition: &Condition| {
            let same = Label::Text(condition.value);
            let n_same = tree.labels().iter().filter(|it| **it == same).count();
            n_same == condition.nodes.len()
        };
        found.retain(is_all);
        found
    }

    /// Where a question says the value, verbatim and as words of its own; none unless it says it once.
    fn said(&self, question: &str) -> Option<Range<usize>> {
        let value = self.value.as_str();
        let is_whole = |&(start, _): &(usize, &str)| {
            let mut after = question[start + value.len()..].chars();
            let (next, second) = (after.next(), after.next());
            let is_word = |it: Option<char>| it.is_some_and(char::is_alphanumeric);
            let before = question[..start].chars().next_back();
            // `1` is not said by `1.5`, nor by `-1`.
            let goes_on = next.is_some_and(|it| ".,-/:".contains(it)) && is_word(second);
            let is_signed = before.is_some_and(|it| "-.$/:".contains(it));
            !is_word(before) && !is_signed && !is_word(next) && !goes_on
        };
        let mut found = question.match_indices(value).filter(is_whole);
        let (start, _) = found.next().filter(|_| !value.is_empty())?;
        found.next().is_none().then(|| start..start + value.len())
    }
}

/// The column, and the node and text of the value, where a node compares the two.
fn comparison(grammar: &Grammar, tree: &Tree, node: NodeId) -> Option<(usize, NodeId, Text)> {
    let name = |node: NodeId| match tree.label(node) {
        Label::Production(id) => constructor(grammar, id),
        Label::Text(_) | Label::Reference(_) => None,
    };
    if !COMPARISONS.contains(&name(node)?) {
        return None;
    }
    let mut sides = tree.children(node);
    let (left, right) = (sides.next()?, sides.next()?);
    if name(left)? != "Column" || !["String", "Number"].contains(&name(right)?) {
        return None;
    }
    let (column, value) = (tree.children(left).next()?, tree.children(right).next()?);
    match (tree.label(column), tree.label(value)) {
        (Label::Reference(column), Label::Text(text)) => Some((column as usize, value, text)),
        _ => None,
    }
}

/// Values of the columns that conditions are about, a few of each.
#[derive(Clone, Debug, Default)]
pub struct ValuePools {
    /// By database and column.
    pools: IndexMap<(String, usize), Vec<String>>,
}

/// So many rows of a table are looked at.
const N_ROWS: usize = 2_000;
/// So many different values of a column are kept.
const N_VALUES: usize = 40;
/// Longer ones are descriptions.
const N_BYTES: usize = 40;

impl ValuePools {
    /// Reads values of the columns that conditions are about, by the names of their databases.
    ///
    /// # Errors
    ///
    /// When a database is missing or damaged.
    pub fn read(
        corpus: &Corpus,
        columns: &IndexMap<String, IndexSet<usize>>,
    ) -> Result<ValuePools, DatabaseError> {
        let databases = corpus.places();
        let read = |(name, columns): (&String, &IndexSet<usize>)| {
            let Some(schema) = corpus.databases.get(name) else {
                return Ok(Vec::new());
            };
            let database = databases.open(name)?;
            let found = read_columns(schema, columns, |tables, limits, visit| {
                database.scan(tables, limits, visit).map(|_| ())
            })?;
            let found = found.into_iter();
            let found = found.map(|(column, values)| ((name.clone(), column), values));
            Ok(found.collect::<Vec<_>>())
        };
        let columns: Vec<(&String, &IndexSet<usize>)> = columns.iter().collect();
        let pools: Result<Vec<Vec<_>>, DatabaseError> = columns.into_par_iter().map(read).collect();
        Ok(ValuePools {
            pools: pools?.into_iter().flatten().collect(),
        })
    }

    /// How many columns there are values of.
    pub fn len(&self) -> usize {
        self.pools.len()
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.pools.is_empty()
    }

    /// Swaps the values of conditions for others of the same column, in the question and in the query, each with the
    /// given probability: those that the question says verbatim, for ones that look alike.
    pub(super) fn swap(
        &self,
        database: &str,
        conditions: &[Condition],
        probability: f32,
        (question, tree): (&str, &Tree),
        rng: &mut ChaCha8Rng,
    ) -> (String, Option<Tree>) {
        let (mut question, mut changed) = (question.to_owned(), None::<Tree>);
        for condition in conditions {
            let is_drawn = rng.random::<f32>() < probability;
            let said = condition.said(&question).filter(|_| is_drawn);
            let pool = self.pools.get(&(database.to_owned(), condition.column));
            let (Some(said), Some(pool)) = (said, pool) else {
                continue;
            };
            let value = condition.value.as_str();
            let is_alike = |it: &&String| *it != value && shape(it) == shape(value);
            let alike: Vec<&String> = pool.iter().filter(is_alike).collect();
            if alike.is_empty() {
                continue;
            }
            let other = alike[rng.random_range(0..alike.len())];
            // What is said already means something else.
            if question.contains(other.as_str()) {
                continue;
            }
            question = replace(&question, &[(said, other.clone())]);
            let before = changed.as_ref().unwrap_or(tree);
            changed = Some(before.with_texts(&condition.nodes, Text::new(other)));
        }
        (question, changed)
    }
}

/// What values have in common that can stand in the same sentence: how many words, and how they begin.
fn shape(value: &str) -> (usize, Option<u8>) {
    let class = |it: char| match it {
        it if it.is_uppercase() => 0,
        it if it.is_lowercase() => 1,
        it if it.is_ascii_digit() => 2,
        _ => 3,
    };
    (value.split(' ').count(), value.chars().next().map(class))
}

type Visit<'v> = &'v mut dyn FnMut(usize, usize, ValueRef<'_>) -> ControlFlow<()>;

/// A few values of each of the columns, in the order of the rows.
fn read_columns(
    schema: &DatabaseSchema,
    columns: &IndexSet<usize>,
    scan: impl Fn(&[(&str, Vec<&str>)], &ScanLimits, Visit<'_>) -> Result<(), DatabaseError>,
) -> Result<IndexMap<usize, Vec<String>>, DatabaseError> {
    let mut places: IndexMap<usize, Vec<usize>> = IndexMap::new();
    for &column in columns {
        if let Some(table) = schema.columns[column].table {
            places.entry(table).or_default().push(column);
        }
    }
    let name = |column: &usize| schema.columns[*column].name.as_str();
    let tables: Vec<(&str, Vec<&str>)> = places
        .iter()
        .map(|(table, own)| {
            let table = schema.tables[*table].name.as_str();
            (table, own.iter().map(name).collect())
        })
        .collect();
    let limits = ScanLimits {
        n_rows: N_ROWS,
        n_value_bytes: N_BYTES,
        ..ScanLimits::default()
    };
    let mut found: IndexMap<usize, IndexSet<String>> = IndexMap::new();
    scan(&tables, &limits, &mut |table, column, value| {
        let values = found.entry(places[table][column]).or_default();
        let text = match value {
            ValueRef::Integer(integer) => integer.to_string(),
            ValueRef::Real(real) => real.to_string(),
            ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
            ValueRef::Null | ValueRef::Blob(_) => return ControlFlow::Continue(()),
        };
        let is_plain = !text.is_empty()
            && text.trim() == text
            && text
                .chars()
                .all(|it| it.is_alphanumeric() || " .-'".contains(it));
        if is_plain && values.len() < N_VALUES {
            values.insert(text);
        }
        ControlFlow::Continue(())
    })?;
    let found = found.into_iter();
    Ok(found
        .map(|(column, values)| (column, values.into_iter().collect()))
        .collect())
}

#[cfg(test)]
mod tests;
