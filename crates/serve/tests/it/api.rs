//! What the API answers.

use std::fs;

use serde_json::{Value, json};

use crate::served::served;

const QUESTION: &str = "How many albums are there for each artist?";

#[test]
fn a_question_has_answers_that_differ_in_their_rows() {
    let served = served();
    let asked = json!({"question": QUESTION, "n_programs": 3, "n_rows": 2, "trace": true});
    let answer = served.post("/api/ask", &asked).json();
    assert_eq!(answer["question"], QUESTION);
    assert_eq!(answer["abstained"], false, "{answer}");
    let programs = answer["programs"].as_array().unwrap();
    assert!((1..=3).contains(&programs.len()), "{answer}");
    for program in programs {
        assert!(program["code"].as_str().unwrap().starts_with("SELECT"));
        assert!(program["rows"].as_array().unwrap().len() <= 2);
        assert!(!program["trace"].as_array().unwrap().is_empty());
    }
    let changing = json!({"question": "Delete all albums"});
    let answer = served.post("/api/ask", &changing).json();
    assert_eq!(answer["abstained"], true, "{answer}");
    assert!(answer["reason"].as_str().unwrap().contains("only read"));
}

#[test]
fn a_query_is_run_checked_and_said_in_words() {
    let served = served();
    let sql = "SELECT title FROM album ORDER BY year DESC";
    let rows = served.post("/api/sql", &json!({"sql": sql, "n_rows": 2}));
    let rows = rows.json();
    assert_eq!(rows["rows"], json!([["Bicho"], ["Zombie"]]));
    assert_eq!(rows["columns"], json!(["title"]));
    assert_eq!(rows["is_cut"], true);
    assert!(rows["words"].as_str().unwrap().contains("title"), "{rows}");
    let checked = served.post("/api/check", &json!({"sql": sql})).json();
    assert_eq!(checked["runs"], true);
    let wrong = json!({"sql": "SELECT titel FROM album"});
    let checked = served.post("/api/check", &wrong).json();
    assert_eq!(checked["runs"], false);
    let error = served.post("/api/sql", &wrong).json();
    assert_eq!(error["error"], "no such column: titel", "{error}");
}

#[test]
fn the_schema_has_keys_and_numbers_of_rows() {
    let served = served();
    let schema = served.get("/api/schema").json();
    assert_eq!(schema["name"], "music");
    assert_eq!(schema["files"], json!(["music.sqlite"]));
    let album = &schema["tables"][1];
    assert_eq!(
        (&album["name"], &album["n_rows"]),
        (&json!("album"), &json!(5))
    );
    let key = json!([{"table": "artist", "column": "artist_id", "is_guessed": true}]);
    assert_eq!(album["columns"][2]["refers_to"], key, "{album}");
    let rows = served.get("/api/table?name=artist").json();
    assert_eq!(rows["rows"][1], json!([2, "Fela Kuti", "Nigeria"]));
    served
        .get("/api/table?name=sqlite_master")
        .check(404, "there is no table called `sqlite_master`");
}

#[test]
fn names_and_values_are_completed() {
    let served = served();
    let check = |typed: &str, expected: &str| {
        let path = format!("/api/complete?prefix={typed}");
        // Values are read while the server answers already.
        let found = (0..100).find_map(|_| {
            let found = served.get(&path).json();
            let texts = found
                .as_array()
                .unwrap()
                .iter()
                .map(|it| it["text"].clone());
            let texts: Vec<Value> = texts.collect();
            std::thread::sleep(std::time::Duration::from_millis(20));
            texts.contains(&json!(expected)).then_some(())
        });
        assert!(found.is_some(), "{typed}");
    };
    check("How%20many%20alb", "album");
    check("the%20cou", "country");
    check("albums%20of%20fela%20k", "Fela Kuti");
    check("albums%20by%20simo", "Nina Simone");
    assert_eq!(served.get("/api/complete?prefix=").json(), json!([]));
}

#[test]
fn what_was_said_is_remembered_beside_the_database() {
    let served = served();
    let code = "SELECT count(*) FROM album";
    let taught = json!({"question": "How big is it?", "code": code});
    let kept = served.post("/api/learn", &taught).json();
    assert_eq!(
        kept,
        json!({"n_lessons": 1, "n_notes": 0, "file": "music.sqlite.patois"})
    );
    let answer = served.post("/api/ask", &json!({"question": "how big is it"}));
    let best = &answer.json()["programs"][0];
    assert_eq!(
        (&best["code"], &best["is_remembered"]),
        (&json!(code), &json!(true))
    );
    let note = json!({"table": "album", "column": "price", "words": "cost in dollars"});
    assert_eq!(served.post("/api/note", &note).json()["n_notes"], 1);
    let schema = served.get("/api/schema").json();
    assert_eq!(
        schema["tables"][1]["columns"][4]["words"],
        "cost in dollars"
    );
    let lines = fs::read_to_string(served.folder.path().join("music.sqlite.patois")).unwrap();
    assert_eq!(lines.lines().count(), 3, "{lines}");

    let wrong = json!({"question": "x", "code": "DROP TABLE album"});
    served
        .post("/api/learn", &wrong)
        .check(422, "the query does not run here");
    let unknown = json!({"table": "song", "words": "x"});
    served
        .post("/api/note", &unknown)
        .check(422, "there is no table called `song`");
    let empty = json!({"table": "album", "words": " "});
    served.post("/api/note", &empty).check(422, "found nothing");
}

/// What the description says is there, and what is there is described.
#[test]
fn the_description_is_of_this_server() {
    let served = served();
    let description = served.get("/openapi.json").json();
    assert_eq!(description["openapi"], "3.1.0");
    assert_eq!(description["info"]["version"], env!("CARGO_PKG_VERSION"));
    for (path, methods) in description["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            let reply = match method.as_str() {
                "get" => served.get(path),
                _ => served.post(path, &json!({})),
            };
            assert!(![404, 405].contains(&reply.status), "{path}: {reply:?}");
        }
    }
    let reply = served.get("/api/ask");
    reply.check(405, "expected another method");
    let health = served.get("/healthz").json();
    assert_eq!(health["status"], "ok");
}

#[test]
fn what_is_no_request_is_refused_with_the_reason() {
    let served = served();
    let check = |body: Value, part: &str| served.post("/api/ask", &body).check(400, part);
    check(json!({}), "missing field `question`");
    check(json!({"question": 7}), "expected a string");
    check(json!({"question": "x", "sql": "y"}), "unknown field `sql`");
    let client = served.client();
    let json = "content-type: application/json\r\n";
    client
        .post_with("/api/sql", json, "{")
        .check(400, "expected JSON");
    client
        .post_with("/api/sql", json, "")
        .check(400, "expected JSON");
    served.get("/api/table").check(400, "name");
}
