//! The programs for one text.

use std::fmt::Write as _;
use std::time::Duration;

use patois::run::synthesizer::{Subject, Synthesizer, Written};
use patois::run::trace::{Part, item_name, parts};
use patois_database::{Completeness, QueryLimits, Rows};
use patois_syntax::IdiomId;
use patois_synthesis::{Searcher, Spec};
use serde::Serialize;

use crate::drawing::{draw, table};
use crate::terminal::{BAD, BOLD, styled};

/// What programs are written with, and what is asked for.
pub(super) struct Asked<'a> {
    pub(super) synthesizer: &'a Synthesizer,
    pub(super) searcher: &'a Searcher<'a>,
    pub(super) subject: &'a Subject,
    pub(super) n_programs: usize,
    pub(super) is_traced: bool,
    pub(super) is_run: bool,
}

/// The programs for one text.
#[derive(Debug, Serialize)]
pub(super) struct Answer {
    text: String,
    pub(super) programs: Vec<Program>,
    /// Why there are none, or fewer.
    errors: Vec<String>,
}

/// A program.
#[derive(Debug, Serialize)]
pub(super) struct Program {
    code: String,
    /// What it computes.
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<String>,
    probability: f64,
    ln_p: f64,
    idioms: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<Vec<Part>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<QueryResult>,
}

/// What a query returned.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum QueryResult {
    Rows {
        #[serde(flatten)]
        rows: Rows,
        completeness: Completeness,
    },
    Error {
        error: String,
    },
}

/// The longest text, in words: attention takes the square of it.
const MAX_WORDS: usize = 2000;

/// What is shown of a result.
const SHOWN: QueryLimits = QueryLimits {
    time: Duration::from_secs(10),
    n_rows: 10,
    n_bytes: 1 << 20,
};

impl Asked<'_> {
    /// The programs for a text.
    pub(super) fn answer(&self, text: &str) -> Answer {
        let mut answer = Answer {
            text: text.to_owned(),
            programs: Vec::new(),
            errors: Vec::new(),
        };
        let n_words = patois::spec::words::words(text).len();
        if n_words == 0 {
            answer.errors.push("the text has no words".to_owned());
            return answer;
        }
        if n_words > MAX_WORDS {
            let error = format!("the text has {n_words} words, expected at most {MAX_WORDS}");
            answer.errors.push(error);
            return answer;
        }
        let (spec, answers) = self.synthesizer.answer(self.searcher, text, self.subject);
        answer.errors = answers.unprintable;
        let best = answers.programs.iter().take(self.n_programs);
        answer.programs = best.map(|it| self.program(it, &spec)).collect();
        if let Some(best) = answer.programs.first_mut().filter(|_| self.is_run) {
            best.result = run(self.subject, &best.code);
            if let Some(QueryResult::Error { error }) = &best.result {
                answer.errors.push(format!("the query fails: {error}"));
            }
        }
        if answer.programs.is_empty() && answer.errors.is_empty() {
            answer.errors.push("no program was found".to_owned());
        }
        answer
    }

    fn program(&self, written: &Written, spec: &Spec) -> Program {
        let name = |ty: &str, item| item_name(self.subject.schema(), ty, item);
        let trace = || parts(&self.synthesizer.grammar, &written.found, spec, &name);
        Program {
            code: written.code.clone(),
            words: self.synthesizer.in_words(written, self.subject),
            probability: written.probability(),
            ln_p: written.found.ln_p,
            idioms: written.idioms().map(IdiomId::index).collect(),
            trace: self.is_traced.then(trace),
            result: None,
        }
    }
}

/// Runs a query where it can do no harm; nothing where programs are no queries.
fn run(subject: &Subject, query: &str) -> Option<QueryResult> {
    let opened = subject.open()?.map_err(|error| error.to_string());
    let found = opened.and_then(|database| {
        let found = database.first_rows(query, &SHOWN);
        found.map_err(|error| error.to_string())
    });
    Some(match found {
        Ok((rows, completeness)) => QueryResult::Rows { rows, completeness },
        Err(error) => QueryResult::Error { error },
    })
}

impl Answer {
    /// Whether nothing went wrong.
    pub(super) fn is_whole(&self) -> bool {
        self.errors.is_empty()
    }

    pub(super) fn for_people(&self, is_batch: bool, width: usize) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        if is_batch {
            let _ = writeln!(text, "{}", styled(BOLD, &self.text));
        }
        let is_numbered = self.programs.len() > 1;
        for (index, program) in self.programs.iter().enumerate() {
            if is_numbered {
                let heading = format!("{}. {:.4}", index + 1, program.probability);
                let _ = writeln!(text, "{}", styled(BOLD, heading));
            }
            let _ = writeln!(text, "{}", program.code.trim_end());
            if let Some(words) = &program.words {
                let _ = writeln!(text, "{words}");
            }
            if !is_numbered {
                let _ = writeln!(
                    text,
                    "{}",
                    styled(BOLD, format!("{:.4}", program.probability))
                );
            }
            if let Some(trace) = &program.trace {
                text.push('\n');
                text += &draw(trace);
            }
            if let Some(result) = &program.result {
                text.push('\n');
                text += &result.for_people(width);
            }
        }
        // What is wrong with a query stands where its rows would.
        let is_shown = |it: &&String| !it.starts_with("the query fails: ");
        for error in self.errors.iter().filter(is_shown) {
            let _ = writeln!(text, "{}", styled(BAD, error));
        }
        text
    }
}

impl QueryResult {
    fn for_people(&self, width: usize) -> String {
        match self {
            QueryResult::Rows { rows, completeness } => {
                let mut text = table(rows, width);
                if *completeness == Completeness::Cut {
                    let _ = writeln!(text, "and more; these are the first {}", rows.rows.len());
                } else if rows.rows.is_empty() {
                    text.push_str("no rows\n");
                }
                text
            }
            QueryResult::Error { error } => format!("{}\n", styled(BAD, error)),
        }
    }
}
