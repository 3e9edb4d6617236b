//! The checksum of a file of models, inside that file.

use std::ops::Range;

/// What stands in the place of a checksum while it is computed.
pub(super) const NO_CHECKSUM: &str = "00000000";

/// Puts the checksum into its place.
///
/// # Panics
///
/// When there is no place.
pub(super) fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let place = place(&bytes).expect("a description begins with its checksum");
    let checksum = checksum_around(&bytes, &place);
    bytes[place].copy_from_slice(checksum.as_bytes());
    bytes
}

/// What the checksum of a file should be; none where it has no place for one.
pub(super) fn checksum(bytes: &[u8]) -> Option<String> {
    Some(checksum_around(bytes, &place(bytes)?))
}

/// Where the checksum of a file is: a description, which is a text of JSON in an object of JSON, begins
/// with it.
fn place(bytes: &[u8]) -> Option<Range<usize>> {
    const KEY: &[u8] = br#"{\"checksum\":\""#;
    let before = bytes.windows(KEY.len()).position(|it| it == KEY)?;
    let start = before + KEY.len();
    let place = start..start + NO_CHECKSUM.len();
    (place.end <= bytes.len()).then_some(place)
}

/// What the bytes of a file come to but for those in the place of the checksum.
fn checksum_around(bytes: &[u8], place: &Range<usize>) -> String {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&bytes[..place.start]);
    hasher.update(NO_CHECKSUM.as_bytes());
    hasher.update(&bytes[place.end..]);
    format!("{:08x}", hasher.finalize())
}
