//! A panic is a bug of ours: what the user sees of it, and how far it reaches.

use std::cell::{Cell, RefCell};
use std::ffi::OsString;
use std::io::Write as _;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};

use crate::failure::Failure;

/// Replaces the panic message of the standard library, for a program that was called with these words.
pub(crate) fn install(arguments: &[OsString]) {
    let command = command_line(arguments);
    panic::set_hook(Box::new(move |info| {
        let is_guarded = GUARDED.get();
        if is_guarded {
            LAST.set(Some(describe(info)));
        } else {
            report(info, &command);
        }
    }));
}

/// A bug that has been reported on standard error.
#[derive(Debug)]
pub(crate) struct Bug {
    what: String,
}

impl Bug {
    /// As any other failure.
    pub(crate) fn into_failure(self) -> Failure {
        Failure::new("this is a bug in patois, not a mistake of yours")
            .because(self.what)
            .help("please report it with what was written to standard error")
    }
}

/// Runs `work`; a panic has told the user what to report by the time this returns.
pub(crate) fn catch_bug<T>(work: impl FnOnce() -> T) -> Result<T, Bug> {
    panic::catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let fixed = panic.downcast_ref::<&str>().map(|it| (*it).to_owned());
        let what = fixed.or_else(|| panic.downcast_ref::<String>().cloned());
        let what = what.unwrap_or_else(|| "unknown".to_owned());
        Bug { what }
    })
}

/// Runs `work` on one of many inputs; a panic is returned as a message, and the others go on.
pub(crate) fn contain<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let outer = GUARDED.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(outer);
    result.map_err(|_| LAST.take().unwrap_or_else(|| "unknown".to_owned()))
}

thread_local! {
    /// Whether a panic on this thread will be reported with the input that caused it.
    static GUARDED: Cell<bool> = const { Cell::new(false) };
    static LAST: RefCell<Option<String>> = const { RefCell::new(None) };
}

fn describe(info: &PanicHookInfo<'_>) -> String {
    let what = info.payload_as_str().unwrap_or("no message");
    match info.location() {
        Some(place) => format!("{what} ({}:{})", file_name(place.file()), place.line()),
        None => what.to_owned(),
    }
}

/// The path from the crate's folder on: what lies before tells of the machine that compiled it.
fn file_name(path: &str) -> &str {
    let start = path.rfind("/src/").map(|at| path[..at].rfind('/'));
    start.flatten().map_or(path, |at| &path[at + 1..])
}

fn report(info: &PanicHookInfo<'_>, command: &str) {
    let message = format!(
        "\npatois stopped: this is a bug in patois, not a mistake of yours.\n\
         \n  what     {}\
         \n  version  patois {} on {} {}\
         \n  command  {command}\n\
         \nPlease report it with these lines and, if you can, with the input.\n",
        describe(info),
        env!("CARGO_PKG_VERSION"),
        std::env::consts::OS,
        std::env::consts::ARCH,
    );
    // Standard error may be closed; there is nowhere else to complain.
    let _ = std::io::stderr().write_all(message.as_bytes());
}

fn command_line(arguments: &[OsString]) -> String {
    let arguments = arguments.iter().skip(1);
    let words = arguments.map(|word| word.to_string_lossy().into_owned());
    std::iter::once("patois".to_owned())
        .chain(words)
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contained_panic_says_what_and_where() {
        install(&[]);
        let message = contain(|| panic!("no such {}", "luck")).unwrap_err();
        assert!(
            message.starts_with("no such luck (cli/src/panic_hook.rs:"),
            "{message}"
        );
        assert_eq!(contain(|| 7), Ok(7));
    }

    #[test]
    fn a_bug_is_an_error_of_the_json_object() {
        let bug = catch_bug(|| panic!("no such {}", "luck")).unwrap_err();
        assert_eq!(
            bug.into_failure().to_json()["error"]["causes"],
            serde_json::json!(["no such luck"])
        );
        assert_eq!(catch_bug(|| 7).unwrap(), 7);
    }
}
