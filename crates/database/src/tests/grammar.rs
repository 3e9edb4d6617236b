//! Every sentence of the grammar of a database is a query that can be run.

use patois_languages::sql::{QueryGrammar, Symbol};

use crate::{Database, QueryError, QueryLimits};

/// A sentence: ways are chosen by what is left of a number, the first ones where it has become too long.
fn sentence(grammar: &QueryGrammar, mut number: u64) -> String {
    let mut text = String::new();
    let mut open = vec![Symbol::Rule("root".to_owned())];
    while let Some(symbol) = open.pop() {
        let mut draw = |n: usize| {
            number = number
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (number >> 33) as usize % n
        };
        match symbol {
            Symbol::Text(part) => text += &part,
            Symbol::OneOf(ranges) => text.push(ranges[draw(ranges.len())].0),
            Symbol::Rule(name) => {
                let (_, ways) = grammar.rules().find(|it| it.0 == name).expect(&name);
                let n_ways = if text.len() > 300 { 1 } else { ways.len() };
                open.extend(ways[draw(n_ways)].iter().rev().cloned());
            }
        }
    }
    text
}

#[test]
fn every_sentence_is_a_query() {
    let script = "CREATE TABLE city(id INTEGER PRIMARY KEY, \"na<me\" TEXT, \"a@b\" INT);
        CREATE TABLE \"or\"\"der\"(city INTEGER REFERENCES city(id), \"select\" TEXT, \"%FROM%\" REAL);
        CREATE TABLE line(a INT, b INT, PRIMARY KEY (a, b));
        CREATE TABLE part(a INT, b INT, n INT, FOREIGN KEY (a, b) REFERENCES line(a, b));";
    let database = Database::from_script("shop", script).unwrap();
    let grammar = QueryGrammar::new(&database.schema().unwrap().schema);
    for number in 0..2_000 {
        let sql = sentence(&grammar, number);
        let limits = QueryLimits {
            n_rows: 1,
            ..QueryLimits::default()
        };
        let result = database.first_rows(&sql, &limits);
        let runs = matches!(
            result,
            Ok(_) | Err(QueryError::Time(_) | QueryError::Rows(_))
        );
        assert!(runs, "{sql}: {result:?}");
    }
}
