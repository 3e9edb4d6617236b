//! The command line, the main path and the house rules, from outside; one binary, so that it is linked once.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod program;

mod browser;
mod by_heart;
mod cli;
mod evaluate;
mod experiment;
mod export;
mod figure_five;
mod find;
mod idiom_report;
mod links;
mod mine;
mod prune;
mod random_weights;
mod references;
mod report;
mod repository;
mod score;
mod synthesize;
mod tidy;
mod train;
