//! `patois.toml`: what a person has decided about the house style.

use std::path::{Path, PathBuf};

use patois::run::document;
use patois_codebase::check::CheckConfig;
use serde::Deserialize;

use crate::failure::Failure;

/// Where settings are, unless somebody says otherwise.
const FILE: &str = "patois.toml";

/// The file.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Settings {
    check: CheckSettings,
}

/// What makes findings, and which are shown.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct CheckSettings {
    min_places: Option<usize>,
    min_share: Option<f64>,
    min_surprise: Option<f64>,
    /// Patterns of files that are left out.
    exclude: Vec<String>,
    /// Rules that nobody wants to hear of.
    muted: Vec<String>,
    /// Rules that somebody has said are house style: their findings are errors.
    accepted: Vec<String>,
    /// Rules and idioms that hold whatever the counts: every place that does something else is an error.
    required: Vec<String>,
    report: Reported,
}

/// Which findings are reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Reported {
    /// All that are not muted.
    #[default]
    All,
    /// Those of accepted and required rules.
    Accepted,
}

impl Settings {
    /// Reads the settings, where there are some.
    pub(super) fn read(path: Option<&Path>) -> Result<Settings, Failure> {
        let (path, is_asked_for) = match path {
            Some(path) => (path.to_owned(), true),
            None => (PathBuf::from(FILE), false),
        };
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && !is_asked_for => {
                return Ok(Settings::default());
            }
            Err(error) => {
                let message = format!("cannot read the settings `{}`", path.display());
                return Err(Failure::misuse(message).because(error));
            }
        };
        let name = path.display().to_string();
        document::parse(&name, &text)
            .map_err(|error| Failure::of_document(&error, "file of settings"))
    }

    /// What makes a rule.
    pub(super) fn config(&self) -> CheckConfig {
        let usual = CheckConfig::default();
        CheckConfig {
            min_places: self.check.min_places.unwrap_or(usual.min_places).max(2),
            min_share: self.check.min_share.unwrap_or(usual.min_share),
            min_surprise: self.check.min_surprise.unwrap_or(usual.min_surprise),
            required: self.check.required.iter().cloned().collect(),
        }
    }

    pub(super) fn exclude(&self) -> &[String] {
        &self.check.exclude
    }

    pub(super) fn reported(&self) -> Reported {
        self.check.report
    }

    pub(super) fn is_muted(&self, rule: &str) -> bool {
        self.check.muted.iter().any(|it| it == rule)
    }

    /// Whether somebody has said that a rule is house style.
    pub(super) fn is_accepted(&self, rule: &str) -> bool {
        self.check.accepted.iter().any(|it| it == rule)
    }
}
