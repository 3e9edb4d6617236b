//! Files as people have them, and as nobody would write them.

mod delimited;
mod hostile;
mod json;
mod laws;
mod limits;
mod sqlite;

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

use crate::{
    Database, FileKind, ImportError, ImportLimits, Imported, QueryLimits, import, kind_of,
};

/// Files in a folder.
struct Files {
    folder: TempDir,
    paths: Vec<PathBuf>,
}

fn files(contents: &[(&str, &[u8])]) -> Files {
    let folder = tempfile::tempdir().unwrap();
    let write = |(name, content): &(&str, &[u8])| {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        path
    };
    let paths = contents.iter().map(write).collect();
    Files { folder, paths }
}

fn imported(contents: &[(&str, &[u8])]) -> Result<Imported, ImportError> {
    import(&files(contents).paths, &ImportLimits::default())
}

fn open(imported: &Imported) -> Database {
    imported.place.open("files").unwrap()
}

/// A table as text: its columns with their types, then its rows.
fn shown(database: &Database, table: &str) -> String {
    let columns = database.declared_columns(table).unwrap();
    let column = |(name, declared, key): &(String, String, i64)| {
        format!("{name} {declared}{}", if *key > 0 { " KEY" } else { "" })
    };
    let mut lines = vec![columns.iter().map(column).collect::<Vec<_>>().join(", ")];
    let sql = format!("SELECT * FROM {}", crate::statement::quoted(table));
    let rows = database.query(&sql, &QueryLimits::default()).unwrap().rows;
    lines.extend(rows.iter().map(|row| {
        let values: Vec<String> = row.iter().map(ToString::to_string).collect();
        values.join("|")
    }));
    lines.join("\n")
}

/// Checks what becomes of one file: its table, and what is noted.
#[track_caller]
fn check_bytes(file: &str, content: &[u8], expected: &[&str], notes: &[&str]) {
    let imported = imported(&[(file, content)]).unwrap();
    let table = &imported.tables[0];
    assert_eq!(shown(&open(&imported), &table.name), expected.join("\n"));
    assert_eq!(table.n_rows, expected.len() as u64 - 1);
    let found: Vec<&str> = imported
        .notes
        .iter()
        .map(|it| it.split_once("`: ").unwrap().1)
        .collect();
    assert_eq!(found, notes);
}

#[track_caller]
fn check_error(file: &str, content: &[u8], expected: &str) {
    let files = files(&[(file, content)]);
    let error = import(&files.paths, &ImportLimits::default()).unwrap_err();
    let folder = format!("{}/", files.folder.path().display());
    let message = error.to_string().replace('\\', "/");
    assert_eq!(message.replace(&folder.replace('\\', "/"), ""), expected);
}

#[test]
fn kinds_are_told_by_beginning_then_ending() {
    let check = |name: &str, content: &[u8], expected| {
        let files = files(&[(name, content)]);
        assert_eq!(kind_of(&files.paths[0]).unwrap(), expected, "{name}");
    };
    check("a.csv", b"SQLite format 3\0", FileKind::Sqlite);
    check("a.CSV", b"{}", FileKind::Csv);
    check("a.tsv", b"a,b", FileKind::Tsv);
    check("a.tab", b"a,b", FileKind::Tsv);
    check("a.json", b"[]", FileKind::JsonLines);
    check("a.ndjson", b"a,b", FileKind::JsonLines);
    check("a.txt", b"\xef\xbb\xbf {\"a\": 1}", FileKind::JsonLines);
    check("a", b"[{}]", FileKind::JsonLines);
    check("a.dat", b"a\tb\n1,5\t2\n", FileKind::Tsv);
    check("a.txt", b"a;b\n", FileKind::Csv);
}

#[test]
fn what_is_no_table_is_named() {
    let expected = "expected a SQLite database, CSV, TSV, JSON or JSON lines, but ";
    let check = |name: &str, content: &[u8], found: &str| {
        check_error(name, content, &format!("{expected}`{name}` is {found}"));
    };
    check("a.csv", b"", "empty");
    check("a.csv", b"\xef\xbb\xbf\n \n", "empty");
    check(
        "a.csv",
        b"PK\x03\x04...",
        "an archive or a workbook: save its sheets as CSV",
    );
    check(
        "a.parquet",
        b"PAR1...",
        "a Parquet file: write it as CSV or JSON lines",
    );
    check(
        "a.csv.gz",
        b"\x1f\x8b\x08",
        "compressed (gzip): unpack it first",
    );
    check("a.csv", &[1, 2, 3, 4, 5, 200], "binary data");
    check("a.json", b"[]", "without columns");
    check("a.json", b"[{}]", "without columns");
    let folder = tempfile::tempdir().unwrap();
    let error = kind_of(folder.path()).unwrap_err();
    assert!(matches!(error, ImportError::Directory { .. }));
    let error = kind_of(&folder.path().join("absent.csv")).unwrap_err();
    assert!(error.to_string().starts_with("cannot read `"), "{error}");
    let error = import(&[], &ImportLimits::default()).unwrap_err();
    assert_eq!(error.to_string(), "expected at least one file, found none");
}

/// What the tables of a shop refer to is told by their names and values.
#[test]
fn keys_between_files_are_guessed() {
    let imported = imported(&[
        ("customers.csv", b"id,name,city\n2,Ada,Rome\n1,Ida,Bern\n"),
        (
            "orders.csv",
            b"id,customer_id,amount,date\n1,2,9.5,2020-12-31\n2,2,1,2021-01-01\n",
        ),
    ])
    .unwrap();
    assert_eq!(imported.notes, Vec::<String>::new());
    let database = open(&imported);
    assert_eq!(
        shown(&database, "customers"),
        "id INTEGER KEY, name TEXT, city TEXT\n1|Ida|Bern\n2|Ada|Rome"
    );
    let schema = database.schema().unwrap().schema;
    let name = |index: usize| {
        let column = &schema.columns[index];
        format!(
            "{}.{}",
            schema.tables[column.table.unwrap()].name,
            column.name
        )
    };
    let keys = database.guessed_keys(&schema);
    let keys: Vec<_> = keys.iter().map(|it| (name(it.0), name(it.1))).collect();
    let expected = ("orders.customer_id".to_owned(), "customers.id".to_owned());
    assert_eq!(keys, [expected]);
}

#[test]
fn keys_are_columns_without_gaps_and_repetitions() {
    let check = |content: &str, key: Option<&str>| {
        let imported = imported(&[("orders.csv", content.as_bytes())]).unwrap();
        let columns = open(&imported).declared_columns("orders").unwrap();
        let found = columns.into_iter().find(|it| it.2 > 0).map(|it| it.0);
        assert_eq!(found.as_deref(), key, "{content}");
    };
    check("name,id\nx,2\ny,1\n", Some("id"));
    check("name,order_id\nx,2\nx,1\n", Some("order_id"));
    check("name,order_id\nx,2\nx,2\n", None);
    check("sku,n\na-1,2\na-2,2\n", Some("sku"));
    check("sku,n\na-1,2\n,2\n", None);
    check("sku,n\nNA,2\nb,2\n", None);
    check("price,n\n1.5,2\n2.5,2\n", None);
    check("id,n\n", None);
    let row = |it: i32| format!("{},x\n", (it * 7) % 3000);
    let many: String = (0..3000).map(row).collect();
    check(&format!("id,n\n{many}"), Some("id"));
    check(&format!("id,n\n{many}8,x\n"), None);
}

#[test]
fn nothing_is_left_behind() {
    let files = files(&[("pets.csv", b"name\nRex\n")]);
    let imported = import(&files.paths, &ImportLimits::default()).unwrap();
    let crate::Place::File(path) = imported.place.clone() else {
        panic!("a file")
    };
    assert!(path.exists());
    drop(imported);
    assert!(!path.exists() && !path.parent().unwrap().exists());
    let n_files = fs::read_dir(files.folder.path()).unwrap().count();
    assert_eq!(n_files, 1);
}
