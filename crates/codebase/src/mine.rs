//! From the programs of a code base to its idioms.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use indexmap::IndexMap;
use patois_mining::{
    Background, Guide, Keeper, Mined, MinedIdiom, MinerKind, MiningConfig, MiningError,
    MiningRanks, Part, Place, Sweep, Task, mine_guided,
};
use patois_syntax::{Fragment, Grammar, Idiom, IdiomLibrary, Tree};
use rand::Rng;

use crate::dominant::{Dominant, dominant_in_all, filled};
use crate::local_names::{self, LocalNames};
use crate::repository::RepositoryPrograms;
use crate::same::Said;
use crate::share::Share;
use crate::tally::Tally;
use crate::taste::Taste;

/// How many names an idiom of source files has at least.
const MIN_NAMES: usize = 2;

/// How many nodes the chain visits, in all sweeps: a minute's work or two.
const MAX_VISITS: usize = 40_000_000;

/// A code base with more nodes is mined by byte pairs: nearly the same idioms in a fraction of the time.
pub const MAX_SAMPLED: usize = 1_000_000;

/// A code base of so many files has ways of its own, which are in several of them.
const MANY_FILES: usize = 20;

/// The fewest sweeps, however large the code base.
const MIN_SWEEPS: usize = 3;

/// What is asked of the idioms of a code base.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'b> {
    /// What local names are.
    pub local_names: LocalNames,
    /// In how many files an idiom occurs at least.
    pub min_files: usize,
    /// What is usual elsewhere; idioms are ranked by what they save beyond it.
    pub background: Option<&'b Background>,
}

impl Wanted<'_> {
    /// Idioms of as many files as there are, ranked by themselves.
    pub fn new(local_names: LocalNames) -> Wanted<'static> {
        Wanted {
            local_names,
            min_files: 1,
            background: None,
        }
    }
}

/// In how many files an idiom of a code base of so many occurs at least, unless somebody knows better: what is in one of
/// many is a way of that file.
pub fn usual_min_files(n_files: usize) -> usize {
    if n_files >= MANY_FILES { 2 } else { 1 }
}

/// How programs of source files are mined, unless somebody knows better.
///
/// The shape of a statement alone says nothing to anybody, so idioms have some names in them. And a
/// large code base needs fewer sweeps, as each fragment has more places to be found at; a very large one none,
/// as byte pairs find nearly the same.
pub fn mining_config(read: &RepositoryPrograms) -> MiningConfig {
    mining_config_of(read.trees.iter().map(Tree::n_nodes).sum())
}

/// The same for programs that have so many nodes.
pub fn mining_config_of(n_nodes: usize) -> MiningConfig {
    let mut config = MiningConfig::default();
    config.filter.min_names = MIN_NAMES;
    if n_nodes > MAX_SAMPLED {
        config.miner = MinerKind::BytePairs;
    }
    let n_sweeps = &mut config.chain.n_sweeps;
    *n_sweeps = (MAX_VISITS / n_nodes.max(1)).clamp(MIN_SWEEPS, *n_sweeps);
    config
}

/// Mines the programs of a code base, as [`patois_mining::mine()`] does.
///
/// # Errors
///
/// When there is nothing to mine, or the configuration is out of range.
pub fn mine(
    read: &RepositoryPrograms,
    local_names: LocalNames,
    config: &MiningConfig,
    rng: &mut impl Rng,
    watch: &mut dyn FnMut(&Sweep) -> ControlFlow<()>,
) -> Result<Mined, MiningError> {
    mine_wanted(read, &Wanted::new(local_names), config, rng, watch)
}

/// Mines the programs of a code base for idioms of which something is asked.
///
/// Local names may be blanks to the miner, but idioms and figures are those of the programs as they
/// were written. What is said of the search itself, sweeps and candidates, is about what the miner
/// saw. Of idioms that say the same, the better one is kept.
///
/// # Errors
///
/// When there is nothing to mine, or the configuration is out of range.
pub fn mine_wanted(
    read: &RepositoryPrograms,
    wanted: &Wanted<'_>,
    config: &MiningConfig,
    rng: &mut impl Rng,
    watch: &mut dyn FnMut(&Sweep) -> ControlFlow<()>,
) -> Result<Mined, MiningError> {
    let share = Share::alone(read);
    let mined = mine_seen(&share, wanted, |seen, guide| {
        mine_guided(&read.grammar, seen, guide, config, rng, watch).map(Some)
    })?;
    Ok(mined.unwrap_or_else(|| unreachable!("one rank has what was mined")))
}

/// Mines as [`mine_wanted`] does, on several ranks: threads, or processes each of which has read its share. Nothing where
/// this is another process than rank 0. The state of the chain is kept after each sweep where there is a keeper.
///
/// # Errors
///
/// When there is nothing to mine, the configuration is out of range, or ranks have different options.
pub fn mine_on<R: Rng>(
    (n_threads, stack_bytes): (usize, usize),
    share: &Share<'_>,
    wanted: &Wanted<'_>,
    (config, keeper): (&MiningConfig, Option<&dyn Keeper>),
    rng: &(dyn Fn(usize) -> R + Sync),
    watch: &mut dyn FnMut(&Sweep) -> ControlFlow<()>,
) -> Result<Option<Mined>, MiningError> {
    let grammar = &share.read.grammar;
    mine_seen(share, wanted, |seen, guide| {
        if share.ranks.size() > 1 {
            let part = Part {
                grammar,
                trees: seen,
                first_tree: share.first_program,
                all: None,
                keeper,
            };
            let mut rng = rng(share.ranks.rank());
            return part.mine(share.ranks, &[], guide, config, &mut rng, watch);
        }
        let task = Task {
            grammar,
            trees: seen,
            held_out: &[],
            guide: *guide,
            config,
            keeper,
        };
        let ranks = MiningRanks::Threads {
            n: n_threads,
            stack_bytes,
        };
        ranks.mine(&task, rng, watch)
    })
}

/// Has the trees mined that a miner should see, and says what came of it about the programs.
fn mine_seen(
    share: &Share<'_>,
    wanted: &Wanted<'_>,
    mine: impl FnOnce(&[Tree], &Guide<'_>) -> Result<Option<Mined>, MiningError>,
) -> Result<Option<Mined>, MiningError> {
    let grammar = &share.read.grammar;
    let seen = wanted.local_names.trees(share.read);
    let bits = wanted.background.map(|it| it.bits(grammar, &seen));
    let taste = Taste::of(grammar);
    let weigh = |fragment: &Fragment| taste.weigh(fragment);
    let files = if wanted.min_files > 1 {
        share.files_of_programs()
    } else {
        Vec::new()
    };
    let keeps = |places: &[Place]| n_files(&files, places) >= wanted.min_files;
    let guide = Guide {
        bits: bits.as_ref(),
        weigh: Some(&weigh),
        texts: None,
        keeps: (wanted.min_files > 1).then_some(&keeps),
    };
    let mined = mine(&seen, &guide)?;
    let found = mined.iter().flat_map(|it| it.library.iter());
    let found = share.agree_on(found.map(|it| &it.1.fragment));
    let restored: IndexMap<Fragment, usize> = match wanted.local_names {
        LocalNames::Kept => found.into_iter().zip(0..).collect(),
        LocalNames::Holes => local_names::restored(share, &found, &seen),
    };
    // It is as large as the corpus, and nobody needs it any more.
    drop(seen);
    let tallies = share.tally(restored.keys());
    let dominant = dominant_in_all(share, restored.keys());
    let Some(mined) = mined else {
        let kept = share.agree_on(std::iter::empty());
        share.measure(kept);
        return Ok(None);
    };
    let (kept, idioms): (Vec<Idiom>, Vec<MinedIdiom>) =
        said_once(grammar, restored, tallies, &dominant, &mined.idioms)
            .into_iter()
            .unzip();
    let fragments = share.agree_on(kept.iter().map(|it| &it.fragment));
    Ok(Some(Mined {
        figures: share.measure(fragments),
        idioms,
        library: IdiomLibrary::new(grammar, kept),
        ..mined
    }))
}

/// Of idioms that say the same, the best; each with what is known of it, and of the one that was mined.
fn said_once(
    grammar: &Grammar,
    restored: IndexMap<Fragment, usize>,
    tallies: Vec<Tally>,
    dominant: &[Vec<Dominant>],
    mined: &[MinedIdiom],
) -> Vec<(Idiom, MinedIdiom)> {
    let mut kept: Vec<(Idiom, MinedIdiom)> = Vec::new();
    let mut said: Vec<Said> = Vec::new();
    for (((fragment, index), tally), dominant) in restored.into_iter().zip(tallies).zip(dominant) {
        let (shown, _) = filled(grammar, &fragment, dominant);
        let says = Said::of(grammar, &shown, tally.occurrences);
        if said.iter().any(|it| it.is_same(&says)) {
            continue;
        }
        said.push(says);
        let MinedIdiom { score, lift, .. } = mined[index];
        let idiom = Idiom {
            fragment,
            coverage: tally.coverage,
            score,
        };
        let known = MinedIdiom {
            lift,
            ..tally.of_idiom(&idiom)
        };
        kept.push((idiom, known));
    }
    kept
}

/// In how many files some places are; `files` says it of each program.
fn n_files(files: &[u32], places: &[Place]) -> usize {
    let files = places.iter().map(|it| files[it.tree.index()]);
    files.collect::<BTreeSet<u32>>().len()
}
