//! The program `patois`, each process of which is a rank of MPI.
//!
//! `mpirun -n 4 patois mine ...` is one program on four ranks: rank 0 speaks and writes files. Without `mpirun` it
//! is the same program as any other `patois`. With `PATOIS_COUNT_BYTES=1` in the environment every rank says at its end
//! how much it has sent.

mod communicator;

use std::process::ExitCode;
use std::sync::Arc;

use mpi::Threading;
use mpi::topology::{Communicator as _, SimpleCommunicator};
use patois_cli::Status;
use patois_collective::{Collective as _, Metered};

use crate::communicator::Mpi;

fn main() -> ExitCode {
    // The work runs on a thread with a deep stack, which is one at a time.
    let universe = mpi::initialize_with_threading(Threading::Serialized);
    // The ranks are there until the process ends.
    let ranks = Arc::new(Metered::new(Box::leak(Box::new(Mpi::world()))));
    let status = patois_cli::run_on(std::env::args_os().collect(), ranks.clone());
    if std::env::var_os("PATOIS_COUNT_BYTES").is_some() {
        let (rank, n_bytes, n_meetings) = (ranks.rank(), ranks.n_bytes(), ranks.n_meetings());
        eprintln!("rank {rank} has sent {n_bytes} bytes at {n_meetings} meetings");
    }
    if status != Status::Done {
        // The others wait for this rank, and would do so for ever.
        SimpleCommunicator::world().abort(status.code().into());
    }
    drop(universe);
    status.into()
}
