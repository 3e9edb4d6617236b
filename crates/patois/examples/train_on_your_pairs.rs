//! Trains on one's own pairs of texts and programs: `cargo run --release --example train_on_your_pairs -- pairs.jsonl`.
//!
//! A row is `{"text": "print seven", "code": "print(7)"}`. Without a file a few rows are made up. Prints what the
//! model writes for the last text. The settings are for a toy: real ones are in `configs/`.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;
use std::path::Path;

use patois::corpus::DataDir;
use patois::run::config::RunConfig;
use patois::run::folder::{Existing, RunDir};
use patois::run::synthesizer::Synthesizer;
use patois::run::{Surroundings, Unobserved, pipeline};
use patois::spec::linking::ValueCache;

const TOY: &str = "language = 'python'
[model]
word_size = 16
hidden_size = 32
action_size = 16
symbol_size = 8
[training]
objective = 'marginal'
min_count = 1
n_steps = 60";

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let made_up = folder.path().join("pairs.jsonl");
    let pairs = std::env::args().nth(1);
    let pairs = pairs.map_or(made_up.clone(), |it| Path::new(&it).to_owned());
    if pairs == made_up {
        let row = |n| format!("{{\"text\": \"print {n}\", \"code\": \"print({n})\"}}\n");
        std::fs::write(&made_up, (0..40).map(row).collect::<String>())?;
    }
    let mut config = RunConfig::parse("toy.toml", TOY)?;
    config.corpus = pairs.display().to_string();
    let here = Surroundings {
        data: DataDir::locate(None),
        values: ValueCache::none(),
    };
    let run = RunDir::create(&folder.path().join("run"), &config, Existing::Refuse)?;
    let trained = pipeline::train(&config, &run, &here, &mut Unobserved)?;
    println!(
        "{} steps, loss {:.2}",
        trained.n_steps,
        trained.loss.unwrap_or(f64::NAN)
    );
    let model = Synthesizer::load(&run)?;
    let answers = model.synthesize("print 41", model.config.search)?;
    for program in answers.programs {
        println!("{:.3}  {}", program.probability(), program.code);
    }
    Ok(())
}
