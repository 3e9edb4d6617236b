//! What is left out beyond the limits.

use std::time::Duration;

use super::files;
use crate::{ImportLimits, Imported, import};

fn imported(limits: &ImportLimits) -> Imported {
    let cells = |it: i32| format!("{it},x\n");
    let object = |it: i32| format!("{{\"id\": {it}}}\n");
    let cells: String = (0..5000).map(cells).collect();
    let objects: String = (0..5000).map(object).collect();
    let files = files(&[
        ("cells.csv", format!("id,a\n{cells}").as_bytes()),
        ("objects.jsonl", objects.as_bytes()),
    ]);
    import(&files.paths, limits).unwrap()
}

#[track_caller]
fn check(limits: &ImportLimits, n_rows: [u64; 2], notes: &[&str]) {
    let imported = imported(limits);
    let found: Vec<u64> = imported.tables.iter().map(|it| it.n_rows).collect();
    assert_eq!(found, n_rows);
    for table in &imported.tables {
        assert_eq!(table.is_cut, table.n_rows < 5000);
    }
    assert_eq!(imported.notes, notes);
}

#[test]
fn rows_beyond_the_limits_are_left_out() {
    let limits = ImportLimits::default();
    check(&limits, [5000, 5000], &[]);
    check(
        &ImportLimits {
            n_rows: 1,
            ..limits
        },
        [1, 1],
        &[
            "`cells.csv`: `cells` has the first 1 row, there are more: a table has 1 row at most",
            "`objects.jsonl`: `objects` has the first 1 row, there are more: a table has 1 row at most",
        ],
    );
    let exactly = ImportLimits {
        n_rows: 5000,
        ..limits
    };
    check(&exactly, [5000, 5000], &[]);
}

#[test]
fn bytes_are_those_of_all_files() {
    let limits = ImportLimits {
        n_bytes: 50_000,
        ..ImportLimits::default()
    };
    let imported = imported(&limits);
    let [first, second] = &imported.tables[..] else {
        panic!("two tables")
    };
    assert!(first.n_rows == 5000 && !first.is_cut, "{first:?}");
    assert!(
        (1..5000).contains(&second.n_rows) && second.is_cut,
        "{second:?}"
    );
}

#[test]
fn time_ends() {
    let limits = ImportLimits {
        time: Duration::ZERO,
        ..ImportLimits::default()
    };
    let imported = imported(&limits);
    assert!(imported.tables.iter().all(|it| it.n_rows == 0 && it.is_cut));
    let limits = ImportLimits {
        time: Duration::MAX,
        ..ImportLimits::default()
    };
    check(&limits, [5000, 5000], &[]);
}
