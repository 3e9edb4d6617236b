//! How good predicted programs are.
//!
//! Two programs are compared by their syntax trees and by BLEU ([`ProgramScore`]); two queries clause by
//! clause, as Spider does, and by the rows that they return ([`QueryScore`]).
//!
//! ```
//! use patois_languages::python::Python;
//! use patois_metrics::{ProgramFigures, ProgramScore};
//!
//! let scores = [
//!     ProgramScore::new(&Python, "x = (1)  # one", "x=1"),
//!     ProgramScore::new(&Python, "x = 1", "x = 2"),
//! ];
//! assert_eq!(ProgramFigures::of(&scores).exact_match, 0.5);
//! ```

pub mod bleu;
pub mod execution;
pub mod pairs;
mod program_score;
mod query_score;
pub mod sql_match;

pub use program_score::{ProgramFigures, ProgramScore};
pub use query_score::{ByHardness, ComponentFigures, QueryFigures, QueryScore, QueryScorer};
