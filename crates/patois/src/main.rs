//! The command line of patois.

mod cli;
mod excerpt;
mod failure;
mod guard;
mod interrupt;
mod progress;
mod stopwatch;
mod terminal;

use std::process::ExitCode;

/// Parsing allocates many small nodes on all cores at once.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    guard::install();
    match guard::catch_bug(cli::main) {
        Ok(status) => status.into(),
        Err(guard::Bug) => failure::Status::Failed.into(),
    }
}
