//! Cases of the exact set match, on a schema of three tables.

use patois_languages::sql::{Column, ColumnKind, DatabaseSchema, Table};
use proptest::prelude::*;

use super::{Component, Hardness, SpiderSchema, SqlParseError, exact_match, parse};

/// `Singer(singer_id, name, age)`, `Concert(concert_id, singer_id, year)` and
/// `Ticket(ticket_id, singer_id, price)`; the two latter refer to singers.
fn schema() -> SpiderSchema {
    let tables = [
        ("Singer", ["Singer_ID", "Name", "Age"]),
        ("Concert", ["Concert_ID", "Singer_ID", "Year"]),
        ("Ticket", ["Ticket_ID", "Singer_ID", "Price"]),
    ];
    let mut schema = DatabaseSchema {
        name: "music".to_owned(),
        tables: Vec::new(),
        columns: vec![column(None, "*")],
        foreign_keys: vec![(5, 1), (8, 1)],
        composite_keys: Vec::new(),
    };
    for (table, (name, columns)) in tables.into_iter().enumerate() {
        schema.tables.push(Table {
            name: name.to_owned(),
            words: name.to_owned(),
        });
        let columns = columns.map(|name| column(Some(table), name));
        schema.columns.extend(columns);
    }
    SpiderSchema::new(&schema)
}

fn column(table: Option<usize>, name: &str) -> Column {
    Column {
        table,
        name: name.to_owned(),
        words: name.to_owned(),
        kind: ColumnKind::Text,
        is_primary_key: false,
    }
}

/// Checks which components of the prediction are wrong; none where the match is exact.
#[track_caller]
fn check(gold: &str, predicted: &str, wrong: &[&str]) {
    let outcome = exact_match(&schema(), gold, predicted).unwrap();
    let found: Vec<&str> = Component::ALL
        .into_iter()
        .filter(|&component| !outcome.components.get(component).is_correct)
        .map(Component::name)
        .collect();
    assert_eq!(found, wrong, "{gold} / {predicted}");
    assert_eq!(outcome.is_exact, wrong.is_empty(), "{gold} / {predicted}");
}

/// Checks that all components agree, and yet the match is not exact.
#[track_caller]
fn check_tables_differ(gold: &str, predicted: &str) {
    let outcome = exact_match(&schema(), gold, predicted).unwrap();
    assert!(
        Component::ALL
            .iter()
            .all(|&it| outcome.components.get(it).is_correct)
    );
    assert!(!outcome.is_exact);
}

#[track_caller]
fn check_hardness(query: &str, expected: Hardness) {
    let hardness = Hardness::of(&parse(&schema(), query).unwrap());
    assert_eq!(hardness, expected, "{query}");
}

#[track_caller]
fn check_error(query: &str, expected: &SqlParseError) {
    let error = parse(&schema(), query).unwrap_err();
    assert_eq!(&error, expected, "{query}");
    let outcome = exact_match(&schema(), "SELECT Name FROM Singer", query).unwrap();
    assert_eq!(outcome.prediction_error.as_ref(), Some(expected));
    assert!(!outcome.is_exact);
}

#[test]
fn order_of_projection_and_conditions_does_not_count() {
    check(
        "SELECT Name , Age FROM Singer WHERE Age > 3 AND Name = 'a'",
        "select age, name from singer where name = 'b' and age > 4",
        &[],
    );
    check(
        "SELECT Name , Name FROM Singer",
        "SELECT Name FROM Singer",
        &["select", "select(no AGG)"],
    );
}

#[test]
fn connectives_count_as_a_set() {
    check(
        "SELECT Name FROM Singer WHERE Age > 3 AND Name = 'a'",
        "SELECT Name FROM Singer WHERE Age > 3 OR Name = 'a'",
        &["and/or", "keywords"],
    );
    check(
        "SELECT Name FROM Singer WHERE Age > 3 AND Age < 9 OR Name = 'a'",
        "SELECT Name FROM Singer WHERE Age > 3 OR Age < 9 AND Name = 'a'",
        &[],
    );
}

#[test]
fn values_do_not_count_outside_from() {
    check(
        "SELECT Name FROM Singer WHERE Age BETWEEN 1 AND 2",
        "SELECT Name FROM Singer WHERE Age BETWEEN 'x' AND Singer_ID",
        &[],
    );
    check(
        "SELECT Name FROM Singer WHERE Age IN (SELECT Year FROM Concert WHERE Year > 3)",
        "SELECT Name FROM Singer WHERE Age IN (SELECT Year FROM Concert WHERE Year > 4)",
        &[],
    );
    check_tables_differ(
        "SELECT count(*) FROM (SELECT Year FROM Concert WHERE Year > 3)",
        "SELECT count(*) FROM (SELECT Year FROM Concert WHERE Year > 4)",
    );
}

#[test]
fn operators_and_aggregates_count() {
    check(
        "SELECT max(Age) FROM Singer WHERE Age > 3",
        "SELECT min(Age) FROM Singer WHERE Age < 3",
        &["select", "where"],
    );
    check(
        "SELECT Name FROM Singer WHERE Name NOT LIKE 'a'",
        "SELECT Name FROM Singer WHERE Name LIKE 'a'",
        &["where", "keywords"],
    );
    check(
        "SELECT Age - Singer_ID FROM Singer",
        "SELECT Age + Singer_ID FROM Singer",
        &["select", "select(no AGG)"],
    );
}

#[test]
fn distinct_does_not_count_outside_sub_queries() {
    check(
        "SELECT count(DISTINCT Name) FROM Singer",
        "SELECT DISTINCT count(Name) FROM Singer",
        &[],
    );
    check(
        "SELECT Name FROM Singer WHERE Age IN (SELECT Year FROM Concert)",
        "SELECT Name FROM Singer WHERE Age IN (SELECT DISTINCT Year FROM Concert)",
        &["where"],
    );
}

#[test]
fn columns_of_a_foreign_key_are_one() {
    let from = "FROM Singer AS T1 JOIN Concert AS T2 ON T1.Singer_ID = T2.Singer_ID";
    check(
        &format!("SELECT T1.Singer_ID {from}"),
        &format!("SELECT T2.Singer_ID {from}"),
        &[],
    );
    // Concert and Ticket both refer to singers, and so to each other.
    check_tables_differ(
        "SELECT Singer_ID FROM Concert",
        "SELECT Singer_ID FROM Ticket",
    );
}

#[test]
fn tables_count_but_join_conditions_do_not() {
    check_tables_differ(
        "SELECT count(*) FROM Singer",
        "SELECT count(*) FROM Concert",
    );
    check(
        "SELECT count(*) FROM Singer AS a JOIN Concert AS b ON a.Singer_ID = b.Singer_ID",
        "SELECT count(*) FROM Concert AS a JOIN Singer AS b ON a.Year = b.Age",
        &[],
    );
    check_tables_differ(
        "SELECT Name FROM Singer",
        "SELECT T1.Name FROM Singer AS T1 JOIN Singer AS T2",
    );
}

#[test]
fn order_and_limit() {
    let gold = "SELECT Name FROM Singer ORDER BY Age DESC LIMIT 1";
    check(
        gold,
        "SELECT Name FROM Singer ORDER BY Age DESC LIMIT 5",
        &[],
    );
    check(
        gold,
        "SELECT Name FROM Singer ORDER BY Age DESC",
        &["order", "keywords"],
    );
    check(
        gold,
        "SELECT Name FROM Singer ORDER BY Age LIMIT 1",
        &["order", "keywords"],
    );
    check(
        gold,
        "SELECT Name FROM Singer ORDER BY Name DESC LIMIT 1",
        &["order"],
    );
    // The last direction serves the whole clause.
    check(
        "SELECT Name FROM Singer ORDER BY Age DESC , Name DESC",
        "SELECT Name FROM Singer ORDER BY Age ASC , Name DESC",
        &[],
    );
}

#[test]
fn a_limit_is_an_integer() {
    let query = |limit: &str| format!("SELECT Name FROM Singer ORDER BY Age LIMIT {limit}");
    for limit in ["5", "+5", "-1", "007", "1_000", "99999999999999999999"] {
        check(&query("1"), &query(limit), &[]);
    }
    for limit in [
        "many", "1.5", "'one'", "'1'", "1e3", "nan", "1_", "(", "Age",
    ] {
        let found = limit.to_lowercase().replace('\'', "\"");
        let expected = "an integer";
        check_error(
            &query(limit),
            &SqlParseError::Unexpected { expected, found },
        );
    }
    check_error(&query(""), &SqlParseError::End);
}

#[test]
fn group_and_having() {
    let gold = "SELECT Name FROM Singer GROUP BY Name , Age HAVING count(*) > 2";
    check(
        gold,
        "SELECT Name FROM Singer GROUP BY Name , Age HAVING count(*) > 9",
        &[],
    );
    check(
        gold,
        "SELECT Name FROM Singer GROUP BY Age , Name HAVING count(*) > 2",
        &["group"],
    );
    check(
        gold,
        "SELECT Name FROM Singer GROUP BY Name , Age HAVING count(*) < 2",
        &["group"],
    );
    check(
        gold,
        "SELECT Name FROM Singer GROUP BY Name",
        &["group(no Having)", "group", "keywords"],
    );
}

#[test]
fn nested_queries_are_compared_as_written() {
    let gold = "SELECT Name FROM Singer WHERE Age > (SELECT avg(Age) FROM Singer)";
    check(
        gold,
        "SELECT Name FROM Singer WHERE Age > (SELECT avg(T1.age) FROM Singer AS T1)",
        &[],
    );
    check(
        gold,
        "SELECT Name FROM Singer WHERE Age > (SELECT max(Age) FROM Singer)",
        &["where"],
    );
    check(gold, "SELECT Name FROM Singer WHERE Age > 3", &["where"]);
    check(
        "SELECT Name FROM Singer WHERE Age = (SELECT Year FROM Concert WHERE Year > 1 AND Singer_ID > 2)",
        "SELECT Name FROM Singer WHERE Age = (SELECT Year FROM Concert WHERE Singer_ID > 2 AND Year > 1)",
        &["where"],
    );
}

#[test]
fn set_operations() {
    let gold = "SELECT Name FROM Singer EXCEPT SELECT Name FROM Singer WHERE Age > 3";
    check(
        gold,
        "SELECT Name FROM Singer EXCEPT SELECT T1.Name FROM Singer AS T1 WHERE T1.Age > 8",
        &[],
    );
    check(
        gold,
        "SELECT Name FROM Singer EXCEPT SELECT Name FROM Singer WHERE Age < 3",
        &["IUEN"],
    );
    check(
        gold,
        "SELECT Name FROM Singer UNION SELECT Name FROM Singer WHERE Age > 3",
        &["IUEN", "keywords"],
    );
}

#[test]
fn what_the_parser_refuses() {
    let unknown = |name: &str| SqlParseError::UnknownColumn(name.to_owned());
    check_error("", &SqlParseError::End);
    check_error("SELECT", &SqlParseError::NoFrom);
    check_error(
        "SELECT Name FROM Singer WHERE Name = \"it's\"",
        &SqlParseError::Quotes,
    );
    check_error("SELECT Nme FROM Singer", &unknown("nme"));
    check_error("SELECT Name FROM Singer WHERE Age=3", &unknown("age=3"));
    check_error(
        "SELECT Name FROM Singer WHERE Age IS NOT NULL",
        &unknown("not"),
    );
    check_error(
        "SELECT Name FROM Singer , Concert",
        &SqlParseError::UnknownTable(",".to_owned()),
    );
    check_error(
        "SELECT Concert.Name FROM Singer AS Concert",
        &SqlParseError::AliasOfTable("concert".to_owned()),
    );
    check_error(
        "SELECT Name FROM Singer WHERE Age > 1 Age < 2 AND Age = 3",
        &SqlParseError::Connectives,
    );
}

#[test]
fn hostile_queries_are_refused_without_harm() {
    check_error(&"(".repeat(60_000), &SqlParseError::NoFrom);
    let long = "SELECT Name FROM Singer ".repeat(4_000);
    check_error(
        &long,
        &SqlParseError::TooLong {
            n_bytes: long.len(),
        },
    );
    let deep = "SELECT Name FROM Singer WHERE Age > (".repeat(1_500);
    check_error(&deep, &SqlParseError::TooDeep { limit: 128 });
    let chain = "SELECT Name FROM Singer UNION ".repeat(2_000);
    check_error(&chain, &SqlParseError::TooDeep { limit: 128 });
    check_error("SELECT Name FROM Singer AS", &SqlParseError::End);
    check_error("\0", &SqlParseError::NoFrom);
}

#[test]
fn hardness() {
    check_hardness("SELECT Name FROM Singer WHERE Age > 3", Hardness::Easy);
    check_hardness(
        "SELECT Name , Age FROM Singer WHERE Age > 3",
        Hardness::Medium,
    );
    check_hardness(
        "SELECT Name FROM Singer ORDER BY Age LIMIT 1",
        Hardness::Medium,
    );
    check_hardness(
        "SELECT Name FROM Singer WHERE Age > 1 GROUP BY Name ORDER BY Age",
        Hardness::Hard,
    );
    check_hardness(
        "SELECT Name FROM Singer WHERE Age > (SELECT avg(Age) FROM Singer)",
        Hardness::Hard,
    );
    check_hardness(
        "SELECT Name , Age FROM Singer WHERE Age > (SELECT avg(Age) FROM Singer)",
        Hardness::Extra,
    );
    // A negation counts as an aggregate.
    check_hardness(
        "SELECT count(*) FROM Singer WHERE Age IN (1)",
        Hardness::Easy,
    );
    check_hardness(
        "SELECT count(*) FROM Singer WHERE Age NOT IN (1)",
        Hardness::Medium,
    );
}

#[test]
fn a_schema_whose_indices_lead_nowhere_does_no_harm() {
    let schema = SpiderSchema::new(&DatabaseSchema {
        name: "broken".to_owned(),
        tables: vec![Table {
            name: "T".to_owned(),
            words: "t".to_owned(),
        }],
        columns: Vec::new(),
        foreign_keys: vec![(3, 9)],
        composite_keys: Vec::new(),
    });
    let query = "SELECT count(*) FROM T GROUP BY *";
    assert!(exact_match(&schema, query, query).unwrap().is_exact);
}

#[test]
fn scores_are_written_under_the_official_names() {
    let outcome = exact_match(&schema(), "SELECT Name FROM Singer", "").unwrap();
    let json = serde_json::to_value(&outcome.components).unwrap();
    let select = serde_json::json!({"is_correct": false, "n_gold": 1, "n_predicted": 0});
    assert_eq!(json["select(no AGG)"], select);
    assert_eq!(json.as_object().unwrap().len(), Component::ALL.len());
}

/// The words of queries over the schema, and marks that do harm.
fn word() -> impl Strategy<Value = &'static str> {
    let words = "select from where group by order having limit union except join on as and or not \
        in between like is distinct count max none ( ( ) ) , ; * + - = != > < . .. -- \" ' 1 2.5 nan \
        'x' T1 T1.Name T1. Name Age Singer_ID Singer Concert Ticket Concert.Year é \0 ` [ cannot";
    let words: Vec<&str> = words.split_whitespace().collect();
    prop::sample::select(words)
}

proptest! {
    #[test]
    fn any_text_is_parsed_or_refused(text in ".*") {
        let _ = exact_match(&schema(), "SELECT Name FROM Singer", &text);
    }

    #[test]
    fn any_words_are_parsed_or_refused(words in prop::collection::vec(word(), 0..40)) {
        let mut query = "SELECT Name FROM Singer ".to_owned() + &words.join(" ");
        let _ = parse(&schema(), &query);
        query.retain(|character| character != ' ');
        let _ = parse(&schema(), &query);
    }

    #[test]
    fn what_is_parsed_matches_itself(words in prop::collection::vec(word(), 0..8)) {
        let query = "SELECT Name FROM Singer WHERE Age > 1 ".to_owned() + &words.join(" ");
        // Not-a-number in a sub-query of FROM differs from itself, here as in the official script.
        if !query.contains("nan") && parse(&schema(), &query).is_ok() {
            prop_assert!(exact_match(&schema(), &query, &query).unwrap().is_exact);
        }
    }
}
