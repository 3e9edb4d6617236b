//! The idioms of source trees: from files to programs, and from idioms to code, pages and rules.
//!
//! Files are found and cut into units, functions and classes, which are what the miner learns from:
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use patois_codebase::find::{Sought, find};
//! use patois_codebase::idiom_source::IdiomPrinter;
//! use patois_codebase::local_names::LocalNames;
//! use patois_codebase::repository::{Repository, UnitConfig};
//! use patois_codebase::{mine, mining_config};
//! use rand::SeedableRng;
//!
//! let folder = tempfile::tempdir()?;
//! for name in ["read", "count", "show", "check", "load"] {
//!     let code = format!("def {name}(path):\n    with open(path) as f:\n        return json.load(f)\n");
//!     std::fs::write(folder.path().join(format!("{name}.py")), code)?;
//! }
//! let units = UnitConfig::default();
//! let repository = Repository::find(&[folder.path().to_owned()], &units)?;
//! let programs = repository.parse("python", &units, &|| ());
//! assert_eq!(programs.trees.len(), 5);
//!
//! let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
//! let mut go_on = |_: &_| ControlFlow::Continue(());
//! let how = mining_config(&programs);
//! let mined = mine(&programs, LocalNames::Holes, &how, &mut rng, &mut go_on)?;
//! let printer = IdiomPrinter::of_sources(&programs.grammar, &programs.language);
//! let idioms = mined.library.iter();
//! let mut code = idioms.map(|(_, idiom)| printer.print(&idiom.fragment).to_string());
//! assert!(code.any(|code| code.contains("json.load(")));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What was mined, or what somebody types, can be looked for: equal holes stand for equal code.
//!
//! ```
//! # use patois_codebase::find::{Sought, find};
//! # use patois_codebase::repository::{Repository, UnitConfig};
//! # let folder = tempfile::tempdir()?;
//! std::fs::write(folder.path().join("queue.py"), "n = n + 1\nm = n + 1\n")?;
//! # let units = UnitConfig::default();
//! # let repository = Repository::find(&[folder.path().to_owned()], &units)?;
//! # let programs = repository.parse("python", &units, &|| ());
//! let places = find(&programs, &Sought::typed("$x = $x + 1")?)?;
//! assert_eq!(places.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`idiom_file`] is `idioms.json`, [`idiom_report`] a page to read, [`export`] rules for other tools,
//! [`duplicates`] code that is there twice.

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub mod background;
pub mod check;
pub mod checksum;
mod dominant;
pub mod duplicates;
pub mod export;
pub mod find;
pub mod findings;
pub mod idiom_file;
mod idiom_name;
pub mod idiom_report;
pub mod idiom_source;
pub mod local_names;
mod mine;
pub mod number;
pub mod output;
pub mod page;
pub mod repository;
mod same;
pub mod sarif;
mod share;
pub mod source_file;
pub mod sources;
pub mod state_folder;
mod tally;
mod taste;

pub use mine::{
    MAX_SAMPLED, Wanted, mine, mine_on, mine_wanted, mining_config, mining_config_of,
    usual_min_files,
};
pub use share::Share;
