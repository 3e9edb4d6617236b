//! Collective operations on MPI.
//!
//! MPI counts bytes in 32 bits, so what is longer than a gigabyte goes in rounds. And its implementations wait with
//! a core each: where rank 0 has something to do alone, the others would take the cores that it could use. So all
//! wait for each other first, sleeping more and more soundly.

use std::thread;
use std::time::Duration;

use mpi::collective::CommunicatorCollectives as _;
use mpi::collective::Root as _;
use mpi::datatype::{Partition, PartitionMut};
use mpi::topology::{Communicator as _, SimpleCommunicator};
use patois_collective::Collective;

/// How many bytes all ranks together send to one in a round, at most.
const ROUND_BYTES: usize = 1 << 30;

/// How often a rank asks whether all are here before it sleeps.
const N_ASKED: u32 = 2_000;

/// The longest that it sleeps before it asks again.
const LONGEST_SLEEP: Duration = Duration::from_millis(2);

/// The ranks that `mpirun` has started.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mpi {
    rank: usize,
    size: usize,
}

impl Mpi {
    /// All ranks that there are.
    pub(crate) fn world() -> Mpi {
        let world = SimpleCommunicator::world();
        let number = |it: i32| usize::try_from(it).expect("MPI counts ranks from zero on");
        Mpi {
            rank: number(world.rank()),
            size: number(world.size()),
        }
    }

    /// How many bytes a rank sends to another in a round.
    fn round_bytes(self) -> usize {
        ROUND_BYTES / self.size
    }
}

impl Collective for Mpi {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn all_to_all(&self, parts: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        assert_eq!(parts.len(), self.size, "one part for each rank");
        meet();
        let world = SimpleCommunicator::world();
        let sent: Vec<u64> = parts.iter().map(|it| it.len() as u64).collect();
        let mut lengths = vec![0_u64; self.size];
        world.all_to_all_into(&sent, &mut lengths);
        let longest = sent.iter().copied().max().unwrap_or(0);
        let mut all_longest = vec![0_u64; self.size];
        world.all_gather_into(&longest, &mut all_longest);
        let longest = all_longest.into_iter().max().unwrap_or(0) as usize;
        let mut received: Vec<Vec<u8>> = lengths
            .iter()
            .map(|&it| Vec::with_capacity(it as usize))
            .collect();
        for first in (0..longest).step_by(self.round_bytes()) {
            let now = |length: usize| length.saturating_sub(first).min(self.round_bytes());
            let counts: Vec<usize> = parts.iter().map(|it| now(it.len())).collect();
            let own: Vec<u8> = parts
                .iter()
                .zip(&counts)
                .flat_map(|(part, &n)| &part[first.min(part.len())..][..n])
                .copied()
                .collect();
            let own = placed(own);
            let theirs: Vec<usize> = lengths.iter().map(|&it| now(it as usize)).collect();
            let mut buffer = placed(vec![0_u8; theirs.iter().sum()]);
            {
                let (counts, starts) = partition(&counts);
                let sent = Partition::new(&own[..], counts, starts);
                let (counts, starts) = partition(&theirs);
                let mut taken = PartitionMut::new(&mut buffer[..], counts, starts);
                world.all_to_all_varcount_into(&sent, &mut taken);
            }
            append(&mut received, &buffer, &theirs);
        }
        received
    }

    fn all_gather(&self, bytes: Vec<u8>) -> Vec<Vec<u8>> {
        meet();
        let world = SimpleCommunicator::world();
        let mut lengths = vec![0_u64; self.size];
        world.all_gather_into(&(bytes.len() as u64), &mut lengths);
        let longest = lengths.iter().copied().max().unwrap_or(0) as usize;
        let bytes = placed(bytes);
        let mut received = vec![Vec::new(); self.size];
        for first in (0..longest).step_by(self.round_bytes()) {
            let now = |length: usize| length.saturating_sub(first).min(self.round_bytes());
            let own = &bytes[first.min(bytes.len())..][..now(bytes.len())];
            let theirs: Vec<usize> = lengths.iter().map(|&it| now(it as usize)).collect();
            let mut buffer = placed(vec![0_u8; theirs.iter().sum()]);
            {
                let (counts, starts) = partition(&theirs);
                let mut taken = PartitionMut::new(&mut buffer[..], counts, starts);
                world.all_gather_varcount_into(own, &mut taken);
            }
            append(&mut received, &buffer, &theirs);
        }
        received
    }

    fn broadcast(&self, root: usize, mut bytes: Vec<u8>) -> Vec<u8> {
        meet();
        let world = SimpleCommunicator::world();
        let root = world.process_at_rank(count(root));
        let mut length = bytes.len() as u64;
        root.broadcast_into(&mut length);
        bytes.resize(length as usize, 0);
        for chunk in bytes.chunks_mut(ROUND_BYTES) {
            root.broadcast_into(chunk);
        }
        bytes
    }
}

/// Waits until all are here, and leaves the core to others meanwhile.
fn meet() {
    let mut request = SimpleCommunicator::world().immediate_barrier();
    let mut n_asked = 0;
    let mut sleep = Duration::from_micros(20);
    while let Err(pending) = request.test() {
        request = pending;
        n_asked += 1;
        if n_asked > N_ASKED {
            thread::sleep(sleep);
            sleep = (sleep * 2).min(LONGEST_SLEEP);
        } else if n_asked % 64 == 0 {
            thread::yield_now();
        }
    }
}

/// Bytes that have a place in memory, be there none of them: the address that an empty vector has is a command to
/// Open MPI (`MPI_IN_PLACE`).
fn placed(mut bytes: Vec<u8>) -> Vec<u8> {
    if bytes.capacity() == 0 {
        bytes.reserve(1);
    }
    bytes
}

/// How many bytes each rank has, and where they begin, as MPI counts.
fn partition(lengths: &[usize]) -> (Vec<i32>, Vec<i32>) {
    let mut at = 0;
    let starts = lengths.iter().map(|&length| {
        let start = at;
        at += length;
        count(start)
    });
    let starts = starts.collect();
    (lengths.iter().map(|&it| count(it)).collect(), starts)
}

fn count(number: usize) -> i32 {
    i32::try_from(number).expect("rounds are shorter than two gigabytes")
}

/// Hands out what came in a round.
fn append(received: &mut [Vec<u8>], mut buffer: &[u8], lengths: &[usize]) {
    for (of_rank, &length) in received.iter_mut().zip(lengths) {
        let (own, rest) = buffer.split_at(length);
        of_rank.extend_from_slice(own);
        buffer = rest;
    }
}
