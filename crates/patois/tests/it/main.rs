//! The main path and the house rules, from outside; one binary, so that it is linked once.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod by_heart;
mod everyday;
mod figure_five;
mod links;
mod pretrained;
mod random_weights;
mod references;
mod tidy;

/// A part of the default corpus and a network of a few thousand weights.
const TINY: &str = include_str!("../fixtures/tiny/tiny.toml");
