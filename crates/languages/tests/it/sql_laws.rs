//! The laws of SQL: every tree that the grammar allows prints, and reads back to the same tree.

use std::sync::{Arc, LazyLock};

use patois_languages::sql::{Column, ColumnKind, DatabaseSchema, Mode, Sql, Table};
use patois_syntax::laws::{Choices, check_tree, grow};
use patois_syntax::{Grammar, Language, Text};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

/// A database whose names are as awkward as names get.
static AWKWARD: LazyLock<Arc<DatabaseSchema>> = LazyLock::new(|| {
    let tables: [(&str, &[&str]); 7] = [
        ("singer", &["id", "name", "c1"]),
        ("song", &["id", "singer_id", "title"]),
        ("order", &["select", "true", "end", "18_49"]),
        ("cast", &["id", "it's", "a \"b\"", "a.b"]),
        ("T1", &["T1", "rowid", "count"]),
        ("a b", &["a b", "[x]", "current_date", "é"]),
        ("empty", &[]),
    ];
    let mut columns = vec![column(None, "*")];
    for (index, (_, names)) in tables.iter().enumerate() {
        columns.extend(names.iter().map(|name| column(Some(index), name)));
    }
    Arc::new(DatabaseSchema {
        name: "awkward".into(),
        tables: tables
            .iter()
            .map(|(name, _)| Table {
                name: (*name).into(),
                words: (*name).into(),
            })
            .collect(),
        columns,
        foreign_keys: vec![
            (5, 1),
            (11, 4),
            (15, 11),
            (7, 18),
            (12, 4),
            (13, 5),
            (3, 1),
            (6, 2),
        ],
        composite_keys: vec![vec![4, 5]],
    })
});

fn column(table: Option<usize>, name: &str) -> Column {
    Column {
        table,
        name: name.into(),
        words: name.into(),
        kind: ColumnKind::Text,
        is_primary_key: false,
    }
}

/// Choices read off a list of random numbers; past its end, the first of everything.
struct Script(std::vec::IntoIter<u32>);

impl Script {
    fn next(&mut self) -> usize {
        self.0.next().unwrap_or(0) as usize
    }

    fn one_of(&mut self, texts: &[&str]) -> Text {
        Text::new(texts[self.next() % texts.len()])
    }
}

impl Choices for Script {
    fn choose(&mut self, n: usize) -> usize {
        self.next() % n
    }

    fn text(&mut self, ty: &str) -> Text {
        match ty {
            "string" => self.one_of(&["", "x", "it's", "\"", "*", "id", "a;b", "--", "é\n", "1"]),
            "number" => self.one_of(&["0", "1", "007", "1.5", ".5", "1.", "1e5", "2.5E-3", "0xfF"]),
            "blob" => self.one_of(&["", "00", "C0FFEE"]),
            "count" => self.one_of(&["0", "1", "007", "12"]),
            _ => panic!("SQL has no texts of type {ty}"),
        }
    }

    fn reference(&mut self, ty: &str) -> u32 {
        let count = match ty {
            "column" => AWKWARD.columns.len(),
            _ => AWKWARD.tables.len(),
        };
        (self.next() % count) as u32
    }
}

#[test]
fn trees_of_both_modes_come_back() {
    check(Mode::Full, 250);
    check(Mode::Paper, 250);
}

#[test]
#[ignore = "for changes of the grammar: takes half a minute"]
fn many_trees_of_both_modes_come_back() {
    check(Mode::Full, 10_000);
    check(Mode::Paper, 10_000);
}

fn check(mode: Mode, cases: u32) {
    let config = ProptestConfig {
        cases,
        failure_persistence: None,
        ..Default::default()
    };
    let script = proptest::collection::vec(any::<u32>(), 1..150);
    let mut runner = TestRunner::new(config);
    let checked = runner.run(&(script, 1..150_usize), |(script, n_nodes)| {
        check_script(mode, script, n_nodes);
        Ok(())
    });
    checked.unwrap();
}

fn check_script(mode: Mode, script: Vec<u32>, n_nodes: usize) {
    let sql = Sql::new(AWKWARD.clone(), mode);
    let grammar = Grammar::from_schema(Sql::schema_of(mode));
    let mut script = Script(script.into_iter());
    let tree = grow(&grammar, grammar.root(), n_nodes, &mut script);
    check_tree(&sql, &grammar, &tree);
    // What is printed is already canonical.
    let printed = sql.print(&grammar.ast(&tree)).unwrap();
    let again = sql.print(&sql.parse(&printed).unwrap()).unwrap();
    assert_eq!(printed, again);
}
