//! What holds of all tables.

use proptest::collection::vec;
use proptest::prelude::*;

use super::{imported, open};
use crate::{QueryLimits, SqlValue};

/// Texts that are not taken for something else, with what parts cells and lines.
fn cell() -> impl Strategy<Value = String> {
    "x[a-zäö ,;|\"'\n\t0-9]{0,8}y"
}

fn written(rows: &[Vec<String>], delimiter: u8) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new()
        .delimiter(delimiter)
        .from_writer(Vec::new());
    writer.write_record(["name", "of", "columns"]).unwrap();
    for row in rows {
        writer.write_record(row).unwrap();
    }
    writer.into_inner().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn what_is_written_is_read(
        rows in vec(vec(cell(), 3), 0..12),
        delimiter in prop::sample::select(vec![b',', b';', b'\t', b'|']),
    ) {
        let bytes = written(&rows, delimiter);
        let imported = imported(&[("table.csv", &bytes)]).unwrap();
        let found = open(&imported)
            .query("SELECT * FROM \"table\"", &QueryLimits::default())
            .unwrap();
        let expected: Vec<Vec<SqlValue>> = rows
            .iter()
            .map(|row| row.iter().cloned().map(SqlValue::Text).collect())
            .collect();
        prop_assert_eq!(found.columns, ["name", "of", "columns"]);
        prop_assert_eq!(found.rows, expected);
    }

    #[test]
    fn numbers_come_back(numbers in vec((any::<i64>(), -1e12..1e12_f64), 1..20)) {
        let line = |it: &(i64, f64)| format!("x,{},{:?}\n", it.0, it.1);
        let text: String = numbers.iter().map(line).collect();
        let imported = imported(&[("t.csv", format!("a,b,c\n{text}").as_bytes())]).unwrap();
        let found = open(&imported)
            .query("SELECT b, c FROM t", &QueryLimits::default())
            .unwrap();
        let expected: Vec<Vec<SqlValue>> = numbers
            .iter()
            .map(|it| vec![SqlValue::Integer(it.0), SqlValue::Real(it.1)])
            .collect();
        prop_assert_eq!(found.rows, expected);
    }
}
