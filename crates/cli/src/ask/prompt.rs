//! A prompt for questions, one after the other.

use std::fmt::Write as _;

use patois_ask::{Answer, Asker, Note, Program, Request};
use patois_database::Completeness;
use patois_languages::sql::DatabaseSchema;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;
use rustyline::{Config, Editor, Helper, Highlighter, Hinter, Validator};

use super::answers;
use crate::Context;
use crate::drawing::draw;
use crate::failure::{Failure, Status};

const HELP: &str = "\
Ask a question, or:
  \\2               take the second answer
  \\right           say that the answer shown is right; it is remembered
  \\sql [QUERY]     run a query, or show the last one to be changed; what is run can be said to be \\right
  \\why             which rules, idioms and words made the query
  \\note TABLE[.COLUMN] = WORDS    what people call it
  \\schema [TABLE]  tables and columns
  \\quit            leave (Ctrl-D)
";

/// What was said last.
#[derive(Default)]
struct Talk {
    answer: Answer,
    /// Which of the answers is shown.
    shown: usize,
}

/// Reads questions and commands until there are no more.
pub(super) fn talk(
    asker: &mut Asker<'_>,
    request: &Request,
    context: &Context,
) -> Result<Status, Failure> {
    let mut editor = editor(asker.schema())?;
    context.terminal.note("a question, or \\help");
    let mut talk = Talk::default();
    loop {
        let line = match editor.readline("> ") {
            Ok(line) => line,
            Err(ReadlineError::Interrupted) => continue,
            Err(ReadlineError::Eof) => return Ok(Status::Done),
            Err(error) => return Err(Failure::new("cannot read from the terminal").because(error)),
        };
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        // Where a line cannot be kept, it can be typed again.
        let _ = editor.add_history_entry(line);
        if ["\\quit", "\\q"].contains(&line) {
            return Ok(Status::Done);
        }
        if line == "\\sql" {
            if let Some(sql) = edited(&mut editor, &talk)? {
                say(context, &talk.run(asker, request, &sql))?;
            }
            continue;
        }
        say(context, &talk.reply(asker, request, line))?;
    }
}

fn say(context: &Context, text: &str) -> Result<(), Failure> {
    context.terminal.result(&text, || text.to_owned())
}

/// The query that was shown, changed by hand.
fn edited(editor: &mut NamesEditor, talk: &Talk) -> Result<Option<String>, Failure> {
    let shown = talk.program().map_or("", |it| it.code.trim());
    match editor.readline_with_initial("sql> ", (shown, "")) {
        Ok(sql) => Ok(Some(sql)),
        Err(ReadlineError::Interrupted | ReadlineError::Eof) => Ok(None),
        Err(error) => Err(Failure::new("cannot read from the terminal").because(error)),
    }
}

impl Talk {
    /// The answer that is shown.
    fn program(&self) -> Option<&Program> {
        self.answer.programs.get(self.shown)
    }

    fn reply(&mut self, asker: &mut Asker<'_>, request: &Request, line: &str) -> String {
        let Some(command) = line.strip_prefix('\\') else {
            let request = Request {
                is_traced: true,
                ..*request
            };
            self.answer = asker.ask(line, &request);
            self.shown = 0;
            return answers::for_people(&self.untraced(), true);
        };
        let (name, rest) = command
            .split_once(char::is_whitespace)
            .unwrap_or((command, ""));
        match (name, rest.trim()) {
            ("help" | "h" | "?", _) => HELP.to_owned(),
            ("schema", table) => schema(asker.schema(), table),
            ("sql", sql) => self.run(asker, request, sql),
            ("why", _) => match self.program() {
                Some(program) if !program.trace.is_empty() => draw(&program.trace),
                _ => "there is no query of the model's to explain\n".to_owned(),
            },
            ("right", _) => self.confirm(asker),
            ("note", said) => note(asker, said),
            (number, "") if number.parse().is_ok_and(|it: usize| it > 0) => {
                self.take(number.parse().unwrap_or(1))
            }
            _ => format!("there is no command `\\{name}`; \\help lists them\n"),
        }
    }

    /// What is shown without what made it.
    fn untraced(&self) -> Answer {
        let mut answer = self.answer.clone();
        answer.programs.iter_mut().for_each(|it| it.trace.clear());
        answer
    }

    fn take(&mut self, number: usize) -> String {
        let Some(program) = self.untraced().programs.into_iter().nth(number - 1) else {
            return format!("there is no answer {number}\n");
        };
        self.shown = number - 1;
        answers::shown(&program, true)
    }

    /// Runs a query; it becomes the answer that is shown.
    fn run(&mut self, asker: &Asker<'_>, request: &Request, sql: &str) -> String {
        let sql = sql.trim();
        if sql.is_empty() {
            return String::new();
        }
        let mut program = Program {
            code: sql.to_owned(),
            words: asker.check(sql).words.unwrap_or_default(),
            ..Program::default()
        };
        match asker.run(sql, request.n_rows) {
            Ok((rows, completeness)) => {
                (program.columns, program.rows) = (rows.columns, rows.rows);
                program.is_cut = completeness == Completeness::Cut;
            }
            Err(error) => return format!("{error}\n"),
        }
        let text = answers::result(&program);
        self.answer.programs.push(program);
        self.shown = self.answer.programs.len() - 1;
        text
    }

    fn confirm(&self, asker: &mut Asker<'_>) -> String {
        let question = &self.answer.question;
        match self.program() {
            Some(program) if !question.is_empty() => match asker.learn(question, &program.code) {
                Ok(()) => "remembered\n".to_owned(),
                Err(error) => format!("{error}\n"),
            },
            _ => "there is no answer to be right\n".to_owned(),
        }
    }
}

/// `TABLE[.COLUMN] = WORDS`.
fn note(asker: &mut Asker<'_>, said: &str) -> String {
    let Some((name, words)) = said.split_once('=') else {
        return "expected \\note TABLE[.COLUMN] = WORDS\n".to_owned();
    };
    let (table, column) = match name.trim().split_once('.') {
        Some((table, column)) => (table, Some(column.trim().to_owned())),
        None => (name.trim(), None),
    };
    let note = Note {
        table: table.trim().to_owned(),
        column,
        words: words.trim().to_owned(),
    };
    match asker.note(note) {
        Ok(()) => "noted\n".to_owned(),
        Err(error) => format!("{error}\n"),
    }
}

/// Tables with their columns; of all tables, or of one.
fn schema(schema: &DatabaseSchema, wanted: &str) -> String {
    let mut text = String::new();
    for (index, table) in schema.tables.iter().enumerate() {
        if !wanted.is_empty() && !table.name.eq_ignore_ascii_case(wanted) {
            continue;
        }
        let columns = schema.columns.iter().filter(|it| it.table == Some(index));
        let columns: Vec<&str> = columns.map(|it| it.name.as_str()).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}({})", table.name, columns.join(", "));
    }
    if text.is_empty() {
        text = format!("there is no table called `{wanted}`\n");
    }
    text
}

type NamesEditor = Editor<Names, MemHistory>;

fn editor(schema: &DatabaseSchema) -> Result<NamesEditor, Failure> {
    let failure = |error| Failure::new("cannot read from the terminal").because(error);
    let history = MemHistory::new();
    let mut editor = Editor::with_history(Config::default(), history).map_err(failure)?;
    editor.set_helper(Some(Names::of(schema)));
    Ok(editor)
}

/// Completes the names of tables and columns, and commands.
#[derive(Helper, Highlighter, Hinter, Validator)]
struct Names {
    names: Vec<String>,
}

const COMMANDS: [&str; 7] = [
    "\\help", "\\note", "\\quit", "\\right", "\\schema", "\\sql", "\\why",
];

impl Names {
    fn of(schema: &DatabaseSchema) -> Names {
        let tables = schema.tables.iter().map(|it| it.name.clone());
        let columns = schema.columns.iter().skip(1).map(|it| it.name.clone());
        let commands = COMMANDS.iter().map(|it| (*it).to_owned());
        let mut names: Vec<String> = tables.chain(columns).chain(commands).collect();
        names.sort();
        names.dedup();
        Names { names }
    }
}

impl Completer for Names {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &rustyline::Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let before = &line[..position];
        let ends_word = |it: char| !(it.is_alphanumeric() || it == '_' || it == '\\');
        let start = before.rfind(ends_word).map_or(0, |it| it + 1);
        let typed = before[start..].to_lowercase();
        let fits = |it: &&String| !typed.is_empty() && it.to_lowercase().starts_with(&typed);
        Ok((start, self.names.iter().filter(fits).cloned().collect()))
    }
}
