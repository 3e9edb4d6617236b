//! Mining: source files, source texts, or one of the datasets.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use patois::corpus::{Corpus, CorpusOptions, DataDir, Languages, Split, folder};
use patois_cli::Failure;
use patois_codebase::idiom_file::IdiomFile;
use patois_codebase::idiom_source::IdiomPrinter;
use patois_codebase::local_names::LocalNames;
use patois_codebase::repository::{Repository, RepositoryPrograms, Taken, UnitConfig};
use patois_codebase::{Wanted, mine_wanted, mining_config, usual_min_files};
use patois_languages::sql::Mode;
use patois_mining::{Annealing, Mined, MinerKind, MiningConfig, MiningError, Ranking, Sweep};
use patois_syntax::Tree;
use pyo3::prelude::*;
use pythonize::{depythonize, pythonize};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use crate::failure::{exception, misuse};
use crate::finding::{language_named, unit_named};
use crate::library::Library;
use crate::work::{self, Watch};

/// What can be said about how to mine, as on the command line.
#[derive(Deserialize)]
struct Options {
    language: Option<String>,
    n_idioms: Option<usize>,
    seed: u64,
    unit: String,
    keep_names: bool,
    max_file_size: u64,
    preset: Preset,
    miner: Option<MinerKind>,
    sweeps: Option<usize>,
    concentration: Option<f64>,
    discount: Option<f64>,
    anneal: bool,
    rank: Option<Ranking>,
    keep_closed: bool,
    min_size: Option<usize>,
    min_names: Option<usize>,
    min_files: Option<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Preset {
    Best,
    Paper,
}

/// What there is to say about a library beside its idioms.
#[derive(Serialize)]
struct Figures {
    programs: usize,
    sites: usize,
    candidates: usize,
    compression: f64,
    compression_with_library: f64,
    coverage: f64,
    log_posterior: Vec<f64>,
}

/// Mines paths, or sources that each have a name; with the library come some figures.
#[pyfunction]
#[pyo3(signature = (paths, sources, options, progress=None))]
pub(crate) fn mine<'py>(
    py: Python<'py>,
    paths: Vec<PathBuf>,
    sources: Option<Vec<(String, String)>>,
    options: &Bound<'py, PyAny>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<(Library, Bound<'py, PyAny>)> {
    let options: Options =
        depythonize(options).map_err(|error| exception(py, &misuse(error.to_string())))?;
    let (file, figures) = work::run(py, progress, move |watch| match sources {
        Some(sources) => options.mine_sources(sources, watch),
        None => options.mine_paths(&paths, watch),
    })?;
    let name = file.corpus.name.clone();
    Ok((Library::new(file, name), pythonize(py, &figures)?))
}

impl Options {
    fn mine_paths(
        &self,
        paths: &[PathBuf],
        watch: &Watch,
    ) -> Result<(IdiomFile, Figures), Failure> {
        let is_sources = |it: &PathBuf| {
            let is_name = it.to_str().is_some_and(Corpus::is_name);
            !is_name && folder::is_sources(it)
        };
        if !paths.iter().all(is_sources) {
            return self.mine_corpora(paths, watch);
        }
        let units = self.units()?;
        let found = Repository::find(paths, &units)?;
        let languages: Vec<&str> = found.files.keys().map(String::as_str).collect();
        let [language] = languages[..] else {
            let names = languages.join(", ");
            return Err(misuse("the files are of several languages")
                .because(format!("there are {names}"))
                .help("mine one at a time: language=\"python\""));
        };
        watch.begin("reading files", 0, found.files[language].len());
        let mut read = found.parse(language, &units, &|| {
            watch.end_if_over();
            watch.step(String::new);
        });
        read.name = name_of(paths);
        let min_files = usual_min_files(read.files.len());
        self.mine_read(&read, &units, min_files, watch)
    }

    fn mine_sources(
        &self,
        sources: Vec<(String, String)>,
        watch: &Watch,
    ) -> Result<(IdiomFile, Figures), Failure> {
        let language = self.language.as_deref().unwrap_or("python");
        let language = language_named(language)?;
        let units = UnitConfig {
            max_file_bytes: u64::MAX,
            ..self.units()?
        };
        watch.begin("reading sources", 0, sources.len());
        let mut read = RepositoryPrograms::of_sources(language, sources, &units);
        "sources".clone_into(&mut read.name);
        self.mine_read(&read, &units, 1, watch)
    }

    /// Mines what was read of source files, for idioms of so many files unless something else was asked for.
    fn mine_read(
        &self,
        read: &RepositoryPrograms,
        units: &UnitConfig,
        usual_min_files: usize,
        watch: &Watch,
    ) -> Result<(IdiomFile, Figures), Failure> {
        if read.trees.is_empty() {
            let first = read.skipped.first().map(ToString::to_string);
            return Err(nothing_to_mine(&read.name, first));
        }
        let config = self.config(match self.preset {
            Preset::Best => mining_config(read),
            Preset::Paper => MiningConfig::paper(),
        })?;
        let local_names = if self.keep_names {
            LocalNames::Kept
        } else {
            LocalNames::Holes
        };
        let wanted = Wanted {
            min_files: self.min_files.unwrap_or(usual_min_files),
            ..Wanted::new(local_names)
        };
        let mined = watched(watch, &config, |see| {
            let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
            mine_wanted(read, &wanted, &config, &mut rng, see)
        })?;
        let printer = IdiomPrinter::of_sources(&read.grammar, &read.language);
        let mut how = self.how(&config);
        how["files"] = units.to_json();
        how["min_files"] = wanted.min_files.into();
        let file = IdiomFile::of_repository(read, &mined.library, how, &printer);
        Ok((file, Figures::of(read.trees.len(), &mined)))
    }

    /// Mines the train split of datasets.
    fn mine_corpora(
        &self,
        paths: &[PathBuf],
        watch: &Watch,
    ) -> Result<(IdiomFile, Figures), Failure> {
        let names = paths.iter().map(|it| it.display().to_string());
        let names: Vec<String> = names.collect();
        let options = CorpusOptions {
            language: self.language.clone(),
            ..CorpusOptions::default()
        };
        let corpus = Corpus::open_all(&names, &DataDir::locate(None), &options)?;
        let languages = Languages::of_corpus(&corpus, Mode::Full)?;
        let programs = corpus
            .parse(&languages)
            .map_err(|error| Failure::new("the programs have no common grammar").because(error))?;
        let trees: Vec<Tree> = programs.of(Split::Train).cloned().collect();
        if trees.is_empty() {
            let first = programs.corpus.dropped.first();
            let first = first.map(|it| format!("{}: {}", it.id, it.reason));
            return Err(nothing_to_mine(&programs.corpus.name, first));
        }
        let config = self.config(match self.preset {
            Preset::Best => MiningConfig::default(),
            Preset::Paper => MiningConfig::paper(),
        })?;
        let grammar = &programs.grammar;
        let texts = programs.texts(Split::Train);
        let mined = watched(watch, &config, |see| {
            let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
            let described = (trees.as_slice(), &texts);
            patois_mining::mine_described(grammar, described, &[], &config, &mut rng, see)
        })?;
        let printer = IdiomPrinter::named(&programs.corpus.language, grammar, Mode::Full);
        let how = self.how(&config);
        let mut file = programs.idiom_file(Split::Train, &mined.library, how, &printer);
        file.set_phrases(&mined.idioms);
        Ok((file, Figures::of(trees.len(), &mined)))
    }

    fn units(&self) -> Result<UnitConfig, Failure> {
        Ok(UnitConfig {
            language: self.language.clone(),
            unit: unit_named(&self.unit)?,
            max_file_bytes: self.max_file_size,
            // As the command line reads code where nobody says otherwise.
            exclude: Vec::new(),
            tests: Taken::Skip,
            generated: Taken::Skip,
        })
    }

    /// The configuration that the options ask for.
    fn config(&self, mut config: MiningConfig) -> Result<MiningConfig, Failure> {
        config.n_idioms = self.n_idioms.unwrap_or(config.n_idioms);
        config.miner = self.miner.unwrap_or(config.miner);
        config.ranking = self.rank.unwrap_or(config.ranking);
        let chain = &mut config.chain;
        chain.n_sweeps = self.sweeps.unwrap_or(chain.n_sweeps);
        chain.prior.concentration = self.concentration.unwrap_or(chain.prior.concentration);
        chain.prior.discount = self.discount.unwrap_or(chain.prior.discount);
        chain.prior.check().map_err(misuse)?;
        if self.anneal {
            chain.annealing = Annealing::Rising;
        }
        let filter = &mut config.filter;
        filter.keep_closed |= self.keep_closed;
        filter.min_size = self.min_size.unwrap_or(filter.min_size);
        filter.min_names = self.min_names.unwrap_or(filter.min_names);
        Ok(config)
    }

    /// How a library was mined, for its file.
    fn how(&self, config: &MiningConfig) -> serde_json::Value {
        serde_json::json!({ "mining": config, "seed": self.seed })
    }
}

impl Figures {
    fn of(programs: usize, mined: &Mined) -> Figures {
        let figures = &mined.figures;
        Figures {
            programs,
            sites: mined.n_sites,
            candidates: mined.n_candidates,
            compression: figures.applications.ratio(),
            compression_with_library: figures.applications.ratio_with_library(),
            coverage: figures.node_coverage,
            log_posterior: mined.sweeps.iter().map(|it| it.ln_posterior).collect(),
        }
    }
}

/// Mines, and tells of each sweep.
fn watched(
    watch: &Watch,
    config: &MiningConfig,
    mine: impl FnOnce(&mut dyn FnMut(&Sweep) -> ControlFlow<()>) -> Result<Mined, MiningError>,
) -> Result<Mined, Failure> {
    let n_sweeps = match config.miner {
        MinerKind::BytePairs => 1,
        MinerKind::TypeBased | MinerKind::SingleSite => config.chain.n_sweeps,
    };
    watch.begin("mining", 0, n_sweeps);
    let mut see = |sweep: &Sweep| {
        // To break would be to ask for what was found so far.
        watch.end_if_over();
        watch.step(|| format!("{} fragments", sweep.n_fragments));
        ControlFlow::Continue(())
    };
    mine(&mut see).map_err(misuse)
}

/// What files were asked for by.
fn name_of(paths: &[PathBuf]) -> String {
    let names = paths
        .iter()
        .map(|it: &PathBuf| Path::display(it).to_string());
    names.collect::<Vec<_>>().join(", ")
}

fn nothing_to_mine(name: &str, why: Option<String>) -> Failure {
    let failure = Failure::new(format!("`{name}` has no program to mine"));
    match why {
        Some(why) => failure.because(why),
        None => failure,
    }
}
