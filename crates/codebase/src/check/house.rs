//! House rules in a file, so that a few changed files can be checked without reading all the others.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use patois_syntax::{Fragment, FragmentIndex, NodeId};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::context::{Aspect, Kinds, Program};
use super::definitions::Definitions;
use super::knowledge::Knowledge;
use super::rule::Rule;
use super::tally::{Conventions, Place, of};
use super::wording::{Report, part_name};
use super::{CheckConfig, Deviations, ranked};
use crate::checksum;
use crate::output::{self, OutputError};
use crate::repository::RepositoryPrograms;

/// The version of the format that this program writes, and the only one that it reads.
const VERSION: u32 = 1;

/// The rules of a code base.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct House {
    version: u32,
    /// The rules of each language.
    pub languages: IndexMap<String, HouseRules>,
    /// What the bytes come to; known while they are read.
    #[serde(default, skip_serializing)]
    checksum: Option<String>,
}

/// The rules of one language.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HouseRules {
    /// Local names that are called the same nearly everywhere.
    pub conventions: Vec<String>,
    /// With how many arguments the functions may be called that the rules name.
    #[serde(default)]
    pub definitions: Definitions,
    /// The rules, those with the most surprising exceptions first.
    pub rules: Vec<Rule>,
}

/// Why a file has no house rules.
#[derive(Debug, thiserror::Error)]
pub enum HouseError {
    /// The file cannot be read.
    #[error("cannot read `{}`", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The contents are no house rules.
    #[error("`{}` has no house rules: {message}", .path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
}

impl House {
    /// House rules of some languages.
    pub fn new(languages: IndexMap<String, HouseRules>) -> House {
        House {
            version: VERSION,
            languages,
            checksum: None,
        }
    }

    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    ///
    /// When the system refuses.
    ///
    /// # Panics
    ///
    /// Never: texts and numbers are always JSON.
    pub fn write(&self, path: &Path) -> Result<(), OutputError> {
        let json = serde_json::to_string_pretty(self).expect("texts and numbers are always JSON");
        output::write(path, checksum::sealed(&json))
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// When it is not there, of another version, or changed since it was written.
    pub fn read(path: &Path) -> Result<House, HouseError> {
        #[derive(Deserialize)]
        struct Versioned {
            version: serde_json::Value,
        }
        let text = std::fs::read_to_string(path).map_err(|source| HouseError::Io {
            path: path.to_owned(),
            source,
        })?;
        let format = |message: String| HouseError::Format {
            path: path.to_owned(),
            message,
        };
        let json = |error: serde_json::Error| format(error.to_string());
        let Versioned { version } = serde_json::from_str(&text).map_err(json)?;
        if version != VERSION {
            let message = format!("it has version {version}, expected {VERSION}");
            return Err(format(message));
        }
        let house: House = serde_json::from_str(&text).map_err(json)?;
        checksum::check(&text).map_err(|error| {
            let advice = "whoever changed it on purpose removes its key `checksum`";
            format(format!(
                "it has changed since it was written: {error}; {advice}"
            ))
        })?;
        Ok(house)
    }
}

/// Finds the places of some files that are not as house rules say, the most surprising first.
///
/// What the files do elsewhere counts for nothing here, so a place may have a bit less than in [`super::check`].
pub fn check_against(
    read: &RepositoryPrograms,
    house: &HouseRules,
    config: &CheckConfig,
) -> Deviations {
    let conventions = Conventions::named(&house.conventions);
    let kinds = Kinds::of(&read.grammar);
    let knowledge = Knowledge::new(read, house.definitions.clone());
    // A context with a production that no file has is nowhere.
    let parsed = house.rules.par_iter().filter_map(|rule| {
        let fragment = Fragment::parse(&read.grammar, &rule.context).ok()?;
        Some((rule, Part::parse(&rule.part)?, fragment))
    });
    let rules: Vec<(&Rule, Part, Fragment)> = parsed.collect();
    let index = FragmentIndex::new(rules.iter().map(|it| &it.2));
    let found: Vec<Vec<(usize, Place, f64)>> = (0..read.trees.len())
        .into_par_iter()
        .map(|unit| {
            let program = of(read, &kinds, &conventions, unit);
            let mut found = Vec::new();
            index.find(program.tree, |number, root, bindings| {
                let (rule, part, _) = &rules[number];
                let Some(node) = part.of(&program, root, bindings) else {
                    return;
                };
                let place = Place {
                    program: unit as u32,
                    root,
                    part: node,
                };
                let name = part_name(&program, part.aspect(), place);
                if name == rule.usual {
                    return;
                }
                let surprise = program.surprise(rule, part.aspect(), place, &knowledge);
                let is_finding = || {
                    surprise >= config.min_surprise
                        && !rule.also.contains(&name)
                        && !program.is_nothing_new(rule, part.aspect(), place, &conventions)
                };
                if config.requires(rule) || is_finding() {
                    found.push((number, place, surprise));
                }
            });
            found
        })
        .collect();
    let mut report = Report::new(read, &kinds, &conventions);
    let found = found.into_iter().flatten();
    let deviations = found.filter_map(|(number, place, surprise)| {
        let (rule, part, fragment) = &rules[number];
        let mut deviation = report.against_rule(rule, part.aspect(), fragment, place, surprise)?;
        deviation.is_required = config.requires(rule);
        Some(deviation)
    });
    Deviations {
        found: ranked(deviations.collect()),
        required: required(house, config),
    }
}

/// Where the part of a rule is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Hole(usize),
    Beside(Aspect),
}

impl Part {
    fn parse(text: &str) -> Option<Part> {
        match text.strip_prefix('?') {
            Some(hole) => Some(Part::Hole(hole.parse().ok()?)),
            None => Aspect::named(text).map(Part::Beside),
        }
    }

    fn aspect(self) -> Aspect {
        match self {
            Part::Hole(_) => Aspect::Inside,
            Part::Beside(aspect) => aspect,
        }
    }

    /// The node of the part, as [`super::context::Seen`] has it.
    fn of(self, program: &Program<'_>, root: NodeId, bindings: &[NodeId]) -> Option<NodeId> {
        match self {
            Part::Hole(hole) => bindings.get(hole).copied(),
            Part::Beside(aspect) => program.part_beside(root, aspect),
        }
    }
}

/// The required rules and idioms that house rules have.
fn required(house: &HouseRules, config: &CheckConfig) -> BTreeSet<String> {
    let ids = house.rules.iter();
    let ids = ids.flat_map(|it| std::iter::once(&it.id).chain(&it.idiom));
    ids.filter(|it| config.required.contains(*it))
        .cloned()
        .collect()
}
