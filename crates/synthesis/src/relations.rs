//! How every element of a specification relates to every other: what attention is told of a schema.
//!
//! The elements are the columns, then the tables, then the words of the question. The first 25
//! types are the paper's (appendix A, table 4); those of words that speak of an item are ours, and can be
//! switched off.

use crate::config::Linking;
use crate::spec::{Context, Item, LinkKind, Spec};

/// How the first element of a pair relates to the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum RelationType {
    /// Columns of one table.
    SameTable,
    /// The first column is a foreign key for the second.
    ForeignKeyColF,
    /// The second column is a foreign key for the first.
    ForeignKeyColR,
    /// The column is (part of) the table's primary key.
    PrimaryKeyF,
    /// The column is another column of the table.
    BelongsToF,
    /// The column, which comes second, is (part of) the table's primary key.
    PrimaryKeyR,
    /// The column, which comes second, is another column of the table.
    BelongsToR,
    /// A column of the first table is a foreign key for one of the second.
    ForeignKeyTabF,
    /// A column of the second table is a foreign key for one of the first.
    ForeignKeyTabR,
    /// Both tables have a foreign key for the other.
    ForeignKeyTabB,
    /// A column and itself.
    ColumnIdentity,
    /// A table and itself.
    TableIdentity,
    /// The second word stands two or more places before the first.
    QuestionDistMinus2,
    /// The second word stands right before the first.
    QuestionDistMinus1,
    /// A word and itself.
    QuestionDist0,
    /// The second word stands right behind the first.
    QuestionDist1,
    /// The second word stands two or more places behind the first.
    QuestionDist2,
    /// A word and a column.
    QuestionColumn,
    /// A word and a table.
    QuestionTable,
    /// A column and a word.
    ColumnQuestion,
    /// A table and a word.
    TableQuestion,
    /// Two columns that nothing else holds of.
    ColumnColumn,
    /// A column and a table that nothing else holds of.
    ColumnTable,
    /// A table and a column that nothing else holds of.
    TableColumn,
    /// Two tables that nothing else holds of.
    TableTable,
    /// The word is in the name of the column, which stands whole in the question.
    QuestionColumnName,
    /// The same, with the column first.
    ColumnQuestionName,
    /// The word is in the name of the column.
    QuestionColumnPart,
    /// The same, with the column first.
    ColumnQuestionPart,
    /// The word is in the name of the table, which stands whole in the question.
    QuestionTableName,
    /// The same, with the table first.
    TableQuestionName,
    /// The word is in the name of the table.
    QuestionTablePart,
    /// The same, with the table first.
    TableQuestionPart,
    /// A word of the column's name is short for this one, and all of the name is said so.
    QuestionColumnShort,
    /// The same, with the column first.
    ColumnQuestionShort,
    /// A word of the column's name is short for this one.
    QuestionColumnShortPart,
    /// The same, with the column first.
    ColumnQuestionShortPart,
    /// A word of the table's name is short for this one, and all of the name is said so.
    QuestionTableShort,
    /// The same, with the table first.
    TableQuestionShort,
    /// A word of the table's name is short for this one.
    QuestionTableShortPart,
    /// The same, with the table first.
    TableQuestionShortPart,
    /// The word is in a value of the column.
    QuestionColumnValue,
    /// The same, with the column first.
    ColumnQuestionValue,
}

impl RelationType {
    /// Every type, in the order of their numbers.
    pub const ALL: [RelationType; RelationType::COUNT] = [
        RelationType::SameTable,
        RelationType::ForeignKeyColF,
        RelationType::ForeignKeyColR,
        RelationType::PrimaryKeyF,
        RelationType::BelongsToF,
        RelationType::PrimaryKeyR,
        RelationType::BelongsToR,
        RelationType::ForeignKeyTabF,
        RelationType::ForeignKeyTabR,
        RelationType::ForeignKeyTabB,
        RelationType::ColumnIdentity,
        RelationType::TableIdentity,
        RelationType::QuestionDistMinus2,
        RelationType::QuestionDistMinus1,
        RelationType::QuestionDist0,
        RelationType::QuestionDist1,
        RelationType::QuestionDist2,
        RelationType::QuestionColumn,
        RelationType::QuestionTable,
        RelationType::ColumnQuestion,
        RelationType::TableQuestion,
        RelationType::ColumnColumn,
        RelationType::ColumnTable,
        RelationType::TableColumn,
        RelationType::TableTable,
        RelationType::QuestionColumnName,
        RelationType::ColumnQuestionName,
        RelationType::QuestionColumnPart,
        RelationType::ColumnQuestionPart,
        RelationType::QuestionTableName,
        RelationType::TableQuestionName,
        RelationType::QuestionTablePart,
        RelationType::TableQuestionPart,
        RelationType::QuestionColumnShort,
        RelationType::ColumnQuestionShort,
        RelationType::QuestionColumnShortPart,
        RelationType::ColumnQuestionShortPart,
        RelationType::QuestionTableShort,
        RelationType::TableQuestionShort,
        RelationType::QuestionTableShortPart,
        RelationType::TableQuestionShortPart,
        RelationType::QuestionColumnValue,
        RelationType::ColumnQuestionValue,
    ];

    /// How many types there are in all.
    pub const COUNT: usize = 43;

    /// How many types are told apart: the first so many.
    pub fn n_types(linking: Linking) -> usize {
        match linking {
            Linking::None => 25,
            Linking::Names => 41,
            Linking::Values => RelationType::COUNT,
        }
    }

    /// The name, as the paper writes it.
    pub fn name(self) -> &'static str {
        match self {
            RelationType::SameTable => "Same-Table",
            RelationType::ForeignKeyColF => "Foreign-Key-Col-F",
            RelationType::ForeignKeyColR => "Foreign-Key-Col-R",
            RelationType::PrimaryKeyF => "Primary-Key-F",
            RelationType::BelongsToF => "Belongs-To-F",
            RelationType::PrimaryKeyR => "Primary-Key-R",
            RelationType::BelongsToR => "Belongs-To-R",
            RelationType::ForeignKeyTabF => "Foreign-Key-Tab-F",
            RelationType::ForeignKeyTabR => "Foreign-Key-Tab-R",
            RelationType::ForeignKeyTabB => "Foreign-Key-Tab-B",
            RelationType::ColumnIdentity => "Column-Identity",
            RelationType::TableIdentity => "Table-Identity",
            RelationType::QuestionDistMinus2 => "Question-Dist--2",
            RelationType::QuestionDistMinus1 => "Question-Dist--1",
            RelationType::QuestionDist0 => "Question-Dist-0",
            RelationType::QuestionDist1 => "Question-Dist-1",
            RelationType::QuestionDist2 => "Question-Dist-2",
            RelationType::QuestionColumn => "Question-Column",
            RelationType::QuestionTable => "Question-Table",
            RelationType::ColumnQuestion => "Column-Question",
            RelationType::TableQuestion => "Table-Question",
            RelationType::ColumnColumn => "Column-Column",
            RelationType::ColumnTable => "Column-Table",
            RelationType::TableColumn => "Table-Column",
            RelationType::TableTable => "Table-Table",
            RelationType::QuestionColumnName => "Question-Column-Name",
            RelationType::ColumnQuestionName => "Column-Question-Name",
            RelationType::QuestionColumnPart => "Question-Column-Part",
            RelationType::ColumnQuestionPart => "Column-Question-Part",
            RelationType::QuestionTableName => "Question-Table-Name",
            RelationType::TableQuestionName => "Table-Question-Name",
            RelationType::QuestionTablePart => "Question-Table-Part",
            RelationType::TableQuestionPart => "Table-Question-Part",
            RelationType::QuestionColumnShort => "Question-Column-Short",
            RelationType::ColumnQuestionShort => "Column-Question-Short",
            RelationType::QuestionColumnShortPart => "Question-Column-Short-Part",
            RelationType::ColumnQuestionShortPart => "Column-Question-Short-Part",
            RelationType::QuestionTableShort => "Question-Table-Short",
            RelationType::TableQuestionShort => "Table-Question-Short",
            RelationType::QuestionTableShortPart => "Question-Table-Short-Part",
            RelationType::TableQuestionShortPart => "Table-Question-Short-Part",
            RelationType::QuestionColumnValue => "Question-Column-Value",
            RelationType::ColumnQuestionValue => "Column-Question-Value",
        }
    }

    /// From a word to a word `distance` places on, clipped to two as in the paper.
    fn of_distance(distance: isize) -> RelationType {
        match distance {
            ..=-2 => RelationType::QuestionDistMinus2,
            -1 => RelationType::QuestionDistMinus1,
            0 => RelationType::QuestionDist0,
            1 => RelationType::QuestionDist1,
            2.. => RelationType::QuestionDist2,
        }
    }
}

/// The relation types of all ordered pairs of elements.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Relations {
    n: usize,
    types: Vec<u8>,
}

impl Relations {
    /// The relations of a specification's columns, tables and words, in this order.
    ///
    /// ```
    /// use patois_synthesis::{Linking, RelationType, Relations, Spec};
    ///
    /// let words = ["all", "singers"].map(str::to_owned).to_vec();
    /// let spec = Spec { words, ..Spec::default() };
    /// let relations = Relations::of(&spec, Linking::None);
    /// assert_eq!(relations.get(0, 1), RelationType::QuestionDist1);
    /// ```
    pub fn of(spec: &Spec, linking: Linking) -> Relations {
        let empty = Context::default();
        let context = spec.context.as_deref().unwrap_or(&empty);
        let mut pairs = Pairs::new(context, spec.words.len());
        pairs.relate_kinds();
        pairs.relate_columns();
        pairs.relate_columns_and_tables();
        pairs.relate_tables();
        pairs.relate_words();
        pairs.link(spec, linking);
        pairs.relations
    }

    /// How many elements there are.
    pub fn n_elements(&self) -> usize {
        self.n
    }

    /// The numbers of the types, row by row: one row for each first element of a pair.
    pub fn types(&self) -> &[u8] {
        &self.types
    }

    /// How element `i` relates to element `j`.
    ///
    /// # Panics
    ///
    /// If there are no such elements.
    pub fn get(&self, i: usize, j: usize) -> RelationType {
        assert!(j < self.n, "there is no element {j}");
        RelationType::ALL[usize::from(self.types[i * self.n + j])]
    }

    fn set(&mut self, i: usize, j: usize, relation: RelationType) {
        self.types[i * self.n + j] = relation as u8;
    }
}

/// Relations on their way. What is written later wins over what was written before.
struct Pairs<'c> {
    context: &'c Context,
    relations: Relations,
    /// The element that is the first table.
    first_table: usize,
    /// The element that is the first word.
    first_word: usize,
}

impl Pairs<'_> {
    fn new(context: &Context, n_words: usize) -> Pairs<'_> {
        let first_word = context.n_items();
        let n = first_word + n_words;
        Pairs {
            context,
            relations: Relations {
                n,
                types: vec![RelationType::ColumnColumn as u8; n * n],
            },
            first_table: context.columns.len(),
            first_word,
        }
    }

    /// What the kinds of two elements say: the types for pairs that nothing else holds of.
    fn relate_kinds(&mut self) {
        let n = self.relations.n;
        let (tables, words) = (self.first_table, self.first_word);
        let kinds = [
            RelationType::ColumnColumn,
            RelationType::ColumnTable,
            RelationType::ColumnQuestion,
            RelationType::TableColumn,
            RelationType::TableTable,
            RelationType::TableQuestion,
            RelationType::QuestionColumn,
            RelationType::QuestionTable,
            RelationType::QuestionDist0,
        ];
        let kind_of = |i: usize| usize::from(i >= tables) + usize::from(i >= words);
        for (i, row) in self.relations.types.chunks_exact_mut(n.max(1)).enumerate() {
            let [to_column, to_table, to_word] = [0, 1, 2].map(|j| kinds[3 * kind_of(i) + j] as u8);
            row[..tables].fill(to_column);
            row[tables..words].fill(to_table);
            row[words..].fill(to_word);
        }
    }

    /// A foreign key inside one table stays one: that the columns share the table can also be seen
    /// by way of the table. (The paper does not say; its code wrote `Same-Table` over it.) Of two
    /// columns that are keys for each other, each is the foreign key first of all.
    ///
    /// Indices of a context lead somewhere by construction; the ones that do not are passed over.
    fn relate_columns(&mut self) {
        let columns = &self.context.columns;
        for (i, first) in columns.iter().enumerate() {
            for (j, second) in columns.iter().enumerate() {
                if first.table.is_some() && first.table == second.table {
                    self.relations.set(i, j, RelationType::SameTable);
                }
            }
        }
        let keys = self.context.foreign_keys.iter();
        let keys = keys.filter(|(from, to)| columns.len() > *from.max(to));
        for &(from, to) in keys.clone() {
            self.relations.set(to, from, RelationType::ForeignKeyColR);
        }
        for &(from, to) in keys {
            self.relations.set(from, to, RelationType::ForeignKeyColF);
        }
        for i in 0..columns.len() {
            self.relations.set(i, i, RelationType::ColumnIdentity);
        }
    }

    /// Every table's primary keys count, all parts of them. (The published code looked at those of
    /// the last table only.)
    fn relate_columns_and_tables(&mut self) {
        for (i, column) in self.context.columns.iter().enumerate() {
            let n_tables = self.context.tables.len();
            let Some(table) = column.table.filter(|&table| table < n_tables) else {
                continue;
            };
            let (forward, reverse) = if column.is_primary_key {
                (RelationType::PrimaryKeyF, RelationType::PrimaryKeyR)
            } else {
                (RelationType::BelongsToF, RelationType::BelongsToR)
            };
            let table = self.first_table + table;
            self.relations.set(i, table, forward);
            self.relations.set(table, i, reverse);
        }
    }

    /// The direction is that of the key: from the table that holds it to the table it is for.
    fn relate_tables(&mut self) {
        let n_tables = self.context.tables.len();
        let table_of = |column: usize| {
            let column = self.context.columns.get(column)?;
            column.table.filter(|&table| table < n_tables)
        };
        let keys = self.context.foreign_keys.iter();
        let mut keys: Vec<(usize, usize)> = keys
            .filter_map(|&(from, to)| Some((table_of(from)?, table_of(to)?)))
            .collect();
        keys.sort_unstable();
        keys.dedup();
        for &(from, to) in &keys {
            let (i, j) = (self.first_table + from, self.first_table + to);
            if keys.binary_search(&(to, from)).is_ok() {
                self.relations.set(i, j, RelationType::ForeignKeyTabB);
            } else {
                self.relations.set(i, j, RelationType::ForeignKeyTabF);
                self.relations.set(j, i, RelationType::ForeignKeyTabR);
            }
        }
        for i in self.first_table..self.first_word {
            self.relations.set(i, i, RelationType::TableIdentity);
        }
    }

    fn relate_words(&mut self) {
        let words = self.first_word..self.relations.n;
        for i in words.clone() {
            for j in words.clone() {
                let distance = RelationType::of_distance(j.cast_signed() - i.cast_signed());
                self.relations.set(i, j, distance);
            }
        }
    }

    /// Of several links between a word and an item the one that says most counts: the whole name,
    /// then a value, then a part of the name, then the name in short.
    fn link(&mut self, spec: &Spec, linking: Linking) {
        let n_types = RelationType::n_types(linking);
        for kind in [
            LinkKind::PartOfShortName,
            LinkKind::ShortName,
            LinkKind::PartOfName,
            LinkKind::Value,
            LinkKind::Name,
        ] {
            for link in spec.links.iter().filter(|link| link.kind == kind) {
                let Some((forward, reverse)) = link_types(link.item, kind) else {
                    continue;
                };
                let (word, item) = (self.first_word + link.word, self.element(link.item));
                let is_told_apart = (forward as usize) < n_types;
                if is_told_apart && word < self.relations.n && item < self.first_word {
                    self.relations.set(word, item, forward);
                    self.relations.set(item, word, reverse);
                }
            }
        }
    }

    fn element(&self, item: Item) -> usize {
        match item {
            Item::Column(column) => column,
            Item::Table(table) => self.first_table + table,
        }
    }
}

/// The types from a word to an item and back; a table has no values.
fn link_types(item: Item, kind: LinkKind) -> Option<(RelationType, RelationType)> {
    Some(match (item, kind) {
        (Item::Column(_), LinkKind::Name) => (
            RelationType::QuestionColumnName,
            RelationType::ColumnQuestionName,
        ),
        (Item::Column(_), LinkKind::PartOfName) => (
            RelationType::QuestionColumnPart,
            RelationType::ColumnQuestionPart,
        ),
        (Item::Column(_), LinkKind::ShortName) => (
            RelationType::QuestionColumnShort,
            RelationType::ColumnQuestionShort,
        ),
        (Item::Column(_), LinkKind::PartOfShortName) => (
            RelationType::QuestionColumnShortPart,
            RelationType::ColumnQuestionShortPart,
        ),
        (Item::Column(_), LinkKind::Value) => (
            RelationType::QuestionColumnValue,
            RelationType::ColumnQuestionValue,
        ),
        (Item::Table(_), LinkKind::Name) => (
            RelationType::QuestionTableName,
            RelationType::TableQuestionName,
        ),
        (Item::Table(_), LinkKind::PartOfName) => (
            RelationType::QuestionTablePart,
            RelationType::TableQuestionPart,
        ),
        (Item::Table(_), LinkKind::ShortName) => (
            RelationType::QuestionTableShort,
            RelationType::TableQuestionShort,
        ),
        (Item::Table(_), LinkKind::PartOfShortName) => (
            RelationType::QuestionTableShortPart,
            RelationType::TableQuestionShortPart,
        ),
        (Item::Table(_), LinkKind::Value) => return None,
    })
}

#[cfg(test)]
mod tests;
