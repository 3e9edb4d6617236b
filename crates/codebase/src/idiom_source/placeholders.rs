//! What stands in for a hole while an idiom is printed.

use std::sync::Arc;

use patois_languages::sql::{Column, ColumnKind, DatabaseSchema, NO_KEY, NO_REVERSE_KEY, Table};
use patois_syntax::{Grammar, Label, Language, SymbolId, SymbolKind, Text};

/// How many holes can be told apart.
pub(super) const MAX_HOLES: usize = 250;

/// What a leaf of a filled-in tree stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// Nothing: it is there because the grammar wants something.
    Plain,
    /// The hole of that number.
    Hole(usize),
    /// Something else in place of the hole of that number.
    Other(usize),
}

/// How much a leaf is liked as a placeholder: a name shows as it is, a string has quotes around it,
/// a number looks like a number. None where nothing fits.
pub(super) fn penalty(grammar: &Grammar, language: &dyn Language, symbol: SymbolId) -> Option<u32> {
    if grammar.symbol_kind(symbol) == SymbolKind::Reference {
        return Some(0);
    }
    let ty = grammar.symbol_type(symbol);
    let name = spellings(Mark::Hole(0)).into_iter().next()?;
    if language.accepts_text(ty, &name) {
        return Some(u32::from(language.accepts_text(ty, "not a 'name'")));
    }
    text(language, ty, Mark::Hole(0)).map(|_| 2)
}

/// The leaf of a text or reference.
pub(super) fn leaf(
    grammar: &Grammar,
    language: &dyn Language,
    symbol: SymbolId,
    mark: Mark,
) -> Option<Label> {
    match grammar.symbol_kind(symbol) {
        SymbolKind::Reference => Some(Label::Reference(reference(mark))),
        SymbolKind::Text => {
            let text = text(language, grammar.symbol_type(symbol), mark)?;
            Some(Label::Text(Text::new(&text)))
        }
        _ => None,
    }
}

/// How a leaf is spelt in source code.
pub(super) fn spelling(
    grammar: &Grammar,
    language: &dyn Language,
    symbol: SymbolId,
    mark: Mark,
) -> Option<String> {
    match grammar.symbol_kind(symbol) {
        SymbolKind::Reference => Some(name(reference(mark) as usize)),
        _ => text(language, grammar.symbol_type(symbol), mark),
    }
}

fn text(language: &dyn Language, ty: &str, mark: Mark) -> Option<String> {
    let mut spellings = spellings(mark).into_iter();
    spellings.find(|it| language.accepts_text(ty, it))
}

/// Names and numbers that people do not write, from what most types accept to what few do.
fn spellings(mark: Mark) -> Vec<String> {
    let (name, digits, number) = match mark {
        Mark::Plain => {
            return ["zqx", "7", "77", "7.5", "7j", "7.5j"]
                .map(Into::into)
                .into();
        }
        Mark::Hole(hole) => (name(hole + 1), "91", hole),
        Mark::Other(hole) => (name(hole + 1 + MAX_HOLES), "73", hole),
    };
    let long = format!("{digits}82{number:04}");
    let numbers = [
        long.clone(),
        format!("{digits}{number:03}"),
        format!("{long}.5"),
        format!("{long}j"),
        format!("{long}.5j"),
    ];
    std::iter::once(name).chain(numbers).collect()
}

/// References count from 1: column 0 is the star, table 0 the one that has all columns.
fn reference(mark: Mark) -> u32 {
    match mark {
        Mark::Plain => 0,
        Mark::Hole(hole) => hole as u32 + 1,
        Mark::Other(hole) => (hole + 1 + MAX_HOLES) as u32,
    }
}

fn name(number: usize) -> String {
    if number > MAX_HOLES {
        format!("wka{number}_")
    } else {
        format!("zqh{number}_")
    }
}

/// The table that all columns belong to; no query ever names it, so its columns are always written
/// `zqany.column`.
const ANY_TABLE: &str = "zqany";

/// A database whose columns and tables are called like the placeholders.
pub(super) fn database() -> Arc<DatabaseSchema> {
    let names = || (1..=2 * MAX_HOLES).map(name);
    let table = |name: String| Table {
        words: name.clone(),
        name,
    };
    let column = |table, name: String| Column {
        table,
        words: name.clone(),
        name,
        kind: ColumnKind::Others,
        is_primary_key: false,
    };
    let star = column(None, "*".into());
    Arc::new(DatabaseSchema {
        name: "placeholders".into(),
        tables: std::iter::once(ANY_TABLE.into())
            .chain(names())
            .map(table)
            .collect(),
        columns: std::iter::once(star)
            .chain(names().map(|name| column(Some(0), name)))
            .collect(),
        foreign_keys: Vec::new(),
        composite_keys: Vec::new(),
    })
}

/// Takes away what was printed of the table that all columns belong to, and of keys that placeholders
/// do not have.
pub(super) fn without_any_table(text: &str) -> String {
    text.replace(&format!(" ON {NO_KEY}"), "")
        .replace(&format!(" ON {NO_REVERSE_KEY}"), "")
        .replace(&format!("{ANY_TABLE}."), "")
        .replace(&format!(" JOIN {ANY_TABLE}"), "")
        .replace(&format!(" FROM {ANY_TABLE}"), "")
}
