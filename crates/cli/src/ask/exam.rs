//! How good answers are, measured on pairs of one's own.

use std::fmt::Write as _;
use std::path::Path;

use patois_ask::{Asker, Exam, Pair};

use crate::Context;
use crate::failure::{Failure, Status};

/// Asks every question of a file, and compares the rows of answers with those of its queries.
pub(super) fn measure(
    asker: &Asker<'_>,
    file: &Path,
    context: &Context,
) -> Result<Status, Failure> {
    let pairs = Pair::read(file).map_err(|error| Failure::new(error.to_string()))?;
    let exam = Exam::sit(asker, pairs)
        .map_err(|error| Failure::new(format!("`{}`: {error}", file.display())))?;
    context.terminal.result(&exam, || for_people(&exam))?;
    Ok(Status::Done)
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
