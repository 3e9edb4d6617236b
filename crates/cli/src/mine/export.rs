//! What is written for other tools, beside the file of idioms.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use indexmap::IndexMap;
use patois_codebase::export::{
    Fit, FitError, LeftOut, Rules, Tool, agents, fitting_rules, rules, snippets,
};
use patois_codebase::idiom_file::IdiomFile;
use patois_codebase::repository::RepositoryPrograms;
use patois_syntax::IdiomLibrary;
use serde::Serialize;

use crate::failure::Failure;

/// What idioms can be written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ExportName {
    /// Rules of <https://ast-grep.github.io>
    AstGrep,
    /// Rules of <https://semgrep.dev>
    Semgrep,
    /// Snippets of VS Code
    Snippets,
    /// A page of 40 lines for AGENTS.md
    Agents,
}

impl ExportName {
    /// Its name in what is printed.
    fn name(self) -> &'static str {
        match self {
            ExportName::AstGrep => Tool::AstGrep.name(),
            ExportName::Semgrep => Tool::Semgrep.name(),
            ExportName::Snippets => "snippets",
            ExportName::Agents => "agents",
        }
    }

    /// How its file ends.
    fn ending(self) -> &'static str {
        match self {
            ExportName::AstGrep => "ast-grep.yml",
            ExportName::Semgrep => "semgrep.yml",
            ExportName::Snippets => "code-snippets",
            ExportName::Agents => "agents.md",
        }
    }

    /// What idioms are in it.
    fn kind(self) -> &'static str {
        match self {
            ExportName::AstGrep => "rules of ast-grep",
            ExportName::Semgrep => "rules of semgrep",
            ExportName::Snippets => "snippets",
            ExportName::Agents => "lines",
        }
    }

    /// The tool that reads it, where it has rules.
    fn tool(self) -> Option<Tool> {
        match self {
            ExportName::AstGrep => Some(Tool::AstGrep),
            ExportName::Semgrep => Some(Tool::Semgrep),
            ExportName::Snippets | ExportName::Agents => None,
        }
    }

    fn write(self, read: &RepositoryPrograms, library: &IdiomLibrary, file: &IdiomFile) -> Rules {
        match self {
            ExportName::AstGrep => rules(Tool::AstGrep, read, library, file),
            ExportName::Semgrep => rules(Tool::Semgrep, read, library, file),
            ExportName::Snippets => snippets(read, library, file),
            ExportName::Agents => agents(file),
        }
    }
}

/// What is written beside the file of idioms.
#[derive(Args)]
pub(super) struct Exports {
    /// Write the idioms of source files for this tool, too, beside OUT: idioms.ast-grep.yml
    ///
    /// May be given several times.
    #[arg(long = "export", value_name = "TOOL")]
    names: Vec<ExportName>,

    /// Ask the tool itself what its rules find in the sources; leave out those that do not fit
    ///
    /// `ast-grep` or `semgrep` must be on the path. The `metadata` of each rule gets its recall and precision, by the lines
    /// that `patois find` reports; what finds no place of its idiom is no rule.
    #[arg(long, requires = "names")]
    check_rules: bool,

    /// Leave out rules if a smaller share of the lines that they find are their idiom's
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 0.5,
        requires = "check_rules"
    )]
    min_precision: f64,
}

impl Exports {
    pub(super) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Refuses what cannot be checked, before anything is mined.
    pub(super) fn check(&self) -> Result<(), Failure> {
        if !self.check_rules {
            return Ok(());
        }
        if !(0.0..=1.0).contains(&self.min_precision) {
            let message = format!("expected a share from 0 to 1, found {}", self.min_precision);
            return Err(Failure::misuse(message));
        }
        let mut tools = self.names.iter().filter_map(|it| it.tool()).peekable();
        if tools.peek().is_none() {
            let message = "there are no rules to check";
            return Err(
                Failure::misuse(message).help("give `--export ast-grep` or `--export semgrep`")
            );
        }
        for tool in tools {
            tool.check_installed()?;
        }
        Ok(())
    }

    /// Writes what each tool reads beside the file of idioms.
    pub(super) fn write(
        &self,
        read: &RepositoryPrograms,
        library: &IdiomLibrary,
        file: &IdiomFile,
        out: &Path,
    ) -> Result<Vec<Exported>, Failure> {
        let mut exported = Vec::new();
        for &export in &self.names {
            let (rules, fits) = match export.tool().filter(|_| self.check_rules) {
                Some(tool) => {
                    let (rules, fits) =
                        fitting_rules(tool, read, library, file, self.min_precision)?;
                    let fits = fits.into_iter().map(CheckedRule::from);
                    (rules, Some(fits.collect()))
                }
                None => (export.write(read, library, file), None),
            };
            let path = out.with_extension(export.ending());
            patois_codebase::output::write(&path, &rules.text)?;
            exported.push(Exported {
                tool: export.name(),
                file: path,
                rules: rules.n_expressed,
                left_out: rules.left_out,
                checked: fits,
                kind: export.kind(),
            });
        }
        Ok(exported)
    }
}

/// What the tool finds by a rule.
#[derive(Debug, Serialize)]
struct CheckedRule {
    #[serde(flatten)]
    fit: Fit,
    recall: f64,
    precision: f64,
}

impl From<Fit> for CheckedRule {
    fn from(fit: Fit) -> CheckedRule {
        CheckedRule {
            recall: fit.recall(),
            precision: fit.precision(),
            fit,
        }
    }
}

impl From<FitError> for Failure {
    fn from(error: FitError) -> Failure {
        let message = error.to_string();
        match error {
            FitError::NoTool { tool } => {
                let package = if tool == "ast-grep" {
                    "ast-grep-cli"
                } else {
                    tool
                };
                let help =
                    format!("install it (`pip install {package}`), or leave out `--check-rules`");
                Failure::misuse(message).help(help)
            }
            FitError::Io { source, .. } => Failure::new(message).because(source),
            FitError::Failed { .. } => Failure::new(message),
        }
    }
}

/// A file for another tool.
#[derive(Debug, Serialize)]
pub(super) struct Exported {
    tool: &'static str,
    file: PathBuf,
    rules: usize,
    left_out: Vec<LeftOut>,
    #[serde(skip_serializing_if = "Option::is_none")]
    checked: Option<Vec<CheckedRule>>,
    #[serde(skip)]
    kind: &'static str,
}

impl Exported {
    /// How many idioms were written, and why the others were not.
    pub(super) fn for_people(&self) -> String {
        let n_idioms = self.rules + self.left_out.len();
        let mut text = format!(
            "{} of {n_idioms} idioms written as {} to `{}`\n",
            self.rules,
            self.kind,
            self.file.display()
        );
        let mut reasons: IndexMap<&str, usize> = IndexMap::new();
        for it in &self.left_out {
            *reasons.entry(&it.reason).or_default() += 1;
        }
        reasons.sort_by(|_, one, _, other| other.cmp(one));
        for (reason, count) in reasons {
            let _ = write!(text, "  {count} left out: {reason}");
            let ids: Vec<&str> = self.unfit(reason).collect();
            if !ids.is_empty() {
                let _ = write!(text, ": {}", ids.join(", "));
            }
            text.push('\n');
        }
        text + &self.fit_for_people()
    }

    /// The idioms whose rules were left out since they do not fit, for this reason.
    fn unfit<'e>(&'e self, reason: &'e str) -> impl Iterator<Item = &'e str> {
        let checked = self.checked.iter().flatten();
        let left_out = self.left_out.iter().filter(move |it| it.reason == reason);
        let ids: Vec<&str> = checked.map(|it| it.fit.idiom.as_str()).collect();
        let left_out = left_out.map(|it| it.idiom.as_str());
        left_out.filter(move |it| ids.contains(it))
    }

    /// What the rules that are left find, all together.
    fn fit_for_people(&self) -> String {
        let Some(checked) = &self.checked else {
            return String::new();
        };
        let is_left = |it: &&CheckedRule| self.left_out.iter().all(|out| out.idiom != it.fit.idiom);
        let mut all = Fit {
            idiom: String::new(),
            lines: 0,
            found: 0,
            more: 0,
        };
        for CheckedRule { fit, .. } in checked.iter().filter(is_left) {
            all.lines += fit.lines;
            all.found += fit.found;
            all.more += fit.more;
        }
        let (recall, precision) = (all.recall(), all.precision());
        let Fit {
            lines, found, more, ..
        } = all;
        format!(
            "  {} finds {found} of their {lines} lines, and {more} more: recall {recall:.2}, precision {precision:.2}\n",
            self.tool
        )
    }
}
