//! trees → idioms.

use patois_codebase::idiom_file::IdiomFile;
use patois_codebase::idiom_source::IdiomPrinter;
use patois_mining::{Mined, Sweep, mine_described};
use patois_syntax::IdiomLibrary;
use patois_synthesis::Objective;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::config::RunConfig;
use super::error::StageError;
use super::observer::{Event, Observer, Work, observed};
use super::read::Source;
use crate::corpus::Split;

/// A library, and the file that describes it.
#[derive(Clone, Debug)]
pub struct Idioms {
    /// The library.
    pub library: IdiomLibrary,
    /// The file.
    pub file: IdiomFile,
}

/// The idioms of a run: read from a file, mined, or none where the objective has no use for them.
///
/// # Errors
///
/// When the file is of another grammar, or the miner cannot be configured so.
pub fn mine(
    config: &RunConfig,
    source: &Source,
    watch: &mut dyn Observer,
) -> Result<Idioms, StageError> {
    let grammar = &source.programs.grammar;
    if let Some(file) = &config.idioms.file {
        let (file, library) = IdiomFile::read(file, grammar)?;
        return Ok(Idioms { library, file });
    }
    if config.training.objective == Objective::Plain {
        let library = IdiomLibrary::empty(grammar);
        let file = describe(config, source, &library);
        return Ok(Idioms { library, file });
    }
    let mined = ranking(config, source, watch)?;
    let mut file = describe(config, source, &mined.library);
    file.set_phrases(&mined.idioms);
    Ok(Idioms {
        library: mined.library,
        file,
    })
}

/// As many idioms as are asked for, best first.
pub(super) fn ranking(
    config: &RunConfig,
    source: &Source,
    watch: &mut dyn Observer,
) -> Result<Mined, StageError> {
    let mut rng = ChaCha8Rng::seed_from_u64(config.seed);
    let (train, mining) = (source.trees(Split::Train), &config.idioms.mining);
    let texts = source.main().texts(Split::Train);
    let grammar = &source.programs.grammar;
    let n_sweeps = mining.chain.n_sweeps;
    let mined = observed(watch, Work::Mining, (0, n_sweeps), |watch| {
        let mut watch = |sweep: &Sweep| watch.see(Event::Swept(sweep));
        let described = (train.as_slice(), &texts);
        mine_described(grammar, described, &[], mining, &mut rng, &mut watch)
    });
    Ok(mined?)
}

/// What is written down about a library.
pub(super) fn describe(config: &RunConfig, source: &Source, library: &IdiomLibrary) -> IdiomFile {
    let programs = source.main();
    let (language, mode) = (&programs.corpus.language, config.sql.mode);
    let printer = IdiomPrinter::named(language, &programs.grammar, mode);
    let how = serde_json::json!({ "mining": config.idioms.mining, "seed": config.seed });
    programs.idiom_file(Split::Train, library, how, &printer)
}
