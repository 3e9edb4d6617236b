//! Grammars that were induced apart, as one.

use super::induce::InduceError;
use super::{Grammar, ProductionKind, join};
use crate::{Label, ProductionId, SymbolId, Tree};

/// What the symbols and productions of a grammar are called in one that it became part of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renumbering {
    symbols: Vec<SymbolId>,
    productions: Vec<ProductionId>,
}

impl Grammar {
    /// Adds what another grammar has beyond this one.
    ///
    /// Where both were [induced](Grammar::induce), what comes of it is what would have been induced from the trees of
    /// this one and, after them, those of the other.
    ///
    /// ```
    /// use patois_syntax::Grammar;
    ///
    /// let mut one = Grammar::parse("grammar g\nsymbols a b\nb = text\na.X(b name)\n")?;
    /// let other = Grammar::parse("grammar g\nsymbols a\na.Y\n")?;
    /// one.merge(&other)?;
    /// assert_eq!(one.to_string(), "grammar g\nsymbols a b\nb = text\na.X(b name)\na.Y\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When they contradict each other; this one is then of no use any more.
    ///
    /// # Panics
    ///
    /// Never: what was added is there.
    pub fn merge(&mut self, other: &Grammar) -> Result<Renumbering, InduceError> {
        let mut symbols = Vec::with_capacity(other.n_symbols());
        for &(ty, arity) in &other.symbols {
            symbols.push(self.add_symbol(ty, arity));
        }
        for (&ty, &kind) in &other.types {
            self.learn_kind(ty, kind)?;
        }
        let mut productions = Vec::with_capacity(other.n_productions());
        for (index, production) in other.productions.iter().enumerate() {
            let lhs = symbols[production.lhs.index()];
            if !matches!(production.kind, ProductionKind::Construct(_)) {
                self.add_cell(lhs, production.kind);
                let known = self.production_of(lhs, production.kind);
                productions.push(known.expect("a cell that was added"));
                continue;
            }
            let constructor = other.constructor(ProductionId::new(index));
            let constructor = constructor.expect("a production with a constructor");
            let ty = self.symbol_type(lhs);
            match self.construct(lhs, constructor.name) {
                None => self.add_constructor(ty, constructor.clone()),
                Some(known) => {
                    let known = &self.constructor(known).expect("found by it").fields;
                    if *known != constructor.fields {
                        return Err(InduceError::Fields {
                            ty,
                            constructor: constructor.name,
                            expected: join(known.iter().copied()),
                            found: join(constructor.fields.iter().copied()),
                        });
                    }
                }
            }
            let known = self.construct(lhs, constructor.name);
            productions.push(known.expect("a constructor that was added"));
        }
        self.finish();
        Ok(Renumbering {
            symbols,
            productions,
        })
    }
}

impl Renumbering {
    /// The tree that was one of the grammar that became part, as one of the other.
    pub fn apply(&self, tree: &mut Tree) {
        tree.rename(
            |label| match label {
                Label::Production(id) => Label::Production(self.productions[id.index()]),
                label => label,
            },
            |symbol| self.symbols[symbol.index()],
        );
    }

    /// Whether everything is called as it was.
    pub fn is_identity(&self) -> bool {
        let mut symbols = self.symbols.iter().enumerate();
        let mut productions = self.productions.iter().enumerate();
        symbols.all(|(index, it)| it.index() == index)
            && productions.all(|(index, it)| it.index() == index)
    }
}
