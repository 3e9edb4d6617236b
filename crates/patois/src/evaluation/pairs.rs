//! Gold and predicted programs from anybody's files.

use std::path::{Path, PathBuf};

use crate::corpus::CorpusError;
use crate::corpus::text_file::{lines, read_text};

/// Stands for the end of a line inside a program.
const LINE_END: char = '\u{a7}';

/// A gold program and a predicted one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The gold program.
    pub gold: String,
    /// The predicted one; empty where there is none.
    pub predicted: String,
}

/// Two queries about a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryPair {
    /// The gold query.
    pub gold: String,
    /// The predicted one; empty where there is none.
    pub predicted: String,
    /// The name of the database.
    pub database: String,
    /// The line of the gold query, from one.
    pub line: usize,
}

/// Why files cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum PairsError {
    /// A file cannot be read.
    #[error(transparent)]
    Read(#[from] CorpusError),
    /// A file of gold programs without any.
    #[error("`{}` is empty", .0.display())]
    Empty(PathBuf),
    /// The files are of different lengths.
    #[error("`{}` has {n_gold} programs, but `{}` has {n_predicted} predictions", .gold.display(), .predicted.display())]
    Lengths {
        /// The file of gold programs.
        gold: PathBuf,
        /// How many it has.
        n_gold: usize,
        /// The file of predictions.
        predicted: PathBuf,
        /// How many it has.
        n_predicted: usize,
    },
    /// A gold query without a database.
    #[error("`{}`, line {line}: expected a query, a tab and the name of a database", .path.display())]
    NoDatabase {
        /// The file.
        path: PathBuf,
        /// The line, from one.
        line: usize,
    },
}

/// Reads programs, one a line, with U+00A7 for the ends of lines inside them.
///
/// # Errors
///
/// When a file cannot be read, or they have different numbers of lines.
pub fn read_programs(gold: &Path, predicted: &Path) -> Result<Vec<Pair>, PairsError> {
    let (golds, found) = (read_gold(gold)?, read_predicted(predicted)?);
    let golds: Vec<&str> = lines(&golds).collect();
    let found: Vec<&str> = lines(&found).collect();
    check_lengths(gold, golds.len(), predicted, found.len())?;
    let program = |line: &str| line.replace(LINE_END, "\n");
    let pairs = golds.into_iter().zip(found);
    Ok(pairs
        .map(|(gold, predicted)| Pair {
            gold: program(gold),
            predicted: program(predicted),
        })
        .collect())
}

/// Reads queries, one a line, each gold one followed by a tab and the name of its database.
///
/// Empty lines between gold queries do not count. An empty line among the predictions is an empty
/// prediction, unless only the other lines are as many as the gold queries. A prediction may name
/// the database, too.
///
/// # Errors
///
/// When a file cannot be read, a gold query has no database, or the numbers of queries differ.
pub fn read_queries(gold: &Path, predicted: &Path) -> Result<Vec<QueryPair>, PairsError> {
    let (golds, found) = (read_gold(gold)?, read_predicted(predicted)?);
    let golds = lines(&golds).enumerate().filter(|it| is_filled(it.1));
    let golds: Vec<(usize, &str)> = golds.collect();
    let mut found: Vec<&str> = lines(&found).collect();
    let n_filled = found.iter().filter(|it| is_filled(it)).count();
    if found.len() != golds.len() && n_filled == golds.len() {
        found.retain(|it| is_filled(it));
    }
    check_lengths(gold, golds.len(), predicted, found.len())?;
    let pairs = golds.into_iter().zip(found);
    let pair = |((index, line), predicted): ((usize, &str), &str)| {
        let line_number = index + 1;
        let (query, database) = line
            .trim()
            .rsplit_once('\t')
            .ok_or(PairsError::NoDatabase {
                path: gold.to_owned(),
                line: line_number,
            })?;
        Ok(QueryPair {
            gold: query.trim().to_owned(),
            predicted: without_database(predicted, database).to_owned(),
            database: database.trim().to_owned(),
            line: line_number,
        })
    };
    pairs.map(pair).collect()
}

fn is_filled(line: &str) -> bool {
    !line.trim().is_empty()
}

fn without_database<'p>(predicted: &'p str, database: &str) -> &'p str {
    let predicted = predicted.trim();
    match predicted.rsplit_once('\t') {
        Some((query, named)) if named.trim() == database.trim() => query.trim(),
        _ => predicted,
    }
}

fn read_gold(path: &Path) -> Result<String, PairsError> {
    let text = read_text(path, "a file with one gold program per line")?;
    if text.trim().is_empty() {
        return Err(PairsError::Empty(path.to_owned()));
    }
    Ok(text)
}

fn read_predicted(path: &Path) -> Result<String, PairsError> {
    Ok(read_text(path, "a file with one prediction per line")?)
}

fn check_lengths(
    gold: &Path,
    n_gold: usize,
    predicted: &Path,
    n_predicted: usize,
) -> Result<(), PairsError> {
    if n_gold == n_predicted {
        return Ok(());
    }
    Err(PairsError::Lengths {
        gold: gold.to_owned(),
        n_gold,
        predicted: predicted.to_owned(),
        n_predicted,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes both files, and reads the queries.
    fn queries(gold: &str, predicted: &str) -> Result<Vec<(String, String, String)>, String> {
        let folder = tempfile::tempdir().unwrap();
        let paths = ["gold.sql", "pred.sql"].map(|name| folder.path().join(name));
        std::fs::write(&paths[0], gold).unwrap();
        std::fs::write(&paths[1], predicted).unwrap();
        let pairs = read_queries(&paths[0], &paths[1]);
        let pairs = pairs.map_err(|it| {
            it.to_string()
                .replace(&format!("{}", folder.path().display()), "")
        })?;
        let parts = pairs.into_iter();
        Ok(parts
            .map(|it| (it.gold, it.predicted, it.database))
            .collect())
    }

    #[track_caller]
    fn check(gold: &str, predicted: &str, expected: &[(&str, &str, &str)]) {
        let found = queries(gold, predicted).unwrap();
        let found: Vec<_> = found
            .iter()
            .map(|(a, b, c)| (a.as_str(), b.as_str(), c.as_str()))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn queries_are_read_as_in_the_official_files() {
        let expected = [("a", "b", "x"), ("c", "", "y")];
        check("a\tx\n\nc\ty\n", "b\n\n", &expected);
        check("a\tx\r\nc\ty", "b\tx\r\n\r\n", &expected);
        check(
            "a\tx\nc\ty\n",
            "b\n\nd\n",
            &[("a", "b", "x"), ("c", "d", "y")],
        );
        check("a\tb\tx\n", "c\td", &[("a\tb", "c\td", "x")]);
    }

    #[test]
    fn what_cannot_be_compared_is_refused() {
        let error = queries("a\tx\n", "b\nc\n").unwrap_err();
        assert_eq!(
            error,
            "`/gold.sql` has 1 programs, but `/pred.sql` has 2 predictions"
        );
        let error = queries("a\tx\nb\n", "b\nc\n").unwrap_err();
        assert!(
            error.starts_with("`/gold.sql`, line 2: expected a query"),
            "{error}"
        );
        assert_eq!(queries("\n", "").unwrap_err(), "`/gold.sql` is empty");
    }
}
