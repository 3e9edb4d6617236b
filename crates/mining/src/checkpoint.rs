//! A chain that was ended goes on: its state after a sweep, as bytes that are kept somewhere.
//!
//! What is kept is all that the next sweep depends on: the cuts, which fragment has which number, the order
//! of its occurrences, the probabilities of stopping, and how many random numbers were drawn. So a chain that
//! goes on comes to the same end as one that was never interrupted. Another number of ranks begins with the
//! same cuts, and goes its own way.

use std::convert::Infallible;
use std::ops::Range;

use indexmap::IndexSet;
use patois_collective::{Alone, Collective, Reader, Writer};
use patois_syntax::{Fragment, Grammar, Tree};
use rand::{Rng, TryRng};
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};

use crate::arena::CorpusArena;
use crate::base_distribution::Base;
use crate::config::MiningConfig;
use crate::distributed::gather;
use crate::error::MiningError;
use crate::fragment_table::{label_key, mix};
use crate::miner::Sweep;
use crate::segmentation::Segmentation;

/// Where states of chains are kept: a part for each rank, and a note that all parts are there.
pub trait Keeper: Sync + std::fmt::Debug {
    /// Keeps the part of a rank after a sweep, beside those of earlier sweeps; or says why it cannot.
    ///
    /// # Errors
    ///
    /// When the system refuses.
    fn keep(&self, sweep: usize, rank: usize, part: &[u8]) -> Result<(), String>;

    /// Notes that all parts of a sweep are there, so that those of earlier ones are not needed any more.
    ///
    /// # Errors
    ///
    /// When the system refuses.
    fn complete(&self, kept: Kept) -> Result<(), String>;

    /// What is there to go on from; nothing where a chain is to begin.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    fn kept(&self) -> Result<Option<Kept>, String>;

    /// The part that a rank has kept after a sweep.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    fn part(&self, sweep: usize, rank: usize) -> Result<Vec<u8>, String>;
}

/// What all parts of a state have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// After which sweep, from one on.
    pub sweep: usize,
    /// How many ranks there were.
    pub n_ranks: usize,
    /// A hash of the corpus, the options and the version.
    pub fingerprint: u64,
}

/// The keeper of a chain, and what states must belong to.
#[derive(Clone, Copy)]
pub(crate) struct Checkpoints<'k> {
    keeper: Option<&'k dyn Keeper>,
    ranks: &'k dyn Collective,
    fingerprint: u64,
}

/// How far a chain has come.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    /// How many sweeps are over, those of a sample among them.
    pub n_over: usize,
    pub sweeps: Vec<Sweep>,
    /// The fragments of the sweeps that are over and are to be kept.
    pub fragments: IndexSet<Fragment, FxBuildHasher>,
}

impl Record {
    /// So many sweeps are over that nobody has recorded.
    pub(crate) fn after(n_over: usize) -> Record {
        Record {
            n_over,
            ..Record::default()
        }
    }

    /// Another sweep is over.
    pub(crate) fn push(&mut self, sweep: Sweep) {
        self.n_over = sweep.number;
        self.sweeps.push(sweep);
    }

    /// Adds the fragments of a state to those that are kept.
    pub(crate) fn take_fragments(&mut self, grammar: &Grammar, segmentation: &Segmentation<'_>) {
        let found = segmentation.fragments().into_iter();
        let found = found.filter_map(|id| segmentation.fragment(grammar, id));
        self.fragments.extend(found);
    }
}

impl<'k> Checkpoints<'k> {
    /// Nothing is kept.
    pub(crate) fn none() -> Checkpoints<'static> {
        Checkpoints {
            keeper: None,
            ranks: &Alone,
            fingerprint: 0,
        }
    }

    /// What is kept of a chain in the trees of all ranks; `first_tree` is the number of this rank's first.
    pub(crate) fn new(
        keeper: Option<&'k dyn Keeper>,
        ranks: &'k dyn Collective,
        (trees, first_tree): (&[Tree], usize),
        config: &MiningConfig,
    ) -> Checkpoints<'k> {
        let fingerprint = match keeper {
            Some(_) => fingerprint(ranks, (trees, first_tree), config),
            None => 0,
        };
        Checkpoints {
            keeper,
            ranks,
            fingerprint,
        }
    }

    /// Keeps the state after a sweep, on all ranks or on none.
    pub(crate) fn keep(
        &self,
        segmentation: &Segmentation<'_>,
        record: &Record,
        n_drawn: u64,
    ) -> Result<(), MiningError> {
        let Some(keeper) = self.keeper else {
            return Ok(());
        };
        let (sweep, ranks) = (record.n_over, self.ranks);
        let part = sealed(write_part(segmentation, record, n_drawn));
        self.agreed(keeper.keep(sweep, ranks.rank(), &part))?;
        let kept = Kept {
            sweep,
            n_ranks: ranks.size(),
            fingerprint: self.fingerprint,
        };
        let completed = match ranks.rank() {
            0 => keeper.complete(kept),
            _ => Ok(()),
        };
        self.agreed(completed)
    }

    /// The state to go on from, where there is one; random numbers are drawn until there.
    pub(crate) fn resume<'a>(
        &self,
        grammar: &Grammar,
        arena: &'a CorpusArena,
        rng: &mut Drawn<'_, impl Rng>,
    ) -> Result<Option<(Segmentation<'a>, Record)>, MiningError> {
        let Some(keeper) = self.keeper else {
            return Ok(None);
        };
        let kept = self.agreed(keeper.kept())?;
        let Some(kept) = kept else {
            return Ok(None);
        };
        if kept.fingerprint != self.fingerprint {
            return Err(MiningError::OtherState);
        }
        let own = self.ranks.rank();
        let parts = if kept.n_ranks == self.ranks.size() {
            own..own + 1
        } else {
            0..kept.n_ranks
        };
        let part = |rank| unsealed(keeper.part(kept.sweep, rank)?);
        let read = |ranks: Range<usize>| self.agreed(ranks.map(part).collect());
        let mut parts: Vec<Vec<u8>> = read(parts)?;
        let is_own = parts.len() == 1 && Reader::new(&parts[0]).size() == arena.n_nodes();
        // Threads and processes cut a corpus at other places.
        let is_as_before = kept.n_ranks == self.ranks.size() && self.all_say(is_own);
        let (segmentation, record, n_drawn) = if is_as_before {
            read_part(&parts[0], grammar, arena)
        } else {
            if parts.len() < kept.n_ranks {
                parts = read(0..kept.n_ranks)?;
            }
            self.deal(&parts, grammar, arena)
        };
        rng.draw_until(n_drawn);
        Ok(Some((segmentation, record)))
    }

    /// Whether it is so on all ranks.
    fn all_say(&self, is_so: bool) -> bool {
        let said = self.ranks.all_gather(vec![is_so.into()]);
        said.iter().all(|it| *it == [1])
    }

    /// The state of this rank, of what others have kept that had other trees each.
    fn deal<'a>(
        &self,
        parts: &[Vec<u8>],
        grammar: &Grammar,
        arena: &'a CorpusArena,
    ) -> (Segmentation<'a>, Record, u64) {
        let n_own = arena.n_nodes() as u64;
        let n_before = {
            let of_ranks = self.ranks.all_gather(n_own.to_le_bytes().to_vec());
            let sizes = of_ranks.iter().map(|it| Reader::new(it).hash());
            sizes.take(self.ranks.rank()).sum::<u64>() as usize
        };
        let (mut cuts, mut first) = (Vec::new(), None);
        let (mut record, mut n_drawn) = (Record::default(), 0);
        for (number, part) in parts.iter().enumerate() {
            let mut reader = Reader::new(part);
            let head = Head::read(&mut reader, grammar);
            cuts.extend(head.cuts);
            n_drawn = n_drawn.max(head.n_drawn);
            // Which rank has the fragments of earlier sweeps does not matter.
            if number % self.ranks.size() == self.ranks.rank() {
                record.fragments.extend(head.record.fragments);
            }
            (record.n_over, record.sweeps) = (head.record.n_over, head.record.sweeps);
            first.get_or_insert(head.ln_stop);
        }
        let cuts = cuts[n_before..n_before + arena.n_nodes()].to_vec();
        let base = Base::of_ln_stop(arena, first.expect("a part at least"));
        let segmentation = Segmentation::from_cuts(arena, base, cuts);
        (segmentation, record, n_drawn)
    }

    /// What this rank has come to, if nothing went wrong on any.
    fn agreed<T>(&self, own: Result<T, String>) -> Result<T, MiningError> {
        let message = own.as_ref().err().cloned().unwrap_or_default();
        let messages = self.ranks.all_gather(message.into_bytes());
        let wrong = messages.iter().enumerate().find(|it| !it.1.is_empty());
        match (own, wrong) {
            (Ok(own), None) => Ok(own),
            (_, Some((rank, message))) => Err(MiningError::State {
                rank,
                message: String::from_utf8_lossy(message).into_owned(),
            }),
            (Err(message), None) => Err(MiningError::State {
                rank: self.ranks.rank(),
                message,
            }),
        }
    }
}

/// A part, and a hash of it.
fn sealed(mut part: Vec<u8>) -> Vec<u8> {
    let hash = hash_of_bytes(&part);
    part.extend(hash.to_le_bytes());
    part
}

/// The part that was sealed, if it is whole.
fn unsealed(mut bytes: Vec<u8>) -> Result<Vec<u8>, String> {
    let Some((part, hash)) = bytes.split_last_chunk() else {
        return Err("expected the state of a chain, found next to nothing".to_owned());
    };
    let n_bytes = part.len();
    if hash_of_bytes(part) != u64::from_le_bytes(*hash) {
        return Err(format!(
            "expected the state of a chain, found {n_bytes} bytes that are damaged"
        ));
    }
    bytes.truncate(n_bytes);
    Ok(bytes)
}

fn hash_of_bytes(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks();
    let words = words.iter().map(|&it| u64::from_le_bytes(it));
    let rest = rest.iter().map(|&it| it.into());
    words.chain(rest).fold(bytes.len() as u64, mix)
}

/// What a part begins with: all that another number of ranks can go on from.
struct Head {
    cuts: Vec<bool>,
    ln_stop: Vec<(f64, f64)>,
    n_drawn: u64,
    record: Record,
}

impl Head {
    fn write(&self, writer: &mut Writer) {
        writer.number(self.cuts.len() as u64);
        let bits = |it: &[bool]| {
            it.iter()
                .rfold(0_u8, |bits, &cut| bits << 1 | u8::from(cut))
        };
        writer.bytes(&self.cuts.chunks(8).map(bits).collect::<Vec<u8>>());
        writer.number(self.ln_stop.len() as u64);
        for &(stop, go_on) in &self.ln_stop {
            writer.float(stop);
            writer.float(go_on);
        }
        writer.number(self.n_drawn);
        writer.number(self.record.sweeps.len() as u64);
        for sweep in &self.record.sweeps {
            writer.number(sweep.number as u64);
            writer.float(sweep.ln_posterior);
            writer.number(sweep.n_fragments as u64);
            writer.number(sweep.n_cuts as u64);
        }
        let fragments = self.record.fragments.iter().cloned();
        writer.bytes(&gather::write_fragments(fragments));
    }

    fn read(reader: &mut Reader<'_>, grammar: &Grammar) -> Head {
        let n_nodes = reader.size();
        let bytes = reader.bytes();
        let cuts = (0..n_nodes).map(|it| bytes[it / 8] >> (it % 8) & 1 == 1);
        let cuts = cuts.collect();
        let ln_stop = (0..reader.size()).map(|_| (reader.float(), reader.float()));
        let ln_stop = ln_stop.collect();
        let n_drawn = reader.number();
        let sweeps = (0..reader.size()).map(|_| Sweep {
            number: reader.size(),
            ln_posterior: reader.float(),
            n_fragments: reader.size(),
            n_cuts: reader.size(),
        });
        let sweeps: Vec<Sweep> = sweeps.collect();
        let fragments = gather::read_fragments(grammar, reader.bytes()).collect();
        Head {
            cuts,
            ln_stop,
            n_drawn,
            record: Record {
                n_over: sweeps.last().map_or(0, |it| it.number),
                sweeps,
                fragments,
            },
        }
    }
}

fn write_part(segmentation: &Segmentation<'_>, record: &Record, n_drawn: u64) -> Vec<u8> {
    let mut writer = Writer::default();
    let head = Head {
        cuts: segmentation.cuts().to_vec(),
        ln_stop: segmentation.base().ln_stop(),
        n_drawn,
        record: record.clone(),
    };
    head.write(&mut writer);
    segmentation.write(&mut writer);
    writer.finish()
}

fn read_part<'a>(
    part: &[u8],
    grammar: &Grammar,
    arena: &'a CorpusArena,
) -> (Segmentation<'a>, Record, u64) {
    let mut reader = Reader::new(part);
    let head = Head::read(&mut reader, grammar);
    let base = Base::of_ln_stop(arena, head.ln_stop);
    let segmentation = Segmentation::read(arena, base, head.cuts, &mut reader);
    (segmentation, head.record, head.n_drawn)
}

/// Random numbers that are counted.
#[derive(Debug)]
pub(crate) struct Drawn<'r, R> {
    rng: &'r mut R,
    n: u64,
}

impl<'r, R: Rng> Drawn<'r, R> {
    pub(crate) fn new(rng: &'r mut R) -> Drawn<'r, R> {
        Drawn { rng, n: 0 }
    }

    /// How many numbers of 64 bits were drawn.
    pub(crate) fn n(&self) -> u64 {
        self.n
    }

    fn draw_until(&mut self, n: u64) {
        while self.n < n {
            self.next_u64();
        }
    }
}

impl<R: Rng> TryRng for Drawn<'_, R> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.next_u64() as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.n += 1;
        Ok(self.rng.next_u64())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for chunk in bytes.chunks_mut(8) {
            let number = self.next_u64().to_le_bytes();
            chunk.copy_from_slice(&number[..chunk.len()]);
        }
        Ok(())
    }
}

/// A hash of all trees, of how they are mined, and of the version; it does not depend on who has which.
pub(crate) fn fingerprint(
    ranks: &dyn Collective,
    (trees, first_tree): (&[Tree], usize),
    config: &MiningConfig,
) -> u64 {
    let how = format!("{} {config:?}", env!("CARGO_PKG_VERSION"));
    let how = how.bytes().fold(0, |hash, it| mix(hash, it.into()));
    let numbered = trees.par_iter().enumerate();
    let hashes = numbered.map(|(index, tree)| mix(hash_of(tree), (first_tree + index) as u64));
    let own: u64 = hashes.reduce(|| 0, u64::wrapping_add);
    let all = ranks.all_gather(own.to_le_bytes().to_vec());
    let hashes = all.iter().map(|it| Reader::new(it).hash());
    hashes.fold(how, u64::wrapping_add)
}

fn hash_of(tree: &Tree) -> u64 {
    tree.nodes().fold(0, |hash, it| {
        mix(hash, label_key(tree.symbol(it), tree.label(it)))
    })
}
