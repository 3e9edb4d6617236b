//! From the programs of a code base to its idioms.

use std::ops::ControlFlow;

use patois_mining::{Mined, MiningConfig, MiningError, Sweep, measure};
use patois_syntax::{Idiom, IdiomLibrary, Tree};
use rand::Rng;

use crate::local_names::{self, LocalNames};
use crate::repository::RepositoryPrograms;
use crate::tally::Tally;

/// How many names an idiom of source files has at least.
const MIN_NAMES: usize = 2;

/// How many nodes the chain visits, in all sweeps: a minute's work or two.
const MAX_VISITS: usize = 40_000_000;

/// The fewest sweeps, however large the code base.
const MIN_SWEEPS: usize = 3;

/// How programs of source files are mined, unless somebody knows better.
///
/// The shape of a statement alone says nothing to anybody, so idioms have some names in them. And a
/// large code base needs fewer sweeps: each fragment has more places to be found at.
pub fn mining_config(read: &RepositoryPrograms) -> MiningConfig {
    let mut config = MiningConfig::default();
    config.filter.min_names = MIN_NAMES;
    let n_nodes: usize = read.trees.iter().map(Tree::n_nodes).sum();
    let n_sweeps = &mut config.chain.n_sweeps;
    *n_sweeps = (MAX_VISITS / n_nodes.max(1)).clamp(MIN_SWEEPS, *n_sweeps);
    config
}

/// Mines the programs of a code base, as [`patois_mining::mine()`] does.
///
/// Local names may be blanks to the miner, but idioms and figures are those of the programs as they
/// were written. What is said of the search itself, sweeps and candidates, is about what the miner
/// saw.
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
    let (grammar, trees) = (&read.grammar, &read.trees);
    let seen = local_names.trees(read);
    let mined = patois_mining::mine(grammar, &seen, config, rng, watch)?;
    if local_names == LocalNames::Kept {
        return Ok(mined);
    }
    let restored = local_names::restored(grammar, &mined.library, &seen, trees);
    let tallies = Tally::of(restored.keys(), &trees.iter().collect::<Vec<_>>());
    let idioms = restored.into_iter().zip(&tallies);
    let idioms = idioms.map(|((fragment, score), tally)| Idiom {
        fragment,
        coverage: tally.coverage,
        score,
    });
    let library = IdiomLibrary::new(grammar, idioms.collect());
    let known = library.iter().zip(tallies);
    Ok(Mined {
        figures: measure(grammar, trees, &library),
        idioms: known.map(|((_, it), tally)| tally.of_idiom(it)).collect(),
        library,
        ..mined
    })
}
