//! The shortest way to the end of a program.

use patois_syntax::{ExtendedGrammar, ProductionId, Rule, SymbolId, SymbolKind};

/// The sizes of the smallest trees that productions lead to.
pub(super) struct Completion {
    sizes: Vec<Option<usize>>,
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
        Completion {
            sizes: (0..grammar.n_productions())
                .map(|it| size_of(&sizes, ProductionId::new(it)))
                .collect(),
        }
    }

    /// Of some rules, those productions that lead to the smallest trees.
    pub(super) fn shortest(&self, rules: &[Rule]) -> Vec<Rule> {
        let size = |rule: &Rule| match *rule {
            Rule::Production(id) => self.sizes[id.index()],
            Rule::Idiom(_) => None,
        };
        let smallest = rules.iter().filter_map(size).min();
        let is_smallest = |it: &&Rule| smallest.is_some() && size(it) == smallest;
        rules.iter().filter(is_smallest).copied().collect()
    }
}
