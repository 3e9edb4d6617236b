//! The base distribution: how often each production and each text was chosen for its symbol.

use crate::forest::Forest;

/// Maximum-likelihood probabilities of a corpus's labels, each given its symbol.
#[derive(Clone, Debug)]
pub struct Pcfg {
    ln_labels: Vec<f64>,
}

impl Pcfg {
    /// The relative frequencies in `forest`.
    pub fn of(forest: &Forest) -> Pcfg {
        let mut totals = vec![0_u64; forest.n_symbols()];
        for (symbol, _, count) in forest.labels() {
            totals[symbol.index()] += u64::from(count);
        }
        let ln_labels = forest
            .labels()
            .map(|(symbol, _, count)| (f64::from(count) / totals[symbol.index()] as f64).ln())
            .collect();
        Pcfg { ln_labels }
    }

    /// Given log-probabilities of the labels of `forest`, in the order of [`Forest::labels`].
    pub fn from_ln_labels(ln_labels: Vec<f64>) -> Pcfg {
        Pcfg { ln_labels }
    }

    /// The log-probability of a label, given its symbol.
    pub fn ln_label(&self, label: u32) -> f64 {
        self.ln_labels[label as usize]
    }
}
