//! Names of tables and columns as other people write them.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use patois_languages::sql::DatabaseSchema;
use rand::RngExt as _;
use rand_chacha::ChaCha8Rng;

use super::config::AugmentConfig;
use super::thesaurus::{abbreviations_of, plural, singular, synonyms_of};

/// How the names of one schema are written; drawn once, since whoever makes a schema has habits.
///
/// Each is the share of words or names that it is done to; nothing where it is not done.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Naming {
    /// Words that are replaced by a synonym.
    pub renamed: f32,
    /// Words that are abbreviated.
    pub abbreviated: f32,
    /// Names whose words are written as one.
    pub joined: f32,
    /// What tables and columns begin with.
    pub prefixes: (Option<&'static str>, Option<&'static str>),
}

const TABLE_PREFIXES: [&str; 5] = ["tbl", "t", "tb", "dim", "tab"];
const COLUMN_PREFIXES: [&str; 4] = ["fld", "f", "col", "c"];

impl Naming {
    /// The habits of somebody.
    pub fn draw(config: &AugmentConfig, rng: &mut ChaCha8Rng) -> Naming {
        let mut share = |probability: f32| {
            let is_done = rng.random::<f32>() < probability;
            let share = rng.random_range(0.3..1.0);
            if is_done { share } else { 0.0 }
        };
        let (renamed, abbreviated) = (share(config.rename), share(config.abbreviate));
        let joined = share(config.join);
        let is_prefixed = share(config.prefix) > 0.0;
        let one_of = |prefixes: &[&'static str], rng: &mut ChaCha8Rng| {
            let index = rng.random_range(0..2 * prefixes.len());
            prefixes.get(index).copied()
        };
        let table = one_of(&TABLE_PREFIXES, rng).filter(|_| is_prefixed);
        let column = one_of(&COLUMN_PREFIXES, rng).filter(|_| is_prefixed);
        Naming {
            renamed,
            abbreviated,
            joined,
            prefixes: (table, column),
        }
    }

    /// Whether names stay what they are.
    pub fn is_none(&self) -> bool {
        *self == Naming::default()
    }

    /// Writes the names of a schema so, as a model reads them. No two tables, and no two columns of a table, come to
    /// be called alike; nothing is called what something else was called before.
    pub fn apply(&self, schema: &mut DatabaseSchema, rng: &mut ChaCha8Rng) {
        let mut words = Words {
            naming: *self,
            taken: words_of(schema),
            written: IndexMap::new(),
        };
        let mut names = BTreeSet::new();
        for table in &mut schema.tables {
            let written = words.write(&table.words, self.prefixes.0, rng);
            if names.insert(written.clone()) {
                table.words = written;
            }
        }
        let mut names = BTreeSet::new();
        for column in schema.columns.iter_mut().filter(|it| it.table.is_some()) {
            let written = words.write(&column.words, self.prefixes.1, rng);
            if names.insert((column.table, written.clone())) {
                column.words = written;
            }
        }
    }
}

/// All words of the names of a schema.
pub(crate) fn words_of(schema: &DatabaseSchema) -> BTreeSet<String> {
    let tables = schema.tables.iter().map(|it| &it.words);
    let names = tables.chain(schema.columns.iter().map(|it| &it.words));
    let words = names.flat_map(|it| it.split_whitespace().map(str::to_lowercase));
    words.collect()
}

/// The words of a schema, each written alike wherever it stands.
struct Words {
    naming: Naming,
    taken: BTreeSet<String>,
    written: IndexMap<String, String>,
}

impl Words {
    fn write(&mut self, name: &str, prefix: Option<&str>, rng: &mut ChaCha8Rng) -> String {
        let words = name.split_whitespace().map(str::to_lowercase);
        let words: Vec<String> = words.map(|it| self.write_word(it, rng)).collect();
        let between = if rng.random::<f32>() < self.naming.joined {
            ""
        } else {
            " "
        };
        let name = words.join(between);
        match prefix {
            Some(prefix) => format!("{prefix} {name}"),
            None => name,
        }
    }

    fn write_word(&mut self, word: String, rng: &mut ChaCha8Rng) -> String {
        if let Some(written) = self.written.get(&word) {
            return written.clone();
        }
        let mut written = word.clone();
        if rng.random::<f32>() < self.naming.renamed {
            written = synonym(&written, &self.taken, rng).unwrap_or(written);
        }
        if rng.random::<f32>() < self.naming.abbreviated {
            let parts = written.split(' ').map(|it| abbreviated(it, rng));
            written = parts.collect::<Vec<String>>().join(" ");
        }
        self.written.insert(word, written.clone());
        written
    }
}

/// A synonym of a word, none of whose words is taken; a plural for a plural.
pub(super) fn synonym(
    word: &str,
    taken: &BTreeSet<String>,
    rng: &mut ChaCha8Rng,
) -> Option<String> {
    let many = singular(word).filter(|_| synonyms_of(word).is_empty());
    let known = synonyms_of(many.as_deref().unwrap_or(word));
    let is_free = |synonym: &&&str| {
        let mut words = synonym.split(' ');
        words.all(|it| !taken.contains(it) && !taken.contains(&plural(it)))
    };
    let free: Vec<&&str> = known.iter().filter(is_free).collect();
    if free.is_empty() {
        return None;
    }
    let synonym = *free[rng.random_range(0..free.len())];
    Some(match many {
        Some(_) => plural(synonym),
        None => synonym.to_owned(),
    })
}

/// A word as somebody would shorten it: as it is usual, without its vowels, or only its beginning.
fn abbreviated(word: &str, rng: &mut ChaCha8Rng) -> String {
    let one = singular(word);
    let known = match abbreviations_of(word) {
        [] => one.as_deref().map_or(&[][..], abbreviations_of),
        known => known,
    };
    let way = rng.random::<f32>();
    if !known.is_empty() && way < 0.75 {
        return known[rng.random_range(0..known.len())].to_owned();
    }
    let is_short = word.chars().count() <= 3;
    if is_short || !word.chars().all(char::is_alphabetic) {
        return word.to_owned();
    }
    if rng.random::<f32>() < 0.5 {
        without_vowels(word)
    } else {
        let length = rng.random_range(3..=4);
        word.chars().take(length).collect()
    }
}

/// The first letter, and the consonants after it, at most five letters in all.
fn without_vowels(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next();
    let rest = letters.filter(|it| !"aeiouAEIOU".contains(*it));
    let mut short = String::new();
    for letter in first.into_iter().chain(rest) {
        // `commission` is `cmsn`.
        if !short.ends_with(letter) {
            short.push(letter);
        }
    }
    short.chars().take(5).collect()
}

/// Abbreviations of the words of a database, each the same wherever it stands.
#[derive(Clone, Debug, Default)]
pub struct Abbreviations {
    written: IndexMap<String, String>,
}

impl Abbreviations {
    /// An identifier with its words abbreviated: `Employee_Name` becomes `emp_nm`.
    pub fn of_identifier(&mut self, name: &str, rng: &mut ChaCha8Rng) -> String {
        let words = identifier_words(name).into_iter();
        let short = words.map(|word| {
            let written = self.written.get(&word).cloned();
            written.unwrap_or_else(|| {
                let short = abbreviated(&word, rng);
                self.written.insert(word, short.clone());
                short
            })
        });
        short.collect::<Vec<String>>().join("_")
    }
}

/// The words that an identifier is made of, in lower case: parts between marks, and between a small and a capital
/// letter.
fn identifier_words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for letter in name.chars() {
        let begins = before.is_lowercase() && letter.is_uppercase();
        if begins || !letter.is_alphanumeric() {
            words.push(String::new());
        }
        if letter.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
        before = letter;
    }
    words.retain(|it| !it.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn words_are_shortened_as_people_do() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let found: BTreeSet<String> = (0..200)
            .map(|_| abbreviated("employee", &mut rng))
            .collect();
        let found: Vec<&str> = found.iter().map(String::as_str).collect();
        assert_eq!(found, ["emp", "empl", "emply"]);
        assert_eq!(without_vowels("commission"), "cmsn");
        assert_eq!(abbreviated("id", &mut rng), "id");
    }

    #[test]
    fn an_identifier_is_shortened_alike_wherever_its_words_stand() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut short = Abbreviations::default();
        let one = short.of_identifier("DepartmentName", &mut rng);
        let other = short.of_identifier("department_name", &mut rng);
        assert_eq!(one, other);
        assert!(
            one.contains('_') && one.len() < "department_name".len(),
            "{one}"
        );
        assert_eq!(
            identifier_words("Song_release year2"),
            ["song", "release", "year2"]
        );
    }

    #[test]
    fn no_synonym_is_the_name_of_something_else() {
        let taken = BTreeSet::from(["wage".to_owned(), "pay".to_owned()]);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..50 {
            let found = synonym("salary", &taken, &mut rng);
            assert_eq!(found.as_deref(), Some("earnings"));
        }
        assert_eq!(synonym("rhubarb", &taken, &mut rng), None);
        let many = synonym("countries", &BTreeSet::from(["state".to_owned()]), &mut rng);
        assert_eq!(many.as_deref(), Some("nations"));
    }
}
