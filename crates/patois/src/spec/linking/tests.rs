//! Links of questions to names and values, and the cache of values.

use std::fs;
use std::path::Path;

use patois_database::{Database, Databases, bound_memory};
use patois_languages::sql::DatabaseSchema;
use patois_synthesis::{Linking, Origin};

use super::*;
use crate::spec::words::words;
use crate::spec::{Topic, context};

const SCRIPT: &str = "
    CREATE TABLE singer (singer_id INTEGER PRIMARY KEY, song_name TEXT, country TEXT, age REAL);
    CREATE TABLE concert (id INTEGER PRIMARY KEY, venue TEXT, \"year\" INTEGER, \"to\" TEXT);
    INSERT INTO singer VALUES (1, 'Hey Jude', 'France', 41.0), (2, 'New York City', 'USA', 2.5);
    INSERT INTO concert VALUES (1, 'York', 2014, 'The Beatles'), (2, NULL, 2, x'00');";

fn database() -> Database {
    Database::from_script("music", SCRIPT).unwrap()
}

/// What is called by somebody who saves letters.
const SHORT: &str = "CREATE TABLE emplye (emplye_sgnt TEXT, cmsn REAL, cat TEXT)";

fn schema() -> DatabaseSchema {
    database().schema().unwrap().schema
}

/// The links of a question, as `word item`, followed by `=` for the name, `~` for a part of it, `-` and `.` for the same
/// in short, and `:` for a value.
fn links(question: &str) -> String {
    links_in(&database(), question)
}

fn links_in(database: &Database, question: &str) -> String {
    let schema = database.schema().unwrap().schema;
    let values = ValueIndex::build(database, &schema).unwrap();
    let linker = Linker::new(&context(&schema, Linking::Values), Some(values));
    let found = words(question);
    let words: Vec<&str> = found.iter().map(|word| word.text).collect();
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let shown = linker.read(&lower).links.into_iter().map(|link| {
        let item = match link.item {
            Item::Column(column) => schema.columns[column].name.clone(),
            Item::Table(table) => schema.tables[table].name.to_uppercase(),
        };
        let kind = match link.kind {
            LinkKind::Name => '=',
            LinkKind::PartOfName => '~',
            LinkKind::ShortName => '-',
            LinkKind::PartOfShortName => '.',
            LinkKind::Value => ':',
        };
        format!("{} {item}{kind}", words[link.word])
    });
    shown.collect::<Vec<_>>().join(", ")
}

#[test]
fn names_are_found_in_any_order_and_number() {
    assert_eq!(
        links("names of the songs"),
        "names song_name=, songs song_name="
    );
    assert_eq!(links("Which Countries?"), "Countries country=");
    assert_eq!(
        links("singers and their names"),
        "singers singer_id~, singers SINGER=, names song_name~"
    );
    assert_eq!(links("of the"), "");
    assert_eq!(links(""), "");
}

#[test]
fn a_column_called_by_a_silent_word_is_found_by_it() {
    assert_eq!(links("going to"), "to to=");
}

#[test]
fn names_are_found_by_words_that_they_are_short_for() {
    let database = Database::from_script("short", SHORT).unwrap();
    let links = |question| links_in(&database, question);
    assert_eq!(
        links("commission of employees"),
        "commission cmsn-, employees emplye_sgnt., employees EMPLYE-"
    );
    assert_eq!(
        links("their signatures by category"),
        "signatures emplye_sgnt., category cat-"
    );
    // A name that is there as it stands needs no guess.
    assert_eq!(links("cats"), "cats cat=");
}

#[test]
fn values_are_found_longest_first() {
    assert_eq!(links("hey JUDE!"), "hey song_name:, JUDE song_name:");
    assert_eq!(
        links("in New York City"),
        "New song_name:, York song_name:, City song_name:"
    );
    assert_eq!(links("in York"), "York venue:");
    assert_eq!(links("by the Beatles"), "the to:, Beatles to:");
}

#[test]
fn numbers_are_values_however_they_are_spelt() {
    assert_eq!(links("41"), "41 age:");
    assert_eq!(links("2,014"), "2,014 year:");
    assert_eq!(links("2.50"), "2.50 age:");
    assert_eq!(links("two"), "two singer_id:, two id:, two year:");
}

#[test]
fn an_index_survives_being_stored() {
    let index = ValueIndex::build(&database(), &schema()).unwrap();
    assert_eq!(index.len(), 14);
    let bytes = index.to_bytes();
    assert_eq!(ValueIndex::from_bytes(&bytes), Some(index));
    for end in 0..bytes.len() {
        // Ten bytes fewer are another index; the sum in the file tells.
        let _ = ValueIndex::from_bytes(&bytes[..end]);
    }
    assert_eq!(ValueIndex::from_bytes(&bytes[..bytes.len() - 1]), None);
}

fn stored(folder: &Path) -> Databases {
    bound_memory().unwrap();
    let file = folder.join("music.sqlite");
    let connection = rusqlite::Connection::open(file).unwrap();
    connection.execute_batch(SCRIPT).unwrap();
    Databases::Folders(vec![folder.to_owned()])
}

#[test]
fn a_database_is_read_once_until_it_changes() {
    let folder = tempfile::tempdir().unwrap();
    let databases = stored(folder.path());
    let cache_folder = folder.path().join("cache");
    let cache = ValueCache::in_folder(&cache_folder);
    let built = cache.index(&databases, &schema()).unwrap();
    let entry = fs::read_dir(&cache_folder).unwrap().next().unwrap();
    let path = entry.unwrap().path();
    let bytes = fs::read(&path).unwrap();
    assert_eq!(cache.index(&databases, &schema()).unwrap(), built);

    // Damaged or cut short: made again.
    for damaged in [&bytes[..bytes.len() - 3], b"", &[0; 100]] {
        fs::write(&path, damaged).unwrap();
        assert_eq!(cache.index(&databases, &schema()).unwrap(), built);
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
    let mut flipped = bytes;
    flipped[40] ^= 1;
    fs::write(&path, flipped).unwrap();
    assert_eq!(cache.index(&databases, &schema()).unwrap(), built);

    let connection = rusqlite::Connection::open(folder.path().join("music.sqlite")).unwrap();
    let many = "WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
        INSERT INTO concert SELECT i, i, i, i FROM n";
    connection.execute_batch(many).unwrap();
    let changed = cache.index(&databases, &schema()).unwrap();
    assert!(changed.len() > built.len() + 1000);
}

#[test]
fn a_missing_database_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let databases = Databases::Folders(vec![folder.path().to_owned()]);
    let error = ValueCache::none().index(&databases, &schema()).unwrap_err();
    assert!(error.to_string().contains("music.sqlite"), "{error}");
}

#[test]
fn a_column_that_the_database_does_not_have_is_named() {
    let mut schema = schema();
    schema.columns[2].name = "title".to_owned();
    let error = ValueIndex::build(&database(), &schema).unwrap_err();
    assert!(error.to_string().contains("title"), "{error}");
}

/// A database whose values are read from a file that SQLite makes.
fn hostile(script: &str) -> (ValueIndex, DatabaseSchema) {
    let database = Database::from_script("hostile", script).unwrap();
    let schema = database.schema().unwrap().schema;
    (ValueIndex::build(&database, &schema).unwrap(), schema)
}

#[test]
fn long_and_slow_values_do_not_keep_others_from_being_found() {
    let check = |script: &str, n_values: usize| {
        assert_eq!(hostile(script).0.len(), n_values, "{script}");
    };
    check(
        "CREATE TABLE pet(name, photo, story);
        INSERT INTO pet VALUES ('Rex', zeroblob(20000000), printf('%.*c', 20000000, 'a')), ('Tom', 1, 2)",
        4,
    );
    // Two texts that take hours to be looked for in each other.
    check(
        "CREATE TABLE first(name); INSERT INTO first VALUES ('Ada');
        CREATE TABLE pet(name); INSERT INTO pet VALUES ('Rex'), ('Tom');
        ALTER TABLE pet ADD slow AS
            (instr(printf('%.*c', 16000000, 'a'), printf('%.*c', 8000000, 'a') || 'b'));
        CREATE TABLE last(name); INSERT INTO last VALUES ('Ida')",
        2,
    );
    // Computed, but fast.
    check(
        "CREATE TABLE pet(name, shout AS (upper(name) || '!')); INSERT INTO pet VALUES ('Rex')",
        2,
    );
    check(
        "CREATE TABLE pet(name, bad AS (json_extract(name, '$'))); INSERT INTO pet VALUES ('1')",
        2,
    );
}

/// Each number of the second half used to be sorted into all those of the first.
#[test]
fn repeated_numbers_are_forgotten_many_at_a_time() {
    let script =
        "CREATE TABLE t(n); WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n)
        INSERT INTO t SELECT i % 131071 FROM n LIMIT 200000";
    assert_eq!(hostile(script).0.len(), 131_071);
}

#[test]
fn a_schema_that_no_model_can_read_is_refused() {
    let table = |index| format!("CREATE TABLE t{index}(a, b, c);");
    let script: String = (0..1_000).map(table).collect();
    let database = Database::from_script("large", &script).unwrap();
    let schema = database.schema().unwrap().schema;
    let databases = Databases::Folders(Vec::new());
    let cache = ValueCache::none();
    let error = Topic::linked(&schema, Linking::Names, &databases, &cache).unwrap_err();
    assert_eq!(
        error.to_string(),
        "database `large` has 4001 tables and columns, expected at most 3000"
    );
}

/// What can be copied from a question as a value, as `text column matching`, and whether `text` can be copied otherwise.
fn values(question: &str) -> (Vec<String>, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let (databases, schema) = (stored(folder.path()), schema());
    let topic = Topic::linked(&schema, Linking::Values, &databases, &ValueCache::none()).unwrap();
    let spec = topic.spec(question);
    let mut values = Vec::new();
    let mut others = Vec::new();
    for copy in &spec.copies {
        match copy.origin {
            Origin::Words(_) => others.push(copy.text.as_str().to_owned()),
            Origin::Value { column, matching } => {
                let column = &schema.columns[column as usize].name;
                values.push(format!("{} {column} {matching:?}", copy.text));
            }
        }
    }
    (values, others)
}

#[test]
fn values_are_copied_as_the_database_spells_them() {
    let check = |question: &str, expected: &[&str]| {
        assert_eq!(values(question).0, expected, "{question}");
    };
    check("from France", &["France country Same"]);
    check("from FRANCE?", &["France country Case"]);
    check("in new york city", &["New York City song_name Case"]);
    check("hey judes", &["Hey Jude song_name Stems"]);
    check("by the beatle", &["The Beatles to Stems"]);
    check(
        "sing Hey Jude in Frence",
        &["Hey Jude song_name Same", "France country Misspelt"],
    );
    check("in new yrok city", &["New York City song_name Misspelt"]);
    // Numbers are copied from the question, and short words are like too many others.
    check("aged 41 in Yrok", &[]);
    check("of the", &[]);
}

#[test]
fn a_value_is_not_copied_in_another_spelling() {
    let (_, others) = values("songs from france");
    assert!(
        !others
            .iter()
            .any(|it| it.eq_ignore_ascii_case("france") && it != "France")
    );
    assert!(others.contains(&"songs".to_owned()));
    let (_, others) = values("on May 3rd 2014 for two hundred");
    for said in ["2014-05-03", "200"] {
        assert!(others.contains(&said.to_owned()), "{others:?}");
    }
}
