//! Inner loops that use the widest vectors of the machine they run on.

mod panels;

pub(crate) use panels::Panels;

/// Runs code that was compiled for the machine at hand. Loops in `code`, and in functions that are
/// always inlined into it, use its vectors.
#[inline]
pub(crate) fn vectorized<R>(code: impl FnOnce() -> R) -> R {
    arch().dispatch(code)
}

/// The widest vectors of the machine at hand.
#[inline]
fn arch() -> pulp::Arch {
    #[cfg(test)]
    if PLAIN.get() {
        return pulp::Arch::Scalar;
    }
    pulp::Arch::new()
}

#[cfg(test)]
thread_local! {
    static PLAIN: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Runs code whose loops are as a machine without vectors would run them.
#[cfg(test)]
pub(crate) fn plainly<R>(code: impl FnOnce() -> R) -> R {
    PLAIN.set(true);
    let result = code();
    PLAIN.set(false);
    result
}

/// e^x, to about one part in 10^7; not a number stays one.
#[inline(always)]
pub(crate) fn exp(x: f32) -> f32 {
    const LN_2_HIGH: f32 = 0.693_359_4;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    /// Adding it leaves the nearest whole number in the lowest bits.
    const SHIFT: f32 = 12_582_912.0;
    let x = x.clamp(-87.3, 88.3);
    let shifted = x.mul_add(std::f32::consts::LOG2_E, SHIFT);
    let n = shifted - SHIFT;
    let r = n.mul_add(-LN_2_LOW, n.mul_add(-LN_2_HIGH, x));
    let mut sum = 1.987_569_1e-4_f32;
    for factor in [
        1.398_199_9e-3,
        8.333_452e-3,
        4.166_579_6e-2,
        1.666_666_5e-1,
        0.5,
    ] {
        sum = sum.mul_add(r, factor);
    }
    let fraction = sum.mul_add(r * r, r + 1.0);
    fraction * f32::from_bits((shifted.to_bits() << 23).wrapping_add(127 << 23))
}

/// The logistic function.
#[inline(always)]
pub(crate) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// The hyperbolic tangent.
#[inline(always)]
pub(crate) fn tanh(x: f32) -> f32 {
    1.0 - 2.0 / (exp(2.0 * x) + 1.0)
}

/// The normal distribution at a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gauss {
    /// φ(x), its density.
    pub(crate) density: f32,
    /// Φ(x), the probability of less.
    pub(crate) below: f32,
}

/// The normal distribution at `x`, to about one part in 10^7 of one.
///
/// With `t = 1 / (1 + p |x| / √2)`, `1 - Φ(|x|)` is `½ e^(-x²/2)` times a polynomial in `t` (Abramowitz and Stegun
/// 1964, 7.1.26); the exponential is the density, too.
#[inline(always)]
pub(crate) fn gauss(x: f32) -> Gauss {
    const P: f32 = 0.327_591_1 * std::f32::consts::FRAC_1_SQRT_2;
    /// 1 / √(2 π)
    const DENSITY: f32 = 0.398_942_3;
    let t = 1.0 / x.abs().mul_add(P, 1.0);
    let mut sum = 1.061_405_4_f32;
    for factor in [-1.453_152, 1.421_413_7, -0.284_496_74, 0.254_829_6] {
        sum = sum.mul_add(t, factor);
    }
    let exponential = exp(-0.5 * x * x);
    let beyond = 0.5 * sum * t * exponential;
    Gauss {
        density: DENSITY * exponential,
        below: if x < 0.0 { beyond } else { 1.0 - beyond },
    }
}

/// The sum of products.
#[inline(always)]
pub(crate) fn dot(left: &[f32], right: &[f32]) -> f32 {
    const LANES: usize = 32;
    let mut sums = [0.0_f32; LANES];
    let (lefts, left_rest) = left.as_chunks::<LANES>();
    let (rights, right_rest) = right.as_chunks::<LANES>();
    for (left, right) in lefts.iter().zip(rights) {
        for lane in 0..LANES {
            sums[lane] = left[lane].mul_add(right[lane], sums[lane]);
        }
    }
    let rest: f32 = left_rest.iter().zip(right_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f32>() + rest
}

/// The sums of products of some values with four others at once: more sums than a machine takes to
/// finish one are under way, and the first values are read once.
#[inline(always)]
pub(crate) fn four_dots(left: &[f32], rights: [&[f32]; 4]) -> [f32; 4] {
    const LANES: usize = 32;
    let mut sums = [[0.0_f32; LANES]; 4];
    let (chunks, rest) = left.as_chunks::<LANES>();
    let whole = chunks.len();
    let rights = rights.map(|it| it.as_chunks::<LANES>());
    let [a, b, c, d] = rights.map(|it| &it.0[..whole]);
    for index in 0..whole {
        let left = &chunks[index];
        let [sum_a, sum_b, sum_c, sum_d] = &mut sums;
        for lane in 0..LANES {
            sum_a[lane] = left[lane].mul_add(a[index][lane], sum_a[lane]);
            sum_b[lane] = left[lane].mul_add(b[index][lane], sum_b[lane]);
            sum_c[lane] = left[lane].mul_add(c[index][lane], sum_c[lane]);
            sum_d[lane] = left[lane].mul_add(d[index][lane], sum_d[lane]);
        }
    }
    let mut result = [0.0; 4];
    for ((result, sums), (_, right)) in result.iter_mut().zip(&sums).zip(&rights) {
        *result = total(sums);
        for (left, right) in rest.iter().zip(*right) {
            *result += left * right;
        }
    }
    result
}

/// Adds some values to others.
#[inline(always)]
pub(crate) fn add(values: &mut [f32], others: &[f32]) {
    for (value, other) in values.iter_mut().zip(others) {
        *value += other;
    }
}

/// Multiplies values with others.
#[inline(always)]
pub(crate) fn multiply(values: &mut [f32], others: &[f32]) {
    for (value, other) in values.iter_mut().zip(others) {
        *value *= other;
    }
}

/// Adds a multiple of some values to others.
#[inline(always)]
pub(crate) fn add_scaled(values: &mut [f32], factor: f32, others: &[f32]) {
    for (value, other) in values.iter_mut().zip(others) {
        *value = other.mul_add(factor, *value);
    }
}

/// Replaces scores by probabilities in proportion to their exponentials; ln of the sum of those.
#[inline(always)]
pub(crate) fn softmax(scores: &mut [f32]) -> f32 {
    let greatest = maximum(scores);
    for score in scores.iter_mut() {
        *score = exp(*score - greatest);
    }
    let sum = total(scores);
    let inverse = 1.0 / sum;
    for score in scores.iter_mut() {
        *score *= inverse;
    }
    greatest + sum.ln()
}

#[inline(always)]
fn maximum(values: &[f32]) -> f32 {
    fold(values, f32::NEG_INFINITY, f32::max)
}

/// The sum.
#[inline(always)]
pub(crate) fn total(values: &[f32]) -> f32 {
    fold(values, 0.0, |sum, value| sum + value)
}

/// Combines values in an order that vectors can follow.
#[inline(always)]
fn fold(values: &[f32], start: f32, combine: impl Fn(f32, f32) -> f32) -> f32 {
    const LANES: usize = 16;
    let mut lanes = [start; LANES];
    let (chunks, rest) = values.as_chunks::<LANES>();
    for chunk in chunks {
        for lane in 0..LANES {
            lanes[lane] = combine(lanes[lane], chunk[lane]);
        }
    }
    let lanes = lanes.into_iter().fold(start, &combine);
    rest.iter()
        .fold(lanes, |result, &value| combine(result, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponentials_are_right_to_seven_digits() {
        for step in -8700..=8800 {
            let x = step as f32 / 100.0;
            let expected = f64::from(x).exp();
            let error = (f64::from(vectorized(|| exp(x))) - expected).abs() / expected;
            assert!(error < 2e-7, "exp({x}) is off by {error:e}");
        }
        assert!(vectorized(|| exp(f32::NAN)).is_nan());
        assert!(vectorized(|| exp(f32::INFINITY)) > 1e38);
        assert!(vectorized(|| exp(f32::NEG_INFINITY)) < 1e-37);
    }

    #[test]
    fn other_functions_follow() {
        for step in -3000..=3000 {
            let x = step as f32 / 100.0;
            let tanh = f64::from(vectorized(|| tanh(x)));
            assert!((tanh - f64::from(x).tanh()).abs() < 3e-7, "tanh({x})");
            let sigmoid = f64::from(vectorized(|| sigmoid(x)));
            assert!((sigmoid - 1.0 / (1.0 + f64::from(-x).exp())).abs() < 2e-7);
        }
    }

    /// Φ by Simpson's rule over its density.
    #[test]
    fn the_normal_distribution_is_right_to_seven_digits() {
        let density = |x: f64| (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt();
        let (mut below, step) = (0.5, 0.01);
        for index in 0..1000 {
            let x = f64::from(index) * step;
            for (x, below) in [(x, below), (-x, 1.0 - below)] {
                let found = vectorized(|| gauss(x as f32));
                let error = f64::from(found.below) - below;
                assert!(error.abs() < 3e-7, "{x}: {error:e}");
                let error = f64::from(found.density) - density(x);
                assert!(error.abs() < 1e-7, "{x}: {error:e}");
            }
            let middle = 4.0 * density(x + step / 2.0);
            below += step / 6.0 * (density(x) + middle + density(x + step));
        }
        for x in [f32::MAX, f32::INFINITY] {
            assert!((1.0 - vectorized(|| gauss(x)).below).abs() < 1e-7);
            assert!(vectorized(|| gauss(-x)).below.abs() < 1e-7);
        }
    }

    #[test]
    fn probabilities_add_up() {
        let mut scores: Vec<f32> = (0..37).map(|it| (it % 7) as f32 * 30.0).collect();
        let expected = scores
            .iter()
            .map(|&it| f64::from(it - 180.0).exp())
            .sum::<f64>()
            .ln()
            + 180.0;
        let ln_sum = vectorized(|| softmax(&mut scores));
        assert!((f64::from(ln_sum) - expected).abs() < 1e-4);
        assert!((total(&scores) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn dots_and_sums_of_any_length() {
        for length in 0..70 {
            let values: Vec<f32> = (0..length).map(|it| it as f32).collect();
            let expected: f32 = values.iter().map(|it| it * it).sum();
            let found = vectorized(|| dot(&values, &values));
            let four = vectorized(|| four_dots(&values, [&values[..]; 4]));
            assert!(four.iter().all(|it| (it - expected).abs() < 0.5));
            assert!((found - expected).abs() < 0.5, "{found} {expected}");
        }
    }
}
