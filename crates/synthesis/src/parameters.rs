//! What is learnt: named matrices.

mod compact;

use std::collections::BTreeMap;

use indexmap::IndexMap;
use rand::Rng;

use crate::matrix::Matrix;
pub(crate) use compact::{Compact, CompactUse};

/// A parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ParameterId(usize);

impl ParameterId {
    /// The parameter with an index.
    pub(crate) fn new(index: usize) -> ParameterId {
        ParameterId(index)
    }

    /// Its index, in the order in which parameters were added.
    pub(crate) fn index(self) -> usize {
        self.0
    }
}

/// Named matrices, in the order in which they were added.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Parameters {
    matrices: IndexMap<String, Matrix>,
    learning: Vec<Learning>,
    /// Those that are kept in few bytes; their matrices are empty.
    compact: BTreeMap<ParameterId, Compact>,
    /// How many values may be added yet, where nothing is drawn; less than none once there were too many.
    room: Option<i64>,
}

/// How a parameter is learnt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Learning {
    /// As a whole.
    Whole,
    /// Row by row: a step changes those rows that its examples ask for. The others are not even looked at.
    Rows,
    /// Not at all.
    Frozen,
}

impl Parameters {
    /// Adds a parameter.
    ///
    /// # Panics
    ///
    /// When there is one of that name.
    pub(crate) fn add(&mut self, name: impl Into<String>, value: Matrix) -> ParameterId {
        let name = name.into();
        assert!(
            !self.matrices.contains_key(&name),
            "{name} was added before"
        );
        let (index, _) = self.matrices.insert_full(name, value);
        self.learning.push(Learning::Whole);
        ParameterId(index)
    }

    /// Parameters that are not drawn, since they are [read](Matrix::to_come), and that have not even a shape where all
    /// of them together have more than `n_values`: shapes that a file tells are not to be believed.
    pub(crate) fn blank(n_values: usize) -> Parameters {
        Parameters {
            room: Some(i64::try_from(n_values).unwrap_or(i64::MAX)),
            ..Parameters::default()
        }
    }

    /// Adds a parameter of a shape, which `draw` draws.
    ///
    /// # Panics
    ///
    /// When there is one of that name.
    pub(crate) fn begin(
        &mut self,
        name: impl Into<String>,
        shape: (usize, usize),
        draw: impl FnOnce((usize, usize)) -> Matrix,
    ) -> ParameterId {
        let value = match &mut self.room {
            None => draw(shape),
            Some(room) => {
                let n_values = shape.0.saturating_mul(shape.1);
                *room = room.saturating_sub(i64::try_from(n_values).unwrap_or(i64::MAX));
                if *room < 0 {
                    Matrix::default()
                } else {
                    Matrix::to_come(shape.0, shape.1)
                }
            }
        };
        self.add(name, value)
    }

    /// Whether all parameters have their shapes.
    pub(crate) fn is_whole(&self) -> bool {
        self.room.is_none_or(|it| it >= 0)
    }

    /// How a parameter is learnt.
    pub(crate) fn learning(&self, id: ParameterId) -> Learning {
        self.learning[id.0]
    }

    /// Decides how a parameter is learnt.
    pub(crate) fn set_learning(&mut self, id: ParameterId, learning: Learning) {
        self.learning[id.0] = learning;
    }

    /// The parameter with a name.
    ///
    /// # Panics
    ///
    /// When there is none.
    pub(crate) fn id(&self, name: &str) -> ParameterId {
        let index = self.matrices.get_index_of(name);
        ParameterId(index.unwrap_or_else(|| panic!("{name} was added")))
    }

    /// The value of a parameter.
    pub(crate) fn get(&self, id: ParameterId) -> &Matrix {
        &self.matrices[id.0]
    }

    /// A parameter in few bytes, where it is kept so.
    pub(crate) fn compact(&self, id: ParameterId) -> Option<&Compact> {
        self.compact.get(&id)
    }

    /// Keeps a parameter in few bytes, and nothing else of it: it can be computed with, but neither learnt nor written.
    pub(crate) fn keep_compact(&mut self, id: ParameterId, compact: Compact) {
        self.matrices[id.0] = Matrix::default();
        self.compact.insert(id, compact);
    }

    /// The value of a parameter, to change.
    pub(crate) fn get_mut(&mut self, id: ParameterId) -> &mut Matrix {
        &mut self.matrices[id.0]
    }

    /// Names and values.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Matrix)> {
        self.matrices.iter().map(|(name, it)| (name.as_str(), it))
    }

    /// The values, to change.
    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut Matrix> {
        self.matrices.values_mut()
    }

    /// The values, and how they are learnt.
    pub(crate) fn learnt(&self) -> impl Iterator<Item = (&Matrix, Learning)> {
        self.matrices.values().zip(self.learning.iter().copied())
    }

    /// How many parameters there are.
    pub(crate) fn len(&self) -> usize {
        self.matrices.len()
    }
}

/// Values drawn uniformly between -`limit` and `limit`.
pub(crate) fn uniform(shape: (usize, usize), limit: f32, rng: &mut impl Rng) -> Matrix {
    Matrix::from_fn(shape.0, shape.1, |_, _| (2.0 * unit(rng) - 1.0) * limit)
}

/// Glorot and Bengio's uniform initialisation.
pub(crate) fn glorot(shape: (usize, usize), rng: &mut impl Rng) -> Matrix {
    let limit = (6.0 / (shape.0 + shape.1) as f32).sqrt();
    uniform(shape, limit, rng)
}

/// Values of a normal distribution with mean zero.
pub(crate) fn normal(shape: (usize, usize), deviation: f32, rng: &mut impl Rng) -> Matrix {
    Matrix::from_fn(shape.0, shape.1, |_, _| {
        // Box and Muller (1958); the first factor must not be the logarithm of zero.
        let radius = (-2.0 * (1.0 - unit(rng)).ln()).sqrt();
        deviation * radius * (std::f32::consts::TAU * unit(rng)).cos()
    })
}

/// A matrix whose columns, in blocks as wide as it is high, are orthonormal (Saxe et al. 2014).
pub(crate) fn orthogonal_blocks(n_rows: usize, n_blocks: usize, rng: &mut impl Rng) -> Matrix {
    let mut result = Matrix::zeros(n_rows, n_rows * n_blocks);
    for block in 0..n_blocks {
        let vectors = orthonormal(normal((n_rows, n_rows), 1.0, rng));
        for row in 0..n_rows {
            result.row_mut(row)[block * n_rows..][..n_rows].copy_from_slice(vectors.row(row));
        }
    }
    result
}

/// Gram and Schmidt's orthonormalisation of rows, each subtracted twice for the sake of rounding.
fn orthonormal(mut rows: Matrix) -> Matrix {
    for row in 0..rows.n_rows() {
        for _ in 0..2 {
            for before in 0..row {
                let dot: f32 = rows
                    .row(row)
                    .iter()
                    .zip(rows.row(before))
                    .map(|(a, b)| a * b)
                    .sum();
                let before = rows.row(before).to_vec();
                for (value, before) in rows.row_mut(row).iter_mut().zip(before) {
                    *value -= dot * before;
                }
            }
        }
        let length = rows.row(row).iter().map(|it| it * it).sum::<f32>().sqrt();
        rows.row_mut(row).iter_mut().for_each(|it| *it /= length);
    }
    rows
}

/// A number in [0, 1), of 24 random bits.
fn unit(rng: &mut impl Rng) -> f32 {
    (rng.next_u32() >> 8) as f32 / (1 << 24) as f32
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::matrix::product;

    #[test]
    fn recurrent_weights_begin_orthonormal() {
        let weight = orthogonal_blocks(24, 4, &mut ChaCha8Rng::seed_from_u64(1));
        for block in 0..4 {
            let block = weight.view().columns(block * 24..(block + 1) * 24);
            let square = product(block, block.transposed());
            for row in 0..24 {
                for column in 0..24 {
                    let expected = f32::from(u8::from(row == column));
                    assert!((square.row(row)[column] - expected).abs() < 1e-5);
                }
            }
        }
    }

    #[test]
    fn normal_values_have_their_deviation() {
        let values = normal((100, 100), 0.5, &mut ChaCha8Rng::seed_from_u64(1));
        let n = values.values().len() as f32;
        let mean = values.values().iter().sum::<f32>() / n;
        let variance = values.values().iter().map(|it| it * it).sum::<f32>() / n;
        assert!(mean.abs() < 0.02 && (variance - 0.25).abs() < 0.01);
    }
}
