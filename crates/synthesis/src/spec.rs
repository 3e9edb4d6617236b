//! What a program is asked for with: words, what can be copied from them, and what can be pointed at.

use std::sync::Arc;

use patois_syntax::Text;
use serde::{Deserialize, Serialize};

/// A specification: the question, and where there is a database, what is known of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spec {
    /// The words, as they are looked up in a vocabulary.
    pub words: Vec<String>,
    /// What a program may copy: every form of every run of words, and the values of a database that runs of words
    /// are. Different ones may be equal texts.
    pub copies: Vec<Copied>,
    /// What a program may point at.
    pub context: Option<Arc<Context>>,
    /// Where words speak of items of the context.
    pub links: Vec<Link>,
}

impl Spec {
    /// Words, each of which can be copied as it stands.
    pub fn of_words<'w>(words: impl IntoIterator<Item = &'w str>) -> Spec {
        let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
        let copy = |(index, word): (u32, &String)| Copied {
            text: Text::new(word),
            first: index,
            last: index,
            origin: Origin::Words(Form::Same),
        };
        Spec {
            copies: (0..).zip(&words).map(copy).collect(),
            words,
            ..Spec::default()
        }
    }
}

/// A text that can be copied from a run of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copied {
    /// The text, in the form that a program would use.
    pub text: Text,
    /// The index of the first word.
    pub first: u32,
    /// The index of the last word.
    pub last: u32,
    /// How the text comes from the words.
    pub origin: Origin,
}

/// How a text comes from words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It was made of them.
    Words(Form),
    /// It is a value of the database, spelt as it is there.
    Value {
        /// The index of the column that holds it.
        column: u32,
        /// How the words are the value.
        matching: Matching,
    },
}

/// How words are a value of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Matching {
    /// To the letter.
    Same,
    /// But for case.
    Case,
    /// But for endings and marks.
    Stems,
    /// But for a letter or two.
    Misspelt,
}

impl Matching {
    /// How many ways there are; one of several words is another way than one of a single word.
    pub const COUNT: usize = 8;

    /// The index of the way of a run of one or several words.
    pub fn index(self, is_run: bool) -> usize {
        self as usize * 2 + usize::from(is_run)
    }
}

/// How a text was made of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Form {
    /// As they stand.
    Same,
    /// In lower case.
    Lower,
    /// In upper case.
    Upper,
    /// With a capital first letter.
    Capitalized,
    /// Several words as one name, each with a capital first letter.
    Camel,
    /// Several words as one name, each as it stands.
    Joined,
    /// A number in words as digits.
    Number,
    /// Any other change, such as to a singular.
    Other,
}

impl Form {
    /// How many forms there are; one of several words is another form than one of a single word.
    pub const COUNT: usize = 16;

    /// The index of the form of a run of one or several words.
    pub fn index(self, is_run: bool) -> usize {
        self as usize * 2 + usize::from(is_run)
    }
}

/// What a program may point at: the columns and tables of a database.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// The columns; the first may be `*`, which belongs to no table.
    pub columns: Vec<Column>,
    /// The words of each table's name.
    pub tables: Vec<Vec<String>>,
    /// Pairs of columns, the first of which is a foreign key for the second.
    pub foreign_keys: Vec<(usize, usize)>,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// What its values are, such as `number`.
    pub kind: String,
    /// The words of its name.
    pub words: Vec<String>,
    /// Its table.
    pub table: Option<usize>,
    /// Whether it is (part of) its table's primary key.
    pub is_primary_key: bool,
}

/// A word that speaks of an item of the context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Link {
    /// The index of the word.
    pub word: usize,
    /// The item.
    pub item: Item,
    /// How sure it is.
    pub kind: LinkKind,
}

/// An item of a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Item {
    /// A column, by its index.
    Column(usize),
    /// A table, by its index.
    Table(usize),
}

/// How a word speaks of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LinkKind {
    /// The word is part of a run of words that is the whole name.
    Name,
    /// The word is part of the name.
    PartOfName,
    /// A word of the name is short for this one, and so is or stands in the question every other word of it.
    ShortName,
    /// A word of the name is short for this one.
    PartOfShortName,
    /// The word is part of a value that the column holds.
    Value,
}

impl Context {
    /// How many items there are: columns, then tables.
    pub fn n_items(&self) -> usize {
        self.columns.len() + self.tables.len()
    }
}
