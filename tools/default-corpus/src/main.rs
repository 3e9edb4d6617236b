//! Writes the corpus that is embedded in patois, where patois expects it:
//!
//! ```text
//! cargo run -p patois-default-corpus
//! ```
//!
//! 27 databases come as SQL scripts with content (`schemas/*.sql`). Beside each stand
//! annotations that say how people talk about it (`schemas/*.toml`); a seeded generator turns them
//! into questions with their queries. Questions that a person wrote (`handwritten.tsv`) come last.

mod artefact;
mod databases;
mod domain;
mod drawing;
mod english;
mod generator;
mod handwritten;
mod phrases;
mod query;
mod restrictions;
mod sentences;
mod shapes;
mod words;
mod writer;

fn main() -> std::io::Result<()> {
    let text = artefact::text(&drawing::Drawn::draw());
    std::fs::write(artefact::PATH, artefact::pack(&text)?)
}

#[cfg(test)]
mod tests;
