//! The command line of patois.

mod cli;

use std::process::ExitCode;

use cli::failure::Status;
use cli::panic_hook::{self, Bug};

/// Parsing allocates many small nodes on all cores at once.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    panic_hook::install();
    match panic_hook::catch_bug(cli::main) {
        Ok(status) => status.into(),
        Err(Bug) => Status::Failed.into(),
    }
}
