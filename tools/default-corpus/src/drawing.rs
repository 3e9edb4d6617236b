//! Which questions there are: drawn from each database, dealt into splits.

use std::collections::BTreeSet;

use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::databases::DATABASES;
use super::generator::{Generated, generate};
use super::handwritten;

/// What everything random about the corpus depends on.
const SEED: u64 = 20_190_614;
/// Questions about each database that training sees, and those set aside for development.
const N_SEEN: usize = 560;
const N_DEV: usize = 10;
/// Generated test questions about each held-out database.
const N_TEST: usize = 110;

/// The generated questions by split.
pub(super) struct Drawn {
    pub(super) train: Vec<Generated>,
    pub(super) dev: Vec<Generated>,
    pub(super) test: Vec<Generated>,
}

impl Drawn {
    /// Databases do not know of each other, so that they are drawn from side by side.
    pub(super) fn draw() -> Drawn {
        let taken: Vec<&str> = handwritten::rows().map(|(_, text, _)| text).collect();
        let drawn: Vec<Vec<Generated>> = DATABASES
            .par_iter()
            .enumerate()
            .map(|(index, source)| {
                let count = if source.is_held_out { N_TEST } else { N_SEEN };
                generate(&source.load(), count, &taken, SEED + index as u64)
            })
            .collect();
        let mut all = Drawn {
            train: Vec::new(),
            dev: Vec::new(),
            test: Vec::new(),
        };
        let mut rng = ChaCha8Rng::seed_from_u64(SEED);
        for (source, generated) in DATABASES.iter().zip(drawn) {
            if source.is_held_out {
                all.test.extend(generated);
            } else {
                let (train, dev) = set_aside(generated, N_DEV, &mut rng);
                all.train.extend(train);
                all.dev.extend(dev);
            }
        }
        for split in [&mut all.train, &mut all.dev, &mut all.test] {
            split.shuffle(&mut rng);
        }
        all
    }
}

/// Sets questions aside, always with all wordings of their queries.
fn set_aside(
    generated: Vec<Generated>,
    count: usize,
    rng: &mut impl Rng,
) -> (Vec<Generated>, Vec<Generated>) {
    let mut order: Vec<&Generated> = generated.iter().collect();
    order.shuffle(rng);
    let aside: BTreeSet<String> = order.iter().take(count).map(|it| it.sql.clone()).collect();
    generated
        .into_iter()
        .partition(|it| !aside.contains(&it.sql))
}
