//! Runs: what they depend on, where they are kept, their stages, and what comes of them.

pub mod config;
pub mod folder;
pub mod idiom_usage;
pub mod pipeline;
pub mod predictions;
pub mod synthesizer;
pub mod trace;
