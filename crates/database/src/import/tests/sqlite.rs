//! Databases among the files.

use std::path::PathBuf;

use super::{Files, files, open, shown};
use crate::{ImportError, ImportLimits, Imported, import};

const SHOP: &str = "
    PRAGMA foreign_keys = OFF;
    CREATE TABLE customers(id INTEGER PRIMARY KEY, name VARCHAR(20) NOT NULL, photo BLOB);
    CREATE TABLE visits(day DATE, customer INT REFERENCES customers(id), n, twice AS (n * 2),
        PRIMARY KEY (day, customer)) WITHOUT ROWID;
    CREATE TABLE notes(day DATE, customer INT, text, FOREIGN KEY (day, customer) REFERENCES visits);
    CREATE VIEW names AS SELECT name FROM customers;
    CREATE TRIGGER no_more BEFORE INSERT ON customers BEGIN SELECT raise(ABORT, 'no'); END;
    CREATE VIRTUAL TABLE words USING fts5(text);
    INSERT INTO visits VALUES ('2020-12-31', 1, 5);";

const CUSTOMERS: &str = "DROP TRIGGER no_more; INSERT INTO customers VALUES (1, 'Ada', x'00ff');
    DROP TABLE words;";

fn with_database(script: &str, others: &[(&str, &[u8])]) -> (Files, Vec<PathBuf>) {
    let files = files(others);
    let path = files.folder.path().join("shop.sqlite");
    drop(crate::tests::file(&path, script));
    let mut paths = files.paths.clone();
    paths.push(path);
    (files, paths)
}

fn imported(script: &str, others: &[(&str, &[u8])]) -> Result<Imported, ImportError> {
    let (_files, paths) = with_database(script, others);
    import(&paths, &ImportLimits::default())
}

#[test]
fn tables_are_copied_with_their_keys_and_views() {
    let pets: (&str, &[u8]) = ("pets.csv", b"name,customer_id\nRex,1\n");
    let imported = imported(&format!("{SHOP}{CUSTOMERS}"), &[pets]).unwrap();
    assert_eq!(imported.notes, Vec::<String>::new());
    let database = open(&imported);
    assert_eq!(
        shown(&database, "customers"),
        "id INTEGER KEY, name VARCHAR(20), photo BLOB\n1|Ada|x'00ff'"
    );
    assert_eq!(
        shown(&database, "visits"),
        "day DATE KEY, customer INT KEY, n , twice \n2020-12-31|1|5|10"
    );
    assert_eq!(shown(&database, "names"), "name VARCHAR(20)\nAda");
    assert_eq!(
        shown(&database, "pets"),
        "name TEXT KEY, customer_id INTEGER\nRex|1"
    );
    let schema = database.schema().unwrap().schema;
    assert_eq!(
        (schema.foreign_keys.len(), schema.composite_keys.len()),
        (3, 1)
    );
    let names: Vec<&str> = imported.tables.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["pets", "customers", "visits", "notes"]);
}

#[test]
fn a_name_that_is_taken_gets_that_of_the_file() {
    let customers: (&str, &[u8]) = ("customers.csv", b"id\n5\n");
    let imported = imported(SHOP, &[customers]).unwrap();
    let notes: Vec<&str> = imported.notes.iter().map(String::as_str).collect();
    assert_eq!(
        notes,
        [
            "`shop.sqlite`: virtual tables are left out: `words`",
            "`shop.sqlite`: `customers` is called `shop_customers`: there is another one",
            "`shop.sqlite`: view `names` is left out: tables have other names here",
        ]
    );
    let database = open(&imported);
    assert_eq!(shown(&database, "customers"), "id INTEGER KEY\n5");
    assert!(shown(&database, "shop_customers").starts_with("id INTEGER KEY, name VARCHAR(20)"));
}

#[test]
fn views_that_cannot_be_asked_are_left_out() {
    let script = "CREATE TABLE t(a); CREATE VIEW v AS SELECT b FROM absent;
        CREATE VIEW w AS SELECT a FROM t;";
    let imported = imported(script, &[]).unwrap();
    let expected = "`shop.sqlite`: view `v` is left out: it cannot be asked";
    assert_eq!(imported.notes, [expected]);
    let schema = open(&imported).schema().unwrap().schema;
    let names: Vec<&str> = schema.tables.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["t", "w"]);
}

#[test]
fn long_values_are_left_out() {
    let script = "CREATE TABLE t(a, b); INSERT INTO t VALUES (zeroblob(20000000), 1);";
    let imported = imported(script, &[]).unwrap();
    let expected = "`shop.sqlite`: values of `t` of more than 4 MB are left out";
    assert_eq!(imported.notes, [expected]);
    assert_eq!(shown(&open(&imported), "t"), "a , b \nNULL|1");
}

#[test]
fn copies_are_cut() {
    let script = "CREATE TABLE t(a); INSERT INTO t VALUES (1), (2), (3);";
    let (_files, paths) = with_database(script, &[]);
    for (n_rows, is_cut) in [(2, true), (3, false)] {
        let limits = ImportLimits {
            n_rows,
            ..ImportLimits::default()
        };
        let imported = import(&paths, &limits).unwrap();
        let table = &imported.tables[0];
        assert_eq!((table.n_rows, table.is_cut), (n_rows, is_cut));
    }
}

#[test]
fn a_damaged_database_is_an_error() {
    let files = files(&[("shop.sqlite", b"SQLite format 3\0 and no more")]);
    let error = import(&files.paths, &ImportLimits::default()).unwrap_err();
    assert!(matches!(error, ImportError::Database(_)), "{error}");
}
