//! The shortest way to the end of a program.

use patois_syntax::{ExtendedGrammar, ProductionId, Rule, SymbolId, SymbolKind};

/// For each symbol, which productions lead to the smallest tree.
pub(super) struct Completion {
    is_short: Vec<bool>,
}

impl Completion {
    /// Finds the smallest trees of a grammar.
    pub(super) fn new(grammar: &ExtendedGrammar<'_>) -> Completion {
        let grammar = grammar.grammar();
        let mut sizes: Vec<Option<usize>> = (0..grammar.n_symbols())
            .map(|it| match grammar.symbol_kind(SymbolId::new(it)) {
                SymbolKind::Text | SymbolKind::Reference => Some(1),
                _ => None,
            })
            .collect();
        let size_of = |sizes: &[Option<usize>], id: ProductionId| {
            let parts = grammar.production(id).rhs.iter();
            let sum = parts.map(|it| sizes[it.index()]).sum::<Option<usize>>();
            sum.map(|it| it + 1)
        };
        // Sizes only fall, and none falls below one: this ends.
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for symbol in 0..grammar.n_symbols() {
                let expansions = grammar.expansions(SymbolId::new(symbol)).iter();
                let best = expansions.filter_map(|&it| size_of(&sizes, it)).min();
                if best.is_some() && sizes[symbol].is_none_or(|it| best < Some(it)) {
                    sizes[symbol] = best;
                    has_changed = true;
                }
            }
        }
        let is_short = |id: ProductionId| {
            let size = size_of(&sizes, id);
            size.is_some() && size == sizes[grammar.production(id).lhs.index()]
        };
        Completion {
            is_short: (0..grammar.n_productions())
                .map(|it| is_short(ProductionId::new(it)))
                .collect(),
        }
    }

    /// Whether a rule begins the smallest tree for its symbol.
    pub(super) fn is_short(&self, rule: Rule) -> bool {
        match rule {
            Rule::Production(id) => self.is_short[id.index()],
            Rule::Idiom(_) => false,
        }
    }
}
