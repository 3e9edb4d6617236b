//! Idioms as rules of other tools: ast-grep and Semgrep.
//!
//! A rule finds at least the places that the idiom has; it may find more, where the tool cannot say
//! as much as the idiom does. An idiom that would lose places, or of which too little would be left,
//! is no rule, and it is said why.

mod ast_grep;
mod lowering;
mod semgrep;
mod yaml;

use patois_languages::SourceLanguage;
use patois_syntax::{Fragment, Grammar, IdiomLibrary};
use serde::Serialize;

use crate::idiom_file::{IdiomFile, IdiomRecord};
use crate::idiom_source::IdiomPrinter;
use yaml::Yaml;

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

/// The rules for a library.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The file of rules.
    pub text: String,
    /// How many idioms have a rule.
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

/// An idiom without a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// Which one, counted from one.
    pub idiom: usize,
    /// Why.
    pub reason: String,
}

/// An idiom with all that a rule needs to know of it.
struct Subject<'a> {
    language: &'a SourceLanguage,
    grammar: &'a Grammar,
    printer: &'a IdiomPrinter<'a>,
    fragment: &'a Fragment,
    record: &'a IdiomRecord,
    number: usize,
}

/// Why an idiom has no rule.
type Reason = &'static str;

/// The rules of a tool for the idioms of a library.
pub fn rules(
    tool: Tool,
    language: &SourceLanguage,
    grammar: &Grammar,
    library: &IdiomLibrary,
    file: &IdiomFile,
) -> Rules {
    let printer = IdiomPrinter::of_sources(grammar, language);
    let mut made = Vec::new();
    let mut left_out = Vec::new();
    for ((_, idiom), (index, record)) in library.iter().zip(file.idioms.iter().enumerate()) {
        let subject = Subject {
            language,
            grammar,
            printer: &printer,
            fragment: &idiom.fragment,
            record,
            number: index + 1,
        };
        match subject.rule(tool) {
            Ok(rule) => made.push(rule),
            Err(reason) => left_out.push(LeftOut {
                idiom: index + 1,
                reason: reason.to_owned(),
            }),
        }
    }
    let n_expressed = made.len();
    let text = match tool {
        Tool::AstGrep => ast_grep::file(&made),
        Tool::Semgrep => semgrep::file(made),
    };
    Rules {
        text,
        n_expressed,
        left_out,
    }
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

    fn id(&self) -> String {
        format!("patois-{}-{}", self.language.name(), self.number)
    }

    fn message(&self) -> String {
        let IdiomRecord {
            occurrences,
            coverage,
            source,
            ..
        } = self.record;
        let first = source.lines().next().unwrap_or_default();
        let number = self.number;
        format!("idiom {number} ({occurrences} places in {coverage} programs): {first}")
    }

    fn metadata(&self) -> Yaml {
        Yaml::map([
            ("idiom", Yaml::number(self.number)),
            ("places", Yaml::number(self.record.occurrences)),
            ("source", Yaml::text(&self.record.source)),
        ])
    }
}
