//! What tools return, as short texts for language models and people.

use std::fmt::Write as _;

use patois_ask::{Answer, Checked, Program};
use patois_database::SqlValue;

use crate::api::Returned;
use crate::describe::Description;

/// How many rows are written out; the structured result has all of them.
const MOST_ROWS: usize = 20;

/// An answer: the best query with its rows, and the others in a line each.
pub(super) fn answer(answer: &Answer) -> String {
    let mut text = String::new();
    if answer.abstained {
        let reason = answer.reason.as_deref().unwrap_or("no query was found");
        let _ = writeln!(text, "No answer: {reason}.");
    }
    let mut programs = answer.programs.iter();
    if !answer.abstained
        && let Some(best) = programs.next()
    {
        text.push_str(&in_full(best));
    }
    let label = if answer.abstained { "Guess" } else { "Or" };
    for other in programs {
        let _ = writeln!(
            text,
            "{label} ({}): {}\n    {}",
            percent(other.confidence),
            other.words,
            other.code
        );
    }
    text
}

fn in_full(program: &Program) -> String {
    let sure = if program.is_remembered {
        "a person said that this is right".to_owned()
    } else {
        format!("confidence {}", percent(program.confidence))
    };
    let rows = match &program.error {
        Some(error) => format!("The query fails: {error}\n"),
        None => table(&program.columns, &program.rows, program.is_cut),
    };
    let words = &program.words;
    format!("{words} ({sure})\n    {}\n\n{rows}", program.code)
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// What a query returned, or why it did not.
pub(super) fn returned(returned: &Returned) -> Result<String, String> {
    match returned {
        Returned::Rows {
            columns,
            rows,
            is_cut,
            ..
        } => Ok(table(columns, rows, *is_cut)),
        Returned::Error { error } => Err(error.clone()),
    }
}

/// Whether a query would run.
pub(super) fn checked(checked: &Checked) -> String {
    match (&checked.error, &checked.words) {
        (Some(error), _) => format!("It would not run: {error}"),
        (None, Some(words)) => format!("It would run: {words}"),
        (None, None) => "It would run; what it computes is beyond our words".to_owned(),
    }
}

/// A database: a line for each table.
pub(super) fn schema(description: &Description) -> String {
    let mut text = String::new();
    for table in &description.tables {
        let columns: Vec<String> = table.columns.iter().map(column).collect();
        let n_rows = table
            .n_rows
            .map_or("unknown".to_owned(), |it| it.to_string());
        let _ = writeln!(
            text,
            "{}({}) -- rows: {n_rows}",
            table.name,
            columns.join(", ")
        );
    }
    text
}

fn column(column: &crate::describe::ColumnDescription) -> String {
    let kind = format!("{:?}", column.kind).to_lowercase();
    let key = if column.is_primary_key { " key" } else { "" };
    let references = column.refers_to.iter().map(|it| {
        let guessed = if it.is_guessed { " (guessed)" } else { "" };
        format!(" -> {}.{}{guessed}", it.table, it.column)
    });
    let references: String = references.collect();
    format!("{} {kind}{key}{references}", column.name)
}

/// Rows between bars.
fn table(columns: &[String], rows: &[Vec<SqlValue>], is_cut: bool) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut text = line(columns.iter().map(|it| cell(it)).collect());
    text.push_str(&line(vec!["---".to_owned(); columns.len()]));
    for row in rows.iter().take(MOST_ROWS) {
        text.push_str(&line(row.iter().map(|it| cell(&it.to_string())).collect()));
    }
    let n_rows = rows.len();
    let _ = match (n_rows > MOST_ROWS, is_cut) {
        (false, false) => writeln!(text, "({n_rows} rows)"),
        (false, true) => writeln!(text, "(the first {n_rows} rows; there are more)"),
        (true, false) => writeln!(text, "({MOST_ROWS} of {n_rows} rows)"),
        (true, true) => writeln!(
            text,
            "({MOST_ROWS} of the first {n_rows} rows; there are more)"
        ),
    };
    text
}

/// How long a cell may be.
const MOST_CHARACTERS: usize = 200;

/// A value in one line that does not end its cell.
fn cell(text: &str) -> String {
    let mut short: String = text.chars().take(MOST_CHARACTERS).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short.replace(['\n', '\r'], " ").replace('|', "\\|")
}
