//! From the programs of a code base to its idioms.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use indexmap::IndexMap;
use patois_mining::{
    Background, Guide, Keeper, Mined, MinedIdiom, MinerKind, MiningConfig, MiningError,
    MiningRanks, Place, Sweep, Task, measure, mine_guided,
};
use patois_syntax::{Fragment, Idiom, IdiomLibrary, Tree};
use rand::Rng;

use crate::dominant::{dominant, filled};
use crate::local_names::{self, LocalNames};
use crate::repository::RepositoryPrograms;
use crate::same::Said;
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

/// In how many files an idiom of a code base occurs at least, unless somebody knows better: what is in one of
/// many is a way of that file.
pub fn usual_min_files(read: &RepositoryPrograms) -> usize {
    if read.files.len() >= MANY_FILES { 2 } else { 1 }
}

/// How programs of source files are mined, unless somebody knows better.
///
/// The shape of a statement alone says nothing to anybody, so idioms have some names in them. And a
/// large code base needs fewer sweeps, as each fragment has more places to be found at; a very large one none,
/// as byte pairs find nearly the same.
pub fn mining_config(read: &RepositoryPrograms) -> MiningConfig {
    let mut config = MiningConfig::default();
    config.filter.min_names = MIN_NAMES;
    let n_nodes: usize = read.trees.iter().map(Tree::n_nodes).sum();
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
    let mined = mine_seen(read, wanted, |seen, guide| {
        mine_guided(&read.grammar, seen, guide, config, rng, watch).map(Some)
    })?;
    Ok(mined.unwrap_or_else(|| unreachable!("one rank has what was mined")))
}

/// Mines as [`mine_wanted`] does, on several ranks; nothing where this is another process than rank 0.
/// The state of the chain is kept after each sweep where there is a keeper.
///
/// # Errors
///
/// When there is nothing to mine, the configuration is out of range, or ranks have different programs.
pub fn mine_on<R: Rng>(
    (ranks, keeper): (&MiningRanks<'_>, Option<&dyn Keeper>),
    read: &RepositoryPrograms,
    wanted: &Wanted<'_>,
    config: &MiningConfig,
    rng: &(dyn Fn(usize) -> R + Sync),
    watch: &mut dyn FnMut(&Sweep) -> ControlFlow<()>,
) -> Result<Option<Mined>, MiningError> {
    mine_seen(read, wanted, |seen, guide| {
        let task = Task {
            grammar: &read.grammar,
            trees: seen,
            held_out: &[],
            guide: *guide,
            config,
            keeper,
        };
        ranks.mine(&task, rng, watch)
    })
}

/// Has the trees mined that a miner should see, and says what came of it about the programs.
fn mine_seen(
    read: &RepositoryPrograms,
    wanted: &Wanted<'_>,
    mine: impl FnOnce(&[Tree], &Guide<'_>) -> Result<Option<Mined>, MiningError>,
) -> Result<Option<Mined>, MiningError> {
    let (grammar, trees) = (&read.grammar, &read.trees);
    let seen = wanted.local_names.trees(read);
    let bits = wanted.background.map(|it| it.bits(grammar, &seen));
    let taste = Taste::of(grammar);
    let weigh = |fragment: &Fragment| taste.weigh(fragment);
    let keeps = |places: &[Place]| n_files(read, places) >= wanted.min_files;
    let guide = Guide {
        bits: bits.as_ref(),
        weigh: Some(&weigh),
        texts: None,
        keeps: (wanted.min_files > 1).then_some(&keeps),
    };
    let Some(mined) = mine(&seen, &guide)? else {
        return Ok(None);
    };
    let restored: IndexMap<Fragment, usize> = match wanted.local_names {
        LocalNames::Kept => {
            let fragments = mined.library.iter().map(|it| it.1.fragment.clone());
            fragments.zip(0..).collect()
        }
        LocalNames::Holes => local_names::restored(grammar, &mined.library, &seen, trees),
    };
    let tallies = Tally::of(restored.keys(), &trees.iter().collect::<Vec<_>>());
    let dominant = dominant(restored.keys(), trees);
    let mut kept: Vec<(Idiom, MinedIdiom)> = Vec::new();
    let mut said: Vec<Said> = Vec::new();
    for (((fragment, index), tally), dominant) in restored.into_iter().zip(tallies).zip(dominant) {
        let (shown, _) = filled(grammar, &fragment, &dominant);
        let says = Said::of(grammar, &shown, tally.occurrences);
        if said.iter().any(|it| it.is_same(&says)) {
            continue;
        }
        said.push(says);
        let MinedIdiom { score, lift, .. } = mined.idioms[index];
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
    let (kept, idioms): (Vec<Idiom>, Vec<MinedIdiom>) = kept.into_iter().unzip();
    let library = IdiomLibrary::new(grammar, kept);
    Ok(Some(Mined {
        figures: measure(grammar, trees, &library),
        idioms,
        library,
        ..mined
    }))
}

/// In how many files some places are.
fn n_files(read: &RepositoryPrograms, places: &[Place]) -> usize {
    let files = places.iter().map(|it| read.units[it.tree.index()].file);
    files.collect::<BTreeSet<usize>>().len()
}
