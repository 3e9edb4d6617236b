//! The report of a run: one data structure, written as JSON, as Markdown and as a page.
//!
//! [`Report`] is what `report.json` holds. Its keys are the fields of the types here and in
//! [`results`], [`curve`] and [`crate::run::trace`]; they keep their names and meanings as long as
//! [`VERSION`] is the same, though new ones may come. `report.md` and `report.html` are drawn from
//! it and from nothing else. The same run gives the same bytes, but for what is measured with a
//! clock, every key called `seconds`, and the checksum of it all.
//!
//! A report has columns and rows: the [systems](System) that were trained, and the
//! [sets of questions](QuestionSet) that they were asked.

pub(crate) mod chart;
mod code;
pub mod curve;
pub mod diff;
mod gather;
pub(crate) mod html;
pub(crate) mod markdown;
pub mod results;
mod summary;

use serde::{Deserialize, Serialize};

use crate::corpus::{Corpus, Split};
use crate::run::Stopwatch;
use crate::run::folder::{BASELINE, RunDir, RunFile};
use curve::Curve;
use patois_codebase::checksum;
use patois_codebase::idiom_file::IdiomRecord;
use patois_codebase::output::OutputError;
use patois_mining::Phrase;
use patois_syntax::Fingerprint;
use results::Results;
pub use summary::Headline;

/// The version of the format that this program writes, and the only one that it reads.
pub const VERSION: u32 = 1;

/// The first words of the names of all stages, in the order of a run.
const STAGES: [&str; 5] = ["read", "mine", "mark", "train", "write"];

/// All there is to say about a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The version of the format.
    pub version: u32,
    /// The version of the program that wrote it.
    pub patois: String,
    /// What tells the configuration of the run from others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<Fingerprint>,
    /// What was learnt from.
    pub corpus: CorpusSummary,
    /// What everything random depended on.
    pub seed: u64,
    /// The configuration, every default written out, as in `config.toml`.
    pub config: serde_json::Value,
    /// What the systems were asked: the rows of the table of results.
    pub sets: Vec<QuestionSet>,
    /// What was trained, the one that the run is about last: the columns.
    pub systems: Vec<System>,
    /// The idioms of the last system, in the order of the library.
    pub idioms: Vec<IdiomSummary>,
    /// How long each stage took, in the order of a run.
    pub timings: Vec<Timing>,
}

/// What was learnt from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CorpusSummary {
    /// What the corpus was asked for by.
    pub name: String,
    /// The language of its programs.
    pub language: String,
    /// How many databases they are about.
    pub databases: usize,
    /// Its parts.
    pub splits: Vec<SplitSize>,
    /// What it does not say of itself, and was decided for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// The size of a part of a corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SplitSize {
    /// Which.
    pub split: Split,
    /// How many examples it has.
    pub examples: usize,
    /// How many of its rows are no examples.
    pub dropped: usize,
}

/// Questions that systems were asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuestionSet {
    /// The part of the corpus.
    pub split: Split,
    /// What people call it.
    pub label: String,
}

/// A model that was trained.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct System {
    /// Its name: `idioms`, or `baseline` where it has none.
    pub name: String,
    /// What was maximised: `plain`, `mean` or `marginal`.
    pub objective: String,
    /// How many idioms it may use.
    pub idioms: usize,
    /// After how many steps the model was written.
    pub step: usize,
    /// The loss on dev then, where it was measured.
    pub dev_loss: Option<f64>,
    /// How training went.
    pub curve: Curve,
    /// How good its programs are, for each set that it was asked.
    pub results: Vec<Results>,
}

/// An idiom, and how often people write it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IdiomSummary {
    /// Its index in the library, from zero.
    pub idiom: usize,
    /// As source code with named holes.
    pub source: String,
    /// In the notation of fragments.
    pub notation: String,
    /// At how many places of the corpus it occurs.
    pub occurrences: usize,
    /// In how many programs of the corpus it occurs.
    pub programs: usize,
    /// What the ranking thought of it.
    pub score: f64,
    /// The first line of some of its places.
    pub examples: Vec<String>,
    /// Which words of texts foretell it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub phrases: Vec<Phrase>,
}

/// How long a stage took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// Which.
    pub stage: String,
    /// How long.
    pub seconds: f64,
}

/// How often a model used an idiom, over all sets of questions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Uses {
    all: usize,
    exact: usize,
}

impl Report {
    /// Adds the results of a system, in place of earlier ones for the same set.
    pub fn add(&mut self, system: &str, results: Results) {
        let set = QuestionSet {
            split: results.set,
            label: self.corpus.label(results.set),
        };
        self.sets.retain(|it| it.split != set.split);
        self.sets.push(set);
        self.sets.sort_by_key(|it| order(it.split));
        let system = self.systems.iter_mut().find(|it| it.name == system);
        if let Some(system) = system {
            system.results.retain(|it| it.set != results.set);
            system.results.push(results);
            system.results.sort_by_key(|it| order(it.set));
        }
    }

    /// Adds how long a stage took, in place of an earlier time for the same stage.
    pub(crate) fn time(&mut self, stage: impl Into<String>, seconds: f64) {
        let stage = stage.into();
        match self.timings.iter_mut().find(|it| it.stage == stage) {
            Some(timing) => timing.seconds = seconds,
            None => self.timings.push(Timing { stage, seconds }),
        }
        self.timings.sort_by_key(|it| {
            let first = it.stage.split(' ').next();
            STAGES.iter().position(|stage| Some(*stage) == first)
        });
    }

    /// Adds how long stages took.
    pub(crate) fn take_times(&mut self, clock: &Stopwatch) {
        for (stage, seconds) in clock.laps() {
            self.time(stage, *seconds);
        }
    }

    /// Writes `report.json`, `report.md` and `report.html`, each whole or not at all.
    ///
    /// # Errors
    ///
    /// When the system refuses.
    pub fn write(&self, run: &RunDir) -> Result<(), OutputError> {
        run.write(RunFile::ReportJson, self.to_json())?;
        run.write(RunFile::ReportMarkdown, self.to_markdown())?;
        run.write(RunFile::ReportHtml, self.to_html())
    }

    /// The report for programs; its last key is a checksum.
    ///
    /// # Panics
    ///
    /// Never: texts and numbers are always JSON.
    pub fn to_json(&self) -> String {
        let json = serde_json::to_string_pretty(self);
        checksum::sealed(&json.expect("texts and numbers are always JSON"))
    }

    /// The report as plain text.
    pub fn to_markdown(&self) -> String {
        markdown::write(self)
    }

    /// The report as a page that needs nothing else.
    pub fn to_html(&self) -> String {
        html::write(self)
    }

    /// The table of results.
    pub fn headline(&self) -> Headline {
        Headline::of(self)
    }

    /// The system that the run is about.
    fn main_system(&self) -> Option<&System> {
        self.systems.last()
    }

    /// The results of the main system, with what it was asked.
    fn main_results(&self) -> impl Iterator<Item = (&QuestionSet, &Results)> {
        let system = self.main_system();
        let of_set = move |set: &'_ QuestionSet| system?.of(set.split);
        let sets = self.sets.iter();
        sets.filter_map(move |set| Some((set, of_set(set)?)))
    }

    /// The configuration as it stands in the run's folder.
    fn config_toml(&self) -> String {
        toml::to_string(&self.config).unwrap_or_default()
    }

    /// How often the main system used each idiom.
    fn uses(&self) -> Vec<Uses> {
        let mut uses = vec![Uses::default(); self.idioms.len()];
        let results = self.main_system().into_iter().flat_map(|it| &it.results);
        for used in results.flat_map(|it| &it.usage.idioms) {
            if let Some(uses) = uses.get_mut(used.idiom) {
                uses.all += used.all;
                uses.exact += used.exact;
            }
        }
        uses
    }
}

impl System {
    /// The name of a system that may use so many idioms.
    pub(crate) fn name_of(n_idioms: usize) -> &'static str {
        match n_idioms {
            0 => BASELINE,
            _ => "idioms",
        }
    }

    /// The results for a set of questions.
    fn of(&self, set: Split) -> Option<&Results> {
        self.results.iter().find(|it| it.set == set)
    }
}

impl CorpusSummary {
    /// The sizes of a corpus.
    pub fn of(corpus: &Corpus) -> CorpusSummary {
        let size = |split| SplitSize {
            split,
            examples: corpus.of(split).count(),
            dropped: corpus.dropped.iter().filter(|it| it.split == split).count(),
        };
        CorpusSummary {
            name: corpus.name.clone(),
            language: corpus.language.clone(),
            databases: corpus.databases.len(),
            splits: corpus.splits().into_iter().map(size).collect(),
            notes: corpus.notes.clone(),
        }
    }

    /// What people call the questions of a split: where some are written by people, the others are
    /// not.
    fn label(&self, split: Split) -> String {
        let has_handwritten = self.splits.iter().any(|it| it.split == Split::Handwritten);
        match split {
            Split::Test if has_handwritten => "test, generated".to_owned(),
            Split::Handwritten => "test, hand-written".to_owned(),
            Split::Dev if has_handwritten => "dev, generated".to_owned(),
            Split::Train | Split::Dev | Split::Test => split.to_string(),
        }
    }
}

impl IdiomSummary {
    fn new(idiom: usize, record: &IdiomRecord) -> IdiomSummary {
        IdiomSummary {
            idiom,
            source: record.source.clone(),
            notation: record.notation.clone(),
            occurrences: record.occurrences,
            programs: record.coverage,
            score: record.score,
            examples: record.examples.iter().map(|it| it.line.clone()).collect(),
            phrases: record.phrases.clone(),
        }
    }
}

/// What is reported comes first.
fn order(split: Split) -> usize {
    match split {
        Split::Test => 0,
        Split::Handwritten => 1,
        Split::Dev => 2,
        Split::Train => 3,
    }
}
