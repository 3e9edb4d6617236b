//! What our trees cost on top of the bare Python parser.
//!
//! `PATOIS_PYTHON_SOURCES=FOLDER cargo bench -p patois-languages --bench python`; without a folder, the
//! standard library of the `python3` on the path, or else the fixtures. Rounds are interleaved and
//! the medians compared, because machines are noisy; all cores are used.
#![expect(clippy::print_stdout, reason = "a benchmark reports")]

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use patois_languages::python::Python;
use patois_syntax::{Grammar, Language};
use rayon::prelude::*;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const N_ROUNDS: usize = 9;

fn main() {
    let folder = folder();
    // Only what parses, so that all contenders do the same work.
    let mut sources = Vec::new();
    read_sources(&folder, &mut sources);
    sources.retain(|source| Python.parse(source).is_ok());
    let n_bytes: usize = sources.iter().map(String::len).sum();
    let grammar = Grammar::from_schema(Python.schema().expect("Python has a schema"));

    let bare = || {
        sources.par_iter().for_each(|source| {
            black_box(ruff_python_parser::parse_module(source).is_ok());
        });
    };
    let ast = || {
        sources
            .par_iter()
            .for_each(|source| drop(black_box(Python.parse(source))));
    };
    let tree = || {
        sources.par_iter().for_each(|source| {
            let ast = Python.parse(source).expect("it parsed before");
            drop(black_box(grammar.tree(&ast)));
        });
    };
    let contenders: [(&str, &dyn Fn()); 3] = [
        ("bare parser", &bare),
        ("parsed to Ast", &ast),
        ("parsed to Tree", &tree),
    ];

    println!(
        "{} files, {:.1} MB, below {}",
        sources.len(),
        n_bytes as f64 / 1e6,
        folder.display()
    );
    let mut times = vec![Vec::new(); contenders.len()];
    for _ in 0..N_ROUNDS {
        for (times, (_, contender)) in times.iter_mut().zip(&contenders) {
            let start = Instant::now();
            contender();
            times.push(start.elapsed());
        }
    }
    let medians: Vec<Duration> = times.iter_mut().map(|times| median(times)).collect();
    for ((name, _), time) in contenders.iter().zip(&medians) {
        let seconds = time.as_secs_f64();
        let ratio = seconds / medians[0].as_secs_f64();
        let rate = n_bytes as f64 / 1e6 / seconds;
        println!(
            "{name:15} {:7.1} ms  {rate:6.1} MB/s  {ratio:5.2} x",
            seconds * 1e3
        );
    }
    let (n_nodes, n_tree_bytes) = sources
        .par_iter()
        .filter_map(|source| grammar.tree(&Python.parse(source).ok()?).ok())
        .map(|tree| (tree.n_nodes(), tree.n_bytes()))
        .reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
    println!(
        "{n_nodes} nodes, {:.2} bytes each",
        n_tree_bytes as f64 / n_nodes as f64
    );
}

fn folder() -> PathBuf {
    if let Some(given) = std::env::var_os("PATOIS_PYTHON_SOURCES") {
        return given.into();
    }
    let script = "import sysconfig; print(sysconfig.get_paths()['stdlib'])";
    let found = Command::new("python3").args(["-c", script]).output().ok();
    let found = found.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    match found {
        Some(path) if !path.is_empty() => path.into(),
        _ => Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/python"),
    }
}

fn read_sources(folder: &Path, sources: &mut Vec<String>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() && !path.is_symlink() && !path.ends_with("site-packages") {
            read_sources(&path, sources);
        } else if path.extension().is_some_and(|it| it == "py") {
            sources.extend(std::fs::read_to_string(&path));
        }
    }
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort();
    times[times.len() / 2]
}
