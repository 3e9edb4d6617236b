//! A house rule, as it is written down.

use indexmap::IndexMap;
use patois_syntax::{Grammar, ProductionId, ProductionKind};
use serde::{Deserialize, Serialize};

use super::bits;
use super::prior::Change;

/// What is usual somewhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// What it is called, wherever it is found: made of what it says.
    pub id: String,
    /// The context in the notation of fragments.
    pub context: String,
    /// Where the part is: a hole of the context, or beside it.
    pub part: String,
    /// What is usual there, as the grammar calls it.
    pub usual: String,
    /// Other ways that are there too often to be mistakes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// The code of the part at a place that is as usual.
    pub wanted: String,
    /// The context with what is usual in it, as source code with holes; only of rules with findings.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
    /// At how many places it is so.
    pub n_usual: usize,
    /// How many could have it.
    pub n_places: usize,
    /// How many names the context fixes.
    pub n_names: usize,
    /// How many contexts are strict with parts of this kind, as a share.
    pub strict: f64,
    /// Whether the part is an argument of a call, and the context leaves open what is called.
    #[serde(default, skip_serializing_if = "is_false")]
    pub calls_any: bool,
    /// Whether it is of an idiom that somebody has mined.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_mined: bool,
    /// The idiom that it is of, where somebody has mined it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idiom: Option<String>,
    /// How often what is called has which names, where the context leaves that open.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub callees: IndexMap<String, usize>,
    /// Places that are as usual.
    pub examples: Vec<Example>,
}

/// A place that is as usual.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// The file.
    pub file: String,
    /// The line, counted from one.
    pub line: usize,
    /// What is on it.
    pub text: String,
}

/// What a place is worth where what is called has other names.
const ELSEWHERE: f64 = 0.03;
/// The fewest places that are worth something.
const MIN_EVIDENCE: f64 = 8.0;
/// What is lost in bits where the context has a single name.
const LONE: f64 = 1.0;
#[expect(clippy::trivially_copy_pass_by_ref, reason = "as it is called")]
fn is_false(it: &bool) -> bool {
    !it
}

/// Whether a production ends a list, or leaves out an option.
pub(super) fn is_nothing(grammar: &Grammar, id: ProductionId) -> bool {
    let kind = grammar.production(id).kind;
    matches!(kind, ProductionKind::Nil | ProductionKind::Absent)
}

impl Rule {
    /// The names that a context has or leaves open.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let fixed = self.context.split('"').skip(1).step_by(2);
        let open = self.callees.keys().filter_map(|it| it.rsplit('.').next());
        fixed.chain(open)
    }

    /// The surprise of a place that is not as usual, in bits; `callee` is what is called there.
    pub(super) fn surprise(&self, callee: &str, change: Change) -> f64 {
        let n_others = (self.n_places - self.n_usual).saturating_sub(1) as f64;
        let mut n_usual = self.n_usual as f64;
        if !self.callees.is_empty() {
            // Another object may have a method of the same name.
            let n_same = self.callees.get(callee).copied().unwrap_or(0) as f64;
            n_usual = n_same + ELSEWHERE * (n_usual - n_same);
            if n_usual < MIN_EVIDENCE {
                return 0.0;
            }
        }
        let mut surprise = bits(self.strict, n_others, n_usual);
        surprise += (self.n_names.max(1) as f64).log2();
        if self.n_names < 2 {
            surprise -= LONE;
        }
        surprise
            + if self.is_mined {
                change.prior_in_idiom()
            } else {
                change.prior()
            }
    }
}
