//! Mines idioms: fragments of syntax trees that a corpus keeps repeating.
//!
//! ```text
//! trees → CorpusArena → Miner → fragments → candidates → Ranking → IdiomLibrary
//! ```
//!
//! | file | what lives there |
//! | --- | --- |
//! | `mine.rs`, `config.rs` | [`mine()`]: the stage as a whole; [`MiningConfig`] |
//! | `arena.rs`, `fragment_table.rs` | [`CorpusArena`]: all nodes of all trees; hash-consed fragments |
//! | `base_distribution.rs`, `pitman_yor.rs` | [`Base`]: the paper's *G*₀; the prior by [stick breaking](PitmanYor), and the [target](LogSums) |
//! | `segmentation.rs`, `sampler.rs` | [`Segmentation`]: which nodes are cut; [`Sampler`]: two Markov chains over that |
//! | `byte_pairs.rs`, `miner.rs` | byte-pair encoding of trees; [`Miner`]: whatever proposes fragments |
//! | `candidates.rs`, `generalisations.rs`, `pool.rs` | fragments counted by matching; the same with more holes, shared holes |
//! | `rank.rs`, `surprise.rs`, `select.rs`, `compression.rs` | the [rankings](Ranking): `Score_Cov`, `Score_CXE`, and those that look at the whole library |
//! | `phrases.rs`, `phrases/` | the ranking for programs that come with [texts](Texts): idioms that their words call for |
//! | `model.rs`, `figures.rs` | bits a node under the posterior predictive; [`measure`]: what a library does for a corpus |
//! | `distributed.rs`, `checkpoint.rs` | [`MiningRanks`]: the same on several ranks; [`Keeper`]: a chain that was ended goes on |
//! | `clones.rs` | [`clones()`]: runs of statements that are there twice |
//!
//! # A tour
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use patois_mining::*;
//! use patois_syntax::{Grammar, Schema, Tree};
//! use rand::SeedableRng;
//!
//! // A corpus is trees of one grammar. Everybody here adds one to something.
//! let schema = Schema::parse(
//!     "module Tour { expr = Add(expr left, expr right) | Name(name id) | Num(number value)
//!                    name = text  number = text }",
//! )?;
//! let grammar = Grammar::from_schema(&schema);
//! let tree = |name| Tree::parse(&grammar, &format!(r#"(Add (Name "{name}") (Num "1"))"#));
//! let trees: Vec<Tree> = ["a", "b", "c", "d"].into_iter().map(tree).collect::<Result<_, _>>()?;
//!
//! // Samplers see it as one arena. A site is a node where a fragment may end: here, all but roots.
//! let arena = CorpusArena::new(&grammar, &trees);
//! assert_eq!((arena.n_nodes(), arena.sites().count()), (20, 16));
//!
//! // A segmentation says which sites are cut. At first all are: every fragment is one production.
//! let base = Base::new(&arena, 0.5);
//! let mut segmentation = Segmentation::new(&arena, base, Start::AllCut);
//! let sums = LogSums::new(PitmanYor::PAPER, arena.n_nodes());
//! let ln_before = segmentation.ln_target(&sums);
//!
//! // A sampler moves the cuts towards segmentations that are more probable.
//! let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
//! let mut sampler = TypeBased::new(10.0);
//! for _ in 0..10 {
//!     sampler.sweep(&mut segmentation, &sums, 1.0, &mut rng);
//! }
//! assert!(segmentation.ln_target(&sums) > ln_before);
//!
//! // The stage as a whole: sample, count what was found by matching, rank it.
//! let mut watch = |_: &Sweep| ControlFlow::Continue(());
//! let mined = mine(&grammar, &trees, &MiningConfig::default(), &mut rng, &mut watch)?;
//! let (_, best) = mined.library.iter().next().expect("an idiom");
//! assert_eq!(best.fragment.display(&grammar).to_string(), r#"(Add (Name ?0) (Num "1"))"#);
//!
//! // What the library is good for: two steps a program, where there were five.
//! let applications = measure(&grammar, &trees, &mined.library).applications;
//! assert_eq!((applications.without, applications.with), (20, 8));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod against;
mod arena;
mod background;
mod base_distribution;
mod byte_pairs;
mod candidates;
mod checkpoint;
mod clones;
mod compression;
mod config;
mod distributed;
mod error;
mod figures;
mod fragment_table;
mod generalisations;
mod library_cost;
mod mine;
mod miner;
mod model;
mod phrases;
mod pitman_yor;
mod pool;
mod rank;
mod sampler;
mod segmentation;
mod select;
mod subtrees;
mod surprise;

pub use against::{Guide, Keeps, OWN_BITS, Weigh};
pub use arena::{CorpusArena, CorpusNodeId, Site};
pub use background::{Background, BackgroundCounts, BackgroundError, NodeBits};
pub use base_distribution::{Base, Pcfg};
pub use candidates::{BLANK, Filter, Place, Tally, TreeId, tally};
pub use checkpoint::{Keeper, Kept};
pub use clones::{CloneClass, MIN_CLONE_NODES, Run, clones};
pub use config::{
    Annealing, BytePairConfig, ChainConfig, LibraryCost, MinerKind, MiningConfig, Stop,
};
pub use distributed::gather::{read_fragments, read_labels, write_fragments, write_labels};
pub use distributed::{MiningRanks, N_EXCHANGES, Part, Task};
pub use error::MiningError;
pub use figures::{Compression, Figures, measure, measure_on};
pub use fragment_table::{FragmentId, MAX_FRAGMENT_NODES};
pub use mine::{
    BitsPerNode, Mined, MinedIdiom, mine, mine_and_predict, mine_described, mine_guided,
};
pub use miner::{Chain, Corpus, Miner, Proposal, Sweep};
pub use phrases::{Phrase, Texts};
pub use pitman_yor::{LogSums, PitmanYor, PitmanYorError};
pub use pool::{Merged, NamedArguments, PoolConfig, Variants};
pub use rank::Ranking;
pub use sampler::{Sampler, SingleSite, TypeBased};
pub use segmentation::{Segmentation, Start};
pub use surprise::Bits;
