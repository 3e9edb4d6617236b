//! What a verb ends with: a status for the shell, and an error that says what to do.

use std::error::Error;
use std::fmt;
use std::process::ExitCode;

use miette::{Diagnostic, LabeledSpan, SourceCode};
use patois::run::document::DocumentError;
use patois_syntax::ParseError;

use crate::excerpt::Excerpt;

/// How the program ends, as the shell sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Everything asked for was done.
    Done,
    /// It was tried and went wrong, or what was checked does not hold.
    Failed,
    /// The command line makes no sense; nothing was tried.
    Misuse,
    /// It was done, save for something that could not be looked at; only where grep's codes are ours.
    Incomplete,
    /// What was to be checked could not be looked at; only where one says that something was found.
    Unseen,
    /// Ctrl-C: 128 + 2, as a shell reports it.
    Interrupted,
}

impl Status {
    /// The exit code.
    pub const fn code(self) -> u8 {
        match self {
            Status::Done => 0,
            Status::Failed => 1,
            Status::Misuse | Status::Incomplete => 2,
            Status::Unseen => 3,
            Status::Interrupted => 130,
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status.code())
    }
}

/// Why a verb gave up.
#[derive(Debug)]
pub struct Failure {
    pub(crate) status: Status,
    message: String,
    cause: Option<Box<dyn Error + Send + Sync>>,
    help: Option<String>,
    place: Option<Box<Excerpt>>,
}

impl Failure {
    /// The work was tried and cannot be done.
    pub fn new(message: impl Into<String>) -> Failure {
        Failure {
            status: Status::Failed,
            message: message.into(),
            cause: None,
            help: None,
            place: None,
        }
    }

    /// The command line asks for something that does not exist.
    pub fn misuse(message: impl Into<String>) -> Failure {
        Failure {
            status: Status::Misuse,
            ..Failure::new(message)
        }
    }

    /// The same failure, with its cause.
    #[must_use]
    pub fn because(self, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Failure {
        Failure {
            cause: Some(cause.into()),
            ..self
        }
    }

    /// The same failure, with advice.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Failure {
        Failure {
            help: Some(help.into()),
            ..self
        }
    }

    /// Shows where in a file the mistake is.
    pub(crate) fn at(self, place: Option<Excerpt>) -> Failure {
        Failure {
            place: place.map(Box::new),
            ..self
        }
    }

    /// A document that somebody wrote is not `what` it should be.
    pub(crate) fn of_document(error: &DocumentError, what: &str) -> Failure {
        let DocumentError { name, text, .. } = error;
        let message = format!("`{name}` is no {what}: {}", error.error.message);
        // What would be right has been said; the label says what is wrong.
        let wrong = match &error.unknown {
            Some(unknown) => format!("unknown {} `{}`", unknown.what, unknown.found),
            None => error.error.message.clone(),
        };
        let offset = error.error.offset;
        let place = ParseError {
            offset,
            message: wrong,
        };
        Failure {
            help: error.help(),
            ..Failure::misuse(message).at(Excerpt::of(name, text, &place))
        }
    }

    /// How the program ends with it.
    pub fn status(&self) -> Status {
        self.status
    }

    /// Its causes, from the nearest to the root.
    pub fn causes(&self) -> Vec<String> {
        let mut causes = Vec::new();
        let mut next = self.source();
        while let Some(cause) = next {
            causes.push(cause.to_string());
            next = cause.source();
        }
        causes
    }

    /// What can be done about it.
    pub fn advice(&self) -> Option<&str> {
        self.help.as_deref()
    }

    /// For `--json`: the message, its causes from the nearest to the root, and the advice.
    pub(crate) fn to_json(&self) -> serde_json::Value {
        serde_json::json!({
            "error": { "message": self.message, "causes": self.causes(), "help": self.help }
        })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for Failure {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.cause.as_deref().map(|cause| cause as _)
    }
}

impl Diagnostic for Failure {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as _)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.place.as_ref()?.source_code()
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        self.place.as_ref()?.labels()
    }
}

impl From<patois_codebase::output::OutputError> for Failure {
    fn from(error: patois_codebase::output::OutputError) -> Failure {
        let cause = error.source().map(ToString::to_string);
        let failure = Failure::new(error.to_string());
        match cause {
            Some(cause) => failure.because(cause),
            None => failure,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_lists_the_causes_down_to_the_root() {
        let root = std::io::Error::other("disk on fire");
        let error = patois_codebase::output::OutputError::Io {
            path: "a".into(),
            source: root,
        };
        let failure = Failure::from(error).help("buy a disk");
        assert_eq!(
            failure.to_json(),
            serde_json::json!({"error": {
                "message": "cannot write `a`", "causes": ["disk on fire"], "help": "buy a disk"
            }})
        );
    }
}
