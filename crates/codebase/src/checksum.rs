//! JSON that knows its own checksum, so that a file that was damaged is told from one that was not.
//!
//! The checksum is the last key of the object, `"checksum": "1f2e3d4c"`: CRC-32 of what stands before it.
//! Blanks and line ends do not count, so that a file may be laid out anew. A file without the key is
//! taken as it is: it is older, or somebody has changed it and has taken the key away.

use serde::Deserialize;
use serde_json::Value;

/// What is there is not what was written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("its checksum is {found}, expected {expected}")]
pub struct ChecksumMismatch {
    /// What the contents come to.
    pub found: String,
    /// What is written at their end.
    pub expected: String,
}

/// An object of JSON on several lines, with its checksum.
///
/// ```
/// use patois_codebase::checksum::{check, sealed};
///
/// let json = sealed("{\n  \"idioms\": 3\n}");
/// assert_eq!(json, "{\n  \"idioms\": 3,\n  \"checksum\": \"07590bde\"\n}\n");
/// assert!(check(&json).is_ok());
/// assert!(check(&json.replace('3', "4")).is_err());
/// ```
///
/// # Panics
///
/// When it is no object with a key.
pub fn sealed(json: &str) -> String {
    sealed_with(json, None)
}

/// The same, for an object in which the texts under a key may be changed by whoever likes to.
///
/// # Panics
///
/// When it is no object with a key.
pub fn sealed_without(json: &str, free_key: &str) -> String {
    sealed_with(json, Some(free_key))
}

fn sealed_with(json: &str, free_key: Option<&str>) -> String {
    let body = json.strip_suffix("\n}");
    let body = body.expect("an object with a key, on several lines");
    let checksum = of(&counted(body, free_key));
    format!("{body},\n  \"checksum\": \"{checksum}\"\n}}\n")
}

/// Whether an object of JSON is what was written, as far as its checksum tells, where it has one.
///
/// # Errors
///
/// When it is not.
pub fn check(json: &str) -> Result<(), ChecksumMismatch> {
    check_with(json, None)
}

/// The same, for an object in which the texts under a key may have been changed.
///
/// # Errors
///
/// When anything else was.
pub fn check_without(json: &str, free_key: &str) -> Result<(), ChecksumMismatch> {
    check_with(json, Some(free_key))
}

fn check_with(json: &str, free_key: Option<&str>) -> Result<(), ChecksumMismatch> {
    #[derive(Deserialize)]
    struct Written {
        checksum: Option<Value>,
    }
    // What is no object of JSON has no checksum, and other things to be said of it.
    let Ok(Written {
        checksum: Some(written),
    }) = serde_json::from_str(json)
    else {
        return Ok(());
    };
    let expected = written
        .as_str()
        .map_or_else(|| written.to_string(), ToOwned::to_owned);
    let bytes = counted(json, free_key);
    let end = format!(",\"checksum\":\"{expected}\"}}");
    let body = bytes.strip_suffix(end.as_bytes());
    let found = of(body.unwrap_or(&bytes));
    if found == expected && body.is_some() {
        return Ok(());
    }
    Err(ChecksumMismatch { found, expected })
}

fn of(bytes: &[u8]) -> String {
    format!("{:08x}", crc32fast::hash(bytes))
}

/// The bytes that count: no blanks, and no texts under the key that is free.
fn counted(json: &str, free_key: Option<&str>) -> Vec<u8> {
    let is_blank = |it: u8| matches!(it, b' ' | b'\t' | b'\n' | b'\r');
    let text = free_key.map_or_else(|| json.to_owned(), |key| without(json, key));
    text.bytes().filter(|&it| !is_blank(it)).collect()
}

/// JSON without the entries of a key that are texts, whatever object they are in.
///
/// Within a text, a quote stands behind a backslash: nothing but a key begins like one and has a colon behind it.
fn without(json: &str, key: &str) -> String {
    let quoted_key = format!("\"{key}\"");
    let mut kept = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(start) = rest.find(&quoted_key) {
        let (before, at) = rest.split_at(start);
        kept += before;
        let behind = &at[quoted_key.len()..];
        rest = if let Some(behind) = behind_entry(behind) {
            behind
        } else {
            kept += &quoted_key;
            behind
        };
    }
    kept + rest
}

/// What stands behind `: "text",`.
fn behind_entry(text: &str) -> Option<&str> {
    let value = text.trim_start().strip_prefix(':')?.trim_start();
    let mut is_escaped = false;
    let inside = value.strip_prefix('"')?;
    let end = inside.find(|it| {
        let is_end = it == '"' && !is_escaped;
        is_escaped = it == '\\' && !is_escaped;
        is_end
    })?;
    let behind = inside[end + 1..].trim_start();
    Some(behind.strip_prefix(',').unwrap_or(behind))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OBJECT: &str = "{\n  \"version\": 1,\n  \"texts\": [\"a b\", \"ü\\n\"]\n}";

    #[test]
    fn a_key_may_be_free() {
        let object = "{\n  \"a\": [{\"title\": \"one\", \"b\": \"title\"}, {\"title\": \"\\\"title\\\": \\\\\"}],\n  \"c\": 1\n}";
        let json = sealed_without(object, "title");
        let check = |json: &str, is_same: bool| {
            assert_eq!(check_without(json, "title").is_ok(), is_same, "{json}");
        };
        check(&json, true);
        check(&json.replace("one", "\\\"another\\\", \\n"), true);
        check(&json.replace("\"title\": \"one\", ", ""), true);
        check(&json.replace("\"b\": \"title\"", "\"b\": \"other\""), false);
        check(&json.replace("\"c\": 1", "\"c\": 2"), false);
        assert!(super::check(&json).is_err());
    }

    #[test]
    fn layout_does_not_count_and_everything_else_does() {
        let json = sealed(OBJECT);
        assert_eq!(check(&json), Ok(()));
        assert_eq!(check(&json.replace(['\n', ' '], "")), Ok(()));
        assert_eq!(check(&json.replace('\n', "\r\n")), Ok(()));
        for (from, to) in [("1", "2"), ("ü", "u"), ("texts", "text"), ("\\n", "")] {
            let changed = json.replacen(from, to, 1);
            assert!(check(&changed).is_err(), "{changed}");
        }
        let error = check(&json.replace("\"a b\", ", "")).unwrap_err();
        assert!(json.contains(&error.expected), "{error}");
    }

    #[test]
    fn what_has_no_checksum_is_taken_as_it_is() {
        for json in [OBJECT, "{}", "[]", "", "{\"checksum\": ", "\"checksum\""] {
            assert_eq!(check(json), Ok(()), "{json}");
        }
    }

    #[test]
    fn a_checksum_that_says_nothing_is_refused() {
        for json in [
            "{\"checksum\": \"00000000\", \"a\": 1}",
            "{\"a\": 1, \"checksum\": 7}",
            "{\"a\": 1, \"checksum\": \"\"}",
            "{\"checksum\": \"00000000\"}",
        ] {
            assert!(check(json).is_err(), "{json}");
        }
    }

    /// Every bit of a file, one at a time: nothing that reads as something else gets through.
    #[test]
    fn no_bit_changes_unnoticed() {
        let json = sealed(OBJECT);
        let value: Value = serde_json::from_str(&json).unwrap();
        for bit in 0..8 * json.len() {
            let mut bytes = json.clone().into_bytes();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let Ok(flipped) = String::from_utf8(bytes) else {
                continue;
            };
            let Ok(read) = serde_json::from_str::<Value>(&flipped) else {
                continue;
            };
            // A key of another name is what its reader does not know.
            let has_key = read.get("checksum").is_some();
            let is_noticed = !has_key || check(&flipped).is_err();
            assert!(is_noticed || read == value, "bit {bit}: {flipped}");
        }
    }
}
