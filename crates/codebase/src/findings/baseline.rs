//! The baseline: findings that were there when somebody began to look, and that block nobody.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::Finding;
use crate::output::{self, OutputError};

/// The version of the format that this program writes, and the only one that it reads.
const VERSION: u32 = 1;

/// Findings that somebody knows of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline(BTreeMap<String, Known>);

/// A finding, as people recognise it in the file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    file: String,
    rule: String,
    message: String,
    fingerprint: String,
}

/// The file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BaselineFile {
    version: u32,
    findings: Vec<Known>,
}

/// Findings, held against a baseline.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// Those that the baseline does not know, in their order.
    pub new: Vec<Finding>,
    /// How many it knows.
    pub n_old: usize,
    /// How many of the baseline are there no more.
    pub n_gone: usize,
}

/// Why a file is no baseline.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// The file cannot be read.
    #[error("cannot read the baseline `{}`", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The contents are no baseline.
    #[error("`{}` is no baseline: {source}", .path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        source: serde_json::Error,
    },
    /// The file is of another version.
    #[error("the baseline `{}` has version {found}, expected {VERSION}", .path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
}

impl Baseline {
    /// The baseline that knows these findings, which have [fingerprints](super::fingerprint).
    pub fn of(findings: &[Finding]) -> Baseline {
        let known = findings.iter().map(|it| {
            let known = Known {
                file: it.region.file.replace('\\', "/"),
                rule: it.rule.clone(),
                message: it.message.clone(),
                fingerprint: it.fingerprint.clone(),
            };
            (it.fingerprint.clone(), known)
        });
        Baseline(known.collect())
    }

    /// Reads a baseline.
    ///
    /// # Errors
    ///
    /// When the file is not there, or no baseline of this version.
    pub fn read(path: &Path) -> Result<Baseline, BaselineError> {
        let path = || path.to_owned();
        let text = std::fs::read_to_string(path());
        let text = text.map_err(|source| BaselineError::Io {
            path: path(),
            source,
        })?;
        let file: BaselineFile =
            serde_json::from_str(&text).map_err(|source| BaselineError::Json {
                path: path(),
                source,
            })?;
        if file.version != VERSION {
            return Err(BaselineError::Version {
                path: path(),
                found: file.version,
            });
        }
        let known = file.findings.into_iter();
        Ok(Baseline(
            known.map(|it| (it.fingerprint.clone(), it)).collect(),
        ))
    }

    /// Writes the file, whole or not at all; findings in the order of files, so that merges are small.
    ///
    /// # Errors
    ///
    /// When the system refuses.
    ///
    /// # Panics
    ///
    /// Never: texts are always JSON.
    pub fn write(&self, path: &Path) -> Result<(), OutputError> {
        let mut findings: Vec<Known> = self.0.values().cloned().collect();
        findings.sort();
        let file = BaselineFile {
            version: VERSION,
            findings,
        };
        let json = serde_json::to_string_pretty(&file).expect("texts are always JSON");
        output::write(path, json + "\n")
    }

    /// How many findings it knows.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it knows none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes out the findings that it knows.
    pub fn judge(&self, findings: Vec<Finding>) -> Judged {
        let n_all = findings.len();
        let mut seen: BTreeSet<String> = BTreeSet::new();
        let is_new = |it: &Finding| {
            let is_known = self.0.contains_key(&it.fingerprint);
            if is_known {
                seen.insert(it.fingerprint.clone());
            }
            !is_known
        };
        let new: Vec<Finding> = findings.into_iter().filter(is_new).collect();
        Judged {
            n_old: n_all - new.len(),
            n_gone: self.0.len() - seen.len(),
            new,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fingerprint;
    use super::super::tests::finding;
    use super::*;

    fn marked(mut findings: Vec<Finding>) -> Vec<Finding> {
        fingerprint(&mut findings, Path::new("/"));
        findings
    }

    #[test]
    fn old_findings_are_taken_out_wherever_they_have_moved() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("baseline.json");
        let old = marked(vec![
            finding("r", "a.py", 1, "x = \"</script>\""),
            finding("r", "a.py", 2, "y = 1"),
        ]);
        Baseline::of(&old).write(&path).unwrap();
        let baseline = Baseline::read(&path).unwrap();
        assert_eq!(baseline, Baseline::of(&old));
        let now = marked(vec![
            finding("r", "a.py", 71, "x = \"</script>\""),
            finding("r", "a.py", 72, "z = 1"),
        ]);
        let judged = baseline.judge(now);
        assert_eq!((judged.n_old, judged.n_gone), (1, 1));
        assert_eq!(judged.new.len(), 1);
        assert_eq!(judged.new[0].region.line, 72);
    }

    #[test]
    fn what_is_no_baseline_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("baseline.json");
        let check = |contents: &str, expected: &str| {
            std::fs::write(&path, contents).unwrap();
            let error = Baseline::read(&path).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        };
        check("{", "is no baseline");
        check(
            "{\"version\": 7, \"findings\": []}",
            "has version 7, expected 1",
        );
        check(
            "{\"version\": 1, \"finding\": []}",
            "unknown field `finding`",
        );
        std::fs::remove_file(&path).unwrap();
        let error = Baseline::read(&path).unwrap_err().to_string();
        assert!(error.contains("cannot read"), "{error}");
    }
}
