//! The smallest trees for each symbol, and the smallest programs around them.

use patois_syntax::{Grammar, Label, Language, ProductionId, SymbolId, SymbolKind};

use super::placeholders::{self, Mark};

/// The smallest derivations of a grammar.
#[derive(Debug, Default)]
pub(super) struct Fillings {
    /// The smallest tree for each symbol.
    plain: Vec<Option<Choice>>,
    /// The smallest tree with a placeholder in it.
    marked: Vec<Option<Choice>>,
    /// The production above each symbol in the smallest program around it, and which child it is.
    contexts: Vec<Option<(u32, ProductionId, usize)>>,
}

#[derive(Clone, Copy, Debug)]
struct Choice {
    cost: u32,
    /// None for a leaf.
    production: Option<ProductionId>,
}

/// A node counts this much, so that how well a placeholder looks decides between equal sizes.
const NODE: u32 = 4;

impl Fillings {
    pub(super) fn new(grammar: &Grammar, language: &dyn Language) -> Fillings {
        let symbols = || (0..grammar.n_symbols()).map(SymbolId::new);
        let leaf = |symbol, penalty| {
            let is_leaf = matches!(
                grammar.symbol_kind(symbol),
                SymbolKind::Text | SymbolKind::Reference
            );
            let cost = NODE + penalty;
            let production = None;
            is_leaf.then_some(Choice { cost, production })
        };
        let plain = symbols()
            .map(|it| {
                placeholders::leaf(grammar, language, it, Mark::Plain).and_then(|_| leaf(it, 0))
            })
            .collect();
        let marked = symbols()
            .map(|it| placeholders::penalty(grammar, language, it).and_then(|by| leaf(it, by)))
            .collect();
        let mut contexts = vec![None; grammar.n_symbols()];
        contexts[grammar.root().index()] = Some((0, ProductionId::new(0), 0));
        let mut fillings = Fillings {
            plain,
            marked,
            contexts,
        };
        fillings.settle(grammar, Fillings::improve_plain);
        fillings.settle(grammar, Fillings::improve_marked);
        fillings.settle(grammar, Fillings::improve_contexts);
        fillings
    }

    /// Applies every production until nothing gets smaller.
    fn settle(
        &mut self,
        grammar: &Grammar,
        improve: fn(&mut Fillings, &Grammar, ProductionId) -> bool,
    ) {
        let mut is_settled = false;
        while !is_settled {
            is_settled = true;
            for production in (0..grammar.n_productions()).map(ProductionId::new) {
                is_settled &= !improve(self, grammar, production);
            }
        }
    }

    fn improve_plain(&mut self, grammar: &Grammar, id: ProductionId) -> bool {
        let production = grammar.production(id);
        let cost = self.plain_sum(&production.rhs, None);
        let known = &mut self.plain[production.lhs.index()];
        cost.is_some_and(|cost| improve(known, NODE + cost, id))
    }

    fn improve_marked(&mut self, grammar: &Grammar, id: ProductionId) -> bool {
        let Some((cost, _)) = self.marked_child(grammar, id) else {
            return false;
        };
        let known = &mut self.marked[grammar.production(id).lhs.index()];
        improve(known, NODE + cost, id)
    }

    fn improve_contexts(&mut self, grammar: &Grammar, id: ProductionId) -> bool {
        let production = grammar.production(id);
        let Some((above, ..)) = self.contexts[production.lhs.index()] else {
            return false;
        };
        let mut is_better = false;
        for (child, symbol) in production.rhs.iter().enumerate() {
            let Some(beside) = self.plain_sum(&production.rhs, Some(child)) else {
                continue;
            };
            let cost = above + NODE + beside;
            let known = &mut self.contexts[symbol.index()];
            if known.is_none_or(|(known, ..)| cost < known) {
                *known = Some((cost, id, child));
                is_better = true;
            }
        }
        is_better
    }

    /// The child of a production that had better hold the placeholder, with the cost of all.
    fn marked_child(&self, grammar: &Grammar, id: ProductionId) -> Option<(u32, usize)> {
        let rhs = &grammar.production(id).rhs;
        let costs = rhs.iter().enumerate().filter_map(|(child, symbol)| {
            let marked = self.marked[symbol.index()]?.cost;
            Some((marked + self.plain_sum(rhs, Some(child))?, child))
        });
        costs.min()
    }

    fn plain_sum(&self, symbols: &[SymbolId], except: Option<usize>) -> Option<u32> {
        let others = symbols.iter().enumerate();
        let others = others.filter(|(index, _)| Some(*index) != except);
        let mut sum: u32 = 0;
        for (_, symbol) in others {
            sum = sum.saturating_add(self.plain[symbol.index()]?.cost);
        }
        Some(sum)
    }

    /// Whether a symbol has a tree with a placeholder in it.
    pub(super) fn is_marked(&self, symbol: SymbolId) -> bool {
        self.marked[symbol.index()].is_some()
    }

    /// The steps from the program down to a symbol; none where no program holds it.
    pub(super) fn context(&self, grammar: &Grammar, symbol: SymbolId) -> Option<Vec<Step>> {
        let mut steps = Vec::new();
        let mut at = symbol;
        while at != grammar.root() {
            let (_, production, child) = self.contexts[at.index()]?;
            steps.push(Step { production, child });
            at = grammar.production(production).lhs;
        }
        steps.reverse();
        Some(steps)
    }
}

/// A production on the way from the program to a symbol.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) production: ProductionId,
    pub(super) child: usize,
}

fn improve(known: &mut Option<Choice>, cost: u32, production: ProductionId) -> bool {
    let is_better = known.is_none_or(|known| cost < known.cost);
    if is_better {
        let production = Some(production);
        *known = Some(Choice { cost, production });
    }
    is_better
}

/// Writes smallest trees.
#[derive(Clone, Copy)]
pub(super) struct Filler<'f> {
    pub(super) grammar: &'f Grammar,
    pub(super) language: &'f dyn Language,
    pub(super) fillings: &'f Fillings,
}

impl Filler<'_> {
    /// Adds the smallest tree for a symbol, with the placeholder if there is a way to have one.
    pub(super) fn symbol(
        &self,
        symbol: SymbolId,
        mark: Mark,
        labels: &mut Vec<Label>,
    ) -> Option<()> {
        let marked = self.fillings.marked[symbol.index()];
        let (choice, mark) = match marked {
            Some(choice) if mark != Mark::Plain => (choice, mark),
            _ => (self.fillings.plain[symbol.index()]?, Mark::Plain),
        };
        match choice.production {
            Some(production) => self.production(production, mark, labels)?,
            None => labels.push(placeholders::leaf(
                self.grammar,
                self.language,
                symbol,
                mark,
            )?),
        }
        Some(())
    }

    /// Adds the smallest tree that begins with a production.
    pub(super) fn production(
        &self,
        id: ProductionId,
        mark: Mark,
        labels: &mut Vec<Label>,
    ) -> Option<()> {
        let marked = match mark {
            Mark::Plain => None,
            _ => self.fillings.marked_child(self.grammar, id),
        };
        labels.push(Label::Production(id));
        for (child, &symbol) in self.grammar.production(id).rhs.iter().enumerate() {
            let is_marked = marked.is_some_and(|(_, it)| it == child);
            self.symbol(symbol, if is_marked { mark } else { Mark::Plain }, labels)?;
        }
        Some(())
    }

    /// Adds a tree that begins with a production, with placeholders wherever they can be down to
    /// some depth.
    pub(super) fn all_marked(
        &self,
        id: ProductionId,
        mark: Mark,
        depth: usize,
        labels: &mut Vec<Label>,
    ) -> Option<()> {
        labels.push(Label::Production(id));
        for &symbol in &self.grammar.production(id).rhs {
            let choice = self.fillings.marked[symbol.index()];
            match (self.grammar.symbol_kind(symbol), choice) {
                (SymbolKind::Many(_) | SymbolKind::Optional(_), _) => {
                    self.symbol(symbol, Mark::Plain, labels)?;
                }
                (_, Some(choice)) if depth > 0 && choice.production.is_some() => {
                    self.all_marked(choice.production?, mark, depth - 1, labels)?;
                }
                _ => self.symbol(symbol, mark, labels)?,
            }
        }
        Some(())
    }

    /// The text or reference that holds the placeholder of a symbol's smallest marked tree.
    pub(super) fn marked_leaf(&self, mut symbol: SymbolId) -> Option<SymbolId> {
        loop {
            let Some(production) = self.fillings.marked[symbol.index()]?.production else {
                return Some(symbol);
            };
            let (_, child) = self.fillings.marked_child(self.grammar, production)?;
            symbol = self.grammar.production(production).rhs[child];
        }
    }

    /// Puts `labels`, a tree for a symbol, into the program that `steps` lead through.
    pub(super) fn embed(&self, steps: &[Step], labels: &[Label]) -> Option<Vec<Label>> {
        let mut program = Vec::new();
        for step in steps {
            program.push(Label::Production(step.production));
            for &symbol in &self.grammar.production(step.production).rhs[..step.child] {
                self.symbol(symbol, Mark::Plain, &mut program)?;
            }
        }
        program.extend(labels);
        for step in steps.iter().rev() {
            for &symbol in &self.grammar.production(step.production).rhs[step.child + 1..] {
                self.symbol(symbol, Mark::Plain, &mut program)?;
            }
        }
        Some(program)
    }
}
