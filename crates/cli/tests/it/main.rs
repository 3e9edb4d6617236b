//! The command line from outside; one binary, so that it is linked once.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod program;

mod against;
mod ask;
mod browser;
mod check;
mod cli;
mod crash;
mod evaluate;
mod experiment;
mod export;
mod find;
mod idiom_report;
mod mcp;
mod mine;
mod perturb;
mod prune;
mod report;
mod report_files;
mod repository;
mod score;
mod serve;
mod synthesize;
mod train;
