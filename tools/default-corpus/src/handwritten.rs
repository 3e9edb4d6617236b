//! Questions that a person wrote about the databases that are held out.

/// Database, question and query, separated by tabs.
const ROWS: &str = include_str!("../handwritten.tsv");

/// Database, question and query of each.
pub(super) fn rows() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    ROWS.lines().filter_map(|line| {
        let (database, rest) = line.split_once('\t')?;
        let (text, sql) = rest.split_once('\t')?;
        Some((database, text, sql))
    })
}
