//! Rules of other tools, beside the file of idioms.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use indexmap::IndexMap;
use patois_codebase::export::{LeftOut, Tool, rules};
use patois_codebase::idiom_file::IdiomFile;
use patois_codebase::repository::RepositoryPrograms;
use patois_syntax::IdiomLibrary;
use serde::Serialize;

use crate::failure::Failure;

/// A tool that rules can be written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ToolName {
    /// <https://ast-grep.github.io>
    AstGrep,
    /// <https://semgrep.dev>
    Semgrep,
}

impl From<ToolName> for Tool {
    fn from(name: ToolName) -> Tool {
        match name {
            ToolName::AstGrep => Tool::AstGrep,
            ToolName::Semgrep => Tool::Semgrep,
        }
    }
}

/// A file of rules.
#[derive(Debug, Serialize)]
pub(super) struct Exported {
    tool: &'static str,
    file: PathBuf,
    rules: usize,
    left_out: Vec<LeftOut>,
}

impl Exported {
    /// Writes the rules of each tool beside the file of idioms.
    pub(super) fn write(
        tools: &[ToolName],
        read: &RepositoryPrograms,
        library: &IdiomLibrary,
        file: &IdiomFile,
        out: &Path,
    ) -> Result<Vec<Exported>, Failure> {
        let mut exported = Vec::new();
        for tool in tools.iter().map(|&it| Tool::from(it)) {
            let rules = rules(tool, read, library, file);
            let path = out.with_extension(format!("{}.yml", tool.name()));
            patois_codebase::output::write(&path, &rules.text)?;
            exported.push(Exported {
                tool: tool.name(),
                file: path,
                rules: rules.n_expressed,
                left_out: rules.left_out,
            });
        }
        Ok(exported)
    }

    /// How many idioms are rules, and why the others are none.
    pub(super) fn for_people(&self) -> String {
        let n_idioms = self.rules + self.left_out.len();
        let mut text = format!(
            "{} of {n_idioms} idioms written as rules of {} to `{}`\n",
            self.rules,
            self.tool,
            self.file.display()
        );
        let mut reasons: IndexMap<&str, usize> = IndexMap::new();
        for it in &self.left_out {
            *reasons.entry(&it.reason).or_default() += 1;
        }
        reasons.sort_by(|_, one, _, other| other.cmp(one));
        for (reason, count) in reasons {
            let _ = writeln!(text, "  {count} left out: {reason}");
        }
        text
    }
}
