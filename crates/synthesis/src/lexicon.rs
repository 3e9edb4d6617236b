//! Which row of a table stands for which word, subtoken, rule or symbol.

use std::sync::Arc;

use indexmap::IndexSet;
use patois_syntax::{
    Action, ExtendedGrammar, Fragment, FragmentNode, IdiomExpansion, Label, Place, Rule, Subtoken,
    SymbolId, SymbolKind,
};

use crate::layers::Composition;
use crate::matrix::Matrix;
use crate::pretrained::{PieceSequences, WordPieces};
use crate::spec::Spec;
use crate::vectors::WordVectors;
use crate::vocabulary::Vocabulary;

/// The words that a model knows: some have fixed vectors, others are learnt.
#[derive(Clone, Debug, PartialEq)]
pub struct Words {
    /// Learnt words, after the one that stands for all unknown ones.
    learnt: IndexSet<String>,
    /// Words with fixed vectors.
    fixed: IndexSet<String>,
    vectors: Arc<Matrix>,
    /// The pieces that words are put together from, where that is what is known.
    pieces: Option<Pieces>,
}

/// Pieces of words, and how many of them a sequence may have.
#[derive(Clone, Debug, PartialEq)]
struct Pieces {
    known: Arc<WordPieces>,
    n_positions: usize,
}

impl Words {
    /// The row of a word that is not known.
    pub const UNKNOWN: u32 = 0;

    /// Words with pretrained vectors, which stay as they are, and frequent words of the corpus, which are
    /// learnt unless they have such a vector.
    pub fn new(frequent: &Vocabulary, pretrained: WordVectors) -> Words {
        let WordVectors {
            dimension,
            words: fixed,
            values,
        } = pretrained;
        let frequent = frequent.iter().map(|(word, _)| word);
        let learnt = frequent.filter(|&word| !fixed.contains(word));
        let learnt = learnt.map(str::to_owned).collect();
        let vectors = Matrix::new(fixed.len(), dimension, values);
        Words::of(learnt, fixed, vectors)
    }

    /// Learnt words and words with fixed vectors.
    ///
    /// # Panics
    ///
    /// When there are not as many vectors as words.
    pub(crate) fn of(learnt: IndexSet<String>, fixed: IndexSet<String>, vectors: Matrix) -> Words {
        assert_eq!(fixed.len(), vectors.n_rows(), "a vector for each word");
        Words {
            learnt,
            fixed,
            vectors: Arc::new(vectors),
            pieces: None,
        }
    }

    /// Any words, each as its pieces, no more than `n_positions` in a sequence.
    pub fn of_pieces(pieces: Arc<WordPieces>, n_positions: usize) -> Words {
        Words {
            pieces: Some(Pieces {
                known: pieces,
                n_positions,
            }),
            ..Words::new(&Vocabulary::default(), WordVectors::default())
        }
    }

    /// The pieces that words are put together from.
    pub fn pieces(&self) -> Option<&Arc<WordPieces>> {
        self.pieces.as_ref().map(|it| &it.known)
    }

    /// A specification as sequences of pieces.
    pub(crate) fn sequences(&self, spec: &Spec) -> Option<PieceSequences> {
        let Pieces { known, n_positions } = self.pieces.as_ref()?;
        Some(PieceSequences::of(spec, known, *n_positions))
    }

    /// The row of a word: learnt words first, then those with fixed vectors.
    pub fn row(&self, word: &str) -> u32 {
        let learnt = self.learnt.get_index_of(word).map(|it| it + 1);
        let fixed = || Some(self.fixed.get_index_of(word)? + self.n_learnt());
        learnt
            .or_else(fixed)
            .map_or(Words::UNKNOWN, |row| row as u32)
    }

    /// How many rows are learnt, the one for unknown words included.
    pub fn n_learnt(&self) -> usize {
        self.learnt.len() + 1
    }

    /// The fixed vectors.
    pub(crate) fn vectors(&self) -> &Arc<Matrix> {
        &self.vectors
    }

    /// The learnt words, and those with fixed vectors.
    pub(crate) fn lists(&self) -> (&IndexSet<String>, &IndexSet<String>) {
        (&self.learnt, &self.fixed)
    }
}

/// The rules, symbols and subtokens of programs.
#[derive(Clone, Debug, PartialEq)]
pub struct Actions {
    n_productions: usize,
    n_rules: usize,
    subtokens: Vocabulary,
    expansion: IdiomExpansion,
    /// For each idiom, the row of its first hole; then, how many rows holes have.
    places: Vec<u32>,
    /// For each idiom, the productions of its body.
    bodies: Vec<Box<[u32]>>,
    /// For each symbol, the rules that expand it, as columns.
    possible: Vec<Arc<[u32]>>,
    /// Whether a program may point at something.
    can_point: bool,
}

impl Actions {
    /// What a grammar with its idioms and a vocabulary of subtokens allow.
    pub fn new(
        grammar: &ExtendedGrammar<'_>,
        subtokens: Vocabulary,
        expansion: IdiomExpansion,
    ) -> Actions {
        let n_productions = grammar.grammar().n_productions();
        let symbols = (0..grammar.grammar().n_symbols()).map(SymbolId::new);
        let mut all = symbols.clone();
        let can_point = all.any(|it| grammar.grammar().symbol_kind(it) == SymbolKind::Reference);
        let columns = |symbol| grammar.rules(symbol).map(|it| column(n_productions, it));
        // The first row is that of no hole.
        let mut places = vec![1];
        for (_, idiom) in grammar.library().iter() {
            places.push(places[places.len() - 1] + idiom.fragment.n_holes() as u32);
        }
        let idioms = grammar.library().iter();
        Actions {
            n_productions,
            n_rules: n_productions + grammar.library().len(),
            subtokens,
            expansion,
            places,
            bodies: idioms.map(|(_, it)| productions(&it.fragment)).collect(),
            possible: symbols.map(|symbol| columns(symbol).collect()).collect(),
            can_point,
        }
    }

    /// The subtokens that can be generated.
    pub fn subtokens(&self) -> &Vocabulary {
        &self.subtokens
    }

    /// How many rules there are: productions, then idioms.
    pub fn n_rules(&self) -> usize {
        self.n_rules
    }

    /// How many idioms there are.
    pub fn n_idioms(&self) -> usize {
        self.n_rules - self.n_productions
    }

    /// How many symbols there are.
    pub fn n_symbols(&self) -> usize {
        self.possible.len()
    }

    /// Whether a program may point at something.
    pub fn can_point(&self) -> bool {
        self.can_point
    }

    /// The columns of the rules that expand a symbol.
    pub fn possible(&self, symbol: SymbolId) -> &Arc<[u32]> {
        &self.possible[symbol.index()]
    }

    /// The column of a rule.
    pub fn rule_column(&self, rule: Rule) -> u32 {
        column(self.n_productions, rule)
    }

    /// The index of the idiom of a column; none where it is a production's.
    pub fn idiom_of(&self, column: usize) -> Option<usize> {
        column.checked_sub(self.n_productions)
    }

    /// How idioms are fed to the network.
    pub fn expansion(&self) -> IdiomExpansion {
        self.expansion
    }

    /// How many rows the table of embedded holes has; none where idioms are replayed.
    pub fn n_places(&self) -> Option<usize> {
        let n_places = self.places[self.n_idioms()];
        (self.expansion == IdiomExpansion::Atomic).then_some(n_places as usize)
    }

    /// The row of a hole in the table of embedded holes.
    pub fn place_row(&self, place: Option<Place>) -> u32 {
        place.map_or(0, |place| {
            self.places[place.idiom.index()] + place.hole.index() as u32
        })
    }

    /// The columns of idioms as those of the productions in their bodies.
    pub(crate) fn columns_of_bodies(&self) -> Composition {
        Composition {
            first: self.n_productions,
            parts: self.bodies.clone(),
        }
    }

    /// The rows of idioms as those of the productions in their bodies; none where idioms are replayed.
    pub(crate) fn rows_of_bodies(&self) -> Option<Composition> {
        let rows = |body: &[u32]| body.iter().map(|it| 2 + it).collect();
        (self.expansion == IdiomExpansion::Atomic).then(|| Composition {
            first: self.n_rows() - self.n_idioms(),
            parts: self.bodies.iter().map(|it| rows(it)).collect(),
        })
    }

    /// How many columns the vocabulary of subtokens has: the end of a text, then the subtokens.
    pub fn n_subtoken_columns(&self) -> usize {
        self.subtokens.len() + 1
    }

    /// The column of a subtoken in the vocabulary.
    pub fn subtoken_column(&self, subtoken: Subtoken) -> Option<u32> {
        match subtoken {
            Subtoken::End => Some(0),
            Subtoken::Text(text) => Some(self.subtokens.index_of(text.as_str())? as u32 + 1),
        }
    }

    /// How many rows the table of embedded actions has.
    pub fn n_rows(&self) -> usize {
        let n_idioms = match self.expansion {
            IdiomExpansion::Replayed => 0,
            IdiomExpansion::Atomic => self.n_idioms(),
        };
        2 + self.n_productions + self.n_subtoken_columns() + n_idioms
    }

    /// The row for no action: before the first step, and above the topmost.
    pub const NONE: u32 = 0;
    /// The row of all subtokens that are not in the vocabulary.
    pub const UNKNOWN_SUBTOKEN: u32 = 1;

    /// The row of an action in the table of embedded actions.
    ///
    /// # Panics
    ///
    /// On an idiom that is replayed: its body is fed, not the idiom. On a pointer: it is embedded as what it points at.
    pub fn row(&self, action: Action) -> u32 {
        match action {
            Action::Apply(Rule::Production(id)) => 2 + id.index() as u32,
            Action::Apply(Rule::Idiom(id)) => {
                let is_fed = self.expansion == IdiomExpansion::Atomic;
                assert!(is_fed, "idioms that are replayed are not fed");
                (2 + self.n_productions + self.n_subtoken_columns() + id.index()) as u32
            }
            Action::Emit(subtoken) => match self.subtoken_column(subtoken) {
                Some(column) => 2 + self.n_productions as u32 + column,
                None => Actions::UNKNOWN_SUBTOKEN,
            },
            Action::Point(_) => unreachable!("pointers are embedded as what they point at"),
        }
    }
}

fn column(n_productions: usize, rule: Rule) -> u32 {
    match rule {
        Rule::Production(id) => id.index() as u32,
        Rule::Idiom(id) => (n_productions + id.index()) as u32,
    }
}

/// The productions of a fragment, as often as it has them: at least that of its root.
fn productions(fragment: &Fragment) -> Box<[u32]> {
    let nodes = fragment.nodes().iter();
    let productions = nodes.filter_map(|node| match node {
        FragmentNode::Fixed(Label::Production(id)) => Some(id.index() as u32),
        FragmentNode::Fixed(_) | FragmentNode::Hole(_) => None,
    });
    productions.collect()
}
