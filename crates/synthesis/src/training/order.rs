//! Which examples a step looks at.

use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// How many batches are filled from one pool of examples, sorted by length.
const BATCHES_IN_POOL: usize = 20;

/// The batches of one pass over the examples: each example once, those of a batch about equally long.
///
/// Examples are shuffled, cut into pools, sorted by length within each pool, cut into batches, and the
/// batches are shuffled.
pub(super) fn batches(
    lengths: &[usize],
    batch_size: usize,
    rng: &mut ChaCha8Rng,
) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    shuffle(&mut order, rng);
    for pool in order.chunks_mut(batch_size * BATCHES_IN_POOL) {
        pool.sort_by_key(|&it| std::cmp::Reverse(lengths[it]));
    }
    let mut batches: Vec<Vec<usize>> = order.chunks(batch_size).map(<[_]>::to_vec).collect();
    shuffle(&mut batches, rng);
    batches
}

/// The examples of each shard of a batch, so that no shard has much more to read than the others: the longest
/// ones are dealt first, each to the shard that has the least so far. Equally long ones are dealt in turn.
pub(super) fn shards(lengths: &[usize], n_shards: usize) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.sort_by_key(|&it| std::cmp::Reverse(lengths[it]));
    let mut shards = vec![(0, Vec::new()); n_shards];
    for example in order {
        let least = shards.iter_mut().min_by_key(|it| (it.0, it.1.len()));
        if let Some((length, examples)) = least {
            *length += lengths[example];
            examples.push(example);
        }
    }
    let shards = shards.into_iter().map(|(_, mut examples)| {
        examples.sort_unstable();
        examples
    });
    shards.collect()
}

/// Fisher and Yates's shuffle.
fn shuffle<T>(items: &mut [T], rng: &mut ChaCha8Rng) {
    for last in (1..items.len()).rev() {
        items.swap(last, below(last as u64 + 1, rng) as usize);
    }
}

/// A number below `n`, each equally likely but for one part in 2^64 / n.
fn below(n: u64, rng: &mut ChaCha8Rng) -> u64 {
    ((u128::from(rng.next_u64()) * u128::from(n)) >> 64) as u64
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn shards_have_about_as_much_to_read() {
        assert_eq!(shards(&[0; 5], 2), [vec![0, 2, 4], vec![1, 3]]);
        assert_eq!(shards(&[7; 5], 2), [vec![0, 2, 4], vec![1, 3]]);
        assert_eq!(
            shards(&[10, 20, 90, 30, 20], 2),
            [vec![2], vec![0, 1, 3, 4]]
        );
        assert_eq!(shards(&[5, 5, 5], 3), [vec![0], vec![1], vec![2]]);
    }

    #[test]
    fn a_pass_sees_every_example_once() {
        let lengths: Vec<usize> = (0..523).map(|it| it * 37 % 100).collect();
        let found = batches(&lengths, 10, &mut ChaCha8Rng::seed_from_u64(3));
        assert_eq!(found.len(), 53);
        let mut seen: Vec<usize> = found.concat();
        seen.sort_unstable();
        assert_eq!(seen, (0..523).collect::<Vec<_>>());
        let spread = |batch: &Vec<usize>| {
            let own = || batch.iter().map(|&it| lengths[it]);
            own().max().unwrap() - own().min().unwrap()
        };
        let mean = found.iter().map(spread).sum::<usize>() as f64 / 53.0;
        assert!(mean < 10.0, "examples of a batch differ by {mean} steps");
        assert_ne!(
            found,
            batches(&lengths, 10, &mut ChaCha8Rng::seed_from_u64(4))
        );
    }
}
