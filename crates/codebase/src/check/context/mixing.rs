//! Numbers for contexts and what fills them.

use std::hash::{Hash, Hasher};

/// Numbers for whatever can be hashed; equal ones have equal numbers in one run of the program.
pub(in crate::check) fn mixed(value: &impl Hash) -> u64 {
    let mut hasher = Mix::default();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Mixes words by multiplying and folding.
#[derive(Default)]
pub(super) struct Mix(u64);

impl Mix {
    fn add(&mut self, word: u64) {
        let product =
            u128::from(self.0 ^ word ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93_u128;
        self.0 = (product as u64) ^ ((product >> 64) as u64).rotate_left(23);
    }
}

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        let mut last = Mix(self.0);
        last.add(0x51_7c_c1_b7);
        last.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.add(u64::from(*byte));
        }
    }

    fn write_u8(&mut self, it: u8) {
        self.add(u64::from(it));
    }

    fn write_u32(&mut self, it: u32) {
        self.add(u64::from(it));
    }

    fn write_u64(&mut self, it: u64) {
        self.add(it);
    }

    fn write_usize(&mut self, it: usize) {
        self.add(it as u64);
    }

    fn write_isize(&mut self, it: isize) {
        self.add(it.cast_unsigned() as u64);
    }
}
