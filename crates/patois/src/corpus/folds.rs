//! Parts of a corpus, one of which is measured by a model that learnt from the others.

use indexmap::IndexSet;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::{Corpus, Split};

/// One of several parts of a corpus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fold {
    /// Which, counted from 0.
    pub index: usize,
    /// How many there are.
    pub n_folds: usize,
    /// Whether the dev split is dealt, too; otherwise it is left out.
    pub dev: DevSplit,
    /// What the dealing depends on; without it, the parts are dealt in turns.
    pub seed: Option<u64>,
}

/// What becomes of the dev split where a part of the corpus takes its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DevSplit {
    /// It is neither learnt from nor measured.
    LeftOut,
    /// It is dealt with the train split.
    Dealt,
}

/// Of how many the first is kept back where there is no dev split.
const N_DEALT: usize = 10;

/// What is dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Example,
    /// With all examples about it.
    Database,
}

impl Corpus {
    /// Puts a part of the train split, or of the train and dev splits, in the place of dev. Examples about one
    /// database stay together, so that what is held out is about others.
    pub(crate) fn hold_out(&mut self, fold: &Fold) {
        match fold.dev {
            DevSplit::LeftOut => {
                self.examples.retain(|it| it.split != Split::Dev);
                self.dropped.retain(|it| it.split != Split::Dev);
            }
            DevSplit::Dealt => {
                let examples = self.examples.iter_mut().map(|it| &mut it.split);
                let dropped = self.dropped.iter_mut().map(|it| &mut it.split);
                for split in examples.chain(dropped).filter(|it| **it == Split::Dev) {
                    *split = Split::Train;
                }
            }
        }
        self.deal(fold, Unit::Database);
    }

    /// Makes a dev split where there is none, and notes that: of every ten databases of the train split the
    /// first, or of every ten examples where there are fewer databases than that.
    pub(crate) fn complete_splits(&mut self) {
        if self.of(Split::Dev).next().is_some() || self.of(Split::Train).nth(1).is_none() {
            return;
        }
        let databases: IndexSet<_> = self.of(Split::Train).map(|it| &it.database).collect();
        let (unit, name) = match databases.len() {
            0..N_DEALT => (Unit::Example, "example"),
            _ => (Unit::Database, "database"),
        };
        let first = Fold {
            index: 0,
            n_folds: N_DEALT,
            dev: DevSplit::LeftOut,
            seed: None,
        };
        self.deal(&first, unit);
        let n_dev = self.of(Split::Dev).count();
        self.notes.push(format!(
            "the corpus has no dev split: every tenth {name} of its train split is kept back for one, \
             {n_dev} examples in all"
        ));
    }

    /// Turns one of several parts of the train split into dev.
    fn deal(&mut self, fold: &Fold, unit: Unit) {
        let train = self.examples.iter_mut();
        let train = train.filter(|it| it.split == Split::Train);
        let mut databases: IndexSet<&str> = IndexSet::new();
        let mut numbered = Vec::new();
        for (number, example) in train.enumerate() {
            let number = match &example.database {
                Some(database) if unit == Unit::Database => databases.insert_full(database).0,
                _ => number,
            };
            numbered.push((number, &mut example.split));
        }
        let n_units = numbered.iter().map(|it| it.0 + 1).max().unwrap_or(0);
        let places = fold.seed.map(|seed| shuffled(n_units, seed));
        for (number, split) in numbered {
            let place = places.as_ref().map_or(number, |it| it[number]);
            if place % fold.n_folds == fold.index {
                *split = Split::Dev;
            }
        }
    }
}

/// The place of each of so many things in an order that a seed names.
fn shuffled(n: usize, seed: u64) -> Vec<usize> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    // Drawn keys, sorted, are the same order in every version of every crate.
    let mut keys: Vec<(u64, usize)> = (0..n).map(|number| (rng.next_u64(), number)).collect();
    keys.sort_unstable();
    let mut places = vec![0; n];
    for (place, (_, number)) in keys.into_iter().enumerate() {
        places[number] = place;
    }
    places
}

#[cfg(test)]
mod tests;
