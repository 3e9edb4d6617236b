//! `--report`: the page about the idioms of a repository.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use patois_codebase::idiom_file::IdiomFile;
use patois_codebase::idiom_report::IdiomReport;
use patois_codebase::output;
use patois_codebase::repository::RepositoryPrograms;
use patois_syntax::IdiomLibrary;

use super::{MineArgs, is_sources};
use crate::failure::Failure;

/// The page that is to be written, if any.
pub(super) struct Page(Option<Asked>);

struct Asked {
    path: PathBuf,
    report: IdiomReport,
    took: Duration,
}

impl MineArgs {
    /// Makes sure that the page can be made and written, where there is to be one.
    pub(super) fn check_page(&self) -> Result<(), Failure> {
        let Some(path) = &self.report else {
            return Ok(());
        };
        if let Some(other) = self.corpora.iter().find(|it| !is_sources(it)) {
            let message = format!("`--report` is about source files, `{other}` is none");
            return Err(Failure::misuse(message).help("give files and folders of source code"));
        }
        Ok(output::check(path)?)
    }

    pub(super) fn page(&self) -> Page {
        Page(self.report.as_ref().map(|path| {
            let unit = self.unit.to_possible_value();
            let unit = unit.as_ref().map_or("", |it| it.get_name());
            let mut report = IdiomReport::new(&title(&self.corpora), unit);
            if let Some(base) = way_to_here(path) {
                report.link_from(&base);
            }
            Asked {
                path: path.clone(),
                report,
                took: Duration::ZERO,
            }
        }))
    }
}

impl Page {
    /// Adds the idioms of one language.
    pub(super) fn add(
        &mut self,
        read: &RepositoryPrograms,
        library: &IdiomLibrary,
        file: &IdiomFile,
    ) {
        if let Some(asked) = &mut self.0 {
            let started = Instant::now();
            asked.report.add(read, library, file);
            asked.took += started.elapsed();
        }
    }

    /// Writes the page; what to say about it.
    pub(super) fn write(self) -> Result<String, Failure> {
        let Some(Asked { path, report, took }) = self.0 else {
            return Ok(String::new());
        };
        let started = Instant::now();
        let html = report.to_html();
        output::write(&path, &html)?;
        let seconds = (took + started.elapsed()).as_secs_f64();
        let size = html.len() as f64 / 1e6;
        let path = path.display();
        Ok(format!(
            "report of {size:.1} MB written to `{path}` in {seconds:.2} s\n"
        ))
    }
}

/// What the page is called: by the folder, or as was asked for.
fn title(corpora: &[String]) -> String {
    let name = match corpora {
        [only] => Path::new(only).canonicalize().ok(),
        _ => None,
    };
    let name = name.as_deref().and_then(Path::file_name);
    name.map_or_else(
        || corpora.join(", "),
        |it| it.to_string_lossy().into_owned(),
    )
}

/// The way from the folder of a page to the working directory, as a link: `../../`.
fn way_to_here(page: &Path) -> Option<String> {
    let folder = match page.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let from = folder.canonicalize().ok()?;
    let to = Path::new(".").canonicalize().ok()?;
    let n_common = from
        .components()
        .zip(to.components())
        .take_while(|(a, b)| a == b)
        .count();
    let up = from.components().skip(n_common).map(|_| "../".to_owned());
    let down = to.components().skip(n_common);
    let down = down.map(|it| format!("{}/", it.as_os_str().to_string_lossy()));
    Some(up.chain(down).collect())
}
