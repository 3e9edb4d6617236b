//! Numbers and texts as the bytes that ranks send each other.
//!
//! All ranks are the same program, so bytes that cannot be read are a bug of ours.

/// Writes numbers and texts.
///
/// ```
/// use patois_collective::{Reader, Writer};
///
/// let mut writer = Writer::default();
/// writer.number(300);
/// writer.difference(-2);
/// writer.text("idiom");
/// let bytes = writer.finish();
/// assert_eq!(bytes.len(), 2 + 1 + 6);
///
/// let mut reader = Reader::new(&bytes);
/// assert_eq!((reader.number(), reader.difference(), reader.text()), (300, -2, "idiom"));
/// assert!(reader.is_empty());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Writer(Vec<u8>);

impl Writer {
    /// Writes a number, in a byte for each seven of its bits.
    pub fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    /// Writes a number that may be negative; close to zero it takes a byte.
    pub fn difference(&mut self, number: i64) {
        self.number((number.cast_unsigned() << 1) ^ (number >> 63).cast_unsigned());
    }

    /// Writes a number that is as likely to be large as small, such as a hash.
    pub fn hash(&mut self, hash: u64) {
        self.0.extend(hash.to_le_bytes());
    }

    /// Writes a number with a fraction.
    pub fn float(&mut self, number: f64) {
        self.hash(number.to_bits());
    }

    /// Writes a text, with its length.
    pub fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// Writes bytes, with their number.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    /// What was written.
    pub fn finish(self) -> Vec<u8> {
        self.0
    }
}

/// Reads what a [`Writer`] has written, in the same order; panics where it was something else.
#[derive(Clone, Debug)]
pub struct Reader<'b>(&'b [u8]);

impl<'b> Reader<'b> {
    /// Reads from the first byte on.
    pub fn new(bytes: &'b [u8]) -> Reader<'b> {
        Reader(bytes)
    }

    /// Whether all was read.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What was not read yet.
    pub fn rest(&self) -> &'b [u8] {
        self.0
    }

    /// Reads a number.
    pub fn number(&mut self) -> u64 {
        let (mut number, mut shift) = (0, 0);
        loop {
            let [byte] = self.take();
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return number;
            }
            shift += 7;
        }
    }

    /// Reads a number of things, or one of their indices.
    pub fn size(&mut self) -> usize {
        self.number() as usize
    }

    /// Reads a number that may be negative.
    pub fn difference(&mut self) -> i64 {
        let number = self.number();
        (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
    }

    /// Reads a hash.
    pub fn hash(&mut self) -> u64 {
        u64::from_le_bytes(self.take())
    }

    /// Reads a number with a fraction.
    pub fn float(&mut self) -> f64 {
        f64::from_bits(self.hash())
    }

    /// Reads a text.
    ///
    /// # Panics
    ///
    /// When the bytes are none.
    pub fn text(&mut self) -> &'b str {
        str::from_utf8(self.bytes()).expect("ranks send texts in UTF-8")
    }

    /// Reads bytes.
    ///
    /// # Panics
    ///
    /// When there are fewer.
    pub fn bytes(&mut self) -> &'b [u8] {
        let n = self.size();
        let (bytes, rest) = self.0.split_at_checked(n).expect("ranks send whole texts");
        self.0 = rest;
        bytes
    }

    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (bytes, rest) = self
            .0
            .split_first_chunk()
            .expect("ranks send whole numbers");
        self.0 = rest;
        *bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_were_written() {
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX];
        let differences = [0, -1, 1, -64, 64, i64::MIN, i64::MAX];
        let mut writer = Writer::default();
        for (&number, &difference) in numbers.iter().zip(&differences) {
            writer.number(number);
            writer.difference(difference);
            writer.hash(number);
            writer.float(difference as f64);
        }
        let bytes = writer.finish();
        let mut reader = Reader::new(&bytes);
        for (&number, &difference) in numbers.iter().zip(&differences) {
            assert_eq!((reader.number(), reader.difference()), (number, difference));
            assert_eq!(reader.hash(), number);
            assert_eq!(reader.float().to_bits(), (difference as f64).to_bits());
        }
        assert!(reader.is_empty());
    }
}
