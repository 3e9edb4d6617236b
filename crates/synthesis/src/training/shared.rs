//! Gradients of shards that several ranks have looked at, added up in the order of the shards.
//!
//! Sums of floats depend on their order. So what ranks send each other are the gradients of shards, not sums of
//! them, and whoever adds them adds one after the other: the sums are those of one rank that has all shards.
//! Each rank adds up some of the parameters, and tells the others what came of it.

use std::cmp::Reverse;
use std::ops::Range;

use patois_collective::{Collective, Reader, Writer};

use crate::gradient::Gradient;
use crate::matrix::Matrix;

/// The loss and the gradients of a shard, one for each parameter.
pub(super) type Shard = (f64, Vec<Option<Gradient>>);

/// The shards that a rank looks at, of so many.
pub(super) fn own_shards(n_shards: usize, ranks: &dyn Collective) -> Range<usize> {
    let at = |rank: usize| n_shards * rank / ranks.size();
    at(ranks.rank())..at(ranks.rank() + 1)
}

/// Adds up the shards of all ranks; `own` are those of this one, and `sizes` those of the parameters.
pub(super) fn sum(ranks: &dyn Collective, own: &[Shard], sizes: &[usize]) -> Shard {
    let mut losses = Writer::default();
    for it in own {
        losses.float(it.0);
    }
    let mut loss = 0.0;
    for bytes in ranks.all_gather(losses.finish()) {
        let mut reader = Reader::new(&bytes);
        while !reader.is_empty() {
            loss += reader.float();
        }
    }
    let owners = owners(sizes, ranks.size());
    let mut parts = vec![Writer::default(); ranks.size()];
    for (_, gradients) in own {
        for (gradient, &owner) in gradients.iter().zip(&owners) {
            write(&mut parts[owner], gradient.as_ref());
        }
    }
    let received = ranks.all_to_all(parts.into_iter().map(Writer::finish).collect());
    let n_owned = owners.iter().filter(|&&it| it == ranks.rank()).count();
    let mut sums: Vec<Option<Gradient>> = vec![None; n_owned];
    for bytes in &received {
        let mut reader = Reader::new(bytes);
        while !reader.is_empty() {
            for sum in &mut sums {
                match (sum.as_mut(), read(&mut reader)) {
                    (Some(sum), Some(more)) => sum.add(&more),
                    (None, more) => *sum = more,
                    (Some(_), None) => {}
                }
            }
        }
    }
    let mut writer = Writer::default();
    for it in &sums {
        write(&mut writer, it.as_ref());
    }
    let gathered = ranks.all_gather(writer.finish());
    let mut readers: Vec<Reader<'_>> = gathered.iter().map(|it| Reader::new(it)).collect();
    let sums = owners.iter().map(|&owner| read(&mut readers[owner]));
    (loss, sums.collect())
}

/// Which rank adds up each parameter: the largest are dealt first, each to the rank that has the least.
fn owners(sizes: &[usize], n_ranks: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|&it| Reverse(sizes[it]));
    let mut loads = vec![0; n_ranks];
    let mut owners = vec![0; sizes.len()];
    for parameter in order {
        let least = (0..n_ranks).min_by_key(|&it| loads[it]).unwrap_or(0);
        // What is of some rows may be small, whatever the parameter is.
        loads[least] += sizes[parameter] + 1;
        owners[parameter] = least;
    }
    owners
}

fn write(writer: &mut Writer, gradient: Option<&Gradient>) {
    let Some(gradient) = gradient else {
        writer.number(0);
        return;
    };
    match gradient.rows() {
        None => writer.number(1),
        Some(rows) => {
            writer.number(2);
            writer.number(rows.len() as u64);
            for &it in rows {
                writer.number(it.into());
            }
        }
    }
    let (n_rows, n_columns) = gradient.values().shape();
    writer.number(n_rows as u64);
    writer.number(n_columns as u64);
    let values = gradient.values().values().iter();
    let bytes: Vec<u8> = values.flat_map(|it| it.to_le_bytes()).collect();
    writer.bytes(&bytes);
}

fn read(reader: &mut Reader<'_>) -> Option<Gradient> {
    let rows = match reader.number() {
        0 => return None,
        1 => None,
        _ => Some((0..reader.size()).map(|_| reader.number() as u32).collect()),
    };
    let (n_rows, n_columns) = (reader.size(), reader.size());
    let (values, _) = reader.bytes().as_chunks();
    let values = values.iter().map(|&it| f32::from_le_bytes(it)).collect();
    Some(Gradient::new(rows, Matrix::new(n_rows, n_columns, values)))
}
