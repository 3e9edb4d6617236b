//! Why mining fails.

use crate::pitman_yor::PitmanYorError;

/// Why a corpus cannot be mined.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MiningError {
    /// There is nothing to mine.
    #[error("expected at least one tree to mine, found none")]
    NoTrees,
    /// The corpus is too large for our indices.
    #[error("expected fewer than four billion nodes in all, found {0}")]
    TooLarge(usize),
    /// Ranks are to mine the same corpus in the same way.
    #[error("expected rank {0} to have the programs, options and version of rank 0, found others")]
    OtherTrees(usize),
    /// A chain is to go on that was another.
    #[error(
        "expected the state of a chain with the same programs, options and version, found another's"
    )]
    OtherState,
    /// The state of a chain cannot be kept, or read again.
    #[error("rank {rank}: {message}")]
    State {
        /// Where.
        rank: usize,
        /// What the system said.
        message: String,
    },
    /// The prior is none.
    #[error(transparent)]
    Prior(#[from] PitmanYorError),
    /// A probability is none.
    #[error("expected a probability of stopping above 0 and below 1, found {0}")]
    Stop(f64),
    /// Blocks are never visited.
    #[error("expected a positive number of visits to a block, found {0}")]
    Visits(f64),
    /// There is nothing to predict idioms from.
    #[error(
        "the ranking `phrases` expects a text for every program, found {texts} texts for {programs} programs"
    )]
    NoTexts {
        /// How many texts there are.
        texts: usize,
        /// How many programs there are.
        programs: usize,
    },
    /// A chain that never moves finds nothing.
    #[error("expected at least one sweep, found none")]
    NoSweeps,
}
