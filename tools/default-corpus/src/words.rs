//! How people talk about a database: the annotations beside each schema.
//!
//! Predicates are written as plural verb phrases with `{}` for the value, such as `are older than
//! {}` or `live in {}`; the other forms follow from them (see [`super::english`]).

use std::collections::BTreeMap;

use serde::Deserialize;

/// The words for one database.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Words {
    #[serde(rename = "entity")]
    pub(super) entities: Vec<Entity>,
    #[serde(rename = "relation", default)]
    pub(super) relations: Vec<Relation>,
    #[serde(default)]
    pub(super) shared: Vec<Shared>,
    #[serde(rename = "difference", default)]
    pub(super) differences: Vec<Difference>,
    #[serde(rename = "product", default)]
    pub(super) products: Vec<Product>,
}

/// A table whose rows people have a noun for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entity {
    pub(super) table: String,
    /// Singular nouns, the usual one first.
    pub(super) nouns: Vec<String>,
    /// The column that identifies a row.
    pub(super) key: String,
    /// The column people know a row by.
    pub(super) name: Option<String>,
    /// Whether one asks `who` and not `which`.
    #[serde(default)]
    pub(super) person: bool,
    pub(super) columns: Vec<ColumnWords>,
}

/// The words for a column.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ColumnWords {
    pub(super) column: String,
    pub(super) kind: Kind,
    /// Noun phrases for it, singular.
    pub(super) say: Vec<String>,
    /// Superlatives for the row with the greatest value.
    #[serde(default)]
    pub(super) most: Vec<String>,
    /// Superlatives for the row with the least value.
    #[serde(default)]
    pub(super) least: Vec<String>,
    /// Predicates for a greater value.
    #[serde(default)]
    pub(super) more: Vec<String>,
    /// Predicates for a smaller value.
    #[serde(default)]
    pub(super) less: Vec<String>,
    /// Predicates for this very value.
    #[serde(default)]
    pub(super) is: Vec<String>,
    /// Whole questions for the value of the row called `{}`, without the question mark.
    #[serde(default)]
    pub(super) ask: Vec<String>,
    /// Whether a value can stand before the noun: `crime novels`.
    #[serde(default)]
    pub(super) pre: bool,
    /// Whether values add up to something.
    #[serde(default)]
    pub(super) sum: bool,
    /// The column that holds the rest of a name: people say both, in this order.
    pub(super) surname: Option<String>,
    /// Predicates for rows that have no value: `have no email`.
    #[serde(default)]
    pub(super) missing: Vec<String>,
    /// Predicates for rows that have one.
    #[serde(default)]
    pub(super) present: Vec<String>,
    /// Predicates for a 1, where the column says whether something holds.
    #[serde(default)]
    pub(super) yes: Vec<String>,
    /// Predicates for a 0.
    #[serde(default)]
    pub(super) no: Vec<String>,
    /// Values that people call by another word.
    #[serde(default)]
    pub(super) values: BTreeMap<String, String>,
}

/// What kind of values a column holds, as far as questions go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    /// A measure: compared, averaged, ordered.
    Number,
    /// A year: compared and ordered.
    Year,
    /// A date: compared and ordered.
    Date,
    /// One of few values: filtered and grouped by.
    Category,
    /// A free text: shown, searched.
    Text,
    /// Never asked for itself: only whether it is there, or holds.
    Hidden,
}

/// A relation in which each `one` has any number of `many`.
///
/// A relation between many and many is written down once for each direction.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Relation {
    pub(super) one: String,
    pub(super) many: String,
    /// The joins from `one` to `many`, each `table.column = table.column`.
    pub(super) on: Vec<String>,
    /// Predicates of `one` with `{}` for a noun phrase of `many`.
    pub(super) have: Vec<String>,
    /// Modifiers of `many` with `{}` for a noun phrase of `one`.
    pub(super) of: Vec<String>,
    /// What follows `How many MANY`, with `{}` for a singular `one`.
    #[serde(default)]
    pub(super) how_many: Vec<String>,
    /// What follows `which ONE`, with `{}` for a row of `many`: `does {} belong to`.
    #[serde(default)]
    pub(super) which: Vec<String>,
    /// Whether the same two rows can be related more than once, so that rows of the join are not
    /// a count.
    #[serde(default)]
    pub(super) repeats: bool,
    /// Whether there is another relation between the two, so that only its own words will do.
    #[serde(default)]
    pub(super) is_one_of_several: bool,
    /// What a `one` is to its `many`: the `author` of a book. None where there can be several.
    #[serde(default)]
    pub(super) role: Vec<String>,
}

/// Two columns of different tables that hold the same kind of thing.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Shared {
    /// What both hold, singular.
    pub(super) noun: String,
    /// The first of them, `table.column`.
    pub(super) left: String,
    /// What is true of the values that occur there: `have a library branch`.
    pub(super) left_have: String,
    /// The second of them.
    pub(super) right: String,
    /// What is true of the values that occur there.
    pub(super) right_have: String,
}

/// Two columns of a table whose difference has a name.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Difference {
    pub(super) table: String,
    pub(super) left: String,
    pub(super) right: String,
    /// Noun phrases for `left - right`.
    pub(super) say: Vec<String>,
}

/// Two columns of a table whose product adds up to something.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Product {
    pub(super) table: String,
    pub(super) left: String,
    pub(super) right: String,
    /// Noun phrases for the sum.
    pub(super) say: Vec<String>,
    /// The tables whose rows have one of their own, each in a relation to `table`.
    pub(super) ones: Vec<String>,
}

impl Words {
    /// Reads annotations.
    pub(super) fn parse(toml: &str) -> Result<Words, toml::de::Error> {
        toml::from_str(toml)
    }

    /// The entity of a table.
    pub(super) fn entity(&self, table: &str) -> Option<&Entity> {
        self.entities.iter().find(|it| it.table == table)
    }
}

impl Entity {
    /// The words for a column.
    pub(super) fn column(&self, name: &str) -> Option<&ColumnWords> {
        self.columns.iter().find(|it| it.column == name)
    }

    /// The words for the column that names a row.
    pub(super) fn naming(&self) -> Option<&ColumnWords> {
        self.column(self.name.as_deref()?)
    }
}

impl Relation {
    /// The joins from `one` to `many`: column, joined table, its column.
    pub(super) fn joins(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        self.on.iter().filter_map(|join| {
            let (left, right) = join.split_once(" = ")?;
            let (_, left) = left.split_once('.')?;
            let (table, right) = right.split_once('.')?;
            Some((left, table, right))
        })
    }
}
