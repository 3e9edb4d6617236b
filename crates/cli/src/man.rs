//! `patois man`: manual pages.

use std::path::{Path, PathBuf};

use clap::{Args, Command, CommandFactory};
use patois_codebase::output;

use super::{Cli, Context};
use crate::failure::{Failure, Status};

/// Print the manual page, or write the pages of all verbs to a folder
#[derive(Args)]
#[command(after_help = "\
Examples:
  patois man | man -l -
  patois man --out ~/.local/share/man/man1")]
pub(super) struct ManArgs {
    /// Write one page per verb to this folder, which must exist
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl ManArgs {
    pub(super) fn run(self, context: &Context) -> Result<Status, Failure> {
        let pages = pages()?;
        match self.out {
            None => {
                let page = &pages[0].text;
                let value = serde_json::json!({ "page": page });
                context.terminal.result(&value, || page.clone())?;
            }
            Some(folder) => {
                let files = write_all(&folder, &pages)?;
                let value = serde_json::json!({ "files": files });
                let text = || files.join("\n") + "\n";
                context.terminal.result(&value, text)?;
            }
        }
        Ok(Status::Done)
    }
}

struct Page {
    file: String,
    text: String,
}

/// The page of the program itself, then one for each verb.
fn pages() -> Result<Vec<Page>, Failure> {
    let mut root = Cli::command().disable_help_subcommand(true);
    root.build();
    let mut pages = Vec::new();
    add_pages(&root, &mut pages)?;
    Ok(pages)
}

fn add_pages(command: &Command, pages: &mut Vec<Page>) -> Result<(), Failure> {
    let name = command.get_display_name().unwrap_or(command.get_name());
    let mut text = Vec::new();
    clap_mangen::Man::new(command.clone())
        .render(&mut text)
        .map_err(|error| Failure::new("cannot lay out the manual page").because(error))?;
    pages.push(Page {
        file: format!("{name}.1"),
        text: String::from_utf8_lossy(&text).into_owned(),
    });
    for verb in command.get_subcommands().filter(|it| !it.is_hide_set()) {
        add_pages(verb, pages)?;
    }
    Ok(())
}

fn write_all(folder: &Path, pages: &[Page]) -> Result<Vec<String>, Failure> {
    if !folder.is_dir() {
        return Err(
            Failure::new(format!("`{}` is not a directory", folder.display()))
                .help(format!("create it first: mkdir -p '{}'", folder.display())),
        );
    }
    let mut files = Vec::new();
    for page in pages {
        let path = folder.join(&page.file);
        output::write(&path, &page.text)?;
        files.push(path.display().to_string());
    }
    Ok(files)
}
