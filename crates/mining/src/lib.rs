//! Mines idioms: fragments of syntax trees that a corpus keeps repeating.
//!
//! ```text
//! trees → CorpusArena → Miner → fragments → pool of candidates → ranking → IdiomLibrary
//! ```
//!
//! [`mine`](mine()) is the whole stage. A [miner] cuts the corpus into fragments: a
//! [Markov chain](sampler) over the cuts of a tree substitution grammar with a
//! [Pitman-Yor prior](pitman_yor), or [byte-pair encoding of trees](byte_pairs). [Candidates](candidates) are
//! these fragments and [what is derived from them](pool), counted by matching. A [ranking](rank)
//! chooses the idioms; [figures] say what they are good for. [Clones](mod@clones) are another matter: whole
//! runs of statements that are there twice.

pub mod arena;
pub mod base_distribution;
pub mod byte_pairs;
pub mod candidates;
pub mod clones;
pub mod compression;
pub mod config;
pub mod figures;
pub mod fragment_table;
pub mod generalisations;
pub mod mine;
pub mod miner;
pub mod model;
pub mod pitman_yor;
pub mod pool;
pub mod rank;
pub mod sampler;
pub mod segmentation;
pub mod select;
pub mod surprise;

pub use arena::CorpusArena;
pub use base_distribution::Pcfg;
pub use candidates::{BLANK, Filter, Place, Tally, tally};
pub use clones::{CloneClass, Run, clones};
pub use config::{Annealing, BytePairConfig, ChainConfig, MinerKind, MiningConfig, Stop};
pub use figures::{Compression, Figures, measure};
pub use mine::{BitsPerNode, Mined, MinedIdiom, MiningError, mine, mine_and_predict};
pub use miner::{Miner, Proposal, Sweep};
pub use pitman_yor::{LogSums, PitmanYor, PitmanYorError};
pub use pool::{Merged, NamedArguments, PoolConfig, Variants};
pub use rank::Ranking;
pub use sampler::{Sampler, SingleSite, TypeBased};
pub use segmentation::{Segmentation, Start};
