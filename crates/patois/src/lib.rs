//! patois: mines the idioms of a corpus, and synthesises programs with them.
//!
//! A run is one configuration and one folder. [`run::pipeline`] is the main path: read, mine, mark,
//! train, synthesise, report. What is trained is a [`Synthesizer`](run::synthesizer::Synthesizer), which
//! can be asked:
//!
//! ```
//! use std::sync::Arc;
//!
//! use patois::corpus::DataDir;
//! use patois::run::config::RunConfig;
//! use patois::run::folder::{Existing, RunDir};
//! use patois::run::synthesizer::Synthesizer;
//! use patois::run::{Surroundings, Unobserved, pipeline};
//! use patois::spec::linking::ValueCache;
//! use patois_database::Place;
//!
//! // Four steps teach nothing: what is asked for is a query all the same.
//! let config = "
//!     n_train = 20
//!     [model]
//!     encoder = 'schema'
//!     word_size = 8
//!     hidden_size = 16
//!     [training]
//!     n_steps = 4
//! ";
//! let config = RunConfig::parse("small.toml", config)?;
//! let here = Surroundings { data: DataDir::locate(None), values: ValueCache::none() };
//! let folder = tempfile::tempdir()?;
//! let run = RunDir::create(&folder.path().join("run"), &config, Existing::Refuse)?;
//! pipeline::train(&config, &run, &here, &mut Unobserved)?;
//!
//! let model = Synthesizer::load(&run)?;
//! let place = Place::Script("CREATE TABLE pet(name TEXT, age INTEGER);".to_owned());
//! let schema = Arc::new(place.open("pets")?.schema()?.schema);
//! let pets = model.about(schema, place, &here.values)?;
//! let answers = model.ask("How old is Rex?", &pets, model.config.search);
//! assert!(answers.programs[0].code.contains("FROM pet"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`corpus`] has the programs and their texts, [`augment`] changes them while a model learns, [`spec`] turns texts and schemas into what a model
//! reads, [`experiment`] runs grids of configurations, [`report`] says what came of a run.

pub mod augment;
pub mod corpus;
pub mod experiment;
pub mod report;
pub mod run;
pub mod spec;

/// The examples of the README are tests too.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
