//! Marked trees: every occurrence of every idiom, overlaps kept.

use crate::ids::{IdiomId, NodeId};
use crate::matching::{Bindings, FragmentIndex};
use crate::{Action, Grammar, GrammarMismatch, IdiomLibrary, Label, Rule, Tree};

/// A place where an idiom occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// Which idiom.
    pub idiom: IdiomId,
    /// Where it begins.
    pub root: NodeId,
    /// What its holes stand for.
    pub bindings: Bindings,
}

/// A tree with all occurrences of a library's idioms.
///
/// Any rewriting that keeps one of two overlapping occurrences takes away from a model the choice
/// that it should learn; here they are all kept.
#[derive(Clone, Debug)]
pub struct MarkedTree<'t> {
    tree: &'t Tree,
    /// By root, then by idiom.
    occurrences: Vec<Occurrence>,
}

/// Finds the idioms of a library in trees, all of them in one walk.
#[derive(Clone, Debug)]
pub struct Marker {
    index: FragmentIndex,
}

impl Marker {
    /// A marker for the idioms of `library`, in trees of `grammar`.
    ///
    /// # Errors
    ///
    /// When the library was made for another grammar.
    pub fn new(grammar: &Grammar, library: &IdiomLibrary) -> Result<Marker, GrammarMismatch> {
        library.check(grammar)?;
        Ok(Marker {
            index: FragmentIndex::new(library.iter().map(|(_, idiom)| &idiom.fragment)),
        })
    }

    /// Marks every occurrence of every idiom in `tree`.
    pub fn mark<'t>(&self, tree: &'t Tree) -> MarkedTree<'t> {
        let mut occurrences = Vec::new();
        self.index.find(tree, |idiom, root, bindings| {
            let bindings = Bindings(bindings.to_vec());
            occurrences.push(Occurrence {
                idiom: IdiomId::new(idiom),
                root,
                bindings,
            });
        });
        occurrences.sort_by_key(|it| (it.root, it.idiom));
        MarkedTree { tree, occurrences }
    }
}

impl<'t> MarkedTree<'t> {
    /// The tree.
    pub fn tree(&self) -> &'t Tree {
        self.tree
    }

    /// The same tree with some of the occurrences.
    #[must_use]
    pub fn keeping(&self, mut is_kept: impl FnMut(&Occurrence) -> bool) -> MarkedTree<'t> {
        let kept = self.occurrences.iter().filter(|it| is_kept(it));
        MarkedTree {
            tree: self.tree,
            occurrences: kept.cloned().collect(),
        }
    }

    /// All occurrences, by root and then by idiom.
    pub fn occurrences(&self) -> &[Occurrence] {
        &self.occurrences
    }

    /// The occurrences that begin at `node`.
    pub fn rooted_at(&self, node: NodeId) -> &[Occurrence] {
        let start = self.occurrences.partition_point(|it| it.root < node);
        let length = self.occurrences[start..].partition_point(|it| it.root == node);
        &self.occurrences[start..start + length]
    }

    /// The rules that may be applied at `node`: the original production, then every idiom that
    /// begins there. None where the node is a text or a reference.
    pub fn accepted(&self, node: NodeId) -> impl Iterator<Item = Action> + '_ {
        let original = match self.tree.label(node) {
            Label::Production(id) => Some(Action::Apply(Rule::Production(id))),
            Label::Text(_) | Label::Reference(_) => None,
        };
        let idioms = self
            .rooted_at(node)
            .iter()
            .map(|it| Action::Apply(Rule::Idiom(it.idiom)));
        original.into_iter().chain(idioms)
    }
}
