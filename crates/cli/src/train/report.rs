//! What `patois train` says in the end.

use std::fmt::Write as _;
use std::path::PathBuf;

use patois::run::folder::RunDir;
use patois::run::train::{StopReason, Trained};
use serde::Serialize;

/// The figures of a training.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    /// The folder of the run.
    run: PathBuf,
    /// Steps taken in all.
    steps: usize,
    /// Steps taken now; the times are theirs.
    new_steps: usize,
    seconds: f64,
    steps_per_second: f64,
    /// The mean over the last steps.
    loss: Option<f64>,
    dev_loss: Option<f64>,
    /// The most memory that the program ever had, in bytes, where the system tells.
    peak_memory: Option<u64>,
    stopped: StopReason,
}

impl Report {
    pub(crate) fn new(trained: &Trained, run: &RunDir) -> Report {
        Report {
            run: run.path().to_owned(),
            steps: trained.n_steps,
            new_steps: trained.n_new_steps,
            seconds: trained.seconds,
            steps_per_second: trained.n_new_steps as f64 / trained.seconds.max(1e-9),
            loss: trained.loss,
            dev_loss: trained.dev_loss,
            peak_memory: peak_memory(),
            stopped: trained.reason,
        }
    }

    pub(crate) fn for_people(&self, reason: StopReason) -> String {
        let mut text = String::new();
        let why = match reason {
            StopReason::AllSteps => "",
            StopReason::AllSeconds => ", since its seconds are spent",
            StopReason::NoBetter => ", since the loss on dev does not get better",
            StopReason::Asked => ", as asked",
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "stopped after {} steps{why}: {:.1} steps/s",
            self.steps, self.steps_per_second
        );
        for (what, loss) in [("train", self.loss), ("dev", self.dev_loss)] {
            if let Some(loss) = loss {
                let _ = writeln!(text, "{what:<6} loss {loss:.3}");
            }
        }
        if let Some(bytes) = self.peak_memory {
            let _ = writeln!(text, "memory {} MB at most", bytes >> 20);
        }
        let _ = writeln!(
            text,
            "model  {}",
            self.run.join("model.safetensors").display()
        );
        if reason == StopReason::Asked {
            text.push_str("go on with --resume\n");
        }
        text
    }
}

/// The most memory that the program ever had, in bytes.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|it| it.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}
