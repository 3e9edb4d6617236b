//! `patois completions`: scripts that complete the command line in a shell.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::{Cli, Context};
use crate::failure::{Failure, Status};

/// Print a script that completes patois in a shell
#[derive(Args)]
#[command(after_help = "\
Examples:
  patois completions bash > ~/.local/share/bash-completion/completions/patois
  patois completions zsh > ~/.zfunc/_patois
  patois completions fish > ~/.config/fish/completions/patois.fish")]
pub(super) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

impl CompletionsArgs {
    pub(super) fn run(self, context: &Context) -> Result<Status, Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "patois", &mut script);
        let script = String::from_utf8_lossy(&script).into_owned();
        let value = serde_json::json!({ "shell": self.shell.to_string(), "script": script });
        context.terminal.result(&value, || script)?;
        Ok(Status::Done)
    }
}
