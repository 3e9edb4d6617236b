//! Idioms: fragments that a corpus keeps repeating.

use indexmap::IndexMap;

use crate::ids::IdiomId;
use crate::{Fingerprint, Fragment, Grammar, SymbolId};

/// A fragment worth a name of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Idiom {
    /// What it looks like.
    pub fragment: Fragment,
    /// How many programs of the corpus contain it.
    pub coverage: usize,
    /// What the ranking that chose it thought of it; higher is better.
    pub score: f64,
}

/// The idioms that extend a grammar, best first.
///
/// A library has no memory of how it was found, and belongs to one grammar.
#[derive(Clone, Debug, PartialEq)]
pub struct IdiomLibrary {
    grammar: Fingerprint,
    idioms: Vec<Idiom>,
    by_symbol: IndexMap<SymbolId, Vec<IdiomId>>,
}

/// A library was used with a grammar that it was not made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the idioms were mined with grammar {expected}, but this is grammar {found}")]
pub struct GrammarMismatch {
    /// The library's grammar.
    pub expected: Fingerprint,
    /// The other one.
    pub found: Fingerprint,
}

impl IdiomLibrary {
    /// A library of the given idioms of `grammar`.
    pub fn new(grammar: &Grammar, idioms: Vec<Idiom>) -> IdiomLibrary {
        let mut by_symbol: IndexMap<SymbolId, Vec<IdiomId>> = IndexMap::new();
        for (index, idiom) in idioms.iter().enumerate() {
            by_symbol
                .entry(idiom.fragment.root_symbol())
                .or_default()
                .push(IdiomId::new(index));
        }
        IdiomLibrary {
            grammar: grammar.fingerprint(),
            idioms,
            by_symbol,
        }
    }

    /// The library without idioms: the baseline.
    pub fn empty(grammar: &Grammar) -> IdiomLibrary {
        IdiomLibrary::new(grammar, Vec::new())
    }

    /// How many idioms there are.
    pub fn len(&self) -> usize {
        self.idioms.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.idioms.is_empty()
    }

    /// An idiom.
    pub fn get(&self, id: IdiomId) -> &Idiom {
        &self.idioms[id.index()]
    }

    /// The idioms with their ids, best first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (IdiomId, &Idiom)> {
        self.idioms
            .iter()
            .enumerate()
            .map(|(index, idiom)| (IdiomId::new(index), idiom))
    }

    /// The idioms that may expand a symbol.
    pub fn rooted_at(&self, symbol: SymbolId) -> &[IdiomId] {
        self.by_symbol.get(&symbol).map_or(&[], Vec::as_slice)
    }

    /// Makes sure that the library may be used with `grammar`.
    ///
    /// # Errors
    ///
    /// When it was made for another one.
    pub fn check(&self, grammar: &Grammar) -> Result<(), GrammarMismatch> {
        if self.grammar == grammar.fingerprint() {
            return Ok(());
        }
        Err(GrammarMismatch {
            expected: self.grammar,
            found: grammar.fingerprint(),
        })
    }
}
