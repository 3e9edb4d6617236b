//! Products of tiles (`tdpbf16ps` of AMX): sixteen rows of sixteen pairs with sixteen pairs of sixteen columns at once,
//! some eight times what vectors do. There are no intrinsics for them yet, so this is assembly.

use std::arch::asm;
use std::arch::x86_64::{__cpuid, __cpuid_count};
use std::marker::PhantomData;
use std::sync::LazyLock;

use super::{Existing, Left, Part, TILE, WIDTH};

/// Whether the processor has tiles, and the system lets this process use them.
pub(super) fn multiplies_tiles() -> bool {
    static ARE_THERE: LazyLock<bool> =
        LazyLock::new(|| super::processor::multiplies_halves() && has_tiles() && may_use_tiles());
    *ARE_THERE
}

fn has_tiles() -> bool {
    const TILES: u32 = 1 << 24;
    const OF_HALVES: u32 = 1 << 22;
    __cpuid(0).eax >= 7 && __cpuid_count(7, 0).edx & (TILES | OF_HALVES) == TILES | OF_HALVES
}

/// Linux makes room for a thread's tiles, 8 KiB, if the process asks for it: `arch_prctl(ARCH_REQ_XCOMP_PERM, XTILEDATA)`.
#[cfg(target_os = "linux")]
fn may_use_tiles() -> bool {
    const ARCH_PRCTL: isize = 158;
    let mut result = ARCH_PRCTL;
    // SAFETY: the call changes nothing but what the kernel permits, and takes two numbers.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") result,
            in("rdi") 0x1023,
            in("rsi") 18,
            out("rcx") _,
            out("r11") _,
            options(nostack),
        );
    }
    result == 0
}

#[cfg(not(target_os = "linux"))]
fn may_use_tiles() -> bool {
    false
}

/// What the eight tiles are: the first palette, all of sixteen rows of 64 bytes.
#[repr(C, align(64))]
struct Shapes {
    palette: u8,
    start_row: u8,
    reserved: [u8; 14],
    row_bytes: [u16; 16],
    rows: [u8; 16],
}

static SHAPES: Shapes = Shapes {
    palette: 1,
    start_row: 0,
    reserved: [0; 14],
    row_bytes: [64, 64, 64, 64, 64, 64, 64, 64, 0, 0, 0, 0, 0, 0, 0, 0],
    rows: [16, 16, 16, 16, 16, 16, 16, 16, 0, 0, 0, 0, 0, 0, 0, 0],
};

/// As long as there is one, this thread can multiply tiles; afterwards the system need not keep them for it.
pub(super) struct Configured {
    /// It is the thread's.
    _here: PhantomData<*const ()>,
}

impl Configured {
    /// # Panics
    ///
    /// When the processor has no tiles.
    pub(super) fn new() -> Configured {
        assert!(multiplies_tiles(), "there are tiles");
        // SAFETY: the shapes are what the instruction wants, and it was asked whether there is one.
        unsafe { asm!("ldtilecfg [{}]", in(reg) &raw const SHAPES, options(nostack, readonly)) }
        Configured { _here: PhantomData }
    }
}

impl Drop for Configured {
    fn drop(&mut self) {
        // SAFETY: there are tiles, or there were no value; nothing is kept in them between products.
        unsafe { asm!("tilerelease", options(nostack, nomem)) }
    }
}

/// Multiplies up to sixteen packed rows with a packed panel.
pub(super) fn multiply(
    _configured: &Configured,
    part: &mut Part<'_>,
    left: &Left<'_>,
    panel: &[u32],
) {
    if (left.n_rows, part.width) == (TILE, WIDTH) {
        let (existing, to) = (part.existing, part.result.as_mut_ptr());
        // SAFETY: `Part::compute` has checked what is reached, and tiles are configured.
        return unsafe { multiply_whole(existing, to, part.n_columns, left, panel) };
    }
    let mut whole = [[0.0; WIDTH]; TILE];
    // SAFETY: as above; the result is a whole part.
    unsafe {
        let to = whole.as_mut_ptr().cast();
        multiply_whole(Existing::Replace, to, WIDTH, left, panel);
    }
    for (row, to) in whole
        .iter()
        .zip(part.result.chunks_mut(part.n_columns))
        .take(left.n_rows)
    {
        let to = &mut to[..part.width];
        match part.existing {
            Existing::Add => to.iter_mut().zip(row).for_each(|(to, it)| *to += it),
            Existing::Replace => to.copy_from_slice(&row[..part.width]),
        }
    }
}

/// Multiplies sixteen packed rows with a packed panel. Three tiles are the sums; each is waited for as long as the other
/// two take.
///
/// # Safety
///
/// `left` has sixteen rows of as many pairs as the panel, which are whole tiles, and `result` has sixteen rows of
/// [`WIDTH`] columns that are `n_columns` apart. Tiles are [`Configured`].
unsafe fn multiply_whole(
    existing: Existing,
    result: *mut f32,
    n_columns: usize,
    left: &Left<'_>,
    panel: &[u32],
) {
    // SAFETY: as the caller has promised.
    unsafe {
        asm!(
            "test {adds:e}, {adds:e}",
            "jz 2f",
            "tileloadd tmm0, [{result} + {row}*1]",
            "tileloadd tmm1, [{result} + {row}*1 + 64]",
            "tileloadd tmm2, [{result} + {row}*1 + 128]",
            "jmp 3f",
            "2:",
            "tilezero tmm0",
            "tilezero tmm1",
            "tilezero tmm2",
            "3:",
            "tileloadd tmm3, [{left} + {left_row}*1]",
            "tileloadd tmm4, [{panel} + {panel_row}*1]",
            "tdpbf16ps tmm0, tmm3, tmm4",
            "tileloadd tmm5, [{panel} + {panel_row}*1 + 64]",
            "tdpbf16ps tmm1, tmm3, tmm5",
            "tileloadd tmm6, [{panel} + {panel_row}*1 + 128]",
            "tdpbf16ps tmm2, tmm3, tmm6",
            "add {left}, 64",
            "add {panel}, {panel_tile}",
            "dec {n_tiles}",
            "jnz 3b",
            "tilestored [{result} + {row}*1], tmm0",
            "tilestored [{result} + {row}*1 + 64], tmm1",
            "tilestored [{result} + {row}*1 + 128], tmm2",
            adds = in(reg) u32::from(existing == Existing::Add),
            result = in(reg) result,
            row = in(reg) 4 * n_columns,
            left = inout(reg) left.pairs.as_ptr() => _,
            left_row = in(reg) 4 * left.row_step,
            panel = inout(reg) panel.as_ptr() => _,
            panel_row = in(reg) 4 * WIDTH,
            panel_tile = const 4 * WIDTH * TILE,
            n_tiles = inout(reg) panel.len() / (WIDTH * TILE) => _,
            out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _,
            out("tmm4") _, out("tmm5") _, out("tmm6") _,
            options(nostack),
        );
    }
}
