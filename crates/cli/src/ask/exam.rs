//! How good answers are, measured on pairs of one's own.

use std::fmt::Write as _;
use std::path::Path;

use patois_ask::{Asker, Exam, Pair};
use patois_codebase::sources;

use crate::Context;
use crate::failure::{Failure, Status};

/// Asks every question of a file, and compares the rows of answers with those of its queries.
pub(super) fn measure(
    asker: &Asker<'_>,
    file: &Path,
    context: &Context,
) -> Result<Status, Failure> {
    let pairs = read(file)?;
    let exam = Exam::sit(asker, pairs)
        .map_err(|error| Failure::new(format!("`{}`: {error}", file.display())))?;
    context.terminal.result(&exam, || for_people(&exam))?;
    Ok(Status::Done)
}

fn read(file: &Path) -> Result<Vec<Pair>, Failure> {
    let text = sources::read(file).map_err(|error| {
        Failure::new(format!("cannot read `{}`", file.display())).because(error.to_string())
    })?;
    let lines = text.lines().enumerate();
    let lines = lines.filter(|it| !it.1.trim().is_empty());
    let pairs: Result<Vec<Pair>, Failure> = lines
        .map(|(index, line)| {
            serde_json::from_str(line).map_err(|error| {
                let place = format!("`{}`, line {}", file.display(), index + 1);
                let message = format!("{place}: expected an object with `question` and `sql`");
                Failure::new(message).because(error)
            })
        })
        .collect();
    let pairs = pairs?;
    if pairs.is_empty() {
        let message = format!("there is no pair in `{}`", file.display());
        return Err(Failure::new(message));
    }
    Ok(pairs)
}

/// What was answered wrongly, and the figures.
fn for_people(exam: &Exam) -> String {
    let mut text = String::new();
    let wrong = exam.results.iter();
    let wrong = wrong.filter(|it| !it.is_right && it.expected.is_some());
    for it in wrong {
        let found = it.found.as_deref().unwrap_or("nothing");
        let expected = it.expected.as_deref().unwrap_or_default();
        let refused = if it.is_refused { " (refused)" } else { "" };
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{}{refused}\n  found    {found}\n  expected {expected}",
            it.question
        );
    }
    text + &exam.to_string()
}
