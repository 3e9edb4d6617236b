//! The base distribution *G*₀ over fragments, and the grammar's probabilities that it is made of.

use patois_syntax::{IdVec, SymbolId};

use crate::arena::{CorpusArena, LabelId, Role};
use crate::fragment_table::{FragmentId, FragmentTable, HOLE};

/// Maximum-likelihood probabilities of a corpus's labels, each given its symbol.
///
/// This is the paper's grammar without fragments, "with choice probabilities estimated from the
/// corpus".
#[derive(Clone, Debug)]
pub struct Pcfg {
    ln_labels: IdVec<LabelId, f64>,
}

impl Pcfg {
    /// The relative frequencies in `arena`.
    pub(crate) fn of(arena: &CorpusArena) -> Pcfg {
        let ln_labels = arena
            .labels()
            .map(|(symbol, _, count)| (count as f64 / arena.n_of(symbol) as f64).ln())
            .collect();
        Pcfg { ln_labels }
    }

    /// Given log-probabilities of the labels of an arena, in the order of [`CorpusArena::labels`].
    pub fn from_ln_labels(ln_labels: Vec<f64>) -> Pcfg {
        Pcfg {
            ln_labels: IdVec::from(ln_labels),
        }
    }

    /// The log-probability of a label, given its symbol.
    #[inline]
    pub(crate) fn ln_label(&self, label: LabelId) -> f64 {
        self.ln_labels[label]
    }
}

/// The base distribution over fragments: the `G_0` of the paper's `I_k ~ G_0`.
///
/// ```text
/// G_0(fragment) = product over its nodes of P(label | symbol)
///               * product over the places below its root where there is a choice of
///                     stop(symbol) if it is a hole, 1 - stop(symbol) if the fragment goes on
/// ```
///
/// which makes it proper: the probabilities of all fragments of a symbol add up to one. The paper
/// leaves open where a fragment that is drawn from a grammar ends.
#[derive(Clone, Debug)]
pub struct Base {
    /// Probabilities of labels.
    pub pcfg: Pcfg,
    ln_stop: IdVec<SymbolId, f64>,
    ln_go_on: IdVec<SymbolId, f64>,
}

/// The places below the nodes of fragments, by symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Places {
    /// How many are holes.
    pub n_holes: Vec<u64>,
    /// How many there are.
    pub n_all: Vec<u64>,
}

impl Places {
    /// The places of some fragments.
    pub(crate) fn of(
        arena: &CorpusArena,
        table: &FragmentTable,
        fragments: &[FragmentId],
    ) -> Places {
        let mut n_holes = IdVec::<SymbolId, u64>::filled(0, arena.n_symbols());
        let mut n_all = n_holes.clone();
        let mut open = Vec::new();
        for &fragment in fragments {
            open.push(fragment);
            while let Some(fragment) = open.pop() {
                for (symbol, child) in table.child_symbols(arena, fragment) {
                    n_all[symbol] += 1;
                    if child == HOLE {
                        n_holes[symbol] += 1;
                    } else {
                        open.push(child);
                    }
                }
            }
        }
        Places {
            n_holes: n_holes.into_iter().collect(),
            n_all: n_all.into_iter().collect(),
        }
    }
}

impl Base {
    /// A base distribution with the same probability of stopping at all symbols.
    pub fn new(arena: &CorpusArena, stop: f64) -> Base {
        let mut base = Base {
            pcfg: Pcfg::of(arena),
            ln_stop: IdVec::new(),
            ln_go_on: IdVec::new(),
        };
        base.set_stop(&vec![stop; arena.n_symbols()]);
        base
    }

    fn set_stop(&mut self, stop: &[f64]) {
        self.ln_stop = stop.iter().map(|stop| stop.ln()).collect();
        self.ln_go_on = stop.iter().map(|stop| (-stop).ln_1p()).collect();
    }

    /// Estimates the probabilities of stopping: the share of holes among the places for each symbol,
    /// smoothed by one hole and one continuation.
    pub(crate) fn estimate_stop(&mut self, places: &Places) {
        let of_symbols = places.n_holes.iter().zip(&places.n_all);
        let shares = of_symbols.map(|(&holes, &all)| (1.0 + holes as f64) / (2.0 + all as f64));
        self.set_stop(&shares.collect::<Vec<f64>>());
    }

    /// A base distribution with the probabilities of stopping that another [had](Self::ln_stop).
    pub(crate) fn of_ln_stop(arena: &CorpusArena, ln_stop: Vec<(f64, f64)>) -> Base {
        let (ln_stop, ln_go_on): (Vec<f64>, Vec<f64>) = ln_stop.into_iter().unzip();
        Base {
            pcfg: Pcfg::of(arena),
            ln_stop: IdVec::from(ln_stop),
            ln_go_on: IdVec::from(ln_go_on),
        }
    }

    /// The log-probabilities of stopping and of going on at all symbols.
    pub(crate) fn ln_stop(&self) -> Vec<(f64, f64)> {
        let both = self.ln_stop.iter().zip(&self.ln_go_on);
        both.map(|(&stop, &go_on)| (stop, go_on)).collect()
    }

    /// The same probabilities of stopping as another's.
    pub(crate) fn with_stop_of(mut self, other: &Base) -> Base {
        self.ln_stop.clone_from(&other.ln_stop);
        self.ln_go_on.clone_from(&other.ln_go_on);
        self
    }

    /// The log-probabilities of stopping and of going on at a symbol.
    pub(crate) fn ln_stop_or_go_on(&self, symbol: SymbolId) -> (f64, f64) {
        (self.ln_stop[symbol], self.ln_go_on[symbol])
    }

    /// What joining two fragments at a symbol adds to the sum of their base log-probabilities.
    #[inline]
    pub(crate) fn ln_join(&self, symbol: SymbolId) -> f64 {
        self.ln_go_on[symbol] - self.ln_stop[symbol]
    }

    /// The log-probability of ending, or not ending, in a hole at a place.
    #[inline]
    pub(crate) fn ln_place(&self, arena: &CorpusArena, symbol: SymbolId, child: FragmentId) -> f64 {
        match (arena.role(symbol), child) {
            (Role::Site, HOLE) => self.ln_stop[symbol],
            (Role::Site, _) => self.ln_go_on[symbol],
            (Role::Forced | Role::Hole, _) => 0.0,
        }
    }
}
