//! Idioms for other tools: rules of ast-grep and Semgrep, [snippets] of editors, a short [page](agents).
//!
//! A rule finds at least the places that the idiom has; it may find more, where the tool cannot say
//! as much as the idiom does. An idiom that would lose places, or of which too little would be left,
//! is no rule, and it is said why. Tools read whole files, so each idiom is looked for in these before
//! it becomes a rule.

mod agents;
mod ast_grep;
mod elsewhere;
mod fit;
mod lowering;
mod semgrep;
mod snippets;
mod yaml;

use patois_languages::{SourceLanguage, UnitKind};
use patois_syntax::{Fragment, Grammar, IdiomLibrary};
use serde::Serialize;

use crate::find::{NumberedIdiom, Sought, find};
use crate::idiom_file::{IdiomFile, IdiomRecord};
use crate::idiom_source::IdiomPrinter;
use crate::repository::{RepositoryPrograms, UnitConfig};
use yaml::Yaml;

pub use agents::agents;
pub use fit::{Fit, FitError, fitting_rules};
pub use snippets::snippets;

/// A tool that searches code by rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// <https://ast-grep.github.io>
    AstGrep,
    /// <https://semgrep.dev>
    Semgrep,
}

impl Tool {
    /// Its name, as it is part of the names of files.
    pub fn name(self) -> &'static str {
        match self {
            Tool::AstGrep => "ast-grep",
            Tool::Semgrep => "semgrep",
        }
    }
}

/// What is written for a library.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The file.
    pub text: String,
    /// How many idioms are in it.
    pub n_expressed: usize,
    /// The others.
    pub left_out: Vec<LeftOut>,
}

/// How many nodes an idiom has at most that becomes a rule.
///
/// Nobody reads a rule that is longer, and ast-grep refuses what nests deeper than 64. A literal of a
/// table is a metavariable, and Python is printed several times for each of these, up to 250 of them: the
/// bound keeps that below a second.
const MAX_RULE_NODES: usize = 1_000;

/// An idiom that is not in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// Its id.
    pub idiom: String,
    /// Why.
    pub reason: String,
}

impl Rules {
    fn new(tool: Tool, made: &[Made], left_out: Vec<LeftOut>) -> Rules {
        let rules: Vec<&Yaml> = made.iter().map(|it| &it.rule).collect();
        Rules {
            text: match tool {
                Tool::AstGrep => ast_grep::file(&rules),
                Tool::Semgrep => semgrep::file(&rules),
            },
            n_expressed: made.len(),
            left_out,
        }
    }
}

/// A rule of the idiom with this id.
struct Made {
    id: String,
    rule: Yaml,
}

/// An idiom with all that a rule needs to know of it.
struct Subject<'a> {
    language: &'a SourceLanguage,
    grammar: &'a Grammar,
    printer: &'a IdiomPrinter<'a>,
    fragment: &'a Fragment,
    record: &'a IdiomRecord,
}

/// Why an idiom has no rule.
type Reason = &'static str;

/// The rules of a tool for the idioms of a library that was mined from the given programs.
pub fn rules(
    tool: Tool,
    read: &RepositoryPrograms,
    library: &IdiomLibrary,
    file: &IdiomFile,
) -> Rules {
    let (made, left_out) = made(tool, read, library, file);
    Rules::new(tool, &made, left_out)
}

fn made(
    tool: Tool,
    read: &RepositoryPrograms,
    library: &IdiomLibrary,
    file: &IdiomFile,
) -> (Vec<Made>, Vec<LeftOut>) {
    let (language, grammar) = (&read.language, &read.grammar);
    let printer = IdiomPrinter::of_sources(grammar, language);
    let idioms = library.iter().map(|it| &it.1.fragment);
    let opened: Vec<Option<Fragment>> = idioms.map(|it| elsewhere::opened(grammar, it)).collect();
    let n_places = places_in_files(read, &opened);
    let mut made = Vec::new();
    let mut left_out = Vec::new();
    for (index, (fragment, record)) in opened.iter().zip(&file.idioms).enumerate() {
        let rule = match fragment {
            None => Err(NOTHING_LEFT.to_owned()),
            // A whole unit is no whole file, and is not sought as one.
            Some(it)
                if it.root_symbol() != grammar.root() && n_places[index] < record.occurrences =>
            {
                Err(format!(
                    "files have it at fewer places than the parts that they are cut into: {} of {}",
                    n_places[index], record.occurrences
                ))
            }
            Some(fragment) => {
                let subject = Subject {
                    language,
                    grammar,
                    printer: &printer,
                    fragment,
                    record,
                };
                subject.rule(tool).map_err(ToOwned::to_owned)
            }
        };
        match rule {
            Ok(rule) => made.push(Made {
                id: record.id.clone(),
                rule,
            }),
            Err(reason) => left_out.push(LeftOut {
                idiom: record.id.clone(),
                reason,
            }),
        }
    }
    (made, left_out)
}

const NOTHING_LEFT: Reason = "all of it is about what is cut out of a file or class";

/// At how many places each fragment occurs in whole files.
fn places_in_files(read: &RepositoryPrograms, fragments: &[Option<Fragment>]) -> Vec<usize> {
    let config = UnitConfig {
        unit: UnitKind::File,
        ..UnitConfig::default()
    };
    let files = read.files.iter();
    let sources = files.map(|it| (it.path.clone(), it.text.clone()));
    let whole = RepositoryPrograms::of_sources(read.language.clone(), sources, &config);
    let known = fragments.iter().enumerate();
    let idioms = known.filter_map(|(index, it)| {
        Some(NumberedIdiom {
            number: index,
            notation: it.as_ref()?.display(&read.grammar).to_string(),
        })
    });
    let mut n_places = vec![0; fragments.len()];
    let found = find(&whole, &Sought::Idioms(idioms.collect()));
    for idiom in found.unwrap_or_default().iter().filter_map(|it| it.idiom) {
        n_places[idiom] += 1;
    }
    n_places
}

impl Subject<'_> {
    fn rule(&self, tool: Tool) -> Result<Yaml, Reason> {
        if self.fragment.n_nodes() > MAX_RULE_NODES {
            return Err("it has more than 1,000 nodes, too many for a rule");
        }
        match tool {
            Tool::AstGrep => ast_grep::rule(self),
            Tool::Semgrep => semgrep::rule(self),
        }
    }

    fn id(&self) -> &str {
        &self.record.id
    }

    fn message(&self) -> String {
        let IdiomRecord {
            title,
            occurrences,
            coverage,
            source,
            ..
        } = self.record;
        let first = source.lines().next().unwrap_or_default();
        format!("{title} ({occurrences} places in {coverage} programs): {first}")
    }

    fn metadata(&self) -> Yaml {
        Yaml::map([
            ("title", Yaml::text(&self.record.title)),
            ("places", Yaml::number(self.record.occurrences)),
            ("source", Yaml::text(&self.record.source)),
        ])
    }
}
