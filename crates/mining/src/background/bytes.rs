//! Backgrounds as bytes: the distances between hashes, and how often each was seen, roughly.

use super::Background;

/// What a background begins with.
const MAGIC: &[u8; 8] = b"patois\0B";
const VERSION: u8 = 1;

/// How many steps a count has from one power of two to the next.
const STEPS: f64 = 4.0;

/// Why bytes are no background.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BackgroundError {
    /// They are something else.
    #[error("expected a background of version {VERSION}, found something else")]
    Format,
    /// They end too early, or go on behind the end.
    #[error("expected a background of another length, found {0} bytes")]
    Length(usize),
}

impl Background {
    /// The background as bytes; counts are kept to a fifth.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.push(VERSION);
        push_number(&mut bytes, self.name.len() as u32);
        bytes.extend(self.name.as_bytes());
        push_number(&mut bytes, self.entries.len() as u32);
        let mut last = 0;
        for &(key, count) in &self.entries {
            push_number(&mut bytes, key - last);
            bytes.push(log(count));
            last = key;
        }
        bytes
    }

    /// Reads what [`Background::to_bytes`] writes.
    ///
    /// # Errors
    ///
    /// When the bytes are something else.
    pub fn from_bytes(bytes: &[u8]) -> Result<Background, BackgroundError> {
        let start = bytes.strip_prefix(MAGIC).and_then(|it| it.split_first());
        let Some((&VERSION, mut rest)) = start else {
            return Err(BackgroundError::Format);
        };
        let length = || BackgroundError::Length(bytes.len());
        let n_bytes = number(&mut rest).ok_or_else(length)? as usize;
        let name = rest.split_off(..n_bytes).ok_or_else(length)?;
        let name = std::str::from_utf8(name).map_err(|_| BackgroundError::Format)?;
        let n_entries = number(&mut rest).ok_or_else(length)?;
        let mut entries = Vec::new();
        let mut key = 0_u32;
        for _ in 0..n_entries {
            let step = number(&mut rest).ok_or_else(length)?;
            key = key.checked_add(step).ok_or(BackgroundError::Format)?;
            let log = *rest.split_off_first().ok_or_else(length)?;
            entries.push((key, count(log)));
        }
        if !rest.is_empty() {
            return Err(length());
        }
        Ok(Background {
            name: name.to_owned(),
            entries,
        })
    }
}

/// The logarithm of a count, in steps.
#[expect(clippy::cast_sign_loss, reason = "a count is one at least")]
fn log(count: u32) -> u8 {
    (f64::from(count.max(1)).log2() * STEPS).round() as u8
}

/// The count of a logarithm; the largest one for what is beyond it.
#[expect(clippy::cast_sign_loss, reason = "a power of two is positive")]
fn count(log: u8) -> u32 {
    (f64::from(log) / STEPS).exp2().round() as u32
}

/// A number in groups of seven bits, the lowest first.
fn push_number(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn number(bytes: &mut &[u8]) -> Option<u32> {
    let mut number = 0_u32;
    for shift in (0..32).step_by(7) {
        let byte = *bytes.split_off_first()?;
        number |= u32::from(byte & 0x7f).checked_shl(shift)?;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn background() -> Background {
        let counts = [1, 2, 3, 100, 1_000_000];
        Background {
            name: "some packages".to_owned(),
            entries: (0..).step_by(40_000).zip(counts).collect(),
        }
    }

    #[test]
    fn what_is_written_is_read_with_counts_to_a_fifth() {
        let written = background();
        let read = Background::from_bytes(&written.to_bytes()).unwrap();
        assert_eq!(read.name, written.name);
        for (read, written) in read.entries.iter().zip(&written.entries) {
            assert_eq!(read.0, written.0);
            let ratio = f64::from(read.1) / f64::from(written.1);
            assert!((0.8..1.2).contains(&ratio), "{ratio}");
        }
        assert_eq!(read, Background::from_bytes(&read.to_bytes()).unwrap());
    }

    #[test]
    fn other_bytes_are_refused() {
        let bytes = background().to_bytes();
        let check = |bytes: &[u8], expected| {
            assert_eq!(Background::from_bytes(bytes), Err(expected));
        };
        check(b"", BackgroundError::Format);
        check(b"patois\0B\x02", BackgroundError::Format);
        for length in 9..bytes.len() {
            check(&bytes[..length], BackgroundError::Length(length));
        }
        let longer = [&bytes[..], &[0]].concat();
        check(&longer, BackgroundError::Length(longer.len()));
    }
}
