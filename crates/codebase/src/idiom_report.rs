//! The idioms of a repository as a page: `patois mine DIR --report out.html`.
//!
//! One file that needs no network: the idioms with what fills their holes, where they occur, how
//! they nest, and how much of which folder they cover. What the page shows is data in it, described
//! in `docs/idiom-report.md`.

mod excerpt;
mod fillings;
mod near_misses;
mod nesting;
mod page;
mod places;
mod survey;

use patois_syntax::IdiomLibrary;
use rayon::prelude::*;
use serde::Serialize;

use crate::check::Deviation;
use crate::idiom_file::IdiomFile;
use crate::idiom_source::hole_names;
use crate::repository::RepositoryPrograms;
use excerpt::Excerpt;
use fillings::Filling;
use nesting::Nested;
use survey::Survey;

/// The version of the data in the page.
pub(crate) const VERSION: u32 = 1;

/// So many places are shown of all idioms together, as far as each is granted its fair share.
const N_PLACES: usize = 24_000;

/// How many places are shown of one idiom at most, and at least where there are so many.
const PLACES: (usize, usize) = (3, 8);

/// What there is to say about the idioms of a repository.
///
/// ```
/// use patois_codebase::repository::{Repository, UnitConfig};
/// use patois_codebase::idiom_file::IdiomFile;
/// use patois_codebase::idiom_report::IdiomReport;
/// use patois_codebase::idiom_source::IdiomPrinter;
/// use patois_syntax::{Fragment, Idiom, IdiomLibrary};
///
/// let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("a.py"), "print(1)\nprint(2)\n")?;
/// let config = UnitConfig::default();
/// let read = Repository::find(&[folder.path().to_owned()], &config)?.parse("python", &config, &|| ());
///
/// let grammar = &read.grammar;
/// let fragment = Fragment::parse(grammar, r#"(Call (Name "print") [?what] [])"#)?;
/// let idiom = Idiom { fragment, coverage: 1, score: 1.0 };
/// let library = IdiomLibrary::new(grammar, vec![idiom]);
/// let printer = IdiomPrinter::of_sources(grammar, &read.language);
/// let file = IdiomFile::of_repository(&read, &library, "by hand".into(), &printer);
///
/// let mut report = IdiomReport::new("my prints", "function");
/// report.add(&read, &library, &file);
/// assert!(report.to_html().contains("1 idiom, mined from 1 file of python"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct IdiomReport {
    summary: Summary,
    details: Vec<Details>,
    near_misses: Vec<Deviation>,
}

/// What the page needs to show its list and its map.
#[derive(Clone, Debug, Serialize)]
struct Summary {
    version: u32,
    patois: &'static str,
    name: String,
    /// What a program is: `function` or `file`.
    unit: String,
    /// The folder that all files are in, as paths are given: empty, or ends with a slash.
    root: String,
    /// What is put before the path of a file to open it.
    base: Option<String>,
    languages: Vec<LanguageSummary>,
    files: Vec<FileSummary>,
    idioms: Vec<IdiomSummary>,
}

#[derive(Clone, Debug, Serialize)]
struct LanguageSummary {
    name: String,
    programs: usize,
}

#[derive(Clone, Debug, Serialize)]
struct FileSummary {
    path: String,
    /// Index of its language.
    language: usize,
    lines: usize,
    /// Nodes of its syntax trees.
    nodes: usize,
    /// How many of them are inside of an idiom.
    covered: usize,
}

#[derive(Clone, Debug, Serialize)]
struct IdiomSummary {
    language: usize,
    /// From one, best first, in its language.
    rank: usize,
    /// What it is called wherever it is mined, and what people call it.
    id: String,
    title: String,
    source: String,
    /// What its holes are called, by number.
    holes: Vec<String>,
    /// How many choices it makes.
    size: usize,
    occurrences: usize,
    /// How many programs it occurs in.
    programs: usize,
    /// The files it occurs in, each followed by how often.
    files: Vec<usize>,
    /// How many bits each place saves beyond what is usual elsewhere, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    lift: Option<f64>,
    /// Whether that makes it the repository's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    own: Option<bool>,
}

/// What the page shows of an idiom that is opened.
#[derive(Clone, Debug, Serialize)]
struct Details {
    notation: String,
    score: f64,
    /// For each hole.
    fillings: Vec<Filling>,
    places: Vec<Excerpt>,
    /// Larger idioms that it is part of.
    inside: Vec<Nested>,
    /// Smaller ones that are part of it.
    holds: Vec<Nested>,
}

impl IdiomReport {
    /// A report about no idioms yet, for what was asked for as `name` and cut into `unit`s.
    pub fn new(name: &str, unit: &str) -> IdiomReport {
        IdiomReport {
            summary: Summary {
                version: VERSION,
                patois: env!("CARGO_PKG_VERSION"),
                name: name.to_owned(),
                unit: unit.to_owned(),
                root: String::new(),
                base: None,
                languages: Vec::new(),
                files: Vec::new(),
                idioms: Vec::new(),
            },
            details: Vec::new(),
            near_misses: Vec::new(),
        }
    }

    /// Lets the page link to files whose paths are relative to the folder at `base`, as seen from
    /// the page; and to those with absolute paths.
    pub fn link_from(&mut self, base: &str) {
        self.summary.base = Some(base.to_owned());
    }

    /// Adds the idioms of one language, the files that they were mined from, and the places in these that are nearly as
    /// usual.
    pub fn add(&mut self, read: &RepositoryPrograms, library: &IdiomLibrary, file: &IdiomFile) {
        let survey = Survey::new(read, library);
        let language = self.summary.languages.len();
        let (first_file, first_idiom) = (self.summary.files.len(), self.details.len());
        self.summary.languages.push(LanguageSummary {
            name: read.language.name().to_owned(),
            programs: read.trees.len(),
        });
        let files = read.files.iter().zip(survey.file_figures());
        self.summary
            .files
            .extend(files.map(|(file, figures)| FileSummary {
                path: file.path.replace('\\', "/"),
                language,
                lines: file.n_lines(),
                nodes: figures.nodes,
                covered: figures.covered,
            }));
        let idioms: Vec<_> = library.iter().map(|it| it.1).zip(&file.idioms).collect();
        for (index, (idiom, record)) in idioms.iter().enumerate() {
            let files = survey.files_of(index);
            self.summary.idioms.push(IdiomSummary {
                language,
                rank: index + 1,
                id: record.id.clone(),
                title: record.title.clone(),
                source: record.source.clone(),
                holes: hole_names(survey.grammar(), &idiom.fragment),
                size: idiom.fragment.n_fixed(),
                occurrences: record.occurrences,
                programs: record.coverage,
                lift: record.lift,
                own: record.is_own(),
                files: files
                    .into_iter()
                    .flat_map(|(file, count)| [first_file + file, count])
                    .collect(),
            });
        }
        let (least, most) = PLACES;
        let n_places = (N_PLACES / idioms.len().max(1)).clamp(least, most);
        let nesting = nesting::nesting(&survey);
        let details = idioms.par_iter().zip(nesting).enumerate();
        let details = details.map(|(index, ((_, record), (inside, holds)))| Details {
            notation: record.notation.clone(),
            score: record.score,
            fillings: fillings::fillings(&survey, index),
            places: places::places(&survey, index, n_places, first_file),
            inside: Nested::numbered_from(first_idiom, inside),
            holds: Nested::numbered_from(first_idiom, holds),
        });
        self.details.extend(details.collect::<Vec<_>>());
        self.near_misses.extend(near_misses::near_misses(read));
    }

    /// The page.
    pub fn to_html(&self) -> String {
        let summary = self.summary.below_root();
        let near_misses = near_misses::section(&self.near_misses, &summary.root);
        page::write(&summary, near_misses, &self.details)
    }
}

impl Summary {
    /// The same, with the paths of files relative to the folder that all of them are in.
    fn below_root(&self) -> Summary {
        let mut summary = self.clone();
        let paths = self.files.iter().map(|it| folder_of(&it.path));
        let root = paths.reduce(common_folder).unwrap_or_default().to_owned();
        for file in &mut summary.files {
            file.path.replace_range(..root.len(), "");
        }
        summary.base = self.base.as_ref().map(|base| match root.as_str() {
            root if root.starts_with('/') => root.to_owned(),
            root if root.contains(":/") => format!("file:///{root}"),
            root => format!("{base}{root}"),
        });
        summary.root = root;
        summary
    }
}

/// The path of the folder that a file is in, with a slash at its end.
fn folder_of(path: &str) -> &str {
    path.rfind('/').map_or("", |slash| &path[..=slash])
}

/// The path of the folder that two folders are in.
fn common_folder<'p>(one: &'p str, other: &str) -> &'p str {
    let parts = one.split_inclusive('/').zip(other.split_inclusive('/'));
    let n_bytes = parts.take_while(|(a, b)| a == b).map(|it| it.0.len()).sum();
    &one[..n_bytes]
}

#[cfg(test)]
mod tests;
