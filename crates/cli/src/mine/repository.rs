//! Mining the source files of a repository, one language after the other.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use patois::corpus::Split;
use patois_codebase::background;
use patois_codebase::idiom_file::IdiomFile;
use patois_codebase::idiom_source::IdiomPrinter;
use patois_codebase::local_names::LocalNames;

use patois_codebase::output::Lock;
use patois_codebase::repository::{Repository, RepositoryPrograms, UnitConfig};
use patois_codebase::sources::Unreadable;
use patois_codebase::state_folder::StateFolder;
use patois_codebase::{MAX_SAMPLED, Share, Wanted, mine_on, usual_min_files};
use patois_mining::{Background, Keeper};
use patois_syntax::IdiomLibrary;
use serde::Serialize;

use super::against::{self, Against};
use super::report::{Report, Seconds, Sources};
use super::{MineArgs, nothing_to_mine, watched};
use crate::failure::{Failure, Status};
use crate::progress::Progress;
use crate::{Context, STACK_BYTES};

/// The reports of several languages.
#[derive(Serialize)]
struct Reports {
    languages: Vec<Report>,
}

impl MineArgs {
    /// Mines source files: each language that there is, to a file of its own where there are several.
    pub(super) fn mine_repository(&self, context: &Context) -> Result<Status, Failure> {
        self.check_split()?;
        let units = self.units();
        let started = Instant::now();
        let paths: Vec<PathBuf> = self.corpora.iter().map(PathBuf::from).collect();
        let found = Repository::find(&paths, &units)?;
        found.check_same(context.ranks.as_ref(), &units)?;
        let against = Against::read(self, &units)?;
        let walked = started.elapsed().as_secs_f64();
        let mut reports = Vec::new();
        let mut text = String::new();
        let mut failure = None;
        let mut page = self.page();
        for language in found.files.keys() {
            let out = self.out_of(language, found.files.len());
            // Whoever asked for this very file writes the same.
            let is_other = out != self.out && context.ranks.rank() == 0;
            let _lock = is_other.then(|| Lock::of_file(&out)).transpose()?;
            let started = Instant::now();
            let mut read = read_share(context, &found, language, &units);
            read.name = self.name();
            let share = Share::of(&read, context.ranks.as_ref());
            if share.n_programs() == 0 {
                failure =
                    failure.or_else(|| Some(nothing_to_mine(&read.name, first(&read.skipped))));
                continue;
            }
            let read_in = walked + started.elapsed().as_secs_f64();
            let usual = against.as_ref();
            let usual =
                usual.and_then(|it| it.of_language(context, language, &units, self.local_names()));
            let background = usual.as_ref().map(|it| &it.0);
            let how = (read_in, background);
            let mined = self.mine_kept(context, language, (&found, &share), &out, how)?;
            let Some((mut report, file, library)) = mined else {
                continue;
            };
            if self.report.is_some() {
                let whole = self.whole(context, &found, &share);
                page.add(&whole, &library, &file);
            }
            if let Some((_, Some(other))) = &usual {
                report = report.with_elsewhere(against::counts_in(other, &file));
            }
            let shown = self.shown(&out);
            text += &report.for_people(&file, &shown);
            if let Some((_, Some(other))) = &usual {
                text += &self.gone(context, &read, other, &out)?;
            }
            text += "\n";
            reports.push(report);
        }
        if reports.is_empty() && context.ranks.rank() > 0 {
            return Ok(Status::Done);
        }
        if reports.is_empty() {
            let nothing = || nothing_to_mine(&self.name(), first(&found.skipped));
            return Err(failure.unwrap_or_else(nothing));
        }
        text += &page.write()?;
        tell(context, reports, &text)
    }

    fn check_split(&self) -> Result<(), Failure> {
        let split = Split::from(self.split);
        if split == Split::Train {
            return Ok(());
        }
        let message = format!("`{}` has no split `{split}`", self.name());
        Err(Failure::misuse(message).help("source files are all `train`"))
    }

    /// Mines a language; the state of the chain is kept meanwhile, where that is asked for.
    fn mine_kept(
        &self,
        context: &Context,
        language: &str,
        programs: (&Repository, &Share<'_>),
        out: &Path,
        how: (f64, Option<&Background>),
    ) -> Result<Option<(Report, IdiomFile, IdiomLibrary)>, Failure> {
        let state = self.state(context, Some(language));
        let mined = self.mine_language(context, programs, out, how, state.as_ref())?;
        if let Some(state) = state.filter(|_| mined.is_some()) {
            state.remove();
        }
        if let Some(folder) = &self.checkpoint {
            // It stays while other languages have something in it.
            let _ = fs::remove_dir(folder);
        }
        Ok(mined)
    }

    fn mine_language(
        &self,
        context: &Context,
        (found, share): (&Repository, &Share<'_>),
        out: &Path,
        (read_in, background): (f64, Option<&Background>),
        state: Option<&StateFolder>,
    ) -> Result<Option<(Report, IdiomFile, IdiomLibrary)>, Failure> {
        let started = Instant::now();
        let read = share.read;
        let config = self.options.for_sources(share.n_nodes())?;
        if self.options.is_by_size(&config) {
            context.terminal.note(format!(
                "mined by byte pairs, as there are more than {MAX_SAMPLED} nodes; `--miner type-based` takes several times as long"
            ));
        }
        let local_names = self.local_names();
        let min_files = self
            .min_files
            .unwrap_or_else(|| usual_min_files(share.n_files()));
        if self.min_files.is_none() && min_files > 1 {
            context.terminal.note(format!(
                "idioms of one file only are left out, as there are {} files; `--min-files 1` keeps them",
                share.n_files()
            ));
        }
        let wanted = Wanted {
            local_names,
            min_files,
            background,
        };
        let (mined, sampled) = watched(context, &config, |rng, watch| {
            let keeper = state.map(|it| it as &dyn Keeper);
            let threads = (self.ranks.into(), STACK_BYTES);
            mine_on(threads, share, &wanted, (&config, keeper), rng, watch)
        })?;
        let printer = IdiomPrinter::of_sources(&read.grammar, &read.language);
        let mut how = self.how(context, &config);
        how["files"] = self.units().to_json();
        how["min_files"] = min_files.into();
        if let Some(background) = background {
            how["against"] = background.name().into();
        }
        let library = mined.as_ref().map(|it| &it.library);
        let file = IdiomFile::of_share(share, library, how, &printer);
        let Some((mined, mut file)) = mined.zip(file) else {
            return Ok(None);
        };
        file.set_lifts(&mined.idioms);
        let titles = super::keep_titles(context, &mut file, out);
        file.write(out)?;
        let exported = if self.exports.is_empty() {
            Vec::new()
        } else {
            let whole = self.whole(context, found, share);
            self.exports.write(&whole, &mined.library, &file, out)?
        };
        let mined_in = started.elapsed().as_secs_f64();
        let seconds = Seconds {
            read: read_in,
            sample: sampled,
            extract: mined_in - sampled,
            total: read_in + mined_in,
        };
        let report = Report::new(&self.name(), share.n_programs(), &mined, None, seconds);
        let mut sources = Sources::new(read, &found.skipped);
        if local_names == LocalNames::Holes {
            sources.count_equal_names(&mined.library);
        }
        let report = report.with_sources(sources).with_rules(exported);
        let report = report.with_titles(titles);
        Ok(Some((report, file, mined.library)))
    }

    /// What the other programs have, and these do not have any more.
    fn gone(
        &self,
        context: &Context,
        read: &RepositoryPrograms,
        other: &RepositoryPrograms,
        out: &Path,
    ) -> Result<String, Failure> {
        let usual = background::of_programs(&read.name, read, self.local_names());
        let out = against::gone_path(out);
        let found = Repository::default();
        let other = Share::alone(other);
        let mined =
            self.mine_language(context, (&found, &other), &out, (0.0, Some(&usual)), None)?;
        let Some((report, file, _)) = mined else {
            return Ok(String::new());
        };
        let report = report.with_elsewhere(against::counts_in(read, &file));
        Ok(report.gone_for_people(&file, &self.shown(&out)))
    }

    /// All programs: what pages and rules look at. Where several processes have read them, rank 0 reads what the others
    /// have.
    fn whole<'r>(
        &self,
        context: &Context,
        found: &Repository,
        share: &Share<'r>,
    ) -> Cow<'r, RepositoryPrograms> {
        let own = share.read;
        if own.trees.len() == share.n_programs() {
            return Cow::Borrowed(own);
        }
        let mut whole = read(context, found, own.language.name(), &self.units());
        whole.name.clone_from(&own.name);
        Cow::Owned(whole)
    }

    /// The file for the idioms of a language.
    fn out_of(&self, language: &str, n_languages: usize) -> PathBuf {
        if n_languages == 1 {
            return self.out.clone();
        }
        let stem = self.out.file_stem().unwrap_or_default().to_string_lossy();
        let ending = self.out.extension().map(|it| it.to_string_lossy());
        let name = match ending {
            Some(ending) => format!("{stem}-{language}.{ending}"),
            None => format!("{stem}-{language}"),
        };
        self.out.with_file_name(name)
    }

    pub(super) fn name(&self) -> String {
        self.corpora.join(", ")
    }
}

/// One object for one language, a list for several.
fn tell(context: &Context, reports: Vec<Report>, text: &str) -> Result<Status, Failure> {
    let people = || text.trim_end().to_owned() + "\n";
    match <[Report; 1]>::try_from(reports) {
        Ok([report]) => context.terminal.result(&report, people)?,
        Err(languages) => context.terminal.result(&Reports { languages }, people)?,
    }
    Ok(Status::Done)
}

/// What became of the first file that could have been read.
fn first(skipped: &[Unreadable]) -> Option<String> {
    skipped.first().map(ToString::to_string)
}

/// Reads the files of this rank.
fn read_share(
    context: &Context,
    found: &Repository,
    language: &str,
    config: &UnitConfig,
) -> RepositoryPrograms {
    let ranks = context.ranks.as_ref();
    let own = found.share(language, ranks);
    let progress = Progress::start(context.terminal, "reading files", own.len());
    found.parse_share(language, own, config, ranks, &|| progress.step())
}

/// Reads all files.
pub(crate) fn read(
    context: &Context,
    found: &Repository,
    language: &str,
    config: &UnitConfig,
) -> RepositoryPrograms {
    let n_files = found.files[language].len();
    let progress = Progress::start(context.terminal, "reading files", n_files);
    found.parse(language, config, &|| progress.step())
}
