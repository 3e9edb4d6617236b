//! Files that nobody would write: they end in tables or an error, and soon.

use super::{check_error, files, imported};
use crate::{ImportLimits, import};

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
fn noise(seed: u64, n_bytes: usize, alphabet: &[u8]) -> Vec<u8> {
    let mut state = seed;
    let byte = |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        alphabet[(state % alphabet.len() as u64) as usize]
    };
    (0..n_bytes).map(byte).collect()
}

#[test]
fn noise_is_a_table_or_an_error() {
    let all: Vec<u8> = (0..=255).collect();
    let marks = b",;\t|\"'\n\r {}[]:\\01239.-/$%eENAnull\xe4\xc3\0\xff\xfe";
    for seed in 1..200 {
        let alphabet = if seed % 4 == 0 { &all[..] } else { &marks[..] };
        let bytes = noise(seed, 40 * seed as usize, alphabet);
        for file in ["a.csv", "b.tsv", "c.json", "d"] {
            let files = files(&[(file, &bytes)]);
            if let Ok(imported) = import(&files.paths, &ImportLimits::default()) {
                let database = imported.place.open("noise").unwrap();
                assert_eq!(database.schema().unwrap().schema.tables.len(), 1);
            }
        }
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
