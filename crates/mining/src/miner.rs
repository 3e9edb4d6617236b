//! Miners: what proposes fragments.

use std::ops::ControlFlow;

use indexmap::IndexSet;
use patois_syntax::{Fragment, Grammar};
use rand::Rng;
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};

use crate::arena::CorpusArena;
use crate::base_distribution::Base;
use crate::byte_pairs::BytePairs;
use crate::checkpoint::{Checkpoints, Drawn, Record};
use crate::config::{BytePairConfig, ChainConfig, Stop};
use crate::error::MiningError;
use crate::pitman_yor::LogSums;
use crate::sampler::Sampler;
use crate::segmentation::{Segmentation, Start};

/// A corpus to be mined.
#[derive(Clone, Copy, Debug)]
pub struct Corpus<'a> {
    /// The grammar of the trees.
    pub grammar: &'a Grammar,
    /// The trees.
    pub arena: &'a CorpusArena,
}

/// A way to find fragments that a corpus may be made of.
pub trait Miner {
    /// Cuts a corpus into fragments; `watch` is shown each sweep and may end the search.
    fn propose<'a>(
        &mut self,
        corpus: Corpus<'a>,
        rng: &mut impl Rng,
        watch: &mut dyn FnMut(&Sweep) -> ControlFlow<()>,
    ) -> Proposal<'a>;
}

/// What a miner has found.
#[derive(Clone, Debug)]
pub struct Proposal<'a> {
    /// The fragments, each once, in an order that depends on the corpus and the random numbers only.
    pub fragments: Vec<Fragment>,
    /// The corpus, cut into fragments.
    pub segmentation: Segmentation<'a>,
    /// The record of the search.
    pub sweeps: Vec<Sweep>,
}

/// The state of a search after one pass over the corpus.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sweep {
    /// Which pass, from one on.
    pub number: usize,
    /// The log-probability of the cuts, up to a constant.
    pub ln_posterior: f64,
    /// How many different fragments there are.
    pub n_fragments: usize,
    /// How many sites are cut.
    pub n_cuts: usize,
}

impl Sweep {
    fn of(segmentation: &Segmentation<'_>, sums: &LogSums, number: usize) -> Sweep {
        Sweep {
            number,
            ln_posterior: segmentation.ln_target(sums),
            n_fragments: segmentation.fragments().len(),
            n_cuts: segmentation.n_cut_sites(),
        }
    }
}

/// Fragments of the last states of a Markov chain: the paper's "idioms are extracted from the pTSG
/// obtained at the last MCMC iteration".
#[derive(Clone, Debug)]
pub struct Chain<S> {
    /// What moves the chain.
    pub sampler: S,
    /// How far, and where from.
    pub config: ChainConfig,
}

impl<S: Sampler> Miner for Chain<S> {
    fn propose<'a>(
        &mut self,
        corpus: Corpus<'a>,
        rng: &mut impl Rng,
        watch: &mut dyn FnMut(&Sweep) -> ControlFlow<()>,
    ) -> Proposal<'a> {
        let proposed = self.go_on(corpus, &Checkpoints::none(), rng, watch);
        proposed.unwrap_or_else(|error| unreachable!("nothing is kept: {error}"))
    }
}

impl<S: Sampler> Chain<S> {
    /// Cuts a corpus into fragments, from what was kept of this chain on, if anything was.
    pub(crate) fn go_on<'a>(
        &mut self,
        corpus: Corpus<'a>,
        kept: &Checkpoints<'_>,
        rng: &mut impl Rng,
        watch: &mut dyn FnMut(&Sweep) -> ControlFlow<()>,
    ) -> Result<Proposal<'a>, MiningError> {
        let (Corpus { grammar, arena }, config) = (corpus, self.config);
        let sums = LogSums::new(config.prior, arena.n_nodes());
        let mut rng = Drawn::new(rng);
        let resumed = kept.resume(grammar, arena, &mut rng)?;
        let (mut segmentation, mut record) = resumed.unwrap_or_else(|| {
            let base = Base::new(arena, config.stop.at_first());
            let begun = Segmentation::new(arena, base, config.start);
            (begun, Record::default())
        });
        for number in record.n_over..config.n_sweeps {
            let heat = config
                .annealing
                .inverse_temperature(number, config.n_sweeps);
            self.sampler.sweep(&mut segmentation, &sums, heat, &mut rng);
            segmentation.collect_garbage();
            debug_assert!(segmentation.is_consistent(), "counts drifted");
            if config.stop == Stop::Estimated {
                segmentation.estimate_stop();
            }
            let sweep = Sweep::of(&segmentation, &sums, number + 1);
            record.push(sweep);
            let is_over = watch(&sweep).is_break();
            if number + config.n_kept_sweeps.max(1) >= config.n_sweeps {
                record.take_fragments(grammar, &segmentation);
            }
            kept.keep(&segmentation, &record, rng.n())?;
            if is_over {
                record.take_fragments(grammar, &segmentation);
                break;
            }
        }
        Ok(Proposal {
            fragments: record.fragments.into_iter().collect(),
            segmentation,
            sweeps: record.sweeps,
        })
    }
}

/// Fragments that come of joining the most frequent pair, again and again.
#[derive(Clone, Debug)]
pub(crate) struct PairMerging {
    /// How often.
    pub config: BytePairConfig,
    /// The prior that the record of the search is judged by.
    pub chain: ChainConfig,
}

impl Miner for PairMerging {
    fn propose<'a>(
        &mut self,
        corpus: Corpus<'a>,
        _rng: &mut impl Rng,
        watch: &mut dyn FnMut(&Sweep) -> ControlFlow<()>,
    ) -> Proposal<'a> {
        let Corpus { grammar, arena } = corpus;
        let base = Base::new(arena, 0.5);
        let mut segmentation = Segmentation::new(arena, base, Start::AllCut);
        let mut pairs = BytePairs::new(&mut segmentation);
        let mut merged = Vec::new();
        while merged.len() < self.config.max_merges
            && let Some(joined) = pairs.join_most_frequent(self.config.min_count.max(2))
        {
            merged.push(joined);
        }
        let fragments: IndexSet<Fragment, FxBuildHasher> = merged
            .iter()
            .filter_map(|&id| segmentation.fragment(grammar, id))
            .collect();
        segmentation.estimate_stop();
        let sums = LogSums::new(self.chain.prior, arena.n_nodes());
        let sweep = Sweep::of(&segmentation, &sums, 1);
        // Nothing is left to be ended.
        let _ = watch(&sweep);
        Proposal {
            fragments: fragments.into_iter().collect(),
            segmentation,
            sweeps: vec![sweep],
        }
    }
}
