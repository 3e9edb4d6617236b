//! A run as the terminal shows it: a bar for the work at hand, and Ctrl-C that asks training to stop.

use std::ops::ControlFlow;

use patois::corpus::Split;
use patois::run::{Event, Observer, Work};

use crate::interrupt::Awaited;
use crate::progress::Progress;
use crate::terminal::Terminal;

/// Shows how a run goes.
pub(super) struct Watcher {
    terminal: Terminal,
    progress: Option<Progress>,
    interrupt: Option<Awaited>,
    /// Single losses jump; what is shown follows them slowly.
    loss: Option<f64>,
}

impl Watcher {
    pub(super) fn new(terminal: Terminal) -> Watcher {
        Watcher {
            terminal,
            progress: None,
            interrupt: None,
            loss: None,
        }
    }

    fn begin(&mut self, work: Work, n_done: usize, n_items: usize) {
        let what = match work {
            Work::Mining => "mining",
            Work::Selecting => "selecting",
            Work::Counting => "counting",
            Work::Reading => "reading",
            Work::Training => "training",
            Work::Writing => "writing",
        };
        self.progress = Some(Progress::go_on(self.terminal, what, n_done, n_items));
        self.loss = None;
        // Training can be gone on with; what else is under way ends with the program.
        self.interrupt = (work == Work::Training).then(Awaited::start);
    }
}

impl Observer for Watcher {
    fn see(&mut self, event: Event<'_>) -> ControlFlow<()> {
        if let Event::Begins {
            work,
            n_done,
            n_items,
        } = event
        {
            self.begin(work, n_done, n_items);
        }
        if let Event::Noted(note) = event {
            self.terminal.note(note);
        }
        let Some(progress) = &self.progress else {
            return ControlFlow::Continue(());
        };
        match event {
            Event::Noted(_) | Event::Begins { .. } | Event::Saved(_) => {}
            Event::Swept(sweep) => {
                progress.step_with(|| format!("{} fragments", sweep.n_fragments));
            }
            Event::Counted | Event::Read | Event::Written(_) => progress.step(),
            Event::Step(record) => {
                let mean = 0.95 * self.loss.unwrap_or(record.loss) + 0.05 * record.loss;
                self.loss = Some(mean);
                progress.step_with(|| format!("loss {mean:.3}"));
            }
            Event::Measured(step, measurement) => {
                let best = if measurement.is_best {
                    ", the best"
                } else {
                    ""
                };
                let (dev, loss) = (Split::Dev, measurement.loss);
                progress.note(&format!("step {step}: {dev} loss {loss:.3}{best}"));
            }
            Event::Ends(_) => {
                self.progress = None;
                self.interrupt = None;
            }
        }
        match &self.interrupt {
            Some(interrupt) if interrupt.came() => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}
