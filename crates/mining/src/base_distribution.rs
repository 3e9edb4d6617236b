//! The base distribution over fragments, and the grammar's probabilities that it is made of.

use crate::arena::{CorpusArena, Place};
use crate::fragment_table::{FragmentId, FragmentTable, HOLE};

/// Maximum-likelihood probabilities of a corpus's labels, each given its symbol.
#[derive(Clone, Debug)]
pub struct Pcfg {
    ln_labels: Vec<f64>,
}

impl Pcfg {
    /// The relative frequencies in `arena`.
    pub fn of(arena: &CorpusArena) -> Pcfg {
        let mut totals = vec![0_u64; arena.n_symbols()];
        for (symbol, _, count) in arena.labels() {
            totals[symbol.index()] += u64::from(count);
        }
        let ln_labels = arena
            .labels()
            .map(|(symbol, _, count)| (f64::from(count) / totals[symbol.index()] as f64).ln())
            .collect();
        Pcfg { ln_labels }
    }

    /// Given log-probabilities of the labels of `arena`, in the order of [`CorpusArena::labels`].
    pub fn from_ln_labels(ln_labels: Vec<f64>) -> Pcfg {
        Pcfg { ln_labels }
    }

    /// The log-probability of a label, given its symbol.
    pub fn ln_label(&self, label: u32) -> f64 {
        self.ln_labels[label as usize]
    }
}

/// The base distribution over fragments.
///
/// ```text
/// P0(fragment) = product over its nodes of P(label | symbol)
///              * product over the places below its root where there is a choice of
///                    stop(symbol) if it is a hole, 1 - stop(symbol) if the fragment goes on
/// ```
///
/// which makes it proper: the probabilities of all fragments of a symbol add up to one.
#[derive(Clone, Debug)]
pub struct Base {
    /// Probabilities of labels.
    pub pcfg: Pcfg,
    ln_stop: Vec<f64>,
    ln_go_on: Vec<f64>,
}

impl Base {
    /// A base distribution with the same probability of stopping at all symbols.
    pub fn new(arena: &CorpusArena, stop: f64) -> Base {
        let mut base = Base {
            pcfg: Pcfg::of(arena),
            ln_stop: Vec::new(),
            ln_go_on: Vec::new(),
        };
        base.set_stop(&vec![stop; arena.n_symbols()]);
        base
    }

    fn set_stop(&mut self, stop: &[f64]) {
        self.ln_stop = stop.iter().map(|stop| stop.ln()).collect();
        self.ln_go_on = stop.iter().map(|stop| (-stop).ln_1p()).collect();
    }

    /// Estimates the probabilities of stopping: the share of holes among the places for each symbol
    /// in the given fragments, smoothed by one hole and one continuation.
    pub fn estimate_stop(
        &mut self,
        arena: &CorpusArena,
        table: &FragmentTable,
        fragments: &[FragmentId],
    ) {
        let mut holes = vec![1.0; arena.n_symbols()];
        let mut places = vec![2.0; arena.n_symbols()];
        let mut open = Vec::new();
        for &fragment in fragments {
            open.push(fragment);
            while let Some(fragment) = open.pop() {
                for (symbol, child) in table.child_symbols(arena, fragment) {
                    places[symbol as usize] += 1.0;
                    if child == HOLE {
                        holes[symbol as usize] += 1.0;
                    } else {
                        open.push(child);
                    }
                }
            }
        }
        let stop: Vec<f64> = holes
            .iter()
            .zip(&places)
            .map(|(holes, places)| holes / places)
            .collect();
        self.set_stop(&stop);
    }

    /// The log-probabilities of stopping and of going on at a symbol.
    pub fn ln_stop_or_go_on(&self, symbol: u32) -> (f64, f64) {
        (
            self.ln_stop[symbol as usize],
            self.ln_go_on[symbol as usize],
        )
    }

    /// What joining two fragments at a symbol adds to the sum of their base log-probabilities.
    pub fn ln_join(&self, symbol: u32) -> f64 {
        self.ln_go_on[symbol as usize] - self.ln_stop[symbol as usize]
    }

    /// The log-probability of ending, or not ending, in a hole at a place.
    pub(crate) fn ln_place(&self, arena: &CorpusArena, symbol: u32, child: FragmentId) -> f64 {
        match (arena.place_of(symbol), child) {
            (Place::Site, HOLE) => self.ln_stop[symbol as usize],
            (Place::Site, _) => self.ln_go_on[symbol as usize],
            (Place::Forced | Place::Hole, _) => 0.0,
        }
    }
}
