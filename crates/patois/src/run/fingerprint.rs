//! Which configuration a run has: what tells it from others, and where two of them differ.

use std::path::Path;

use patois_syntax::Fingerprint;
use toml::{Table, Value};

/// What may change while a run goes on: how long it is, how often something is looked at or saved, and how
/// programs are searched for.
const MAY_CHANGE: [&[&str]; 6] = [
    &["training", "n_steps"],
    &["training", "cpu_seconds"],
    &["training", "evaluate_every"],
    &["training", "checkpoint_every"],
    &["training", "patience"],
    &["search"],
];

/// What is a path. Files may be moved; what they are called stays.
const PATHS: [&[&str]; 4] = [
    &["corpus"],
    &["from"],
    &["vectors", "file"],
    &["idioms", "file"],
];

/// What tells a configuration from others: equal for those of one run, whatever may change while it goes on,
/// and wherever its files are.
///
/// It is made of what stands in the file. Keys that come to be known later do not change it.
pub(super) fn fingerprint(config: &Table) -> Fingerprint {
    let mut config = config.clone();
    remove_changing(&mut config);
    for path in PATHS {
        if let Some((table, key)) = place(&mut config, path) {
            shorten(table, key);
        }
    }
    let sources = config.get_mut("sources").and_then(Value::as_array_mut);
    for source in sources
        .into_iter()
        .flatten()
        .filter_map(Value::as_table_mut)
    {
        shorten(source, "corpus");
    }
    let mut lines = Vec::new();
    add_lines(&mut lines, "", &Value::Table(config));
    lines.sort();
    Fingerprint::of(&lines.concat())
}

/// Leaves the last part of a path.
fn shorten(table: &mut Table, key: &str) {
    if let Some(Value::String(path)) = table.get_mut(key) {
        let name = Path::new(path.as_str()).file_name();
        *path = name.unwrap_or_default().to_string_lossy().into_owned();
    }
}

/// The first key at which two configurations differ in what may not change, with the tables that it is in.
pub(super) fn difference(one: &Table, other: &Table) -> Option<String> {
    let (mut one, mut other) = (one.clone(), other.clone());
    remove_changing(&mut one);
    remove_changing(&mut other);
    first_difference(&one, &other)
}

fn remove_changing(config: &mut Table) {
    for path in MAY_CHANGE {
        if let Some((table, key)) = place(config, path) {
            table.remove(key);
        }
    }
}

/// The table that a value would be in, and its key there.
fn place<'t, 'p>(config: &'t mut Table, path: &[&'p str]) -> Option<(&'t mut Table, &'p str)> {
    let (key, tables) = path.split_last()?;
    let table = tables.iter().try_fold(config, |table, key| {
        table.get_mut(*key).and_then(Value::as_table_mut)
    });
    Some((table?, key))
}

/// A line for every value: its keys, and itself in a notation that stays the same.
fn add_lines(lines: &mut Vec<String>, key: &str, value: &Value) {
    match value {
        Value::Table(table) => {
            for (inner, value) in table {
                add_lines(lines, &format!("{key}.{}:{inner}", inner.len()), value);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                add_lines(lines, &format!("{key}.{index}"), item);
            }
        }
        Value::String(text) => lines.push(format!("{key} = {}:{text}\n", text.len())),
        Value::Integer(number) => lines.push(format!("{key} = {number}\n")),
        Value::Float(number) => lines.push(format!("{key} = {:016x}\n", number.to_bits())),
        Value::Boolean(value) => lines.push(format!("{key} = {value}\n")),
        Value::Datetime(time) => lines.push(format!("{key} = {time}\n")),
    }
}

fn first_difference(one: &Table, other: &Table) -> Option<String> {
    let keys = one.keys().chain(other.keys());
    let mut differing = keys.filter(|key| one.get(*key) != other.get(*key));
    let key = differing.next()?;
    let inner = match (one.get(key), other.get(key)) {
        (Some(Value::Table(one)), Some(Value::Table(other))) => first_difference(one, other),
        _ => None,
    };
    Some(match inner {
        Some(inner) => format!("{key}.{inner}"),
        None => key.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONFIG: &str = r#"
        corpus = "/here/cards.jsonl"
        seed = 1
        [vectors]
        file = "glove.gz"
        [training]
        n_steps = 10
        patience = 3
        ema_decay = 0.9
        [search]
        beam_size = 1
    "#;

    fn of(text: &str) -> Fingerprint {
        fingerprint(&toml::from_str(text).unwrap())
    }

    #[test]
    fn what_may_change_does_not_count() {
        for (from, to) in [
            ("/here/cards", "/there/cards"),
            ("\"glove.gz\"", "\"/data/glove.gz\""),
            ("n_steps = 10", "n_steps = 20"),
            ("n_steps = 10", ""),
            ("patience = 3", "checkpoint_every = 1"),
            ("beam_size = 1", "beam_size = 5"),
            (
                "[search]",
                "# Blanks and comments do not, either.\n\n[search]",
            ),
        ] {
            assert!(CONFIG.contains(from));
            assert_eq!(of(&CONFIG.replace(from, to)), of(CONFIG), "{to}");
        }
    }

    #[test]
    fn everything_else_does() {
        for (from, to) in [
            ("cards", "chess"),
            ("seed = 1", "seed = 2"),
            ("seed = 1", "seed = \"1\""),
            ("seed = 1", ""),
            ("glove", "words"),
            ("0.9", "0.91"),
            ("[training]", "[training]\nbatch_size = 3"),
        ] {
            assert!(CONFIG.contains(from));
            assert_ne!(of(&CONFIG.replace(from, to)), of(CONFIG), "{to}");
        }
    }

    /// Files on disks have it: it may never be another.
    #[test]
    fn it_is_the_same_in_every_version() {
        assert_eq!(of(CONFIG).to_string(), "fd7e9ea5f9921904");
    }
}
