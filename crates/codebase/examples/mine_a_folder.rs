//! Mines the idioms of a folder: `cargo run --release -p patois-codebase --example mine_a_folder -- src/`.
//!
//! Without a folder, those of this crate. Prints the best of each language as code with holes, each with the
//! number of places where it occurs.
#![expect(clippy::print_stdout, reason = "an example shows what it finds")]

use std::error::Error;
use std::ops::ControlFlow;
use std::path::PathBuf;

use patois_codebase::idiom_source::IdiomPrinter;
use patois_codebase::local_names::LocalNames;
use patois_codebase::repository::{Repository, UnitConfig};
use patois_codebase::{mine, mining_config};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

fn main() -> Result<(), Box<dyn Error>> {
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/src");
    let folder = std::env::args().nth(1).unwrap_or(own.to_owned());
    let config = UnitConfig::default();
    let found = Repository::find(&[PathBuf::from(folder)], &config)?;
    for language in found.files.keys() {
        let read = found.parse(language, &config, &|| ());
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut go_on = |_: &_| ControlFlow::Continue(());
        let how = mining_config(&read);
        let mined = mine(&read, LocalNames::Holes, &how, &mut rng, &mut go_on)?;
        let printer = IdiomPrinter::of_sources(&read.grammar, &read.language);
        println!("{language}: {} programs", read.trees.len());
        for (idiom, (_, known)) in mined.idioms.iter().zip(mined.library.iter()).take(5) {
            let source = printer.print(&known.fragment);
            println!("\n{} places\n{source}", idiom.n_occurrences);
        }
    }
    Ok(())
}
