//! What may follow in a program under construction, so that probabilities are normalised over nothing else.

use patois_syntax::{
    Beginning, ExtendedGrammar, FragmentNode, Grammar, IdiomId, Label, Language, Rule, SymbolId,
};

/// The beginning of a program, and what its language says of it.
#[derive(Clone)]
pub(crate) struct Following {
    /// None where whatever the grammar allows will do.
    beginning: Option<Box<dyn Beginning>>,
    n_built: usize,
}

impl Following {
    /// A program of which nothing is built.
    pub(crate) fn new(language: &dyn Language, grammar: &Grammar) -> Following {
        Following {
            beginning: language.beginning(grammar),
            n_built: 0,
        }
    }

    /// Adds what was built since; whether all of it was possible. `labels` are those of all nodes that are
    /// built, in preorder.
    pub(crate) fn follow(&mut self, labels: &[Label]) -> bool {
        let mut is_possible = true;
        if let Some(beginning) = &mut self.beginning {
            for &label in &labels[self.n_built..] {
                is_possible &= beginning.allows(label);
                beginning.push(label);
            }
        }
        self.n_built = labels.len();
        is_possible
    }

    /// The rules that may expand a symbol, in the order of the grammar; none where all of them may.
    pub(crate) fn rules(
        &self,
        grammar: &ExtendedGrammar<'_>,
        symbol: SymbolId,
    ) -> Option<Vec<Rule>> {
        let beginning = self.beginning.as_ref()?;
        let is_possible = |rule: &Rule| match *rule {
            Rule::Production(id) => beginning.allows(Label::Production(id)),
            Rule::Idiom(id) => allows_idiom(&**beginning, grammar, id),
        };
        Some(grammar.rules(symbol).filter(is_possible).collect())
    }

    /// Which of `n_items` items may be pointed at; none where all of them may.
    pub(crate) fn items(&self, n_items: usize) -> Option<Vec<u32>> {
        let beginning = self.beginning.as_ref()?;
        let is_possible = |item: &u32| beginning.allows(Label::Reference(*item));
        Some((0..n_items as u32).filter(is_possible).collect())
    }
}

/// Whether an idiom may come next, as far as can be told before its first hole is filled.
fn allows_idiom(beginning: &dyn Beginning, grammar: &ExtendedGrammar<'_>, id: IdiomId) -> bool {
    let nodes = grammar.library().get(id).fragment.nodes();
    let mut fixed = nodes.iter().map_while(|node| match node {
        FragmentNode::Fixed(label) => Some(*label),
        FragmentNode::Hole(_) => None,
    });
    let Some(root) = fixed.next() else {
        return true;
    };
    if !beginning.allows(root) {
        return false;
    }
    let mut before = root;
    let mut inside: Option<Box<dyn Beginning>> = None;
    fixed.all(|label| {
        let inside = inside.get_or_insert_with(|| beginning.boxed_clone());
        inside.push(std::mem::replace(&mut before, label));
        inside.allows(label)
    })
}
