//! Queries that would do harm.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::served::served;

/// All files of a folder, with what their contents come to.
fn hashes(folder: &Path) -> BTreeMap<String, [u8; 32]> {
    let files = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let hash = |path: &Path| hmac_sha256::Hash::hash(&fs::read(path).unwrap());
    files
        .map(|it| (it.file_name().into_string().unwrap(), hash(&it.path())))
        .collect()
}

#[test]
fn nothing_can_be_changed_and_everything_ends() {
    let served = served();
    let before = hashes(served.folder.path());
    let elsewhere = served.folder.path().join("other.sqlite");
    let elsewhere = elsewhere.display();
    let refused = [
        "INSERT INTO artist VALUES (9, 'x', 'y')".to_owned(),
        "UPDATE artist SET name = 'x'".to_owned(),
        "DELETE FROM artist".to_owned(),
        "DROP TABLE artist".to_owned(),
        "CREATE TABLE t(x)".to_owned(),
        "CREATE TEMP TABLE t(x)".to_owned(),
        format!("ATTACH '{elsewhere}' AS other"),
        format!("VACUUM INTO '{elsewhere}'"),
        "PRAGMA writable_schema = 1".to_owned(),
        "PRAGMA table_info(artist)".to_owned(),
        "SELECT load_extension('x')".to_owned(),
        "SELECT writefile('x', 'y')".to_owned(),
        "SELECT readfile('/etc/passwd')".to_owned(),
        "BEGIN".to_owned(),
        "SELECT 1; DROP TABLE artist".to_owned(),
        "WITH x AS (SELECT 1) DELETE FROM artist".to_owned(),
        "SELECT zeroblob(2000000000)".to_owned(),
        "SELECT printf('%.*c', 1000000000, 'x')".to_owned(),
        "SELECT hex(zeroblob(1000000000))".to_owned(),
        String::new(),
    ];
    for sql in refused {
        let answer = served.post("/api/sql", &json!({"sql": sql})).json();
        assert!(answer["error"].is_string(), "{sql}: {answer}");
        assert!(answer["rows"].is_null(), "{sql}: {answer}");
        let checked = served.post("/api/check", &json!({"sql": sql})).json();
        assert_eq!(checked["runs"], false, "{sql}");
    }
    assert_eq!(hashes(served.folder.path()), before);
}

#[test]
fn what_never_ends_is_cut() {
    let served = served();
    let before = hashes(served.folder.path());
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)";
    let many = (0..18).map(|it| format!("album AS a{it}"));
    let many = many.collect::<Vec<_>>().join(", ");
    for (sql, is_cut) in [
        // Rows come at once, and enough is enough.
        (format!("{endless} SELECT i FROM n"), true),
        (format!("SELECT a0.title FROM {many}"), true),
        // Rows never come.
        (format!("{endless} SELECT count(*) FROM n"), false),
        (format!("SELECT count(*) FROM {many}"), false),
    ] {
        let started = Instant::now();
        let asked = json!({"sql": sql, "n_rows": 1_000_000});
        let answer = served.post("/api/sql", &asked).json();
        assert!(started.elapsed() < Duration::from_secs(20), "{sql}");
        if is_cut {
            assert_eq!(answer["is_cut"], true, "{sql}");
            assert_eq!(answer["rows"].as_array().unwrap().len(), 1000, "{sql}");
        } else {
            let error = answer["error"].as_str().unwrap();
            assert!(error.contains("takes longer than 5s"), "{sql}: {error}");
        }
    }
    assert_eq!(hashes(served.folder.path()), before);
}

#[test]
fn questions_leave_nothing_behind() {
    let served = served();
    let before = hashes(served.folder.path());
    for question in [
        "How many albums?",
        "",
        "Drop the table of albums",
        "'; DROP TABLE album; --",
    ] {
        served
            .post("/api/ask", &json!({"question": question}))
            .json();
    }
    let long = "word ".repeat(10_000);
    let answer = served.post("/api/ask", &json!({"question": long})).json();
    assert_eq!(answer["abstained"], true);
    assert_eq!(hashes(served.folder.path()), before);
}

/// Another program writes to the database while it is asked: answers are of what it has written so far, and what it left
/// open stays as it is.
#[test]
fn what_another_program_writes_is_seen_and_left_alone() {
    let served = served();
    let writer = rusqlite::Connection::open(served.folder.path().join("music.sqlite")).unwrap();
    writer.pragma_update(None, "journal_mode", "WAL").unwrap();
    let count = json!({"sql": "SELECT count(*) FROM artist"});
    for n_artists in 4..8 {
        let name = format!("Artist {n_artists}");
        let row = (n_artists, name, "Peru");
        writer
            .execute("INSERT INTO artist VALUES (?, ?, ?)", row)
            .unwrap();
        let before = hashes(served.folder.path());
        let answer = served.post("/api/sql", &count).json();
        assert_eq!(answer["rows"], json!([[n_artists]]));
        let asked = json!({"question": "How many artists are there?"});
        let answer = served.post("/api/ask", &asked).json();
        assert!(!answer["programs"].as_array().unwrap().is_empty());
        // The index of the log is shared by all who read it.
        let mut after = hashes(served.folder.path());
        let index = "music.sqlite-shm";
        after.insert(index.to_owned(), before[index]);
        assert_eq!(after, before);
    }
    // Nobody else is there any more: what it leaves behind is for itself to clean up.
    drop(writer);
    let before = hashes(served.folder.path());
    served.post("/api/sql", &count).json();
    assert_eq!(hashes(served.folder.path()), before);
}
