//! What importing costs.
//!
//! `cargo bench -p patois-database --bench import [-- FILE...]`: rows a second of files, or of 100 MB of orders as CSV and as
//! JSON lines.
#![expect(clippy::print_stdout, reason = "a benchmark reports")]

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use patois_database::{ImportLimits, import};

const N_BYTES: u64 = 100_000_000;
const NAMES: [&str; 4] = ["Ada", "Grace", "Edsger", "Katherine"];
const CITIES: [&str; 5] = ["Rome", "Bern", "Zürich", "Porto", "New York"];

fn main() {
    let given: Vec<PathBuf> = std::env::args_os()
        .skip(1)
        .filter(|it| it != "--bench")
        .map(PathBuf::from)
        .collect();
    let folder = tempfile::tempdir().expect("a folder");
    let files = if given.is_empty() {
        let [cells, objects] = ["orders.csv", "orders.jsonl"].map(|it| folder.path().join(it));
        let header = "id,customer,amount,day,city\n";
        write(&cells, header, csv).expect("a file");
        write(&objects, "", json).expect("a file");
        vec![cells, objects]
    } else {
        given
    };
    for file in files {
        report(&file);
    }
}

fn report(file: &Path) {
    let n_megabytes = fs::metadata(file).map_or(0, |it| it.len()) as f64 / 1e6;
    let started = Instant::now();
    let imported = import(&[file.to_owned()], &ImportLimits::default()).expect("a table");
    let seconds = started.elapsed().as_secs_f64();
    let n_rows: u64 = imported.tables.iter().map(|it| it.n_rows).sum();
    println!(
        "{}: {n_rows} rows, {n_megabytes:.0} MB in {seconds:.2} s: {:.0} rows/s, {:.0} MB/s",
        file.display(),
        n_rows as f64 / seconds,
        n_megabytes / seconds
    );
    for note in &imported.notes {
        println!("  {note}");
    }
}

fn write(path: &Path, header: &str, row: fn(u64, u64) -> String) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    file.write_all(header.as_bytes())?;
    let (mut n_bytes, mut state) = (0, 1_u64);
    for id in 1.. {
        // Numbers without pattern, the same in every run (Marsaglia's xorshift).
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let row = row(id, state);
        file.write_all(row.as_bytes())?;
        n_bytes += row.len() as u64;
        if n_bytes > N_BYTES {
            break;
        }
    }
    file.flush()
}

/// The customer, the amount, the day and the city of an order.
fn order(number: u64) -> (String, f64, String, &'static str) {
    let below = |shift: u32, end: u64| (number >> shift) % end;
    let name = NAMES[below(2, 4) as usize];
    (
        format!("{name} {}", below(8, 100_000)),
        below(12, 1_000_000) as f64 / 100.0,
        format!(
            "20{}-{:02}-{:02}",
            10 + below(20, 15),
            1 + below(28, 12),
            1 + below(36, 28)
        ),
        CITIES[below(44, 5) as usize],
    )
}

fn csv(id: u64, number: u64) -> String {
    let (customer, amount, day, city) = order(number);
    format!("{id},{customer},{amount},{day},{city}\n")
}

fn json(id: u64, number: u64) -> String {
    let (customer, amount, day, city) = order(number);
    format!(
        "{{\"id\": {id}, \"customer\": \"{customer}\", \"amount\": {amount}, \"day\": \"{day}\", \"city\": \"{city}\"}}\n"
    )
}
