//! What is written for other tools, beside the file of idioms.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use indexmap::IndexMap;
use patois_codebase::export::{LeftOut, Rules, Tool, agents, rules, snippets};
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

    fn write(self, read: &RepositoryPrograms, library: &IdiomLibrary, file: &IdiomFile) -> Rules {
        match self {
            ExportName::AstGrep => rules(Tool::AstGrep, read, library, file),
            ExportName::Semgrep => rules(Tool::Semgrep, read, library, file),
            ExportName::Snippets => snippets(read, library, file),
            ExportName::Agents => agents(file),
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
    #[serde(skip)]
    kind: &'static str,
}

impl Exported {
    /// Writes what each tool reads beside the file of idioms.
    pub(super) fn write(
        exports: &[ExportName],
        read: &RepositoryPrograms,
        library: &IdiomLibrary,
        file: &IdiomFile,
        out: &Path,
    ) -> Result<Vec<Exported>, Failure> {
        let mut exported = Vec::new();
        for &export in exports {
            let rules = export.write(read, library, file);
            let path = out.with_extension(export.ending());
            patois_codebase::output::write(&path, &rules.text)?;
            exported.push(Exported {
                tool: export.name(),
                file: path,
                rules: rules.n_expressed,
                left_out: rules.left_out,
                kind: export.kind(),
            });
        }
        Ok(exported)
    }

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
            let _ = writeln!(text, "  {count} left out: {reason}");
        }
        text
    }
}
