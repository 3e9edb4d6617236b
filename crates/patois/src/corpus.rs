//! Corpora: programs with the texts that describe them.
//!
//! A corpus is asked for by the name of a dataset or by a path, see [`Corpus::open`]. Readers turn
//! rows into [`Example`]s and do not look inside the programs; [`Corpus::parse`] does, and moves
//! the rows that are no programs to [`Corpus::dropped`].

mod conala;
mod data_dir;
pub mod default;
mod django;
mod error;
pub mod folder;
mod folds;
mod hearthstone;
pub mod jsonl;
pub mod perturb;
mod programs;
pub mod roundtrip;
pub mod spider;
mod spider_syn;
pub mod statistics;
pub mod text_file;

use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use indexmap::IndexMap;
use patois_database::{Databases, Place};
use patois_languages::sql::DatabaseSchema;
use serde::{Deserialize, Serialize};

pub use data_dir::DataDir;
pub use error::CorpusError;
pub(crate) use folds::{DevSplit, Fold};
pub use programs::{Languages, NoLanguage, Programs};
use text_file::file_name;

/// A corpus: examples in splits, and the databases they speak of.
#[derive(Clone, Debug, Default)]
pub struct Corpus {
    /// The name that it was asked for by; of a path the last part.
    pub name: String,
    /// The language of the programs: `python` or `sql`.
    pub language: String,
    /// The examples of all splits, in the order of the source.
    pub examples: Vec<Example>,
    /// Rows that could not become examples.
    pub dropped: Vec<Dropped>,
    /// The databases by name; empty where programs are not SQL.
    pub databases: IndexMap<String, Arc<DatabaseSchema>>,
    /// Where these databases are.
    pub places: IndexMap<String, Place>,
    /// What the corpus does not say of itself, and was decided for it.
    pub notes: Vec<String>,
}

/// A program and the text that asks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// Where the example comes from: `train_hs.in:17` (one-based line), `dev.json[16]` (zero-based
    /// item of a list) or a path.
    pub id: String,
    /// The part of the corpus it belongs to.
    pub split: Split,
    /// The description in natural language; empty for bare programs.
    pub text: String,
    /// The program.
    pub code: String,
    /// The database that the program is about.
    pub database: Option<String>,
}

/// A row that could not become an example.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Dropped {
    /// Where it stands, such as `train_hs.in:297`.
    pub id: String,
    /// The part of the corpus it would belong to.
    pub split: Split,
    /// Why.
    pub reason: String,
}

impl Dropped {
    /// The reason without the place, so that rows with the same fault can be counted together.
    pub(crate) fn kind(&self) -> &str {
        match self.reason.rsplit_once(" (line ") {
            Some((kind, _)) => kind,
            None => &self.reason,
        }
    }
}

/// A part of a corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Split {
    /// What is learnt from.
    Train,
    /// What choices are made by.
    Dev,
    /// What is reported.
    Test,
    /// Test questions that a person wrote, where the other splits are generated.
    Handwritten,
}

/// What a reader may be told beyond where the corpus is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CorpusOptions {
    /// The language of the programs: JSON lines do not tell, source files by their endings.
    pub language: Option<String>,
    /// Whether Spider's training questions from older datasets are read.
    pub train_others: TrainOthers,
}

/// What to do with the part of Spider that was converted from six older datasets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TrainOthers {
    /// `train_others.json` is part of the train split.
    #[default]
    Include,
    /// `train_others.json` is not looked at.
    LeaveOut,
}

impl Corpus {
    /// Opens a corpus by the name of a dataset or by a path.
    ///
    /// `default` is the corpus inside the binary; other names are looked up in `data`. A path is a file of JSON
    /// lines, a source file, a folder with the files of one of the datasets, or any other folder, whose source
    /// files become bare programs; its last part is the corpus's name. A folder called like a dataset is
    /// reached as `./spider`.
    ///
    /// # Errors
    ///
    /// When there is no such corpus, one of its files cannot be read, or its language is another one.
    pub fn open(
        name_or_path: &str,
        data: &DataDir,
        options: &CorpusOptions,
    ) -> Result<Corpus, CorpusError> {
        let mut corpus = match Dataset::named(name_or_path) {
            Some(dataset) => dataset.read(&data.folder_of(dataset)?, options)?,
            None if name_or_path == default::NAME => default::corpus(),
            None => open_path(Path::new(name_or_path), options)?,
        };
        corpus.name = file_name(Path::new(name_or_path));
        let name = || name_or_path.to_owned();
        match &options.language {
            Some(language) if *language != corpus.language => Err(CorpusError::OtherLanguage {
                name: name(),
                expected: corpus.language,
                found: language.clone(),
            }),
            _ if corpus.examples.is_empty() && corpus.dropped.is_empty() => {
                Err(CorpusError::NoExamples {
                    name: name(),
                    expected: format!("{} programs", corpus.language),
                })
            }
            _ => Ok(corpus),
        }
    }

    /// Whether a corpus is asked for by its name, rather than by a path.
    pub fn is_name(name_or_path: &str) -> bool {
        name_or_path == default::NAME || Dataset::named(name_or_path).is_some()
    }

    /// Opens several corpora as one; see [`Corpus::open`].
    ///
    /// # Errors
    ///
    /// When one of them cannot be opened, or they are of different languages.
    pub fn open_all(
        names_or_paths: &[String],
        data: &DataDir,
        options: &CorpusOptions,
    ) -> Result<Corpus, CorpusError> {
        let mut joined: Option<Corpus> = None;
        for name in names_or_paths {
            let corpus = Corpus::open(name, data, options)?;
            match &mut joined {
                Some(joined) => joined.join(corpus)?,
                None => joined = Some(corpus),
            }
        }
        joined.ok_or_else(|| CorpusError::Unknown {
            name: String::new(),
        })
    }

    fn join(&mut self, mut other: Corpus) -> Result<(), CorpusError> {
        other.fit(self)?;
        self.name = format!("{}, {}", self.name, other.name);
        self.examples.extend(other.examples);
        self.dropped.extend(other.dropped);
        self.databases.extend(other.databases);
        self.places.extend(other.places);
        Ok(())
    }

    /// Makes sure that this corpus can stand beside another: it is of the same language, and what both call by the
    /// same name is the same database. One that is another is called `CORPUS/NAME` from now on.
    ///
    /// # Errors
    ///
    /// When it is of another language.
    pub(crate) fn fit(&mut self, first: &Corpus) -> Result<(), CorpusError> {
        if self.language != first.language {
            return Err(CorpusError::MixedLanguages {
                name: self.name.clone(),
                found: self.language.clone(),
                first_name: first.name.clone(),
                expected: first.language.clone(),
            });
        }
        let is_other = |(name, schema): &(&String, &Arc<DatabaseSchema>)| {
            let known = first.databases.get(*name);
            let is_same_place = first.places.get(*name) == self.places.get(*name);
            known.is_some_and(|it| it != *schema || !is_same_place)
        };
        let others = self.databases.iter().filter(is_other);
        let others: Vec<String> = others.map(|it| it.0.clone()).collect();
        for name in others {
            self.rename_database(&name, &format!("{}/{name}", self.name));
        }
        Ok(())
    }

    fn rename_database(&mut self, from: &str, to: &str) {
        if let Some(schema) = self.databases.shift_remove(from) {
            let mut schema = Arc::unwrap_or_clone(schema);
            to.clone_into(&mut schema.name);
            self.databases.insert(to.to_owned(), Arc::new(schema));
        }
        if let Some(place) = self.places.shift_remove(from) {
            self.places.insert(to.to_owned(), place);
        }
        for example in &mut self.examples {
            if example.database.as_deref() == Some(from) {
                example.database = Some(to.to_owned());
            }
        }
    }

    /// The databases themselves.
    pub fn places(&self) -> Databases {
        Databases::named(self.places.clone())
    }

    /// The examples of one split.
    pub fn of(&self, split: Split) -> impl Iterator<Item = &Example> {
        self.examples
            .iter()
            .filter(move |example| example.split == split)
    }

    /// Leaves the rows of one split, dropped ones included.
    pub fn keep(&mut self, split: Split) {
        self.examples.retain(|it| it.split == split);
        self.dropped.retain(|it| it.split == split);
    }

    /// The splits that have rows, dropped ones included.
    pub fn splits(&self) -> Vec<Split> {
        let examples = self.examples.iter().map(|example| example.split);
        let dropped = self.dropped.iter().map(|dropped| dropped.split);
        let mut splits: Vec<Split> = examples.chain(dropped).collect();
        splits.sort_unstable();
        splits.dedup();
        splits
    }

    /// The first row that was dropped, and why.
    pub(crate) fn first_dropped(&self) -> Option<String> {
        let first = self.dropped.first();
        first.map(|row| format!("{}: {}", row.id, row.reason))
    }

    pub(crate) fn empty(language: &str) -> Corpus {
        Corpus {
            language: language.to_owned(),
            ..Corpus::default()
        }
    }

    /// Drops the examples for which there is a reason.
    fn drop_where(&mut self, reason: impl Fn(&Example) -> Option<String>) {
        let examples = std::mem::take(&mut self.examples);
        for example in examples {
            match reason(&example) {
                None => self.examples.push(example),
                Some(reason) => self.dropped.push(Dropped {
                    id: example.id,
                    split: example.split,
                    reason,
                }),
            }
        }
    }

    /// Adds a row as an example, or as a dropped row where it has no program.
    fn add(&mut self, example: Example) {
        if example.code.trim().is_empty() {
            self.dropped.push(Dropped {
                id: example.id,
                split: example.split,
                reason: "the program is empty".to_owned(),
            });
        } else {
            self.examples.push(example);
        }
    }
}

/// A published dataset that patois knows by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dataset {
    /// Cards of a game and the Python classes that implement them.
    Hearthstone,
    /// Questions and SQL queries over many databases.
    Spider,
    /// Spider's training questions in other words.
    SpiderSyn,
    /// Intents and Python snippets of a question-and-answer site.
    Conala,
    /// Lines of a web framework and their descriptions.
    Django,
}

impl Dataset {
    /// Every dataset.
    pub const ALL: [Dataset; 5] = [
        Dataset::Hearthstone,
        Dataset::Spider,
        Dataset::SpiderSyn,
        Dataset::Conala,
        Dataset::Django,
    ];

    /// The dataset called `name`, if there is one.
    pub fn named(name: &str) -> Option<Dataset> {
        Dataset::ALL
            .into_iter()
            .find(|dataset| dataset.name() == name)
    }

    /// The name, which is also the name of its folder.
    pub fn name(self) -> &'static str {
        match self {
            Dataset::Hearthstone => "hearthstone",
            Dataset::Spider => "spider",
            Dataset::SpiderSyn => "spider-syn",
            Dataset::Conala => "conala",
            Dataset::Django => "django",
        }
    }

    /// Where the dataset is published, in words.
    pub(crate) fn published(self) -> &'static str {
        match self {
            Dataset::Hearthstone => {
                "Ling et al. 2016, \"Latent Predictor Networks for Code Generation\", \
                 repository google-deepmind/card2code, folder third_party/hearthstone"
            }
            Dataset::Spider => {
                "Yu et al. 2018, \"Spider: A Large-Scale Human-Labeled Dataset for Complex and \
                 Cross-Domain Semantic Parsing and Text-to-SQL Task\", repository taoyds/spider"
            }
            Dataset::SpiderSyn => {
                "Gan et al. 2021, \"Towards Robustness of Text-to-SQL Models against Synonym \
                 Substitution\", repository ygan/Spider-Syn; its databases are those of Spider, beside it"
            }
            Dataset::Conala => {
                "Yin et al. 2018, \"Learning to Mine Aligned Code and Natural Language Pairs from \
                 Stack Overflow\", the CoNaLa corpus of the NeuLab at Carnegie Mellon University"
            }
            Dataset::Django => {
                "Oda et al. 2015, \"Learning to Generate Pseudo-code from Source Code using \
                 Statistical Machine Translation\", repository odashi/ase15-django-dataset"
            }
        }
    }

    /// The file that tells a folder of this dataset from others.
    fn landmark(self) -> &'static str {
        match self {
            Dataset::Hearthstone => "train_hs.in",
            Dataset::Spider => "train_spider.json",
            Dataset::SpiderSyn => "train_syn.json",
            Dataset::Conala => "conala-train.json",
            Dataset::Django => "all.anno",
        }
    }

    fn read(self, folder: &Path, options: &CorpusOptions) -> Result<Corpus, CorpusError> {
        let corpus = match self {
            Dataset::Hearthstone => hearthstone::read(folder),
            Dataset::Spider => spider::read(folder, options.train_others),
            Dataset::SpiderSyn => spider_syn::read(folder),
            Dataset::Conala => conala::read(folder),
            Dataset::Django => django::read(folder),
        };
        corpus.map_err(|error| error.of_dataset(self))
    }
}

fn open_path(path: &Path, options: &CorpusOptions) -> Result<Corpus, CorpusError> {
    let metadata = std::fs::metadata(path).map_err(|source| match source.kind() {
        std::io::ErrorKind::NotFound => CorpusError::Unknown {
            name: path.display().to_string(),
        },
        _ => CorpusError::Unreadable {
            path: path.to_owned(),
            expected: "a corpus",
            source,
        },
    })?;
    if metadata.is_dir() {
        return match dataset_in(path) {
            Some(dataset) => dataset.read(path, options),
            None => folder::read(&[path.to_owned()], options.language.as_deref()),
        };
    }
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("jsonl" | "ndjson") => jsonl::read(path, options.language.as_deref()),
        _ => folder::read(&[path.to_owned()], options.language.as_deref()),
    }
}

/// The dataset whose files are in a folder.
fn dataset_in(folder: &Path) -> Option<Dataset> {
    let is_file = |name: &str| folder.join(name).is_file();
    let dataset = Dataset::ALL.into_iter().find(|it| is_file(it.landmark()));
    // Questions to measure on need no train split.
    let is_dev = is_file("tables.json") && is_file("dev.json");
    dataset.or(is_dev.then_some(Dataset::Spider))
}

impl Split {
    /// Every split.
    pub const ALL: [Split; 4] = [Split::Train, Split::Dev, Split::Test, Split::Handwritten];

    /// The name, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Split::Train => "train",
            Split::Dev => "dev",
            Split::Test => "test",
            Split::Handwritten => "handwritten",
        }
    }
}

impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Split {
    type Err = SplitError;

    fn from_str(name: &str) -> Result<Split, SplitError> {
        Split::ALL
            .into_iter()
            .find(|split| split.name() == name)
            .ok_or_else(|| SplitError {
                found: name.to_owned(),
            })
    }
}

/// A name that is no split's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected `train`, `dev`, `test` or `handwritten`, found `{found}`")]
pub struct SplitError {
    /// The name.
    pub found: String,
}

#[cfg(test)]
mod tests;
