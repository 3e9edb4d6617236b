//! Ranks as threads of one process.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, panic_any, resume_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::Collective;

/// One of several ranks that are threads of one process.
///
/// Rank 0 is the thread that starts the others, so that what it alone does has the threads which that one
/// may use; each other rank has its share of them.
#[derive(Debug)]
pub struct Threads<'m> {
    rank: usize,
    meeting: &'m Meeting,
}

/// A rank that has ended before the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    /// Which one.
    pub rank: usize,
    /// What it said, where it said something.
    pub message: Option<String>,
}

impl std::fmt::Display for Lost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "rank {} has ended before the others", self.rank)?;
        match &self.message {
            Some(message) => write!(f, ": {message}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Lost {}

impl Threads<'_> {
    /// Runs `main` as rank 0 on this thread and `other` as each other rank, with stacks of so many bytes;
    /// what `main` has come to.
    ///
    /// # Errors
    ///
    /// When a rank that is not this thread cannot start, panics or ends before the others; they end, too.
    ///
    /// # Panics
    ///
    /// When `main` panics, or `size` is zero.
    pub fn run<T>(
        size: usize,
        stack_bytes: usize,
        main: impl FnOnce(&Threads<'_>) -> T,
        other: &(dyn Fn(&Threads<'_>) + Sync),
    ) -> Result<T, Lost> {
        assert!(size > 0, "there is a rank at least");
        let meeting = Meeting::new(size);
        let n_threads = (rayon::current_num_threads() / size).max(1);
        let done = thread::scope(|scope| {
            for rank in 1..size {
                let ranks = Threads {
                    rank,
                    meeting: &meeting,
                };
                let work = move || {
                    ranks.leave_after(|ranks| on_pool(n_threads, stack_bytes, || other(ranks)))
                };
                let name = format!("rank {rank}");
                let thread = thread::Builder::new().name(name).stack_size(stack_bytes);
                if let Err(error) = thread.spawn_scoped(scope, work) {
                    meeting.leave(rank, Some(error.to_string()));
                }
            }
            let ranks = Threads {
                rank: 0,
                meeting: &meeting,
            };
            ranks.leave_after(|ranks| main(ranks))
        });
        let lost = meeting.lock().lost.clone();
        match (done, lost) {
            (Ok(done), None) => Ok(done),
            // What ended rank 0 is its own affair; that others were missing is ours.
            (Err(panic), lost) if !panic.is::<Missing>() => {
                drop(lost);
                resume_unwind(panic)
            }
            (_, Some(lost)) => Err(lost),
            (Err(panic), None) => resume_unwind(panic),
        }
    }

    /// Works, and tells the others when it is over.
    fn leave_after<T>(&self, work: impl FnOnce(&Self) -> T) -> thread::Result<T> {
        let done = catch_unwind(AssertUnwindSafe(|| work(self)));
        let message = done.as_ref().err().map(|it| message_of(it.as_ref()));
        match &done {
            // It only follows another that has ended.
            Err(panic) if panic.is::<Missing>() => {}
            _ => self.meeting.leave(self.rank, message),
        }
        done
    }
}

/// Works on a pool of its own.
fn on_pool(n_threads: usize, stack_bytes: usize, work: impl FnOnce() + Send) {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(n_threads)
        .stack_size(stack_bytes);
    match pool.build() {
        Ok(pool) => pool.install(work),
        Err(error) => panic!("cannot start the threads of a rank: {error}"),
    }
}

fn message_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("it panicked").to_owned()
}

/// What a rank panics with that waits for one which has ended.
struct Missing;

/// Where threads give each other bytes.
#[derive(Debug)]
struct Meeting {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    /// For each rank, what it brings for each, once it is here.
    brought: Vec<Option<Vec<Vec<u8>>>>,
    /// How many have taken what was brought for them.
    n_served: usize,
    /// Which ranks have ended.
    has_left: Vec<bool>,
    /// The first rank that has ended while others had not.
    lost: Option<Lost>,
}

impl Meeting {
    fn new(size: usize) -> Meeting {
        Meeting {
            state: Mutex::new(State {
                brought: vec![None; size],
                n_served: 0,
                has_left: vec![false; size],
                lost: None,
            }),
            changed: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nobody panics in the middle of a change.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until something is so.
    fn wait<'m>(
        &'m self,
        mut state: MutexGuard<'m, State>,
        is_so: impl Fn(&State) -> bool,
    ) -> MutexGuard<'m, State> {
        while !is_so(&state) {
            if state.lost.is_some() {
                drop(state);
                panic_any(Missing);
            }
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
        state
    }

    /// Brings parts for all; what all have brought for this rank.
    fn exchange(&self, rank: usize, parts: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        let size = parts.len();
        let mut state = self.lock();
        if let Some(left) = state.has_left.iter().position(|&it| it) {
            state.lost.get_or_insert(Lost {
                rank: left,
                message: None,
            });
            self.changed.notify_all();
        }
        state.brought[rank] = Some(parts);
        self.changed.notify_all();
        state = self.wait(state, |it| it.brought.iter().all(Option::is_some));
        let taken = state.brought.iter_mut();
        let taken = taken.flatten().map(|it| std::mem::take(&mut it[rank]));
        let taken: Vec<Vec<u8>> = taken.collect();
        state.n_served += 1;
        if state.n_served == size {
            state.n_served = 0;
            state.brought.fill(None);
            self.changed.notify_all();
        } else {
            // Nobody may leave, or bring the next, before all have what was brought for them.
            drop(self.wait(state, |it| it.brought[rank].is_none()));
        }
        taken
    }

    fn leave(&self, rank: usize, message: Option<String>) {
        let mut state = self.lock();
        state.has_left[rank] = true;
        let is_awaited = state.brought.iter().any(Option::is_some);
        if message.is_some() || is_awaited {
            state.lost.get_or_insert(Lost { rank, message });
        }
        self.changed.notify_all();
    }
}

impl Collective for Threads<'_> {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.meeting.lock().has_left.len()
    }

    fn all_to_all(&self, parts: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        assert_eq!(parts.len(), self.size(), "one part for each rank");
        self.meeting.exchange(self.rank, parts)
    }

    fn all_gather(&self, bytes: Vec<u8>) -> Vec<Vec<u8>> {
        self.meeting.exchange(self.rank, vec![bytes; self.size()])
    }

    fn broadcast(&self, root: usize, bytes: Vec<u8>) -> Vec<u8> {
        let mut parts = vec![Vec::new(); self.size()];
        if self.rank == root {
            parts = vec![bytes; self.size()];
        }
        self.meeting.exchange(self.rank, parts).swap_remove(root)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::Slices;

    const STACK: usize = 1 << 20;

    /// Runs the same on all ranks; what each has come to.
    fn on_all<T: Send>(
        size: usize,
        work: impl Fn(&Threads<'_>) -> T + Sync,
    ) -> Result<Vec<T>, Lost> {
        let done: Vec<Mutex<Option<T>>> = (0..size).map(|_| Mutex::new(None)).collect();
        let keep = |ranks: &Threads<'_>| *done[ranks.rank()].lock().unwrap() = Some(work(ranks));
        Threads::run(size, STACK, keep, &keep)?;
        let done = done.into_iter().map(|it| it.into_inner().unwrap().unwrap());
        Ok(done.collect())
    }

    #[test]
    fn bytes_come_in_the_order_of_the_ranks() {
        for size in 1..6 {
            let gathered = on_all(size, |ranks| {
                // Many rounds, so that a fast rank meets a slow one of the round before.
                for round in 0..200_u8 {
                    let bytes = ranks.all_gather(vec![round; ranks.rank()]);
                    assert!(
                        bytes
                            .iter()
                            .enumerate()
                            .all(|(at, it)| *it == vec![round; at])
                    );
                    let sent = ranks.broadcast(size - 1, vec![ranks.rank() as u8, round]);
                    assert_eq!(sent, [size as u8 - 1, round]);
                }
                let parts = (0..size).map(|to| vec![ranks.rank() as u8, to as u8]);
                (
                    ranks.all_to_all(parts.collect()),
                    ranks.gather(vec![ranks.rank() as u8]),
                )
            });
            for (rank, (received, gathered)) in gathered.unwrap().into_iter().enumerate() {
                let expected: Vec<_> = (0..size).map(|from| vec![from as u8, rank as u8]).collect();
                assert_eq!(received, expected);
                assert_eq!(gathered.len(), if rank == 0 { size } else { 0 });
            }
        }
    }

    #[test]
    fn numbers_are_added_in_the_order_of_their_rows() {
        // Sums of these depend on their order.
        let rows: Vec<Vec<f32>> = (0..8)
            .map(|row| {
                (0..5)
                    .map(|it| (row as f32 * 7.3 + it as f32).exp() % 3.7)
                    .collect()
            })
            .collect();
        let mut expected = rows[0].clone();
        for row in &rows[1..] {
            expected
                .iter_mut()
                .zip(row)
                .for_each(|(sum, it)| *sum += it);
        }
        for size in [1, 2, 3, 4, 8, 11] {
            let sums = on_all(size, |ranks| {
                let own = Slices::of(rows.len(), size).range(ranks.rank());
                let mut counts = vec![ranks.rank() as u64; 3];
                ranks.sum(&mut counts);
                assert_eq!(counts, [(size * (size - 1) / 2) as u64; 3]);
                ranks.sum_rows(&rows[own], 5)
            });
            let bits = |it: &[f32]| it.iter().map(|it| it.to_bits()).collect::<Vec<_>>();
            assert!(sums.unwrap().iter().all(|it| bits(it) == bits(&expected)));
        }
    }

    #[test]
    fn a_rank_that_ends_is_named() {
        let check = |how: &(dyn Fn(&Threads<'_>) + Sync), expected: Lost| {
            let n_done = AtomicUsize::new(0);
            let lost = on_all(3, |ranks| {
                ranks.barrier();
                if ranks.rank() == 2 {
                    how(ranks);
                } else {
                    ranks.barrier();
                    n_done.fetch_add(1, Ordering::Relaxed);
                }
            });
            assert_eq!((lost.unwrap_err(), n_done.into_inner()), (expected, 0));
        };
        check(
            &|_| panic!("no more paper"),
            Lost {
                rank: 2,
                message: Some("no more paper".to_owned()),
            },
        );
        check(
            &|_| {},
            Lost {
                rank: 2,
                message: None,
            },
        );
        assert_eq!(
            Lost {
                rank: 2,
                message: Some("no more paper".to_owned())
            }
            .to_string(),
            "rank 2 has ended before the others: no more paper"
        );
    }

    #[test]
    #[should_panic(expected = "a bug of rank 0")]
    fn what_ends_rank_0_is_told_as_it_is() {
        let _ = Threads::run(2, STACK, |_| panic!("a bug of rank 0"), &|ranks| {
            ranks.barrier();
        });
    }
}
