//! The stage as a whole: from trees to a library.

use std::borrow::Cow;
use std::ops::ControlFlow;

use patois_collective::Alone;
use patois_syntax::{Fragment, Grammar, Idiom, IdiomLibrary, Tree};
use rand::Rng;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::against::{Guide, Lifts, by_background};
use crate::arena::CorpusArena;
use crate::candidates::{Place, Pool, locate};
use crate::checkpoint::Checkpoints;
use crate::compression::{Costs, Counting};
use crate::config::{MinerKind, MiningConfig, Stop};
use crate::distributed::Task;
use crate::error::MiningError;
use crate::figures::{Figures, measure};
use crate::miner::{Chain, Corpus, Miner, PairMerging, Proposal, Sweep};
use crate::model::{Predictive, SmoothedPcfg, bits_per_node};
use crate::phrases::{Phrase, Texts, by_phrases, phrases_of};
use crate::pool::{Merged, PoolBuilder, unknown};
use crate::rank::{Ranked, Ranking, by_coverage, by_cross_entropy, by_residual};
use crate::sampler::{SingleSite, TypeBased};
use crate::segmentation::Segmentation;
use crate::select::by_compression;
use crate::subtrees::Subtrees;
use crate::surprise::by_surprise;

/// What has come of mining.
#[derive(Clone, Debug)]
pub struct Mined {
    /// The idioms, best first.
    pub library: IdiomLibrary,
    /// More about each of them, in the same order.
    pub idioms: Vec<MinedIdiom>,
    /// The record of the search for fragments.
    pub sweeps: Vec<Sweep>,
    /// How many nodes may be cut.
    pub n_sites: usize,
    /// How many candidates the library was chosen from.
    pub n_candidates: usize,
    /// How many more there could have been: fragments that [`MAX_FRAGMENT_NODES`] may have kept from
    /// growing, and candidates for which there was no room. None, unless much of a corpus is there
    /// several times.
    ///
    /// [`MAX_FRAGMENT_NODES`]: crate::MAX_FRAGMENT_NODES
    pub n_left_out: usize,
    /// What the library does for the corpus that it was mined from.
    pub figures: Figures,
    /// How well the fragments predict programs that were held out, where some were.
    pub bits_per_node: Option<BitsPerNode>,
}

/// How many bits a node of a new program costs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BitsPerNode {
    /// Under the grammar with the corpus's frequencies.
    pub pcfg: f64,
    /// Under the fragments that the miner has cut the corpus into.
    pub fragments: f64,
}

/// Where an idiom was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MinedIdiom {
    /// At how many places.
    pub n_occurrences: usize,
    /// In how many trees.
    pub coverage: usize,
    /// What the ranking thought of it; higher is better.
    pub score: f64,
    /// How many bits each place saves beyond what is usual, where something is known of that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lift: Option<f64>,
    /// Which words of specifications foretell it, where programs come with some.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub phrases: Vec<Phrase>,
    /// Up to three places, in different trees if possible.
    pub examples: Vec<Place>,
}

/// Mines a corpus: proposes fragments, counts candidates by matching, and ranks them.
///
/// The same corpus, configuration and random numbers give the same library, whatever the number of
/// threads. `watch` is shown every sweep; when it breaks, the fragments found so far are ranked.
/// The [crate] has an example.
///
/// # Errors
///
/// When there is nothing to mine, or the configuration is out of range.
pub fn mine(
    grammar: &Grammar,
    trees: &[Tree],
    config: &MiningConfig,
    rng: &mut impl Rng,
    watch: &mut dyn FnMut(&Sweep) -> ControlFlow<()>,
) -> Result<Mined, MiningError> {
    mine_and_predict(grammar, trees, &[], config, rng, watch)
}

/// Mines a corpus as [`mine`] does, and knows more about it than the trees say.
///
/// Where the guide knows what is usual, the library begins with what is not, by the bits that it
/// saves beyond, and ends with what is, by the nodes that it covers.
///
/// # Errors
///
/// When there is nothing to mine, or the configuration is out of range.
pub fn mine_guided(
    grammar: &Grammar,
    trees: &[Tree],
    guide: &Guide<'_>,
    config: &MiningConfig,
    rng: &mut impl Rng,
    watch: &mut dyn FnMut(&Sweep) -> ControlFlow<()>,
) -> Result<Mined, MiningError> {
    let task = Task {
        grammar,
        trees,
        held_out: &[],
        guide: *guide,
        config,
        keeper: None,
    };
    mine_all(&task, rng, watch)
}

/// Mines programs that come with texts, in the same order, as [`mine_and_predict`] does, and names the phrases that
/// foretell each idiom.
///
/// # Errors
///
/// When there is nothing to mine, or the configuration is out of range.
pub fn mine_described(
    grammar: &Grammar,
    (trees, texts): (&[Tree], &Texts),
    held_out: &[Tree],
    config: &MiningConfig,
    rng: &mut impl Rng,
    watch: &mut dyn FnMut(&Sweep) -> ControlFlow<()>,
) -> Result<Mined, MiningError> {
    let guide = Guide {
        texts: Some(texts).filter(|it| it.len() == trees.len()),
        ..Guide::default()
    };
    let task = Task {
        grammar,
        trees,
        held_out,
        guide,
        config,
        keeper: None,
    };
    mine_all(&task, rng, watch)
}

/// Mines a corpus as [`mine`] does, and measures how well its fragments predict other programs.
///
/// # Errors
///
/// When there is nothing to mine, or the configuration is out of range.
pub fn mine_and_predict(
    grammar: &Grammar,
    trees: &[Tree],
    held_out: &[Tree],
    config: &MiningConfig,
    rng: &mut impl Rng,
    watch: &mut dyn FnMut(&Sweep) -> ControlFlow<()>,
) -> Result<Mined, MiningError> {
    let task = Task {
        grammar,
        trees,
        held_out,
        guide: Guide::default(),
        config,
        keeper: None,
    };
    mine_all(&task, rng, watch)
}

pub(crate) fn mine_all(
    task: &Task<'_>,
    rng: &mut impl Rng,
    watch: &mut dyn FnMut(&Sweep) -> ControlFlow<()>,
) -> Result<Mined, MiningError> {
    let Task {
        grammar,
        trees,
        config,
        ..
    } = *task;
    let guide = &task.guide;
    check(trees, config)?;
    check_texts(trees, guide, config)?;
    let arena = CorpusArena::new(grammar, trees);
    let corpus = Corpus {
        grammar,
        arena: &arena,
    };
    let kept = Checkpoints::new(task.keeper, &Alone, (trees, 0), config);
    let mut proposal = propose(corpus, config, &kept, rng, watch)?;
    let step = sampling(trees.iter().map(Tree::n_nodes).sum(), config, guide);
    let searched = sample(trees, step);
    let builder = PoolBuilder {
        grammar,
        trees: &searched,
        subtrees: &Subtrees::of(&searched),
        filter: config.filter,
        config: config.pool,
    };
    let mut proposed = Proposed {
        fragments: std::mem::take(&mut proposal.fragments),
        merged: None,
        n_large: proposal.segmentation.n_large(),
    };
    if is_merging(config, guide) {
        // Its segmentation is as large as the corpus, and nobody needs it any more.
        let Proposal {
            fragments,
            segmentation,
            ..
        } = merge_pairs(corpus, config, rng);
        proposed.n_large += segmentation.n_large();
        proposed.merged = Some(fragments);
    }
    let segmentation = Some(&proposal.segmentation);
    let mut chosen = choose(&builder, proposed, guide, step, config, segmentation);
    if searched.len() < trees.len() {
        (chosen.pool, chosen.ranked) = in_all(grammar, trees, &chosen.pool, &chosen.ranked);
    }
    let (idioms, known): (Vec<Idiom>, Vec<MinedIdiom>) =
        chosen.idioms(trees, guide).into_iter().unzip();
    let library = IdiomLibrary::new(grammar, idioms);
    Ok(Mined {
        figures: measure(grammar, trees, &library),
        library,
        idioms: known,
        sweeps: proposal.sweeps,
        n_sites: arena.sites().count(),
        n_candidates: chosen.n_candidates,
        n_left_out: chosen.n_left_out,
        bits_per_node: predict(grammar, task.held_out, &proposal.segmentation, config),
    })
}

/// Fragments that idioms are made of.
pub(crate) struct Proposed {
    /// The miner's.
    pub fragments: Vec<Fragment>,
    /// Those of byte pairs, where they are merged as well.
    pub merged: Option<Vec<Fragment>>,
    /// How many may have been kept from growing.
    pub n_large: usize,
}

/// A library, and what it was chosen from.
pub(crate) struct Chosen {
    /// The candidates.
    pub pool: Pool,
    /// The idioms among them, best first.
    pub ranked: Vec<Ranked>,
    /// How many candidates there were.
    pub n_candidates: usize,
    /// How many more there could have been.
    pub n_left_out: usize,
}

impl Chosen {
    /// The fragments of the idioms.
    pub(crate) fn fragments(&self) -> impl Iterator<Item = Fragment> + '_ {
        let idioms = self.ranked.iter();
        idioms.map(|it| self.pool[it.0].fragment.clone())
    }

    /// The idioms, and where they were found in `trees`.
    pub(crate) fn idioms(&self, trees: &[Tree], guide: &Guide<'_>) -> Vec<(Idiom, MinedIdiom)> {
        let known = mined_idioms(&self.pool, &self.ranked, trees, guide);
        let idioms = self.ranked.iter().map(|&it| idiom(&self.pool, it));
        idioms.zip(known).collect()
    }
}

/// Chooses a library among what comes of proposed fragments; the builder's trees are one of `step`.
pub(crate) fn choose(
    builder: &PoolBuilder<'_>,
    proposed: Proposed,
    guide: &Guide<'_>,
    step: usize,
    config: &MiningConfig,
    segmentation: Option<&Segmentation<'_>>,
) -> Chosen {
    let merged = proposed
        .merged
        .map(|it| builder.build(it))
        .unwrap_or_default();
    let own = builder.build(proposed.fragments);
    let n_left_out = merged.n_left_out + own.n_left_out + proposed.n_large;
    let mut pool = guide.kept(merged.pool, step);
    let n_merged = pool.len();
    let own = unknown(&pool, guide.kept(own.pool, step));
    pool.extend(own);
    let n_first = if n_merged > 0 { n_merged } else { pool.len() };
    let ranked = match guide.bits {
        Some(bits) => by_background(&pool, builder.trees, bits, guide, config.n_idioms),
        None => rank(builder, &mut pool, n_first, config, (segmentation, guide)),
    };
    Chosen {
        n_candidates: pool.len(),
        pool,
        ranked,
        n_left_out,
    }
}

pub(crate) fn predict(
    grammar: &Grammar,
    trees: &[Tree],
    segmentation: &Segmentation<'_>,
    config: &MiningConfig,
) -> Option<BitsPerNode> {
    if trees.is_empty() {
        return None;
    }
    let pcfg = SmoothedPcfg::of(segmentation.arena());
    let model = Predictive::new(grammar, &pcfg, segmentation, config.chain.prior);
    Some(BitsPerNode {
        pcfg: bits_per_node(&pcfg, trees, |tree| pcfg.ln_tree(tree)),
        fragments: bits_per_node(&pcfg, trees, |tree| model.ln_tree(tree)),
    })
}

fn check(trees: &[Tree], config: &MiningConfig) -> Result<(), MiningError> {
    if trees.is_empty() {
        return Err(MiningError::NoTrees);
    }
    let n_nodes = trees.iter().map(Tree::n_nodes).sum();
    if u32::try_from(n_nodes).is_err() {
        return Err(MiningError::TooLarge(n_nodes));
    }
    check_config(config)
}

pub(crate) fn check_config(config: &MiningConfig) -> Result<(), MiningError> {
    let chain = &config.chain;
    chain.prior.check()?;
    match chain.stop {
        Stop::Fixed(stop) if !(stop > 0.0 && stop < 1.0) => return Err(MiningError::Stop(stop)),
        Stop::Fixed(_) | Stop::Estimated => {}
    }
    if !(chain.visits > 0.0 && chain.visits.is_finite()) {
        return Err(MiningError::Visits(chain.visits));
    }
    if chain.n_sweeps == 0 {
        return Err(MiningError::NoSweeps);
    }
    Ok(())
}

/// Refuses to look for phrases where there are none.
pub(crate) fn check_texts(
    trees: &[Tree],
    guide: &Guide<'_>,
    config: &MiningConfig,
) -> Result<(), MiningError> {
    let (programs, texts) = (trees.len(), guide.texts.map_or(0, Texts::len));
    if config.ranking == Ranking::Phrases && texts != programs {
        return Err(MiningError::NoTexts { texts, programs });
    }
    Ok(())
}

fn propose<'a>(
    corpus: Corpus<'a>,
    config: &MiningConfig,
    kept: &Checkpoints<'_>,
    rng: &mut impl Rng,
    watch: &mut dyn FnMut(&Sweep) -> ControlFlow<()>,
) -> Result<Proposal<'a>, MiningError> {
    let chain = config.chain;
    match config.miner {
        MinerKind::TypeBased => Chain {
            sampler: TypeBased::new(chain.visits),
            config: chain,
        }
        .go_on(corpus, kept, rng, watch),
        MinerKind::SingleSite => Chain {
            sampler: SingleSite,
            config: chain,
        }
        .go_on(corpus, kept, rng, watch),
        MinerKind::BytePairs => Ok(PairMerging {
            config: config.byte_pairs,
            chain,
        }
        .propose(corpus, rng, watch)),
    }
}

/// In how many nodes a library is searched for that shortens most; of more, a sample is taken.
///
/// What an idiom saves is then known well enough, and trying out one costs time for every place.
const MAX_SEARCHED_NODES: usize = 500_000;

/// Candidates are counted in one of so many trees.
pub(crate) fn sampling(n_nodes: usize, config: &MiningConfig, guide: &Guide<'_>) -> usize {
    let is_shortening = config.ranking == Ranking::Compression && guide.bits.is_none();
    if is_shortening {
        n_nodes.div_ceil(MAX_SEARCHED_NODES).max(1)
    } else {
        1
    }
}

/// All trees, or so many, evenly spaced.
fn sample(trees: &[Tree], step: usize) -> Cow<'_, [Tree]> {
    match step {
        1 => Cow::Borrowed(trees),
        _ => Cow::Owned(trees.iter().step_by(step).cloned().collect()),
    }
}

/// The idioms that were found in a sample, as they are in all trees.
fn in_all(
    grammar: &Grammar,
    trees: &[Tree],
    pool: &Pool,
    ranked: &[Ranked],
) -> (Pool, Vec<Ranked>) {
    let idioms = ranked.iter().map(|it| pool[it.0].fragment.clone());
    let idioms = locate(trees, idioms);
    let mut costs = Costs::new(grammar, trees, Counting::Applications);
    let saved = costs.add_all(&idioms).into_iter().map(|it| it as f64);
    let ranked = idioms.ids().zip(saved).collect();
    (idioms, ranked)
}

/// Whether byte-pair encoding proposes fragments besides those of the miner.
pub(crate) fn is_merging(config: &MiningConfig, guide: &Guide<'_>) -> bool {
    let is_wide = matches!(config.ranking, Ranking::Compression | Ranking::Phrases);
    (is_wide || guide.bits.is_some())
        && config.pool.merged == Merged::First
        && config.miner != MinerKind::BytePairs
}

fn merge_pairs<'a>(corpus: Corpus<'a>, config: &MiningConfig, rng: &mut impl Rng) -> Proposal<'a> {
    let mut miner = PairMerging {
        config: config.byte_pairs,
        chain: config.chain,
    };
    miner.propose(corpus, rng, &mut |_| ControlFlow::Continue(()))
}

fn rank(
    builder: &PoolBuilder<'_>,
    pool: &mut Pool,
    n_first: usize,
    config: &MiningConfig,
    (segmentation, guide): (Option<&Segmentation<'_>>, &Guide<'_>),
) -> Vec<Ranked> {
    let (trees, n_idioms) = (builder.trees, config.n_idioms);
    match config.ranking {
        Ranking::Coverage => by_coverage(pool, n_idioms),
        Ranking::CrossEntropy => {
            let segmentation = segmentation.expect("a model is made of a segmented corpus");
            let pcfg = SmoothedPcfg::of(segmentation.arena());
            let prior = config.chain.prior;
            let model = Predictive::new(builder.grammar, &pcfg, segmentation, prior);
            by_cross_entropy(pool, trees, &model, n_idioms)
        }
        Ranking::Residual => by_residual(pool, pool.ids(), trees, n_idioms),
        Ranking::Surprise => by_surprise(pool, trees, n_idioms),
        Ranking::Phrases => {
            let texts = guide.texts.expect("texts were checked for");
            by_phrases(builder.grammar, pool, trees, texts, n_idioms)
        }
        Ranking::Compression => {
            let chosen = by_compression(builder, pool, n_first, n_idioms, config.library);
            let chosen = chosen.into_iter();
            chosen.map(|(id, saved)| (id, saved as f64)).collect()
        }
    }
}

fn idiom(pool: &Pool, (id, score): Ranked) -> Idiom {
    Idiom {
        fragment: pool[id].fragment.clone(),
        coverage: pool[id].coverage,
        score,
    }
}

fn mined_idioms(
    pool: &Pool,
    ranked: &[Ranked],
    trees: &[Tree],
    guide: &Guide<'_>,
) -> Vec<MinedIdiom> {
    let lifts = guide.bits.map(|bits| Lifts::new(trees, bits));
    let texts = guide.texts;
    let idioms = ranked.par_iter().map(|&(id, score)| {
        let candidate = &pool[id];
        MinedIdiom {
            n_occurrences: candidate.places.len(),
            coverage: candidate.coverage,
            score,
            lift: lifts.as_ref().map(|it| it.of(candidate)),
            phrases: texts.map_or_else(Vec::new, |it| phrases_of(candidate, trees, it)),
            examples: examples(&candidate.places),
        }
    });
    idioms.collect()
}

pub(crate) const N_EXAMPLES: usize = 3;

/// The first places in different trees, then the first ones that are left.
pub(crate) fn examples(places: &[Place]) -> Vec<Place> {
    let mut examples: Vec<Place> = Vec::new();
    for &place in places {
        if examples.last().is_none_or(|last| last.tree != place.tree) {
            examples.push(place);
            if examples.len() == N_EXAMPLES {
                return examples;
            }
        }
    }
    let n_missing = N_EXAMPLES - examples.len();
    let others = places.iter().filter(|it| !examples.contains(it));
    let others: Vec<Place> = others.take(n_missing).copied().collect();
    examples.extend(others);
    examples
}

#[cfg(test)]
mod tests {
    use patois_syntax::Schema;

    use super::*;
    use crate::candidates::CandidateId;

    #[test]
    fn idioms_of_a_sample_are_counted_in_all_trees() {
        let schema = "module M { expr = Add(expr left, expr right) | Neg(expr it) | A }";
        let grammar = Grammar::from_schema(&Schema::parse(schema).unwrap());
        let tree = |_| Tree::parse(&grammar, "(Add (Neg (Neg A)) A)").unwrap();
        let trees: Vec<Tree> = (0..100_001).map(tree).collect();
        let guide = Guide::default();
        let n_nodes = trees.iter().map(Tree::n_nodes).sum();
        let step = sampling(n_nodes, &MiningConfig::default(), &guide);
        let sample = sample(&trees, step);
        assert_eq!(sample.len(), 50_001);

        let fragment = Fragment::parse(&grammar, "(Neg (Neg ?0))").unwrap();
        let pool = locate(&sample, [fragment]);
        let first = CandidateId::new(0);
        let (idioms, ranked) = in_all(&grammar, &trees, &pool, &[(first, 50_001.0)]);
        assert_eq!(idioms[first].coverage, trees.len());
        assert_eq!(ranked, [(first, 100_001.0)]);

        let all = MiningConfig {
            ranking: Ranking::Coverage,
            ..MiningConfig::default()
        };
        assert_eq!(sampling(n_nodes, &all, &guide), 1);
    }
}
