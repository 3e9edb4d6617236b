//! The laws that every language keeps, as functions that tests call.
//!
//! [`check_language`] takes programs that somebody wrote; [`grow`] makes trees that nobody would
//! write, which are the better test of a printer.

use crate::{Ast, Grammar, Label, Language, ProductionId, SymbolId, SymbolKind, Text, Tree};

/// Checks the laws of [`Language`] on the given programs.
///
/// # Panics
///
/// When one of them is broken; the message says which, and for which program.
pub fn check_language<'p>(language: &dyn Language, programs: impl IntoIterator<Item = &'p str>) {
    for source in programs {
        let ast = match language.parse(source) {
            Ok(ast) => ast,
            Err(error) => panic!("{} does not parse {source:?}: {error}", language.name()),
        };
        assert_eq!(
            language.parse(source).as_ref(),
            Ok(&ast),
            "parsing is a function: {source:?}"
        );
        check_ast(language, &ast);
    }
}

/// Checks the laws of [`Language`] on a tree.
///
/// # Panics
///
/// When one of them is broken; the message says which, and for which tree.
pub fn check_ast(language: &dyn Language, ast: &Ast) {
    let grammar = match language.schema() {
        Some(schema) => Grammar::from_schema(schema),
        None => Grammar::induce("induced", [ast]).expect("one tree does not contradict itself"),
    };
    let tree = match grammar.tree(ast) {
        Ok(tree) => tree,
        Err(error) => panic!("the schema does not hold {ast:?}: {error}"),
    };
    assert_eq!(
        &grammar.ast(&tree),
        ast,
        "a tree converts back to what it was made of"
    );
    check_tree(language, &grammar, &tree);
}

/// Checks the laws of [`Language`] on a tree of its grammar.
///
/// # Panics
///
/// When one of them is broken; the message says which, and for which tree.
pub fn check_tree(language: &dyn Language, grammar: &Grammar, tree: &Tree) {
    let ast = grammar.ast(tree);
    let notation = tree.display(grammar);
    let printed = match language.print(&ast) {
        Ok(printed) => printed,
        Err(error) => panic!("{} does not print {notation}: {error}", language.name()),
    };
    match language.parse(&printed) {
        Ok(again) if again == ast => {}
        Ok(again) => {
            let again = grammar.tree(&again);
            let again =
                again.map_or_else(|it| it.to_string(), |it| it.display(grammar).to_string());
            panic!(
                "a tree does not come back\nfrom    {notation}\nprinted {printed}\nread as {again}"
            )
        }
        Err(error) => panic!(
            "a tree prints as no program\nfrom    {notation}\nprinted {printed}\nerror   {error}"
        ),
    }
    for node in tree.nodes() {
        if let Label::Text(text) = tree.label(node) {
            check_text(language, grammar.symbol_type(tree.symbol(node)), text);
        }
    }
}

fn check_text(language: &dyn Language, ty: &str, text: Text) {
    let text = text.as_str();
    assert!(
        language.accepts_text(ty, text),
        "a text of a tree is accepted: {ty} {text:?}"
    );
    assert_eq!(
        language.split_text(text).concat(),
        text,
        "the subtokens of a text are the text"
    );
}

/// Where the choices for a random tree come from.
pub trait Choices {
    /// A number below `n`, which is not zero.
    fn choose(&mut self, n: usize) -> usize;

    /// A text of type `ty`.
    fn text(&mut self, ty: &str) -> Text;

    /// An item of the context, of type `ty`.
    fn reference(&mut self, ty: &str) -> u32;
}

/// A tree of the grammar. Once it has about `n_nodes` nodes, it takes the shortest way to its end.
///
/// # Panics
///
/// When a symbol of the grammar has no finite tree.
pub fn grow(grammar: &Grammar, root: SymbolId, n_nodes: usize, choices: &mut impl Choices) -> Tree {
    let shortest = shortest_expansions(grammar);
    let mut labels = Vec::new();
    let mut open = vec![root];
    while let Some(symbol) = open.pop() {
        let ty = grammar.symbol_type(symbol);
        let expansions = grammar.expansions(symbol);
        let label = match grammar.symbol_kind(symbol) {
            SymbolKind::Text => Label::Text(choices.text(ty)),
            SymbolKind::Reference => Label::Reference(choices.reference(ty)),
            _ if labels.len() + open.len() >= n_nodes => {
                Label::Production(shortest[symbol.index()].expect("a grammar has finite trees"))
            }
            _ => Label::Production(expansions[choices.choose(expansions.len())]),
        };
        labels.push(label);
        open.extend(label.children(grammar).iter().rev());
    }
    Tree::from_labels(grammar, root, &labels).expect("only what the grammar allows was chosen")
}

/// For each symbol, the production that leads to its smallest tree: a least fixed point.
fn shortest_expansions(grammar: &Grammar) -> Vec<Option<ProductionId>> {
    let symbols = || (0..grammar.n_symbols()).map(SymbolId::new);
    let is_leaf = |symbol| {
        matches!(
            grammar.symbol_kind(symbol),
            SymbolKind::Text | SymbolKind::Reference
        )
    };
    let mut sizes: Vec<Option<usize>> = symbols().map(|it| is_leaf(it).then_some(1)).collect();
    let mut shortest = vec![None; grammar.n_symbols()];
    loop {
        let mut changed = false;
        for symbol in symbols() {
            for &id in grammar.expansions(symbol) {
                let below = grammar
                    .production(id)
                    .rhs
                    .iter()
                    .map(|it| sizes[it.index()]);
                let Some(size) = below.sum::<Option<usize>>().map(|below| below + 1) else {
                    continue;
                };
                if sizes[symbol.index()].is_none_or(|known| size < known) {
                    sizes[symbol.index()] = Some(size);
                    shortest[symbol.index()] = Some(id);
                    changed = true;
                }
            }
        }
        if !changed {
            return shortest;
        }
    }
}
