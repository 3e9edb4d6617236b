//! Answers as people read them.

use std::fmt::Write as _;

use patois_ask::{Answer, Program};
use patois_database::{Rows, SqlValue};

use crate::drawing::{draw, table};
use crate::terminal::{BAD, BOLD, DIM, Terminal, styled};

/// How wide tables are where nothing says how wide the terminal is.
const WIDTH: usize = 100;

/// Whether there is an answer that was meant to be shown.
pub(super) fn is_answered(answer: &Answer) -> bool {
    let best = answer.programs.first();
    !answer.abstained && best.is_some_and(|it| it.error.is_none())
}

/// The rows of the best answer, what it computes, how sure it is, and what else could have been meant.
pub(super) fn for_people(answer: &Answer, has_rows: bool) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    if answer.abstained {
        let reason = answer.reason.as_deref().unwrap_or("there is no answer");
        let _ = writeln!(text, "{} {reason}", styled(BAD, "no answer:"));
        if let Some(best) = answer.programs.first() {
            let guess = format!(
                "the best guess, {}, is: {}",
                percent(best.confidence),
                best.words
            );
            let _ = writeln!(text, "{}", styled(DIM, guess));
        }
        return text;
    }
    if let Some(best) = answer.programs.first() {
        text += &shown(best, has_rows);
    }
    let others = &answer.programs[1.min(answer.programs.len())..];
    if !others.is_empty() {
        let _ = writeln!(text, "\n{}", styled(BOLD, "or did you mean"));
        for (index, other) in others.iter().enumerate() {
            let _ = writeln!(
                text,
                "  {}. {}  {}",
                index + 2,
                words(other),
                styled(DIM, percent(other.confidence))
            );
        }
    }
    if let Some(choice) = &answer.choice {
        let _ = writeln!(text, "\n{}", styled(BOLD, &choice.question));
    }
    text
}

/// One answer, with all there is to say about it.
pub(super) fn shown(program: &Program, has_rows: bool) -> String {
    let mut text = String::new();
    if let Some(error) = &program.error {
        let _ = writeln!(text, "{}\n", styled(BAD, error));
    } else if has_rows {
        text += &result(program);
        text.push('\n');
    }
    let sure = if program.is_remembered {
        "as you said before".to_owned()
    } else {
        percent(program.confidence)
    };
    let _ = writeln!(text, "{}  {}", words(program), styled(DIM, sure));
    let _ = writeln!(text, "{}", program.code.trim_end());
    if !program.trace.is_empty() {
        let _ = write!(text, "\n{}", draw(&program.trace));
    }
    text
}

/// The rows.
pub(super) fn result(program: &Program) -> String {
    let width = Terminal::width().unwrap_or(WIDTH);
    let mut text = table(&rows(program), width);
    if program.is_cut {
        let _ = writeln!(text, "and more; these are the first {}", program.rows.len());
    } else if program.rows.is_empty() {
        text.push_str("no rows\n");
    }
    text
}

/// What a query computes; where that cannot be said, the query.
fn words(program: &Program) -> &str {
    if program.words.is_empty() {
        program.code.trim_end()
    } else {
        &program.words
    }
}

fn percent(confidence: f64) -> String {
    format!("{:.0} % sure", confidence * 100.0)
}

fn rows(program: &Program) -> Rows {
    Rows {
        columns: program.columns.clone(),
        rows: program.rows.clone(),
    }
}

/// The rows of the best answer as comma-separated values.
pub(super) fn csv(answer: &Answer) -> String {
    let Some(best) = answer.programs.first().filter(|_| !answer.abstained) else {
        return String::new();
    };
    let line = |cells: Vec<String>| cells.join(",") + "\n";
    let mut text = line(best.columns.iter().map(|it| quoted(it)).collect());
    for row in &best.rows {
        text += &line(row.iter().map(cell).collect());
    }
    text
}

fn cell(value: &SqlValue) -> String {
    match value {
        SqlValue::Null => String::new(),
        other => quoted(&other.to_string()),
    }
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_quoted_where_they_must_be() {
        let best = Program {
            columns: vec!["a,b".to_owned(), "c".to_owned()],
            rows: vec![vec![SqlValue::Text("say \"x\"".to_owned()), SqlValue::Null]],
            ..Program::default()
        };
        let mut answer = Answer {
            programs: vec![best],
            ..Answer::default()
        };
        assert_eq!(csv(&answer), "\"a,b\",c\n\"say \"\"x\"\"\",\n");
        answer.abstained = true;
        assert_eq!(csv(&answer), "");
    }
}
