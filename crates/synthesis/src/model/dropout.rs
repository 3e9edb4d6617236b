//! Masks that drop a part of the values and scale the others up.

use std::sync::Arc;

use rand::Rng;
use rand_chacha::ChaCha8Rng;

use crate::layers::mask;
use crate::matrix::Matrix;
use crate::simd;
use crate::tape::{Tape, Var};

/// Where masks come from: nothing is dropped without random numbers.
#[derive(Debug, Default)]
pub(crate) struct Dropout {
    rng: Option<ChaCha8Rng>,
}

impl Dropout {
    /// Masks drawn from a generator.
    pub(crate) fn new(rng: ChaCha8Rng) -> Dropout {
        Dropout { rng: Some(rng) }
    }

    /// Zeros, as many as `rate` says, among numbers that make up for them; none where nothing is
    /// dropped.
    pub(crate) fn masks(
        &mut self,
        n_rows: usize,
        n_columns: usize,
        rate: f32,
    ) -> Option<Arc<Matrix>> {
        let rng = self.rng.as_mut().filter(|_| rate > 0.0)?;
        // A byte decides, so that the rate is rounded to a 256th; what is kept makes up for that too.
        #[expect(clippy::cast_sign_loss, reason = "rates are positive")]
        let threshold = (rate * 256.0).round() as u8;
        let kept = 256.0 / (256.0 - f32::from(threshold));
        let mut bytes = vec![0; n_rows * n_columns];
        rng.fill_bytes(&mut bytes);
        let mut masks = Matrix::unset(n_rows, n_columns);
        simd::vectorized(
            #[inline(always)]
            || {
                for (mask, &byte) in masks.values_mut().iter_mut().zip(&bytes) {
                    *mask = if byte >= threshold { kept } else { 0.0 };
                }
            },
        );
        Some(Arc::new(masks))
    }

    /// Masks for the values of `x`, each on its own.
    pub(super) fn masks_of(&mut self, tape: &Tape<'_>, x: Var, rate: f32) -> Option<Arc<Matrix>> {
        let (n_rows, n_columns) = tape.value(x).shape();
        self.masks(n_rows, n_columns, rate)
    }

    /// Drops the same columns of all rows of `x` that belong to the same of `n` sequences or examples.
    pub(super) fn columns(
        &mut self,
        tape: &mut Tape<'_>,
        x: Var,
        (n, of_rows): (usize, &Arc<Vec<u32>>),
        rate: f32,
    ) -> Var {
        match self.masks(n, tape.value(x).n_columns(), rate) {
            Some(masks) => mask(tape, x, masks, Arc::clone(of_rows)),
            None => x,
        }
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
