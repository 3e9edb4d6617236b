//! What takes instructions for half precision: `vdpbf16ps` and its like.

use std::arch::x86_64::{
    __m512, __m512bh, __m512i, __mmask16, _MM_HINT_T0, _mm_maskz_loadu_epi8, _mm_prefetch,
    _mm512_add_ps, _mm512_cvtepi8_epi32, _mm512_cvtepi32_ps, _mm512_cvtne2ps_pbh, _mm512_dpbf16_ps,
    _mm512_loadu_si512, _mm512_mask_storeu_epi32, _mm512_mask_storeu_ps, _mm512_maskz_loadu_ps,
    _mm512_mul_ps, _mm512_permutexvar_epi16, _mm512_set1_epi32, _mm512_set1_ps, _mm512_setzero_ps,
    _mm512_shuffle_i32x4, _mm512_storeu_si512, _mm512_unpackhi_epi32, _mm512_unpackhi_epi64,
    _mm512_unpacklo_epi32, _mm512_unpacklo_epi64,
};

pub(super) use super::tiles::{Configured, multiplies_tiles, multiply as multiply_tiles};
use super::{Existing, Left, Part, TILE, WIDTH};

const LANES: usize = 16;

/// How many pairs of lines ahead bytes are asked for: the memory takes its time.
const AHEAD: usize = 4;

/// How many vectors a row of a panel is.
const VECTORS: usize = WIDTH / LANES;

/// Whether the processor has what the others take.
pub(super) fn multiplies_halves() -> bool {
    is_x86_feature_detected!("avx512bf16")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
}

/// Rounds values; neighbours become pairs, the last one with zero where there is an odd number of them.
pub(super) fn pair_neighbours(values: &[f32], pairs: &mut [u32]) {
    assert!(values.len() <= 2 * pairs.len(), "there is room");
    // SAFETY: whoever packs has asked `multiplies_halves`.
    unsafe { pair_neighbours_here(values, pairs) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512bf16")]
fn pair_neighbours_here(values: &[f32], pairs: &mut [u32]) {
    for (values, pairs) in values.chunks(2 * LANES).zip(pairs.chunks_mut(LANES)) {
        let (low, high) = (
            first(values.len()),
            first(values.len().saturating_sub(LANES)),
        );
        let upper = values.as_ptr().wrapping_add(LANES);
        // SAFETY: `values` has as many numbers as the masks let through, `pairs` room for them.
        unsafe {
            let lower = _mm512_maskz_loadu_ps(low, values.as_ptr());
            let rounded = _mm512_cvtne2ps_pbh(_mm512_maskz_loadu_ps(high, upper), lower);
            let mask = first(values.len().div_ceil(2));
            _mm512_mask_storeu_epi32(pairs.as_mut_ptr().cast(), mask, bits(rounded));
        }
    }
}

/// Rounds the values of two lines; what has the same place in both becomes a pair. The second line may be missing.
pub(super) fn pair_lines(even: &[f32], odd: &[f32], pairs: &mut [u32]) {
    assert!(
        odd.is_empty() || odd.len() == even.len(),
        "equally long lines"
    );
    assert!(even.len() <= pairs.len(), "there is room");
    // SAFETY: whoever packs has asked `multiplies_halves`.
    unsafe { pair_lines_here(even, odd, pairs) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512bf16")]
fn pair_lines_here(even: &[f32], odd: &[f32], pairs: &mut [u32]) {
    let by_turns = by_turns();
    for start in (0..even.len()).step_by(LANES) {
        let mask = first(even.len() - start);
        // SAFETY: the lines and `pairs` have as many places as the mask lets through.
        unsafe {
            let low = _mm512_maskz_loadu_ps(mask, even[start..].as_ptr());
            let high = if odd.is_empty() {
                _mm512_setzero_ps()
            } else {
                _mm512_maskz_loadu_ps(mask, odd[start..].as_ptr())
            };
            let rounded = bits(_mm512_cvtne2ps_pbh(high, low));
            let both = _mm512_permutexvar_epi16(by_turns, rounded);
            _mm512_mask_storeu_epi32(pairs[start..].as_mut_ptr().cast(), mask, both);
        }
    }
}

/// One of the sixteen lower halves, then one of the upper ones.
#[target_feature(enable = "avx512f")]
fn by_turns() -> __m512i {
    let order: [u16; 2 * LANES] = std::array::from_fn(|it| (it / 2 + it % 2 * LANES) as u16);
    // SAFETY: the array is as long as the vector.
    unsafe { _mm512_loadu_si512(order.as_ptr().cast()) }
}

/// Turns a square, so that rows become columns.
pub(super) fn turn(square: &mut [[u32; TILE]; TILE]) {
    // SAFETY: whoever packs has asked `multiplies_halves`.
    unsafe { turn_here(square) }
}

#[target_feature(enable = "avx512f")]
fn turn_here(square: &mut [[u32; TILE]; TILE]) {
    // SAFETY: a row is as long as the vector.
    let mut rows = square.map(|row| unsafe { _mm512_loadu_si512(row.as_ptr().cast()) });
    // Pairs of rows, then of pairs, then quarters of vectors, then halves: each step doubles what stands together.
    for first in (0..TILE).step_by(2) {
        let (a, b) = (rows[first], rows[first + 1]);
        rows[first] = _mm512_unpacklo_epi32(a, b);
        rows[first + 1] = _mm512_unpackhi_epi32(a, b);
    }
    for first in (0..TILE).step_by(4) {
        let [a, b, c, d] = std::array::from_fn(|it| rows[first + it]);
        rows[first] = _mm512_unpacklo_epi64(a, c);
        rows[first + 1] = _mm512_unpackhi_epi64(a, c);
        rows[first + 2] = _mm512_unpacklo_epi64(b, d);
        rows[first + 3] = _mm512_unpackhi_epi64(b, d);
    }
    for column in 0..4 {
        let [a, b, c, d] = std::array::from_fn(|it| rows[4 * it + column]);
        let (even, odd) = (
            _mm512_shuffle_i32x4::<0x88>(a, b),
            _mm512_shuffle_i32x4::<0xdd>(a, b),
        );
        let (even_below, odd_below) = (
            _mm512_shuffle_i32x4::<0x88>(c, d),
            _mm512_shuffle_i32x4::<0xdd>(c, d),
        );
        rows[column] = _mm512_shuffle_i32x4::<0x88>(even, even_below);
        rows[column + 4] = _mm512_shuffle_i32x4::<0x88>(odd, odd_below);
        rows[column + 8] = _mm512_shuffle_i32x4::<0xdd>(even, even_below);
        rows[column + 12] = _mm512_shuffle_i32x4::<0xdd>(odd, odd_below);
    }
    for (to, row) in square.iter_mut().zip(rows) {
        // SAFETY: a row is as long as the vector.
        unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), row) }
    }
}

/// The same of lines of whole numbers of 8 bits, each times its scale: [panels, pairs of lines, WIDTH], of which there are
/// `n_pairs` in a panel.
pub(super) fn pack_bytes<'b>(
    line: impl Fn(usize) -> (&'b [u8], f32),
    n_lines: usize,
    n_pairs: usize,
    panels: &mut [u32],
) {
    // SAFETY: whoever packs has asked `multiplies_halves`.
    unsafe { pack_bytes_here(line, n_lines, n_pairs, panels) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512bf16")]
fn pack_bytes_here<'b>(
    line: impl Fn(usize) -> (&'b [u8], f32),
    n_lines: usize,
    n_pairs: usize,
    panels: &mut [u32],
) {
    let by_turns = by_turns();
    let (panels, _) = panels.as_chunks_mut::<LANES>();
    for pair in 0..n_lines.div_ceil(2) {
        let (even, even_scale) = line(2 * pair);
        let (odd, odd_scale) = if 2 * pair + 1 < n_lines {
            line(2 * pair + 1)
        } else {
            (even, 0.0)
        };
        for ahead in 2 * (pair + AHEAD)..n_lines.min(2 * (pair + AHEAD + 1)) {
            for part in line(ahead).0.chunks(64) {
                _mm_prefetch::<_MM_HINT_T0>(part.as_ptr().cast());
            }
        }
        let lines = even.chunks(LANES).zip(odd.chunks(LANES));
        for (index, (even, odd)) in lines.enumerate() {
            let panel = index / VECTORS;
            let pairs = &mut panels[(panel * n_pairs + pair) * VECTORS + index % VECTORS];
            let mask = first(even.len().min(odd.len()));
            // SAFETY: the lines and `pairs` have as many places as the mask lets through.
            unsafe {
                let (even, odd) = (scaled(even, even_scale, mask), scaled(odd, odd_scale, mask));
                let rounded = bits(_mm512_cvtne2ps_pbh(odd, even));
                let both = _mm512_permutexvar_epi16(by_turns, rounded);
                _mm512_mask_storeu_epi32(pairs.as_mut_ptr().cast(), mask, both);
            }
        }
    }
}

/// The first of some whole numbers times a scale.
///
/// # Safety
///
/// There are as many as the mask lets through.
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
unsafe fn scaled(bytes: &[u8], scale: f32, mask: __mmask16) -> __m512 {
    // SAFETY: as the caller has promised.
    let bytes = unsafe { _mm_maskz_loadu_epi8(mask, bytes.as_ptr().cast()) };
    let values = _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(bytes));
    _mm512_mul_ps(values, _mm512_set1_ps(scale))
}

/// The first lanes, all of them at most.
fn first(n_lanes: usize) -> __mmask16 {
    if n_lanes < LANES {
        (1 << n_lanes) - 1
    } else {
        __mmask16::MAX
    }
}

/// Multiplies up to eight packed rows with a packed panel.
pub(super) fn multiply(part: &mut Part<'_>, left: &Left<'_>, panel: &[u32]) {
    // SAFETY: whoever packs has asked `multiplies_halves`; `Part::compute` has checked what is reached.
    unsafe {
        match left.n_rows {
            1 => multiply_rows::<1>(part, left, panel),
            2 => multiply_rows::<2>(part, left, panel),
            3 => multiply_rows::<3>(part, left, panel),
            4 => multiply_rows::<4>(part, left, panel),
            5 => multiply_rows::<5>(part, left, panel),
            6 => multiply_rows::<6>(part, left, panel),
            7 => multiply_rows::<7>(part, left, panel),
            8 => multiply_rows::<8>(part, left, panel),
            other => unreachable!("a part has one to eight rows, not {other}"),
        }
    }
}

/// Multiplies `N` packed rows with a packed panel. All sums are in registers.
///
/// # Safety
///
/// `left` has `N` rows of as many pairs as the panel, and `part` reaches no further than its result.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512bf16")]
unsafe fn multiply_rows<const N: usize>(part: &mut Part<'_>, left: &Left<'_>, panel: &[u32]) {
    let mut sums = [[_mm512_setzero_ps(); VECTORS]; N];
    let mut pairs = left.pairs.as_ptr();
    for right in panel.as_chunks::<WIDTH>().0 {
        let (vectors, _) = right.as_chunks::<LANES>();
        for (row, sums) in sums.iter_mut().enumerate() {
            // SAFETY: pair after pair of `N` rows, as the caller has promised.
            let pair = unsafe { *pairs.add(row * left.row_step) };
            let pair = halves(_mm512_set1_epi32(pair.cast_signed()));
            for (sum, vector) in sums.iter_mut().zip(vectors) {
                // SAFETY: the vector has sixteen lanes.
                let vector = unsafe { _mm512_loadu_si512(vector.as_ptr().cast()) };
                *sum = _mm512_dpbf16_ps(*sum, pair, halves(vector));
            }
        }
        // It may end up behind the last pair, where nothing is read.
        pairs = pairs.wrapping_add(left.pair_step);
    }
    for (row, sums) in sums.into_iter().enumerate() {
        for (index, sum) in sums.into_iter().enumerate() {
            let mask = first(part.width.saturating_sub(index * LANES));
            let start = row * part.n_columns + index * LANES;
            let to = part.result.as_mut_ptr().wrapping_add(start);
            // SAFETY: the mask keeps to the width of the part.
            unsafe {
                let sum = match part.existing {
                    Existing::Add => _mm512_add_ps(sum, _mm512_maskz_loadu_ps(mask, to)),
                    Existing::Replace => sum,
                };
                _mm512_mask_storeu_ps(to, mask, sum);
            }
        }
    }
}

#[target_feature(enable = "avx512f")]
fn halves(bits: __m512i) -> __m512bh {
    // SAFETY: both are 512 bits, and any bits are a value of the latter.
    unsafe { std::mem::transmute(bits) }
}

#[target_feature(enable = "avx512f")]
fn bits(halves: __m512bh) -> __m512i {
    // SAFETY: both are 512 bits, and any bits are a value of the latter.
    unsafe { std::mem::transmute(halves) }
}
