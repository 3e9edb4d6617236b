//! Asks all questions of the exam in `exams/ask`, and prints how many answers are right.
//!
//! `cargo run --release -p patois-ask --features bundled --example exam [RUN]` measures the bundled model, or that of a
//! run, with its folder.

use std::path::{Path, PathBuf};

use patois::run::folder::{RunDir, RunFile};
use patois::run::synthesizer::Synthesizer;
use patois::spec::linking::ValueCache;
use patois_ask::{Asker, Confidence, Exam, Keys, Memory, Pair, Source, bundled};
use patois_database::Place;

const DATABASES: [&str; 4] = ["clinic", "logistics", "erp", "festival"];

#[expect(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (model, confidence) = match std::env::args().nth(1) {
        Some(run) => of_run(Path::new(&run))?,
        None => bundled()?,
    };
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../exams/ask");
    let mut all = Vec::new();
    for name in DATABASES {
        let script = std::fs::read_to_string(folder.join(format!("{name}.sql")))?;
        let pairs = std::fs::read_to_string(folder.join(format!("{name}.jsonl")))?;
        let pairs: Result<Vec<Pair>, _> = pairs.lines().map(serde_json::from_str).collect();
        let source = Source::of_place(Place::Script(script), name, Keys::Guessed)?;
        let none = (Memory::default(), ValueCache::none());
        let asker = Asker::new(&model, confidence.clone(), source, none.0, none.1)?;
        let exam = Exam::sit(&asker, pairs?)?;
        println!("{name}\n{exam}");
        all.extend(exam.results);
    }
    println!("all\n{}", Exam::of(all));
    Ok(())
}

fn of_run(run: &Path) -> Result<(Synthesizer, Confidence), Box<dyn std::error::Error>> {
    let run = RunDir::open(run)?;
    let confidence = match run.read(RunFile::Confidence)? {
        Some(bytes) => serde_json::from_slice(&bytes)?,
        None => Confidence::default(),
    };
    Ok((Synthesizer::load(&run)?, confidence))
}
