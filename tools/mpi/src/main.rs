//! The program `patois`, each process of which is a rank of MPI.
//!
//! `mpirun -n 4 patois mine ...` is one program on four ranks: rank 0 speaks and writes files. Without `mpirun` it
//! is the same program as any other `patois`.

mod communicator;

use std::process::ExitCode;
use std::sync::Arc;

use mpi::Threading;
use mpi::topology::{Communicator as _, SimpleCommunicator};
use patois_cli::Status;

use crate::communicator::Mpi;

fn main() -> ExitCode {
    // The work runs on a thread with a deep stack, which is one at a time.
    let universe = mpi::initialize_with_threading(Threading::Serialized);
    let ranks = Arc::new(Mpi::world());
    let status = patois_cli::run_on(std::env::args_os().collect(), ranks);
    if status != Status::Done {
        // The others wait for this rank, and would do so for ever.
        SimpleCommunicator::world().abort(status.code().into());
    }
    drop(universe);
    status.into()
}
