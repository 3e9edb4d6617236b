//! Fingerprints: whether two grammars, or other things that can be written down, are the same, told by a number.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A number that tells grammars apart, or other things that can be written down: equal ones have equal
/// numbers, on every machine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Fingerprint(u64);

impl Fingerprint {
    /// FNV-1a, 64 bits: short, and the same on every machine and in every version.
    pub fn of(text: &str) -> Fingerprint {
        Fingerprint(text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        }))
    }

    /// The number itself.
    pub fn number(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({self})")
    }
}

impl From<Fingerprint> for String {
    fn from(fingerprint: Fingerprint) -> String {
        fingerprint.to_string()
    }
}

impl TryFrom<String> for Fingerprint {
    type Error = String;

    fn try_from(text: String) -> Result<Fingerprint, String> {
        u64::from_str_radix(&text, 16)
            .map(Fingerprint)
            .map_err(|_| format!("expected a fingerprint of 16 hexadecimal digits, found `{text}`"))
    }
}
