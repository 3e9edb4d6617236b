//! Mining on several ranks, each of which has some consecutive trees of a corpus.
//!
//! | step | who | as one rank would |
//! | --- | --- | --- |
//! | labels and their probabilities | all, summed | yes |
//! | byte pairs | all, merge after merge | yes |
//! | a Markov chain | all, each against the counts of all as of the last exchange | nearly |
//! | candidates and the choice among them | rank 0, in the trees that one rank would look at | yes |
//! | what the idioms do for all trees: places, steps saved, figures | all, summed | yes |
//!
//! A ranking by compression looks for idioms in half a million nodes, however large the corpus is, and these
//! are what rank 0 gathers. The other rankings look at all trees, so rank 0 gathers all for them, as it does
//! to predict others.

mod chain;
mod counting;
pub(crate) mod gather;
mod lead;

use std::borrow::Cow;
use std::ops::{ControlFlow, Range};

use patois_collective::{Alone, Collective, Reader, Threads, Writer};
use patois_syntax::{Fragment, Grammar, Idiom, IdiomLibrary, Tree};
use rand::Rng;

use crate::against::Guide;
use crate::arena::CorpusArena;
use crate::base_distribution::Base;
use crate::byte_pairs::SharedPairs;
use crate::candidates::locate;
use crate::checkpoint::{Checkpoints, Drawn, Keeper, Record, fingerprint};
use crate::config::{MinerKind, MiningConfig, Stop};
use crate::error::MiningError;
use crate::figures::Measured;
use crate::mine::{
    BitsPerNode, Chosen, Mined, MinedIdiom, Proposed, check_config, check_texts, choose,
    is_merging, mine_all, predict, sampling,
};
use crate::miner::{Proposal, Sweep};
use crate::pool::PoolBuilder;
use crate::rank::Ranking;
use crate::sampler::{Sampler, SingleSite, TypeBased};
use crate::segmentation::{Segmentation, Start};
use crate::subtrees::Subtrees;
use chain::SharedChain;
use lead::Lead;

pub use chain::N_EXCHANGES;

/// What is mined, and how.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The grammar.
    pub grammar: &'a Grammar,
    /// The corpus.
    pub trees: &'a [Tree],
    /// Programs to predict.
    pub held_out: &'a [Tree],
    /// What else is known.
    pub guide: Guide<'a>,
    /// How.
    pub config: &'a MiningConfig,
    /// Where the state of a chain is kept after each sweep, to go on from.
    pub keeper: Option<&'a dyn Keeper>,
}

/// What mines parts of a corpus side by side.
#[derive(Clone, Copy)]
pub enum MiningRanks<'r> {
    /// So many threads, with stacks of so many bytes. One is what [`mine`](crate::mine()) does.
    Threads {
        /// How many.
        n: usize,
        /// How deep.
        stack_bytes: usize,
    },
    /// Processes that have all read the same corpus.
    Processes(&'r dyn Collective),
}

impl MiningRanks<'_> {
    /// Mines; nothing where this is another process than rank 0. `rng` makes the random numbers of a rank.
    ///
    /// # Errors
    ///
    /// When there is nothing to mine, the configuration is out of range, or ranks have different trees.
    ///
    /// # Panics
    ///
    /// When a thread cannot be started.
    pub fn mine<R: Rng>(
        &self,
        task: &Task<'_>,
        rng: &(dyn Fn(usize) -> R + Sync),
        watch: &mut dyn FnMut(&Sweep) -> ControlFlow<()>,
    ) -> Result<Option<Mined>, MiningError> {
        match *self {
            MiningRanks::Threads { n: 0 | 1, .. } => task.alone(&mut rng(0), watch).map(Some),
            MiningRanks::Threads { n, stack_bytes } => {
                let first = |ranks: &Threads<'_>| {
                    task.on(ranks, task.held_out, &task.guide, &mut rng(0), watch)
                };
                let other = |ranks: &Threads<'_>| {
                    let (mut rng, guide) = (rng(ranks.rank()), Guide::default());
                    let mut watch = |_: &Sweep| ControlFlow::Continue(());
                    // What is wrong with the task is wrong for all, and told by rank 0.
                    let _ = task.on(ranks, &[], &guide, &mut rng, &mut watch);
                };
                match Threads::run(n, stack_bytes, first, &other) {
                    Ok(mined) => mined,
                    Err(lost) => panic!("{lost}"),
                }
            }
            MiningRanks::Processes(ranks) if ranks.size() == 1 => {
                task.alone(&mut rng(0), watch).map(Some)
            }
            MiningRanks::Processes(ranks) => {
                task.check_same(ranks)?;
                let mut rng = rng(ranks.rank());
                task.on(ranks, task.held_out, &task.guide, &mut rng, watch)
            }
        }
    }
}

impl Task<'_> {
    fn alone(
        &self,
        rng: &mut impl Rng,
        watch: &mut dyn FnMut(&Sweep) -> ControlFlow<()>,
    ) -> Result<Mined, MiningError> {
        mine_all(self, rng, watch)
    }

    /// Mines the part of this rank.
    fn on(
        &self,
        ranks: &dyn Collective,
        held_out: &[Tree],
        guide: &Guide<'_>,
        rng: &mut impl Rng,
        watch: &mut dyn FnMut(&Sweep) -> ControlFlow<()>,
    ) -> Result<Option<Mined>, MiningError> {
        check_texts(self.trees, &self.guide, self.config)?;
        let own = parts(self.trees, ranks.size()).swap_remove(ranks.rank());
        let part = Part {
            grammar: self.grammar,
            trees: &self.trees[own.clone()],
            first_tree: own.start,
            all: Some(self.trees),
            keeper: self.keeper,
        };
        part.mine(ranks, held_out, guide, self.config, rng, watch)
    }

    /// Refuses ranks that have read other trees than rank 0, or are to mine them in another way.
    fn check_same(&self, ranks: &dyn Collective) -> Result<(), MiningError> {
        check_same(ranks, (self.trees, 0), self.config)
    }
}

/// Refuses ranks whose trees, options or version are not those of rank 0.
fn check_same(
    ranks: &dyn Collective,
    trees: (&[Tree], usize),
    config: &MiningConfig,
) -> Result<(), MiningError> {
    let hash = fingerprint(&Alone, trees, config);
    let hashes = ranks.all_gather(hash.to_le_bytes().to_vec());
    match hashes.iter().position(|it| *it != hashes[0]) {
        Some(rank) => Err(MiningError::OtherTrees(rank)),
        None => Ok(()),
    }
}

/// Consecutive trees for each of so many ranks, with about as many nodes for each.
fn parts(trees: &[Tree], n_ranks: usize) -> Vec<Range<usize>> {
    let n_nodes: usize = trees.iter().map(Tree::n_nodes).sum();
    let (mut at, mut n_before) = (0, 0);
    let part = |rank: usize| {
        let first = at;
        let end = n_nodes as u128 * (rank as u128 + 1) / n_ranks as u128;
        while at < trees.len() && (n_before as u128) < end {
            n_before += trees[at].n_nodes();
            at += 1;
        }
        first..at
    };
    (0..n_ranks).map(part).collect()
}

/// The part of a corpus that a rank has.
#[derive(Clone, Copy, Debug)]
pub struct Part<'t> {
    /// The grammar, which all ranks have.
    pub grammar: &'t Grammar,
    /// The trees of this rank.
    pub trees: &'t [Tree],
    /// How many trees lower ranks have.
    pub first_tree: usize,
    /// The trees of all ranks, where they are in memory anyway.
    pub all: Option<&'t [Tree]>,
    /// Where the state of a chain is kept after each sweep, to go on from.
    pub keeper: Option<&'t dyn Keeper>,
}

impl Part<'_> {
    /// Mines the trees of all ranks, each of which must call this; rank 0 has the result.
    ///
    /// Programs to predict and a guide are looked at on rank 0 only. What one process would find is found,
    /// but for what the chain's [exchanges](N_EXCHANGES) cost.
    ///
    /// # Errors
    ///
    /// When there is nothing to mine, or the configuration is out of range: on all ranks alike.
    pub fn mine(
        &self,
        ranks: &dyn Collective,
        held_out: &[Tree],
        guide: &Guide<'_>,
        config: &MiningConfig,
        rng: &mut impl Rng,
        watch: &mut dyn FnMut(&Sweep) -> ControlFlow<()>,
    ) -> Result<Option<Mined>, MiningError> {
        // The trees are those of one corpus, if it was cut by whoever calls this; that all mean the same is not said.
        check_same(ranks, (&[], 0), config)?;
        let sizes = Sizes::of(self.trees).sum(ranks);
        sizes.check(config)?;
        let plan = Plan::of(&sizes, held_out, guide, config).agreed(ranks);
        let cut = self.cut(ranks, &sizes, plan, config, rng, watch)?;
        let trees = self.gather_trees(ranks, if plan.needs_cuts { 1 } else { plan.step });
        let chosen = (ranks.rank() == 0).then(|| {
            let search = Search {
                grammar: self.grammar,
                trees: &trees,
                cuts: cut.cuts,
                guide,
                config,
            };
            search.choose(cut.proposed, plan, held_out)
        });
        let (chosen, bits_per_node) = chosen.unzip();
        let fragments = self.agree_on(ranks, chosen.as_ref());
        let found = locate(self.trees, fragments);
        let idioms = match &chosen {
            _ if plan.step > 1 => self.count(ranks, &found),
            Some(chosen) => chosen.idioms(&trees, guide),
            None => Vec::new(),
        };
        let measured = Measured::of(self.grammar, self.trees, &found).sum(ranks);
        let Some(chosen) = chosen else {
            return Ok(None);
        };
        let (library, idioms): (Vec<Idiom>, Vec<MinedIdiom>) = idioms.into_iter().unzip();
        Ok(Some(Mined {
            library: IdiomLibrary::new(self.grammar, library),
            idioms,
            sweeps: cut.sweeps,
            n_sites: cut.n_sites,
            n_candidates: chosen.n_candidates,
            n_left_out: chosen.n_left_out,
            figures: measured.figures(),
            bits_per_node: bits_per_node.flatten(),
        }))
    }

    /// Cuts the trees of all ranks into fragments.
    fn cut(
        &self,
        ranks: &dyn Collective,
        sizes: &Sizes,
        plan: Plan,
        config: &MiningConfig,
        rng: &mut impl Rng,
        watch: &mut dyn FnMut(&Sweep) -> ControlFlow<()>,
    ) -> Result<Cut, MiningError> {
        let mut arena = CorpusArena::new(self.grammar, self.trees);
        arena.count_in_all(ranks);
        let Proposal {
            fragments,
            segmentation,
            sweeps,
        } = self.propose(ranks, &arena, sizes, config, rng, watch)?;
        let mut proposed = Proposed {
            fragments,
            merged: None,
            n_large: segmentation.n_large_in_all(ranks),
        };
        let cuts = plan.needs_cuts.then(|| {
            let cuts = gather::gather_cuts(ranks, &segmentation);
            (cuts, segmentation.base().clone())
        });
        // It is as large as the corpus, and nobody needs it any more.
        drop(segmentation);
        if plan.is_merging {
            let merged = self.merge_pairs(ranks, &arena, config);
            proposed.n_large += merged.segmentation.n_large_in_all(ranks);
            proposed.merged = Some(merged.fragments);
        }
        Ok(Cut {
            proposed,
            sweeps,
            n_sites: sum(ranks, arena.sites().count()),
            cuts,
        })
    }

    fn propose<'a>(
        &self,
        ranks: &dyn Collective,
        arena: &'a CorpusArena,
        sizes: &Sizes,
        config: &MiningConfig,
        rng: &mut impl Rng,
        watch: &mut dyn FnMut(&Sweep) -> ControlFlow<()>,
    ) -> Result<Proposal<'a>, MiningError> {
        let chain = SharedChain {
            ranks,
            grammar: self.grammar,
            n_nodes: sizes.n_nodes,
            config: config.chain,
        };
        let kept = Checkpoints::new(self.keeper, ranks, (self.trees, self.first_tree), config);
        let mut rng = Drawn::new(rng);
        match config.miner {
            MinerKind::TypeBased => {
                let sampler = TypeBased::new(config.chain.visits);
                let start = self.start(&chain, arena, sampler.clone(), &kept, &mut rng)?;
                chain.propose(start, sampler, &kept, &mut rng, watch)
            }
            MinerKind::SingleSite => {
                let start = self.start(&chain, arena, SingleSite, &kept, &mut rng)?;
                chain.propose(start, SingleSite, &kept, &mut rng, watch)
            }
            MinerKind::BytePairs => {
                let mut merged = self.merge_pairs(ranks, arena, config);
                merged.segmentation.estimate_stop_in_all(ranks);
                let sweep = chain.record(&merged.segmentation, 1);
                // Nothing is left to be ended.
                let _ = watch(&sweep);
                merged.sweeps.push(sweep);
                Ok(merged)
            }
        }
    }

    /// How a chain of all ranks begins: with what was kept of it, or as one in a sample of the trees has
    /// ended.
    fn start<'a>(
        &self,
        chain: &SharedChain<'_>,
        arena: &'a CorpusArena,
        sampler: impl Sampler,
        kept: &Checkpoints<'_>,
        rng: &mut Drawn<'_, impl Rng>,
    ) -> Result<(Segmentation<'a>, Record), MiningError> {
        let (ranks, config) = (chain.ranks, chain.config);
        if let Some((mut segmentation, record)) = kept.resume(self.grammar, arena, rng)? {
            segmentation.share(ranks);
            return Ok((segmentation, record));
        }
        let base = Base::new(arena, config.stop.at_first());
        let mut segmentation = match config.start {
            Start::AllJoined => Segmentation::new(arena, base, config.start),
            Start::AllCut => {
                let step = lead::sampling(chain.n_nodes, ranks.size());
                let sample = self.gather_trees(ranks, step);
                let lead = Lead::find(ranks, self.grammar, &sample, sampler, config, rng);
                Segmentation::from_cuts(arena, base, lead.cuts(self.trees, arena))
            }
        };
        segmentation.share(ranks);
        if config.stop == Stop::Estimated {
            segmentation.estimate_stop_in_all(ranks);
        }
        Ok((segmentation, Record::after(lead::n_sweeps(config))))
    }

    /// Joins the most frequent pairs of all ranks; rank 0 has the fragments that came of it.
    fn merge_pairs<'a>(
        &self,
        ranks: &dyn Collective,
        arena: &'a CorpusArena,
        config: &MiningConfig,
    ) -> Proposal<'a> {
        let base = Base::new(arena, 0.5);
        let mut segmentation = Segmentation::new(arena, base, Start::AllCut);
        segmentation.keep_keys();
        let config = config.byte_pairs;
        let mut pairs = SharedPairs::new(&mut segmentation, ranks, self.first_tree);
        let mut merged = Vec::new();
        while merged.len() < config.max_merges
            && let Some(joined) = pairs.join_most_frequent(config.min_count.max(2) as u64)
        {
            merged.push(joined.fragment);
        }
        let own = merged.iter().enumerate();
        let own =
            own.filter_map(|(merge, &id)| Some((merge, segmentation.fragment(self.grammar, id?)?)));
        let fragments = self.gather_merged(ranks, own.collect());
        segmentation.share(ranks);
        Proposal {
            fragments,
            segmentation,
            sweeps: Vec::new(),
        }
    }

    /// The fragments that rank 0 has chosen.
    fn agree_on(&self, ranks: &dyn Collective, chosen: Option<&Chosen>) -> Vec<Fragment> {
        let chosen = chosen.into_iter().flat_map(Chosen::fragments);
        let own = gather::write_fragments(chosen);
        gather::read_fragments(self.grammar, &ranks.broadcast(0, own)).collect()
    }
}

/// How much all ranks have together.
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::struct_field_names,
    reason = "all of them are numbers of something"
)]
struct Sizes {
    n_trees: usize,
    n_nodes: usize,
    /// The nodes of ranks that have more than their indices can count.
    n_beyond: usize,
}

impl Sizes {
    fn of(trees: &[Tree]) -> Sizes {
        let n_nodes = trees.iter().map(Tree::n_nodes).sum();
        Sizes {
            n_trees: trees.len(),
            n_nodes,
            n_beyond: if u32::try_from(n_nodes).is_ok() {
                0
            } else {
                n_nodes
            },
        }
    }

    fn sum(self, ranks: &dyn Collective) -> Sizes {
        let mut sizes = [self.n_trees, self.n_nodes, self.n_beyond].map(|it| it as u64);
        ranks.sum(&mut sizes);
        let [n_trees, n_nodes, n_beyond] = sizes.map(|it| it as usize);
        Sizes {
            n_trees,
            n_nodes,
            n_beyond,
        }
    }

    fn check(&self, config: &MiningConfig) -> Result<(), MiningError> {
        if self.n_trees == 0 {
            return Err(MiningError::NoTrees);
        }
        if self.n_beyond > 0 {
            return Err(MiningError::TooLarge(self.n_beyond));
        }
        check_config(config)
    }
}

/// What came of cutting the trees of all ranks; but for the sweeps, rank 0 has it.
struct Cut {
    proposed: Proposed,
    sweeps: Vec<Sweep>,
    n_sites: usize,
    /// Where all trees are cut, and the base distribution, where rank 0 has to know.
    cuts: Option<(Vec<bool>, Base)>,
}

/// What rank 0 decides for all.
#[derive(Clone, Copy, Debug)]
struct Plan {
    /// Idioms are looked for in one of so many trees.
    step: usize,
    /// Whether byte pairs are merged, besides what the miner does.
    is_merging: bool,
    /// Whether rank 0 has to know how all trees were cut.
    needs_cuts: bool,
}

impl Plan {
    fn of(sizes: &Sizes, held_out: &[Tree], guide: &Guide<'_>, config: &MiningConfig) -> Plan {
        Plan {
            step: sampling(sizes.n_nodes, config, guide),
            is_merging: is_merging(config, guide),
            needs_cuts: !held_out.is_empty() || config.ranking == Ranking::CrossEntropy,
        }
    }

    /// What rank 0 has decided.
    fn agreed(self, ranks: &dyn Collective) -> Plan {
        let mut writer = Writer::default();
        writer.number(self.step as u64);
        writer.number(self.is_merging.into());
        writer.number(self.needs_cuts.into());
        let bytes = ranks.broadcast(0, writer.finish());
        let mut reader = Reader::new(&bytes);
        Plan {
            step: reader.size(),
            is_merging: reader.number() > 0,
            needs_cuts: reader.number() > 0,
        }
    }
}

/// What rank 0 looks for a library in.
struct Search<'s> {
    grammar: &'s Grammar,
    /// The trees that it has gathered.
    trees: &'s [Tree],
    /// How all trees were cut, where it needs that, with the base distribution.
    cuts: Option<(Vec<bool>, Base)>,
    guide: &'s Guide<'s>,
    config: &'s MiningConfig,
}

impl Search<'_> {
    /// Chooses a library, and predicts other programs.
    fn choose(
        self,
        proposed: Proposed,
        plan: Plan,
        held_out: &[Tree],
    ) -> (Chosen, Option<BitsPerNode>) {
        let arena = self
            .cuts
            .as_ref()
            .map(|_| CorpusArena::new(self.grammar, self.trees));
        let whole = arena.as_ref().zip(self.cuts);
        let whole = whole.map(|(arena, (cuts, base))| {
            let base = Base::new(arena, 0.5).with_stop_of(&base);
            Segmentation::from_cuts(arena, base, cuts)
        });
        let bits = whole
            .as_ref()
            .and_then(|it| predict(self.grammar, held_out, it, self.config));
        // Where all trees were gathered, the sample is still to be taken.
        let step = if whole.is_some() { plan.step } else { 1 };
        let searched: Cow<'_, [Tree]> = match step {
            1 => Cow::Borrowed(self.trees),
            _ => Cow::Owned(self.trees.iter().step_by(step).cloned().collect()),
        };
        let builder = PoolBuilder {
            grammar: self.grammar,
            trees: &searched,
            subtrees: &Subtrees::of(&searched),
            filter: self.config.filter,
            config: self.config.pool,
        };
        let chosen = choose(
            &builder,
            proposed,
            self.guide,
            plan.step,
            self.config,
            whole.as_ref(),
        );
        (chosen, bits)
    }
}

fn sum(ranks: &dyn Collective, number: usize) -> usize {
    let mut sum = [number as u64];
    ranks.sum(&mut sum);
    sum[0] as usize
}
