//! Standard output and standard error: results on one, everything else on the other.

use std::io::{self, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};
use clap::builder::styling::{AnsiColor, Style};
use miette::{Diagnostic, MietteHandlerOpts, ReportHandler, RgbColors};
use serde::Serialize;

use crate::failure::Failure;
use crate::harmless::{escaped, tamed};

/// How to talk to the user.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terminal {
    pub(crate) format: Format,
    pub(crate) verbosity: Verbosity,
    pub(crate) color: ColorChoice,
}

/// Whom results are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    People,
    Json,
    /// Another rank shows them.
    Nobody,
}

/// How much is said beside the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verbosity {
    Quiet,
    Normal,
    Verbose,
}

/// Headings: no colour of their own, so that they show on any background.
pub(crate) const BOLD: Style = Style::new().bold();
/// What is there to look something up in.
pub(crate) const DIM: Style = Style::new().dimmed();
/// What went well.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// What went wrong.
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();

impl Terminal {
    /// Prints a result: for people `text`, for machines `value` as one line of JSON.
    pub(crate) fn result(
        self,
        value: &impl Serialize,
        text: impl FnOnce() -> String,
    ) -> Result<(), Failure> {
        match self.format {
            Format::Nobody => Ok(()),
            Format::People => self.print(tamed(&text()).as_bytes()),
            Format::Json => {
                let json = serde_json::to_string(value)
                    .map_err(|error| Failure::new("cannot write the result").because(error))?;
                self.print(escaped(&(json + "\n")).as_bytes())
            }
        }
    }

    /// Prints a document that is its own format.
    pub(crate) fn document(self, text: &str) -> Result<(), Failure> {
        self.print(tamed(text).as_bytes())
    }

    /// Writes to standard output; a reader that has heard enough (`| head`) is no error.
    fn print(self, text: &[u8]) -> Result<(), Failure> {
        let stdout = io::stdout().lock();
        let mut stream = AutoStream::new(stdout, self.color_of(&io::stdout()));
        let written = stream.write_all(text).and_then(|()| stream.flush());
        match written {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(Failure::new("cannot write to standard output").because(error))
            }
            _ => Ok(()),
        }
    }

    /// Says something on standard error, unless asked to be quiet.
    pub(crate) fn note(self, text: impl AsRef<str>) {
        if self.verbosity > Verbosity::Quiet {
            self.complain(text);
        }
    }

    /// Shows a diagnostic on standard error, quiet or not.
    pub(crate) fn show(self, diagnostic: &dyn Diagnostic) {
        self.complain(self.render(diagnostic, &io::stderr()));
    }

    /// A diagnostic as it would look on `stream`.
    pub(crate) fn render(self, diagnostic: &dyn Diagnostic, stream: &impl RawStream) -> String {
        struct Shown<'d>(Box<dyn ReportHandler>, &'d dyn Diagnostic);
        impl std::fmt::Display for Shown<'_> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.debug(self.1, f)
            }
        }
        let handler = MietteHandlerOpts::new()
            .color(self.color_of(stream) != ColorChoice::Never)
            .rgb_colors(RgbColors::Never)
            // Whoever reads a file or a pipe looks for words, which are not to be torn apart.
            .wrap_lines(stream.is_terminal())
            .build();
        Shown(Box::new(handler), diagnostic).to_string()
    }

    /// Whether a bar can be drawn, rather than lines written one after the other.
    pub(crate) fn draws() -> bool {
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        io::stderr().is_terminal() && !is_dumb
    }

    /// How many columns standard output has; none where it is no terminal.
    pub(crate) fn width() -> Option<usize> {
        let (width, _) = terminal_size::terminal_size_of(io::stdout())?;
        Some(width.0.into())
    }

    /// Says something on standard error, quiet or not.
    pub(crate) fn complain(self, text: impl AsRef<str>) {
        let stderr = io::stderr().lock();
        let mut stream = AutoStream::new(stderr, self.color_of(&io::stderr()));
        // Where standard error is closed, there is nowhere left to complain.
        let _ = writeln!(stream, "{}", tamed(text.as_ref().trim_end()));
    }

    fn color_of(self, stream: &impl RawStream) -> ColorChoice {
        match self.color {
            ColorChoice::Auto => AutoStream::choice(stream),
            chosen => chosen,
        }
    }
}

pub(crate) use anstream::stream::RawStream;

/// `text` in a style; the stream drops the style where it cannot be shown.
pub(crate) fn styled(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}
