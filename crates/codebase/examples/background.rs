//! Counts what is usual in a language: `cargo run --release -p patois-codebase --example background --
//! python OUT PACKAGE...`, each package a folder. `tools/backgrounds/make` fetches them.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::path::PathBuf;

use patois_codebase::background::Packages;
use patois_codebase::repository::{Repository, Taken, UnitConfig};
use patois_languages::SourceLanguage;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let Some(language) = arguments.next() else {
        println!("usage: background LANGUAGE OUT PACKAGE...");
        return Ok(());
    };
    let out = PathBuf::from(arguments.next().ok_or("expected a file to write")?);
    let source_language = SourceLanguage::named(&language).ok_or("expected a known language")?;
    let config = UnitConfig {
        language: Some(language.clone()),
        tests: Taken::Skip,
        generated: Taken::Skip,
        ..UnitConfig::default()
    };
    let mut packages = Packages::default();
    let mut n_packages = 0;
    for package in arguments.map(PathBuf::from) {
        // A package without files of the language is not one of it.
        let Ok(found) = Repository::find(std::slice::from_ref(&package), &config) else {
            continue;
        };
        if !found.files.contains_key(&language) {
            continue;
        }
        packages.add(&found.parse(&language, &config, &|| ()));
        n_packages += 1;
    }
    let background = packages.finish(&source_language, n_packages);
    let bytes = background.to_bytes();
    let (name, n_entries) = (background.name(), background.n_entries());
    println!("{name}: {n_entries} counts in {} bytes", bytes.len());
    Ok(std::fs::write(out, bytes)?)
}
