//! Prints the trees of a corpus: `cargo run --release --example export_trees -- hearthstone train`.
//!
//! One program a line, a node as `(atom child ...)` or `atom`, lists as cells, as in our own trees.
//! Where something is chosen an atom starts with `+`, where there is a single production with `-`:
//! `-mod.Module`, `+stmt*.Cons`, `+identifier"name"`, and `+column@` for every reference. Texts are
//! escaped so that an atom holds no space and no parenthesis. With an `idioms.json` in place of the
//! split, the idioms in it are printed; their holes are `#0`, `#1`, ... Without arguments, the test split of
//! the embedded corpus.

use std::error::Error;
use std::io::{self, Write};
use std::path::Path;

use patois::corpus::{Corpus, CorpusOptions, DataDir, Languages};
use patois_codebase::idiom_file::IdiomFile;
use patois_languages::sql::Mode;
use patois_syntax::{FragmentNode, Grammar, Label, NodeId, SymbolId};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (name, what) = match arguments.as_slice() {
        [] => ("default", "test"),
        [name, what] => (name.as_str(), what.as_str()),
        _ => return Err("expected a corpus, then a split or a file of idioms".into()),
    };
    let corpus = Corpus::open(name, &DataDir::locate(None), &CorpusOptions::default())?;
    let languages = Languages::of_corpus(&corpus, Mode::Full)?;
    let programs = corpus.parse(&languages)?;
    let g = &programs.grammar;
    let mut out = io::stdout().lock();
    if let Ok(split) = what.parse() {
        for tree in programs.of(split) {
            let shown = |it| atom(g, tree.symbol(it), FragmentNode::Fixed(tree.label(it)));
            let expression = expression(tree.n_nodes(), |it| tree.end(it), shown);
            writeln!(out, "{expression}")?;
        }
    } else {
        for (_, idiom) in IdiomFile::read(Path::new(what), g)?.1.iter() {
            let it = &idiom.fragment;
            let shown = |node| atom(g, it.symbol(node), it.node(node));
            let expression = expression(it.n_nodes(), |node| it.end(node), shown);
            writeln!(out, "{expression}")?;
        }
    }
    Ok(())
}

/// Nodes in preorder, each with one past the end of its subtree, as an s-expression.
fn expression(n: usize, end: impl Fn(NodeId) -> NodeId, show: impl Fn(NodeId) -> String) -> String {
    let mut written = String::new();
    let mut open = Vec::new();
    for node in (0..n).map(NodeId::new) {
        while open.pop_if(|end| *end == node).is_some() {
            written.push(')');
        }
        let is_leaf = end(node).index() == node.index() + 1;
        written += if node.index() == 0 { "" } else { " " };
        written += if is_leaf { "" } else { "(" };
        written += &show(node);
        open.extend((!is_leaf).then(|| end(node)));
    }
    written + &")".repeat(open.len())
}

fn atom(grammar: &Grammar, symbol: SymbolId, node: FragmentNode) -> String {
    let is_forced = grammar.expansions(symbol).len() == 1;
    let sign = if is_forced { '-' } else { '+' };
    let chosen = match node {
        FragmentNode::Hole(hole) => return format!("#{}", hole.index()),
        FragmentNode::Fixed(Label::Text(text)) => format!("{:?}", text.as_str()),
        FragmentNode::Fixed(Label::Reference(_)) => "@".to_owned(),
        FragmentNode::Fixed(Label::Production(id)) => match grammar.constructor(id) {
            Some(constructor) => format!(".{}", constructor.name),
            None => format!(".{:?}", grammar.production(id).kind),
        },
    };
    let atom = format!("{sign}{}{chosen}", grammar.symbol_name(symbol));
    let escape = |atom: String, it: &str| atom.replace(it, &it.escape_unicode().to_string());
    ["(", ")", " "].into_iter().fold(atom, escape)
}
