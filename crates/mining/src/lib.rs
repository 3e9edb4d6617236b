//! Mines idioms: fragments of syntax trees that a corpus keeps repeating.

pub mod byte_pairs;
pub mod candidates;
pub mod compression;
pub mod forest;
pub mod model;
pub mod parts;
pub mod pcfg;
pub mod pitman_yor;
pub mod sampler;
pub mod segmentation;

pub use forest::Forest;
pub use pcfg::Pcfg;
pub use pitman_yor::{LogSums, PitmanYor, PitmanYorError};
pub use sampler::{Sampler, SingleSite, TypeBased};
pub use segmentation::{Segmentation, Start};
