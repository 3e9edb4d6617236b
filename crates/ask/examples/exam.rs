//! Asks all questions of an exam, and prints how many answers are right.
//!
//! `cargo run --release -p patois-ask --features bundled --example exam [FOLDER [RUN]]` measures the bundled model on
//! `exams/ask` or another folder, or the model of a run.

use std::path::Path;

use patois::run::folder::{RunDir, RunFile};
use patois::run::synthesizer::{Purpose, Synthesizer};
use patois::spec::linking::ValueCache;
use patois_ask::{Asker, Confidence, Exam, Memory, Paper, bundled};

const EXAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../exams/ask");

#[expect(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().unwrap_or_else(|| EXAM.to_owned());
    let (model, confidence) = match arguments.next() {
        Some(run) => of_run(Path::new(&run))?,
        None => bundled(Purpose::Asking)?,
    };
    let mut all = Vec::new();
    for paper in Paper::read_folder(Path::new(&folder))? {
        let none = (Memory::default(), ValueCache::none());
        let asker = Asker::new(&model, confidence.clone(), paper.source()?, none.0, none.1)?;
        let exam = Exam::sit(&asker, paper.pairs)?;
        println!("{}\n{exam}", paper.name);
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
    Ok((Synthesizer::load_for(Purpose::Asking, &run)?, confidence))
}
