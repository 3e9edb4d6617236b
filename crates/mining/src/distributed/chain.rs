//! A Markov chain that several ranks move at once.

use std::ops::ControlFlow;

use indexmap::IndexSet;
use patois_collective::Collective;
use patois_syntax::{Fragment, Grammar};
use rand::Rng;
use rustc_hash::FxBuildHasher;

use super::gather;
use crate::checkpoint::{Checkpoints, Drawn, Record};
use crate::config::{ChainConfig, Stop};
use crate::error::MiningError;
use crate::miner::{Proposal, Sweep};
use crate::pitman_yor::LogSums;
use crate::sampler::Sampler;
use crate::segmentation::Segmentation;

/// How often ranks tell each other in a sweep what they have changed.
///
/// A chain of several ranks is one chain whose sites are visited side by side: each rank moves its own
/// against what the others had when they last told. The more often they tell, the nearer it is to one
/// chain, and the more there is to wait for.
pub const N_EXCHANGES: usize = 8;

/// A chain over the trees of all ranks.
pub(super) struct SharedChain<'r> {
    pub ranks: &'r dyn Collective,
    pub grammar: &'r Grammar,
    /// How many nodes all ranks have together.
    pub n_nodes: usize,
    pub config: ChainConfig,
}

impl SharedChain<'_> {
    /// Cuts the corpus into fragments, as [`Chain`](crate::Chain) does; rank 0 has those of all ranks, in
    /// their order.
    pub(super) fn propose<'a>(
        &self,
        (mut segmentation, mut record): (Segmentation<'a>, Record),
        mut sampler: impl Sampler,
        kept: &Checkpoints<'_>,
        rng: &mut Drawn<'_, impl Rng>,
        watch: &mut dyn FnMut(&Sweep) -> ControlFlow<()>,
    ) -> Result<Proposal<'a>, MiningError> {
        let (grammar, config) = (self.grammar, self.config);
        let sums = LogSums::of_any_size(config.prior, self.n_nodes);
        for number in record.n_over..config.n_sweeps {
            let heat = config
                .annealing
                .inverse_temperature(number, config.n_sweeps);
            for part in 0..N_EXCHANGES {
                let sites = segmentation.arena().sites_of_part(part, N_EXCHANGES);
                sampler.visit(&mut segmentation, &sums, heat, sites, rng);
                segmentation.exchange(self.ranks);
            }
            segmentation.collect_garbage();
            debug_assert!(segmentation.is_consistent(), "counts drifted");
            if config.stop == Stop::Estimated {
                segmentation.estimate_stop_in_all(self.ranks);
            }
            let sweep = self.record_with(&segmentation, &sums, number + 1);
            record.push(sweep);
            let is_over = self.agree(watch(&sweep).is_break());
            if number + config.n_kept_sweeps.max(1) >= config.n_sweeps {
                record.take_fragments(grammar, &segmentation);
            }
            kept.keep(&segmentation, &record, rng.n())?;
            if is_over {
                record.take_fragments(grammar, &segmentation);
                break;
            }
        }
        let gathered = self.ranks.gather(gather::write_fragments(record.fragments));
        let all = gathered
            .iter()
            .flat_map(|it| gather::read_fragments(grammar, it));
        let all: IndexSet<Fragment, FxBuildHasher> = all.collect();
        Ok(Proposal {
            fragments: all.into_iter().collect(),
            segmentation,
            sweeps: record.sweeps,
        })
    }

    /// The state of a search after a pass over the corpus.
    pub(super) fn record(&self, segmentation: &Segmentation<'_>, number: usize) -> Sweep {
        let sums = LogSums::of_any_size(self.config.prior, self.n_nodes);
        self.record_with(segmentation, &sums, number)
    }

    fn record_with(&self, segmentation: &Segmentation<'_>, sums: &LogSums, number: usize) -> Sweep {
        let (n_fragments, n_cuts) = segmentation.figures_of_all(self.ranks);
        Sweep {
            number,
            ln_posterior: segmentation.ln_target_of_all(sums, self.ranks),
            n_fragments,
            n_cuts,
        }
    }

    /// Whether rank 0 says so.
    fn agree(&self, is_so: bool) -> bool {
        self.ranks.broadcast(0, vec![is_so.into()]) == [1]
    }
}
