//! What other people call the same, and how they shorten it.

use std::sync::LazyLock;

use indexmap::IndexMap;

/// Where a word may be replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// In questions and in names.
    Anywhere,
    /// In names of tables and columns only.
    Names,
}

/// The synonyms of a word.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) of: Use,
    pub(super) synonyms: Vec<&'static str>,
}

static SYNONYMS: LazyLock<IndexMap<&str, Entry>> = LazyLock::new(|| {
    let mut entries: IndexMap<&str, Entry> = IndexMap::new();
    for (word, synonyms) in rows(include_str!("synonyms.txt")) {
        let (of, word) = match word.strip_prefix('~') {
            Some(word) => (Use::Names, word.trim()),
            None => (Use::Anywhere, word),
        };
        let entry = entries.entry(word).or_insert_with(|| Entry {
            of,
            synonyms: Vec::new(),
        });
        for synonym in synonyms {
            if !entry.synonyms.contains(&synonym) {
                entry.synonyms.push(synonym);
            }
        }
    }
    entries
});

static ABBREVIATIONS: LazyLock<IndexMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let rows = rows(include_str!("abbreviations.txt"));
    let sure = |short: &'static str| short.trim_end_matches('?');
    rows.map(|(word, shorts)| (word, shorts.into_iter().map(sure).collect()))
        .collect()
});

/// Words by what is short for them and for nothing else.
static EXPANSIONS: LazyLock<IndexMap<&str, &str>> = LazyLock::new(|| {
    let rows = rows(include_str!("abbreviations.txt"));
    let pairs = rows.flat_map(|(word, shorts)| shorts.into_iter().map(move |it| (it, word)));
    pairs.filter(|it| !it.0.ends_with('?')).collect()
});

/// Lines `word = one, another`.
fn rows(text: &'static str) -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    let lines = text.lines().filter(|it| !it.starts_with('#'));
    lines.filter_map(|line| {
        let (word, others) = line.split_once('=')?;
        Some((word.trim(), others.split(',').map(str::trim).collect()))
    })
}

/// What other people call a word of a schema, in lower case; nothing where we do not know.
///
/// ```
/// use patois::augment::synonyms_of;
///
/// assert!(synonyms_of("salary").contains(&"wage"));
/// assert!(synonyms_of("xylophone").is_empty());
/// ```
pub fn synonyms_of(word: &str) -> &'static [&'static str] {
    entry(word).map_or(&[], |it| &it.synonyms)
}

/// How a word of a schema, in lower case, is usually shortened; nothing where we do not know.
pub fn abbreviations_of(word: &str) -> &'static [&'static str] {
    ABBREVIATIONS.get(word).map_or(&[], Vec::as_slice)
}

/// The word or words that a part of a name, in lower case, is short for, where it can be short for nothing else.
///
/// ```
/// use patois::augment::expansion_of;
///
/// assert_eq!(expansion_of("qty"), Some("quantity"));
/// assert_eq!(expansion_of("cat"), None);
/// ```
pub fn expansion_of(short: &str) -> Option<&'static str> {
    EXPANSIONS.get(short).copied()
}

pub(super) fn entry(word: &str) -> Option<&'static Entry> {
    SYNONYMS.get(word)
}

/// The singular of a noun, where it looks like a plural.
pub(super) fn singular(word: &str) -> Option<String> {
    const IRREGULAR: [(&str, &str); 4] = [
        ("children", "child"),
        ("people", "person"),
        ("men", "man"),
        ("women", "woman"),
    ];
    if let Some(found) = IRREGULAR.iter().find(|it| it.0 == word) {
        return Some(found.1.to_owned());
    }
    if let Some(stem) = word.strip_suffix("ies").filter(|it| it.len() > 2) {
        return Some(format!("{stem}y"));
    }
    for ending in ["ches", "shes", "sses", "xes"] {
        if word.ends_with(ending) {
            return Some(word[..word.len() - 2].to_owned());
        }
    }
    let stem = word.strip_suffix('s').filter(|it| it.len() > 2)?;
    let is_plural = !stem.ends_with(['s', 'u', 'i']);
    is_plural.then(|| stem.to_owned())
}

/// The plural of a noun, or of the last word of several.
pub(super) fn plural(noun: &str) -> String {
    // Some stand for many as they are.
    for same in [
        "staff",
        "personnel",
        "specifics",
        "earnings",
        "funds",
        "proceeds",
    ] {
        if noun.ends_with(same) {
            return noun.to_owned();
        }
    }
    // `place of birth` becomes `places of birth`.
    if let Some((head, rest)) = noun.split_once(" of ") {
        return format!("{} of {rest}", plural(head));
    }
    for (one, many) in [
        ("person", "people"),
        ("child", "children"),
        ("human", "humans"),
        ("man", "men"),
    ] {
        if let Some(stem) = noun.strip_suffix(one) {
            return format!("{stem}{many}");
        }
    }
    let vowel_before = |stem: &str| stem.ends_with(['a', 'e', 'i', 'o', 'u']);
    match noun.strip_suffix('y') {
        Some(stem) if !vowel_before(stem) => format!("{stem}ies"),
        _ if ["s", "x", "ch", "sh"].iter().any(|it| noun.ends_with(it)) => format!("{noun}es"),
        _ => format!("{noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_whole() {
        assert!(SYNONYMS.len() > 200 && ABBREVIATIONS.len() > 150);
        for (word, entry) in SYNONYMS.iter() {
            assert!(!entry.synonyms.contains(word), "{word} is its own synonym");
            assert_eq!(*word, word.to_lowercase());
            assert!(!entry.synonyms.contains(&""), "{word}");
        }
        for (word, short) in ABBREVIATIONS.iter() {
            assert!(short.iter().all(|it| it.len() <= word.len()), "{word}");
        }
        for (short, word) in EXPANSIONS.iter() {
            let words = ABBREVIATIONS.iter().filter(|it| it.1.contains(short));
            assert_eq!(words.count(), 1, "{short} is short for {word} alone");
        }
        assert_eq!(entry("name").map(|it| it.of), Some(Use::Names));
        assert_eq!(entry("salary").map(|it| it.of), Some(Use::Anywhere));
    }

    #[test]
    fn nouns_have_one_and_many() {
        for (many, one) in [
            ("countries", "country"),
            ("employees", "employee"),
            ("classes", "class"),
            ("matches", "match"),
            ("people", "person"),
            ("days", "day"),
        ] {
            assert_eq!(singular(many).as_deref(), Some(one));
            assert_eq!(plural(one), many);
        }
        for word in ["status", "class", "is", "bus", "salary"] {
            assert_eq!(singular(word), None, "{word}");
        }
        assert_eq!(plural("place of birth"), "places of birth");
        assert_eq!(plural("staff member"), "staff members");
    }
}
