//! How far the work is: a bar on a terminal, a line now and then elsewhere, nothing when quiet.

use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::terminal::{Terminal, Verbosity};

/// The progress of one long loop over a known number of items; workers share it.
pub(crate) struct Progress(Kind);

enum Kind {
    Silent,
    Bar(ProgressBar),
    Lines(Lines),
}

struct Lines {
    terminal: Terminal,
    what: &'static str,
    total: u64,
    /// How many were done before this progress began.
    before: u64,
    done: AtomicU64,
    started: Instant,
    next: Mutex<Instant>,
}

/// Work that ends sooner than this is not worth a line.
const FIRST_LINE: Duration = Duration::from_secs(2);
const BETWEEN_LINES: Duration = Duration::from_secs(5);

impl Progress {
    /// Starts the progress of `total` items; `what` is the work, such as `parsing`.
    pub(crate) fn start(terminal: Terminal, what: &'static str, total: usize) -> Progress {
        Progress::go_on(terminal, what, 0, total)
    }

    /// Starts the progress of `total` items, of which some were done before.
    pub(crate) fn go_on(
        terminal: Terminal,
        what: &'static str,
        before: usize,
        total: usize,
    ) -> Progress {
        let (before, total) = (before as u64, total as u64);
        Progress(if terminal.verbosity == Verbosity::Quiet {
            Kind::Silent
        } else if Terminal::draws() {
            let bar = bar(what, total);
            bar.set_position(before);
            bar.reset_eta();
            Kind::Bar(bar)
        } else {
            let started = Instant::now();
            Kind::Lines(Lines {
                terminal,
                what,
                total,
                before,
                done: AtomicU64::new(before),
                started,
                next: Mutex::new(started + FIRST_LINE),
            })
        })
    }

    /// One more item is done.
    pub(crate) fn step(&self) {
        match &self.0 {
            Kind::Silent => {}
            Kind::Bar(bar) => bar.inc(1),
            Kind::Lines(lines) => lines.step(String::new),
        }
    }

    /// One more item is done; `message` says how it went, where there is time to say so.
    pub(crate) fn step_with(&self, message: impl Fn() -> String) {
        match &self.0 {
            Kind::Silent => {}
            Kind::Bar(bar) => {
                bar.set_message(message());
                bar.inc(1);
            }
            Kind::Lines(lines) => lines.step(message),
        }
    }

    /// Says something between two items.
    pub(crate) fn note(&self, message: &str) {
        match &self.0 {
            Kind::Silent => {}
            Kind::Bar(bar) => bar.println(message),
            Kind::Lines(lines) => lines.terminal.note(message),
        }
    }
}

/// Steps that are worth a message each.
impl Progress {
    /// One more item is done, which `message` is about.
    pub(crate) fn step_to(&self, message: &str) {
        match &self.0 {
            Kind::Silent => {}
            Kind::Bar(bar) => {
                bar.set_message(message.to_owned());
                bar.inc(1);
            }
            Kind::Lines(lines) => lines.terminal.note(message),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Kind::Bar(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

impl Lines {
    fn step(&self, message: impl Fn() -> String) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        // Another worker that holds the lock is about to write the line.
        let Ok(mut next) = self.next.try_lock() else {
            return;
        };
        let now = Instant::now();
        if now >= *next {
            *next = now + BETWEEN_LINES;
            self.terminal
                .note(self.line(done, now - self.started, &message()));
        }
    }

    fn line(&self, done: u64, elapsed: Duration, message: &str) -> String {
        let rate = (done - self.before) as f64 / elapsed.as_secs_f64().max(1e-9);
        let left = self.total.saturating_sub(done) as f64 / rate.max(1e-9);
        let (what, total) = (self.what, self.total);
        let message = match message {
            "" => String::new(),
            message => format!(", {message}"),
        };
        let rate = Rate(rate);
        format!("{what}: {done} of {total}{message}, {rate}, {left:.0} s left")
    }
}

/// How fast the work goes, with a digit behind the point where it goes slowly.
struct Rate(f64);

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n_digits = usize::from(self.0 < 9.95);
        write!(f, "{:.n_digits$}/s", self.0)
    }
}

fn bar(what: &'static str, total: u64) -> ProgressBar {
    let template = "{msg} [{wide_bar}] {human_pos}/{human_len} {rate}, {eta} left";
    let style = ProgressStyle::with_template(template)
        .expect("the template is a constant")
        .with_key("rate", |state: &ProgressState, f: &mut dyn fmt::Write| {
            // Where it cannot be written, there is no bar either.
            let _ = write!(f, "{}", Rate(state.per_sec()));
        })
        .progress_chars("=> ");
    let target = ProgressDrawTarget::stderr_with_hz(10);
    let bar = ProgressBar::with_draw_target(Some(total), target)
        .with_style(style)
        .with_message(what);
    // Ticks by itself, so that an item that takes long does not look like a hang.
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::Format;

    #[test]
    fn a_line_tells_rate_and_time_left() {
        let lines = Lines {
            terminal: Terminal {
                format: Format::People,
                verbosity: Verbosity::Normal,
                color: anstream::ColorChoice::Never,
            },
            what: "parsing",
            total: 300,
            before: 0,
            done: AtomicU64::new(0),
            started: Instant::now(),
            next: Mutex::new(Instant::now()),
        };
        let line = lines.line(100, Duration::from_secs(4), "");
        assert_eq!(line, "parsing: 100 of 300, 25/s, 8 s left");
        let line = lines.line(100, Duration::from_secs(40), "loss 1.5");
        assert_eq!(line, "parsing: 100 of 300, loss 1.5, 2.5/s, 80 s left");
    }
}
