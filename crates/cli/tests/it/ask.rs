//! `patois ask` and `patois teach` as their users meet them, with the bundled model.

use std::fs;

use tempfile::TempDir;

use crate::program::{run, run_json};

/// A folder with a small shop: a database, and the same in two files.
fn shop() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let database = rusqlite::Connection::open(folder.path().join("shop.sqlite")).unwrap();
    let script = "CREATE TABLE customer(id INTEGER PRIMARY KEY, name TEXT, city TEXT);
        CREATE TABLE purchase(id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer(id), amount REAL);
        INSERT INTO customer VALUES (1, 'Ada', 'Berlin'), (2, 'Tom', 'Oslo'), (3, 'Ida', 'Berlin');
        INSERT INTO purchase VALUES (1, 1, 9.5), (2, 1, 3.0), (3, 2, 20.0);";
    database.execute_batch(script).unwrap();
    let customers = "id,name,city\n1,Ada,Berlin\n2,Tom,Oslo\n3,Ida,Berlin\n";
    fs::write(folder.path().join("customers.csv"), customers).unwrap();
    let orders = "id,customer_id,amount\n1,1,9.5\n2,1,3.0\n3,2,20.0\n";
    fs::write(folder.path().join("orders.csv"), orders).unwrap();
    folder
}

#[test]
fn a_question_has_an_answer_in_rows_words_and_sql() {
    let folder = shop();
    let before = fs::read(folder.path().join("shop.sqlite")).unwrap();
    let question = "How many customers are from Berlin?";
    let (code, stdout, stderr) = run(folder.path(), &["ask", "shop.sqlite", question]);
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert!(
        stdout.contains("\n2\n") && stdout.contains("% sure"),
        "{stdout}"
    );
    assert!(stdout.contains("SELECT count(*) FROM customer"), "{stdout}");
    let (code, report) = run_json(folder.path(), &["ask", "shop.sqlite", question]);
    assert_eq!(code, 0, "{report}");
    let answer = &report["answers"][0];
    assert_eq!(answer["abstained"], false);
    let best = &answer["programs"][0];
    for key in [
        "code",
        "words",
        "probability",
        "confidence",
        "columns",
        "rows",
        "error",
    ] {
        assert!(!best[key].is_null() || key == "error", "{key}: {best}");
    }
    assert_eq!(best["rows"][0][0], 2);
    let (code, stdout, _) = run(folder.path(), &["ask", "shop.sqlite", question, "--csv"]);
    assert_eq!(code, 0);
    assert!(stdout.ends_with("\n2\n"), "{stdout:?}");
    assert_eq!(fs::read(folder.path().join("shop.sqlite")).unwrap(), before);
    let n_files = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(n_files, 3, "nothing is left behind");
}

#[test]
fn files_become_a_database() {
    let folder = shop();
    let files = ["ask", "customers.csv", "orders.csv"];
    let question = [&files[..], &["how many orders are there"]].concat();
    let (code, report) = run_json(folder.path(), &question);
    assert_eq!(code, 0, "{report}");
    assert_eq!(
        report["answers"][0]["programs"][0]["rows"][0][0], 3,
        "{report}"
    );
}

#[test]
fn refusals_say_why_and_fail() {
    let folder = shop();
    let ask = |question: &str| run(folder.path(), &["ask", "shop.sqlite", question]);
    let (code, stdout, _) = ask("Delete all customers");
    assert_eq!(code, 1);
    assert!(stdout.contains("only read"), "{stdout}");
    let check = |arguments: &[&str], status: i32, expected: &str| {
        let (code, _, stderr) = run(folder.path(), arguments);
        assert_eq!(code, status, "{stderr}");
        assert!(stderr.contains(expected), "{stderr}");
    };
    check(
        &["ask", "how many customers"],
        2,
        "there is no file to ask about",
    );
    check(&["ask", "missing.sqlite", "how many"], 1, "missing.sqlite");
    fs::write(
        folder.path().join("junk.sqlite"),
        "SQLite format 3\0 but not really",
    )
    .unwrap();
    check(&["ask", "junk.sqlite", "how many"], 1, "junk.sqlite");
    fs::write(folder.path().join("shop.sqlite.patois"), "{}\n").unwrap();
    check(
        &["ask", "shop.sqlite", "how many"],
        1,
        "line 1: expected a line of a patois memory",
    );
}

#[test]
fn an_exam_tells_how_good_answers_are() {
    let folder = shop();
    let pairs = "{\"question\": \"How many customers are there?\", \"sql\": \"SELECT count(*) FROM customer\"}\n\
        {\"question\": \"Delete everything\", \"sql\": null}\n";
    fs::write(folder.path().join("pairs.jsonl"), pairs).unwrap();
    let exam = ["ask", "shop.sqlite", "--exam", "pairs.jsonl"];
    let (code, report) = run_json(folder.path(), &exam);
    assert_eq!(code, 0, "{report}");
    assert_eq!(
        (&report["questions"], &report["right"]),
        (&1.into(), &1.into()),
        "{report}"
    );
    assert_eq!(report["unanswerable_refused"], 1);
    fs::write(folder.path().join("pairs.jsonl"), "{\"question\": 3}\n").unwrap();
    let (code, _, stderr) = run(folder.path(), &exam);
    assert_eq!(code, 1);
    assert!(
        stderr.contains("line 1: expected an object with `question` and `sql`"),
        "{stderr}"
    );
}

#[test]
fn a_model_is_taught_one_database() {
    let folder = shop();
    let memory = "{\"kind\":\"lesson\",\"question\":\"who spent most\",\"code\":\"SELECT name FROM customer JOIN purchase \
        ON customer.id = purchase.customer_id GROUP BY name ORDER BY sum(amount) DESC LIMIT 1\"}\n";
    fs::write(folder.path().join("shop.sqlite.patois"), memory).unwrap();
    let teach = ["teach", "shop.sqlite", "--out", "own", "--steps", "2"];
    let (code, report) = run_json(folder.path(), &teach);
    assert_eq!(code, 0, "{report}");
    assert_eq!(
        (&report["lessons"], &report["skipped"]),
        (&1.into(), &0.into()),
        "{report}"
    );
    let ask = [
        "ask",
        "--model",
        "own",
        "shop.sqlite",
        "How many customers are there?",
    ];
    let (code, report) = run_json(folder.path(), &ask);
    assert_eq!(code, 0, "{report}");
    assert_eq!(
        report["answers"][0]["programs"][0]["rows"][0][0], 3,
        "{report}"
    );
}
