//! `cargo run --release --example export_trees -- hearthstone train` prints the trees of a split.
//!
//! One program a line, a node as `(atom child ...)` or `atom`, lists as cells, as in our own trees.
//! Where something is chosen an atom starts with `+`, where there is a single production with `-`:
//! `-mod.Module`, `+stmt*.Cons`, `+identifier"name"`, and `+column@` for every reference. Texts are
//! escaped so that an atom holds no space and no parenthesis.

use std::error::Error;
use std::io::{self, BufWriter, Write};

use patois::corpus::{Corpus, CorpusOptions, DataDir, Languages, Split};
use patois_languages::sql::Mode;
use patois_syntax::{Grammar, Label, NodeId, Tree};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, split] = arguments.as_slice() else {
        return Err("expected a corpus and a split, such as `hearthstone train`".into());
    };
    let split: Split = split.parse()?;
    let corpus = Corpus::open(name, &DataDir::locate(None), &CorpusOptions::default())?;
    let languages = Languages::of_corpus(&corpus, Mode::Full)?;
    let programs = corpus.parse(&languages)?;
    let mut out = BufWriter::new(io::stdout().lock());
    for tree in programs.of(split) {
        let mut open = Vec::new();
        for node in tree.nodes() {
            while open.pop_if(|end| *end == node).is_some() {
                write!(out, ")")?;
            }
            let has_children = tree.end(node).index() > node.index() + 1;
            let space = if node == tree.root() { "" } else { " " };
            let bracket = if has_children { "(" } else { "" };
            let atom = atom(&programs.grammar, tree, node);
            write!(out, "{space}{bracket}{atom}")?;
            open.extend(has_children.then(|| tree.end(node)));
        }
        writeln!(out, "{}", ")".repeat(open.len()))?;
    }
    Ok(out.flush()?)
}

fn atom(grammar: &Grammar, tree: &Tree, node: NodeId) -> String {
    let symbol = tree.symbol(node);
    let is_forced = grammar.expansions(symbol).len() == 1;
    let sign = if is_forced { '-' } else { '+' };
    let chosen = match tree.label(node) {
        Label::Text(text) => format!("{:?}", text.as_str()),
        Label::Reference(_) => "@".to_owned(),
        Label::Production(id) => match grammar.constructor(id) {
            Some(constructor) => format!(".{}", constructor.name),
            None => format!(".{:?}", grammar.production(id).kind),
        },
    };
    let atom = format!("{sign}{}{chosen}", grammar.symbol_name(symbol));
    let escape = |atom: String, it: &str| atom.replace(it, &it.escape_unicode().to_string());
    ["(", ")", " "].into_iter().fold(atom, escape)
}
