//! A language of one's own, commands with `;` between them, from its grammar to its idioms:
//! `cargo run --example add_a_language` prints `git add $word1; git commit -m $word2; git push`.
#![expect(clippy::print_stdout, reason = "an example shows what it finds")]

use std::{error::Error, ops::ControlFlow, sync::Arc};

use patois_codebase::idiom_source::IdiomPrinter;
use patois_mining::{MiningConfig, mine};
use patois_syntax::{Ast, Child, Field, Grammar, Language, ParseError, PrintError, Schema, Text};
use rand::SeedableRng;

struct Script(Schema);

impl Language for Script {
    fn name(&self) -> &'static str {
        "script"
    }
    fn schema(&self) -> Option<&Schema> {
        Some(&self.0)
    }
    fn parse(&self, source: &str) -> Result<Ast, ParseError> {
        let command = |it: &str| {
            let words = Field::many("words", "word", it.split_whitespace().map(Text::new));
            Ast::new("command", "command", vec![words])
        };
        let commands = Field::many("commands", "command", source.split(';').map(command));
        Ok(Ast::new("script", "script", vec![commands]))
    }
    fn print(&self, ast: &Ast) -> Result<String, PrintError> {
        let part = |it: &Child| match it {
            Child::Node(command) => self.print(command),
            Child::Text(word) => Ok(word.to_string()),
            Child::Reference(_) => Err(PrintError::new("a script has no references")),
        };
        let parts = ast.fields[0].value.children().iter().map(part);
        let parts = parts.collect::<Result<Vec<_>, _>>()?;
        Ok(parts.join(if ast.ty == "script" { "; " } else { " " }))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let schema = "module M { script = (command* commands) command = (word* words) word = text }";
    let script = Arc::new(Script(Schema::parse(schema)?));
    let grammar = Grammar::from_schema(&script.0);
    let mut trees = Vec::new();
    for (file, message) in [("a", "one"), ("b", "two"), ("c", "three"), ("d", "four")] {
        let source = format!("git add {file}; git commit -m {message}; git push");
        trees.push(grammar.tree(&script.parse(&source)?)?);
    }
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    let mut watch = |_: &_| ControlFlow::Continue(());
    let config = MiningConfig::default();
    let mined = mine(&grammar, &trees, &config, &mut rng, &mut watch)?;
    let printer = IdiomPrinter::new(&grammar, script);
    for (_, idiom) in mined.library.iter() {
        println!("{}", printer.print(&idiom.fragment));
    }
    Ok(())
}
