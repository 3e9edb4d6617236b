//! The base distribution: how often each production and each text was chosen for its symbol.

use crate::arena::CorpusArena;

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
