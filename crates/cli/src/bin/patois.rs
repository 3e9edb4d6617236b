//! The program `patois`.

use std::process::ExitCode;

fn main() -> ExitCode {
    patois_cli::run(std::env::args_os().collect()).into()
}
