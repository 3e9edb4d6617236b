//! What a user should know about how files were read.

use super::dialect::{Dialect, FirstRow};
use super::encoding::Repairs;
use super::guess::Form;
use super::names::listed;
use super::number::{Sign, Style};
use super::table::Plan;

/// A number with what it counts.
pub(super) fn counted(count: u64, one: &str, many: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {many}"),
    }
}

/// What the way a file of cells is written makes of it.
pub(super) fn of_dialect(dialect: Dialect, n_columns: usize) -> Vec<String> {
    let titles = (dialect.n_titles > 0).then(|| {
        let before = counted(dialect.n_titles as u64, "row", "rows");
        format!("{before} before the table left out")
    });
    let first = match dialect.first {
        FirstRow::Names => None,
        FirstRow::NamesButOne => {
            Some("the first column has no name and is called `column1`".to_owned())
        }
        FirstRow::Values { .. } => Some(format!(
            "the first row looks like values, so columns are called `column1` to `column{n_columns}`"
        )),
    };
    titles.into_iter().chain(first).collect()
}

/// What columns were taken for.
pub(super) fn of_columns(plan: &Plan) -> Vec<String> {
    let columns = || plan.columns.iter();
    let named = |is_meant: &dyn Fn(Form) -> bool, what: &str| {
        let names = columns().filter(|it| is_meant(it.form));
        let names: Vec<&str> = names.map(|it| it.name.as_str()).collect();
        (!names.is_empty()).then(|| format!("{what}: {}", listed(names)))
    };
    let mut notes: Vec<Option<String>> = Vec::new();
    let point = |it: Form| {
        matches!(
            it,
            Form::Marked {
                style: Style::Point,
                sign: Sign::Without,
                ..
            }
        )
    };
    let comma = |it: Form| {
        matches!(
            it,
            Form::Marked {
                style: Style::Comma,
                sign: Sign::Without,
                ..
            }
        )
    };
    let signed = |it: Form| matches!(it, Form::Marked { sign, .. } if sign != Sign::Without);
    let dates = |it: Form| matches!(it, Form::Date { .. });
    notes.push(named(
        &point,
        "numbers written like `1,234.5` are now `1234.5`",
    ));
    notes.push(named(
        &comma,
        "numbers written like `1.234,5` are now `1234.5`",
    ));
    notes.push(named(
        &signed,
        "signs of currencies or percent are taken off numbers",
    ));
    notes.push(named(&dates, "dates are now written like `2020-12-31`"));
    let is_boolean = |it: Form| it == Form::Boolean;
    notes.push(named(&is_boolean, "`true` and `false` are now 1 and 0"));
    let ambiguous: Vec<&str> = columns()
        .filter(|it| it.is_ambiguous)
        .map(|it| it.name.as_str())
        .collect();
    notes.push((!ambiguous.is_empty()).then(|| {
        let names = listed(ambiguous);
        format!("dates may have the day or the month first, and stay as they are: {names}")
    }));
    notes.push(missing(plan));
    notes.into_iter().flatten().collect()
}

/// Words that were taken for no value.
fn missing(plan: &Plan) -> Option<String> {
    let with = plan.columns.iter().filter(|it| it.n_missing > 0);
    let n_cells: u64 = with.clone().map(|it| it.n_missing).sum();
    let names = listed(with.map(|it| it.name.as_str()));
    (n_cells > 0).then(|| {
        let say = counted(n_cells, "cell says", "cells say");
        format!("{say} `NA`, `NULL` or the like, which is now NULL: {names}")
    })
}

/// What had to be done to texts.
pub(super) fn of_repairs(repairs: Repairs) -> Vec<String> {
    let note = |count, what: &str| {
        let cells = counted(count, "cell", "cells");
        (count > 0).then(|| format!("{cells} {what}"))
    };
    let windows = note(repairs.n_windows, "not in UTF-8, read as Windows-1252");
    let nul = note(repairs.n_nul, "with NUL characters, which are left out");
    windows.into_iter().chain(nul).collect()
}
