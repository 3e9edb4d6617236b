//! Files that nobody would write: they end in tables or an error, and soon.

use super::{check_error, files, imported};
use crate::{ImportError, ImportLimits, import};

#[test]
fn one_line_of_ten_megabytes() {
    let long = "x".repeat(10 << 20);
    for file in ["a.csv", "a.tsv", "a.json", "a"] {
        let _ = imported(&[(file, long.as_bytes())]);
    }
    let table = imported(&[("a.csv", format!("name,note\nRex,{long}\n").as_bytes())]);
    assert_eq!(table.unwrap().tables[0].n_rows, 1);
    let commas = ",".repeat(10 << 20);
    assert!(imported(&[("a.csv", commas.as_bytes())]).is_err());
    let digits = "1".repeat(10 << 20);
    imported(&[("a.csv", format!("n\n1\n{digits}\n").as_bytes())]).unwrap();
}

#[test]
fn a_quote_that_is_never_closed() {
    let text = format!("a,b\n1,2\n3,\"x{}", "y,z\n".repeat(5 << 20));
    check_error(
        "a.csv",
        text.as_bytes(),
        "`a.csv`, line 3: expected a row of at most 16 MB, found a longer one; a closing quote or \
         brace may be missing",
    );
    let text = format!("{{\"a\": \"{}", "y".repeat(17 << 20));
    check_error(
        "a.json",
        text.as_bytes(),
        "`a.json`, line 1: expected a row of at most 16 MB, found a longer one; a closing quote or \
         brace may be missing",
    );
}

/// Numbers without pattern, the same in every run (Marsaglia's xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }
}

/// Imports files of all kinds with that content; what becomes a database can be asked.
fn check(bytes: &[u8]) {
    for file in ["a.csv", "b.tsv", "c.json", "d"] {
        let files = files(&[(file, bytes)]);
        match import(&files.paths, &ImportLimits::default()) {
            Ok(imported) => {
                let database = imported.place.open("noise").unwrap();
                assert_eq!(database.schema().unwrap().schema.tables.len(), 1);
            }
            Err(error @ (ImportError::Changed { .. } | ImportError::Write(_))) => {
                panic!("{error}: {:?}", String::from_utf8_lossy(bytes))
            }
            Err(_) => {}
        }
    }
}

const MARKS: &[u8] = b",;\t|\"'\n\r {}[]:\\01239.-/$%eENAnull\xe4\xc3\0\xff\xfe";

#[test]
fn noise_is_a_table_or_an_error() {
    let all: Vec<u8> = (0..=255).collect();
    for seed in 1..200 {
        let alphabet = if seed % 4 == 0 { &all[..] } else { MARKS };
        let mut numbers = Numbers(seed);
        let byte = |_| alphabet[numbers.below(alphabet.len())];
        check(&(0..40 * seed).map(byte).collect::<Vec<u8>>());
    }
}

const SOUND: [&[u8]; 7] = [
    b"id,name,born\n1,Rex,2020-12-31\n2,\"Tom, the \"\"cat\"\"\",NA\n3,,\n",
    b"sep=;\na;b;c\n1,5;31.12.2020;$1,000\n2,5;1.2.2020;$5\n",
    b"a\tb\n1\ttrue\n\"x\tfalse\tlong\n",
    b"{\"a\": {\"b\": 1}, \"c\": [1, \"x\"]}\n{\"a\": null, \"d\": 1e5}\n",
    b"[{\"id\": 1, \"name\": \"R\\u00e9x\"},\n {\"id\": 2}]",
    b"\xff\xfea\0,\0b\0\n\0x\0,\0\xe4\0\n\0",
    b"code,name\nNA,K\xe4the\nDE,K\xc3\xa4the\nFR,1 234,5 \x80\n",
];

#[test]
fn sound_files_may_be_changed() {
    let mut numbers = Numbers(1);
    for round in 0..300 {
        let mut bytes = SOUND[round % SOUND.len()].to_vec();
        for _ in 0..=numbers.below(6) {
            let (at, mark) = (
                numbers.below(bytes.len()),
                MARKS[numbers.below(MARKS.len())],
            );
            match numbers.below(4) {
                0 => bytes[at] = mark,
                1 => bytes.insert(at, mark),
                2 if bytes.len() > 1 => drop(bytes.remove(at)),
                _ => {
                    let end = (at + numbers.below(20)).min(bytes.len());
                    bytes.extend_from_within(at..end);
                }
            }
        }
        check(&bytes);
    }
}

/// A key of eight megabytes over a million others would be a path of eight terabytes.
#[test]
fn keys_may_be_long_and_many() {
    let many: Vec<String> = (0..300_000).map(|it| format!("\"{it}\":1")).collect();
    let text = format!("{{\"{}\": {{{}}}}}", "k".repeat(8 << 20), many.join(","));
    assert!(imported(&[("a.json", text.as_bytes())]).is_err());
}

/// The names of two thousand columns still are a definition that can be read.
#[test]
fn names_of_columns_may_be_long() {
    let name = "\"\"".repeat(200);
    let names = vec![format!("\"x{name}\""); 2000].join(",");
    let imported = imported(&[("a.csv", format!("{names}\n1\n").as_bytes())]).unwrap();
    imported.place.open("a").unwrap().schema().unwrap();
}
