//! Masks that drop a part of the values and scale the others up.

use std::sync::Arc;

use rand::Rng;
use rand_chacha::ChaCha8Rng;

use crate::matrix::Matrix;

/// Where masks come from: nothing is dropped without random numbers.
#[derive(Debug, Default)]
pub struct Dropout {
    rng: Option<ChaCha8Rng>,
}

impl Dropout {
    /// Masks drawn from a generator.
    pub fn new(rng: ChaCha8Rng) -> Dropout {
        Dropout { rng: Some(rng) }
    }

    /// Zeros, as many as `rate` says, among numbers that make up for them; none where nothing is
    /// dropped.
    pub fn masks(&mut self, n_rows: usize, n_columns: usize, rate: f32) -> Option<Arc<Matrix>> {
        let rng = self.rng.as_mut().filter(|_| rate > 0.0)?;
        let kept = 1.0 / (1.0 - rate);
        // Sixteen bits decide: the rate is right to one part in 65,536.
        #[expect(clippy::cast_sign_loss, reason = "rates are positive")]
        let threshold = (rate * 65_536.0) as u32;
        let mut bits = 0_u32;
        let mut values = Vec::with_capacity(n_rows * n_columns);
        for index in 0..n_rows * n_columns {
            bits = if index % 2 == 0 {
                rng.next_u32()
            } else {
                bits >> 16
            };
            let is_kept = bits & 0xffff >= threshold;
            values.push(if is_kept { kept } else { 0.0 });
        }
        Some(Arc::new(Matrix::new(n_rows, n_columns, values)))
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn the_mean_is_kept() {
        let mut dropout = Dropout::new(ChaCha8Rng::seed_from_u64(1));
        let masks = dropout.masks(100, 101, 0.2).unwrap();
        let n_dropped = masks.values().iter().filter(|&&it| it == 0.0).count();
        assert!((n_dropped as f32 / 10_100.0 - 0.2).abs() < 0.02);
        let mean = masks.values().iter().sum::<f32>() / 10_100.0;
        assert!((mean - 1.0).abs() < 0.03);
        assert_eq!(dropout.masks(3, 3, 0.0), None);
        assert_eq!(Dropout::default().masks(3, 3, 0.5), None);
    }
}
