//! Collective operations on MPI.
//!
//! Most messages are short, so their bytes travel with their length, and a short operation is one of MPI's. MPI counts
//! bytes in 32 bits, so what is longer than a gigabyte goes in rounds.
//!
//! Implementations of MPI wait with a core each, which others need: rank 0 where it has something to do alone, and other
//! programs of the machine. A rank that spins where another is not running waits for the end of its time slice, thousands
//! of times. So nothing here blocks: ranks ask, let others run, and sleep more and more soundly.

use std::thread;
use std::time::Duration;

use mpi::collective::CommunicatorCollectives as _;
use mpi::collective::Root as _;
use mpi::datatype::{Partition, PartitionMut};
use mpi::request::{LocalScope, Request};
use mpi::topology::{Communicator as _, SimpleCommunicator};
use patois_collective::Collective;

/// How many bytes travel with their length.
const SHORT: usize = 120;

/// The length of a message, that of the longest which its rank sends, and the bytes of one that is short.
type Head = [u8; 16 + SHORT];

/// How many bytes all ranks together send to one in a round, at most.
const ROUND_BYTES: usize = 1 << 30;

/// How often a rank asks whether an operation is over before it sleeps.
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
        let world = SimpleCommunicator::world();
        let longest = parts.iter().map(Vec::len).max().unwrap_or(0);
        let heads: Vec<u8> = parts.iter().flat_map(|it| head(it, longest)).collect();
        let mut theirs = vec![0; heads.len()];
        mpi::request::scope(|scope| {
            wait(world.immediate_all_to_all_into(scope, &heads[..], &mut theirs[..]));
        });
        let (lengths, longest, mut received) = read(&theirs);
        if longest <= SHORT {
            return received;
        }
        received.iter_mut().for_each(Vec::clear);
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
            let theirs: Vec<usize> = lengths.iter().map(|&it| now(it)).collect();
            let mut buffer = placed(vec![0_u8; theirs.iter().sum()]);
            {
                let (counts, starts) = partition(&counts);
                let sent = Partition::new(&own[..], counts, starts);
                let (counts, starts) = partition(&theirs);
                let mut taken = PartitionMut::new(&mut buffer[..], counts, starts);
                mpi::request::scope(|scope| {
                    wait(world.immediate_all_to_all_varcount_into(scope, &sent, &mut taken));
                });
            }
            append(&mut received, &buffer, &theirs);
        }
        received
    }

    fn all_gather(&self, bytes: Vec<u8>) -> Vec<Vec<u8>> {
        let world = SimpleCommunicator::world();
        let own = head(&bytes, bytes.len());
        let mut theirs = vec![0; own.len() * self.size];
        mpi::request::scope(|scope| {
            wait(world.immediate_all_gather_into(scope, &own[..], &mut theirs[..]));
        });
        let (lengths, longest, mut received) = read(&theirs);
        if longest <= SHORT {
            return received;
        }
        received.iter_mut().for_each(Vec::clear);
        let bytes = placed(bytes);
        for first in (0..longest).step_by(self.round_bytes()) {
            let now = |length: usize| length.saturating_sub(first).min(self.round_bytes());
            let own = &bytes[first.min(bytes.len())..][..now(bytes.len())];
            let theirs: Vec<usize> = lengths.iter().map(|&it| now(it)).collect();
            let mut buffer = placed(vec![0_u8; theirs.iter().sum()]);
            {
                let (counts, starts) = partition(&theirs);
                let mut taken = PartitionMut::new(&mut buffer[..], counts, starts);
                mpi::request::scope(|scope| {
                    wait(world.immediate_all_gather_varcount_into(scope, own, &mut taken));
                });
            }
            append(&mut received, &buffer, &theirs);
        }
        received
    }

    fn broadcast(&self, root: usize, mut bytes: Vec<u8>) -> Vec<u8> {
        let world = SimpleCommunicator::world();
        let root = world.process_at_rank(count(root));
        let mut head = head(&bytes, bytes.len());
        mpi::request::scope(|scope| wait(root.immediate_broadcast_into(scope, &mut head[..])));
        let (_, length, mut received) = read(&head);
        if length <= SHORT {
            return received.swap_remove(0);
        }
        bytes.resize(length, 0);
        for chunk in bytes.chunks_mut(ROUND_BYTES) {
            mpi::request::scope(|scope| wait(root.immediate_broadcast_into(scope, chunk)));
        }
        bytes
    }
}

/// Waits until an operation is over, and leaves the core to others meanwhile.
fn wait<'a, D: ?Sized>(mut request: Request<'a, D, &LocalScope<'a>>) {
    let mut n_asked = 0;
    let mut sleep = Duration::from_micros(20);
    while let Err(pending) = request.test() {
        request = pending;
        n_asked += 1;
        if n_asked > N_ASKED {
            thread::sleep(sleep);
            sleep = (sleep * 2).min(LONGEST_SLEEP);
        } else if n_asked % 16 == 0 {
            thread::yield_now();
        }
    }
}

fn head(bytes: &[u8], longest: usize) -> Head {
    let mut head = [0; 16 + SHORT];
    head[..8].copy_from_slice(&(bytes.len() as u64).to_le_bytes());
    head[8..16].copy_from_slice(&(longest as u64).to_le_bytes());
    if bytes.len() <= SHORT {
        head[16..16 + bytes.len()].copy_from_slice(bytes);
    }
    head
}

/// How long messages are, how long the longest is that anybody sends, and those that are short.
fn read(heads: &[u8]) -> (Vec<usize>, usize, Vec<Vec<u8>>) {
    let (mut lengths, mut longest, mut short) = (Vec::new(), 0, Vec::new());
    for head in heads.as_chunks::<{ size_of::<Head>() }>().0 {
        let (numbers, bytes) = head.split_at(16);
        let numbers = numbers.as_chunks().0.iter();
        let mut numbers = numbers.map(|&it| u64::from_le_bytes(it) as usize);
        let length = numbers.next().unwrap_or(0);
        longest = longest.max(numbers.next().unwrap_or(0));
        short.push(bytes.get(..length).unwrap_or_default().to_vec());
        lengths.push(length);
    }
    (lengths, longest, short)
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
