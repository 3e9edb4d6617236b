//! Asks a database that a model has never seen, and runs the query where it can do no harm.
//!
//! `cargo run --release --example ask_a_database -- runs/default shop.sqlite "How many customers are there?"`
//! prints the query, its probability and its rows. Without arguments a model is trained for a few steps
//! on the embedded corpus and asked about a database made on the spot, so that there is something to run:
//! what it writes is a query, though hardly the right one.

use std::path::Path;
use std::sync::Arc;

use patois::corpus::DataDir;
use patois::run::config::RunConfig;
use patois::run::folder::{Existing, RunDir};
use patois::run::synthesizer::Synthesizer;
use patois::run::{Surroundings, Unobserved, pipeline};
use patois::spec::linking::ValueCache;
use patois_database::{Place, QueryLimits};

const QUICK: &str = include_str!("ask_a_database.toml");
const SHOP: &str = "CREATE TABLE customer(name TEXT, city TEXT);
    INSERT INTO customer VALUES ('Ada', 'Berlin'), ('Tom', 'Oslo');";

#[expect(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let here = Surroundings {
        data: DataDir::locate(None),
        values: ValueCache::none(),
    };
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = tempfile::tempdir()?;
    let (run, place, question) = if let [run, database, question] = arguments.as_slice() {
        let place = Place::File(database.into());
        (RunDir::open(Path::new(run))?, place, question.as_str())
    } else {
        let config = RunConfig::parse("ask_a_database.toml", QUICK)?;
        let run = RunDir::create(&folder.path().join("run"), &config, Existing::Refuse)?;
        pipeline::train(&config, &run, &here, &mut Unobserved)?;
        let place = Place::Script(SHOP.to_owned());
        (run, place, "Which customers are from Berlin?")
    };
    let model = Synthesizer::load(&run)?;
    let database = place.open("shop")?;
    let schema = Arc::new(database.schema()?.schema);
    let subject = model.about(schema, place, &here.values)?;
    for answer in model.ask(question, &subject, model.config.search).programs {
        println!("{:.3}  {}", answer.probability(), answer.code);
        match database.query(&answer.code, &QueryLimits::default()) {
            Ok(rows) => rows.rows.iter().for_each(|row| println!("{row:?}")),
            Err(error) => println!("{error}"),
        }
    }
    Ok(())
}
