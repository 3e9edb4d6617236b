//! Objects of JSON.

use super::{check_bytes, check_error, imported, open};
use crate::QueryLimits;

#[track_caller]
fn check(content: &str, expected: &[&str]) {
    check_bytes("pets.jsonl", content.as_bytes(), expected, &[]);
}

#[test]
fn keys_of_all_objects_are_columns() {
    check(
        "{\"name\": \"Rex\", \"age\": 3}\n\n{\"age\": 4.5, \"sold\": null, \"bought\": \"2020-12-31\"}\r\n",
        &[
            "name TEXT, age REAL, sold TEXT, bought DATE",
            "Rex|3|NULL|NULL",
            "NULL|4.5|NULL|2020-12-31",
        ],
    );
}

#[test]
fn objects_in_objects_are_columns_and_arrays_are_texts() {
    check(
        r#"{"id": 1, "owner": {"name": "Ada", "home": {"city": "Bern"}}, "tags": ["a", {"b": 1}]}"#,
        &[
            "id INTEGER KEY, owner_name TEXT, owner_home_city TEXT, tags TEXT",
            r#"1|Ada|Bern|["a",{"b":1}]"#,
        ],
    );
}

#[test]
fn one_array_of_objects_is_a_table() {
    let expected = ["id INTEGER KEY, name TEXT", "1|Rex", "2|a]}\"{"];
    let array =
        "\u{feff}[\n {\"id\": 1, \"name\": \"Rex\"},\n {\"id\": 2, \"name\": \"a]}\\\"{\"}\n]\n";
    check_bytes("pets.json", array.as_bytes(), &expected, &[]);
    let lines = "{\"id\": 1,\n \"name\": \"Rex\"} {\"id\": 2, \"name\": \"a]}\\\"{\"}";
    check_bytes("pets.json", lines.as_bytes(), &expected, &[]);
}

#[test]
fn types_are_those_of_whole_columns() {
    let content = "{\"a\": \"00123\", \"b\": \"5\", \"c\": 1e20, \"d\": true}\n{\"a\": 7, \"b\": 6, \"c\": 1, \"d\": false}\n";
    check_bytes(
        "pets.jsonl",
        content.as_bytes(),
        &[
            "a TEXT KEY, b INTEGER, c REAL, d BOOLEAN",
            "00123|5|100000000000000000000|1",
            "7|6|1|0",
        ],
        &["`true` and `false` are now 1 and 0: `d`"],
    );
}

#[test]
fn other_encodings_are_read() {
    check_bytes(
        "pets.jsonl",
        b"{\"name\": \"K\xe4the\"}\n",
        &["name TEXT KEY", "Käthe"],
        &["1 object not in UTF-8, read as Windows-1252"],
    );
}

#[test]
fn names_that_differ_in_case_only_are_two_columns() {
    check(
        "{\"Name\": \"Rex\", \"name\": \"Tom\"}\n",
        &["Name TEXT KEY, name_2 TEXT", "Rex|Tom"],
    );
}

#[test]
fn what_is_not_json_is_an_error_with_its_place() {
    let check = |file: &str, content: &str, expected: &str| {
        check_error(
            file,
            content.as_bytes(),
            &format!("`{file}`, line {expected}"),
        );
    };
    check(
        "a.jsonl",
        "{\"a\": 1}\n{\"a\": x}\n",
        "2, column 7: expected JSON: expected value",
    );
    check(
        "a.jsonl",
        "{\"a\": 1\n{\"a\": 2}\n",
        "2, column 1: expected JSON: expected `,` or `}`",
    );
    check(
        "a.jsonl",
        "{\"a\": 1}\n5\n",
        "2, column 1: expected an object, found `5`",
    );
    check(
        "a.jsonl",
        "a,b\n",
        "1, column 1: expected an object or an array of objects, found `a`",
    );
    check(
        "a.json",
        "[1, 2]",
        "1, column 2: expected an object in the array, found `1`",
    );
    check(
        "a.json",
        "[{\"a\": 1}",
        "1, column 10: expected `,` or `]`, found the end of the file",
    );
    check(
        "a.json",
        "[{\"a\": 1} {}]",
        "1, column 11: expected `,` or `]`, found `{`",
    );
    check(
        "a.json",
        " {\"a\": \n [1, }\n",
        "2, column 6: expected JSON: expected value",
    );
}

#[test]
fn deep_objects_are_an_error() {
    let deep = "{\"a\":".repeat(100_000);
    check_error(
        "deep.json",
        deep.as_bytes(),
        "`deep.json`, line 1, column 636: expected JSON: recursion limit exceeded",
    );
    let arrays = format!("{{\"a\": {}", "[".repeat(100_000));
    assert!(imported(&[("deep.json", arrays.as_bytes())]).is_err());
    let fine = format!("{}1{}", "{\"a\":".repeat(100), "}".repeat(100));
    let imported = imported(&[("deep.json", fine.as_bytes())]).unwrap();
    let found = open(&imported).query("SELECT * FROM deep", &QueryLimits::default());
    assert!(found.unwrap().columns[0].starts_with("a_a_a_"));
}

#[test]
fn there_are_as_many_columns_as_sqlite_has() {
    let object = |it: i32| format!("{{\"k{it}\": 1}}\n");
    let many: String = (0..5000).map(object).collect();
    check_error(
        "many.jsonl",
        many.as_bytes(),
        "`many.jsonl`: expected at most 2000 columns, as many as SQLite has, found 2001",
    );
}
