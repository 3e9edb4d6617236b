//! Gold and predicted programs from anybody's files.

use std::path::{Path, PathBuf};

/// Stands for the end of a line inside a program.
const LINE_END: char = '\u{a7}';

/// A file that was read.
#[derive(Clone, Copy, Debug)]
pub struct TextFile<'a> {
    /// Where it is, for messages.
    pub path: &'a Path,
    /// What it holds.
    pub text: &'a str,
}

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

/// The programs of two files, one a line, with U+00A7 for the ends of lines inside them.
///
/// # Errors
///
/// When there is no gold program, or the files have different numbers of lines.
pub fn programs(gold: TextFile<'_>, predicted: TextFile<'_>) -> Result<Vec<Pair>, PairsError> {
    check_filled(gold)?;
    let golds: Vec<&str> = gold.text.lines().collect();
    let found: Vec<&str> = predicted.text.lines().collect();
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

/// The queries of two files, one a line, each gold one followed by a tab and the name of its database.
///
/// Empty lines between gold queries do not count. An empty line among the predictions is an empty
/// prediction, unless only the other lines are as many as the gold queries. A prediction may name
/// the database, too.
///
/// # Errors
///
/// When there is no gold query, one has no database, or the numbers of queries differ.
pub fn queries(gold: TextFile<'_>, predicted: TextFile<'_>) -> Result<Vec<QueryPair>, PairsError> {
    check_filled(gold)?;
    let golds = gold.text.lines().enumerate();
    let golds: Vec<(usize, &str)> = golds.filter(|it| is_filled(it.1)).collect();
    let mut found: Vec<&str> = predicted.text.lines().collect();
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
                path: gold.path.to_owned(),
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

fn check_filled(gold: TextFile<'_>) -> Result<(), PairsError> {
    if is_filled(gold.text) {
        return Ok(());
    }
    Err(PairsError::Empty(gold.path.to_owned()))
}

fn check_lengths(
    gold: TextFile<'_>,
    n_gold: usize,
    predicted: TextFile<'_>,
    n_predicted: usize,
) -> Result<(), PairsError> {
    if n_gold == n_predicted {
        return Ok(());
    }
    Err(PairsError::Lengths {
        gold: gold.path.to_owned(),
        n_gold,
        predicted: predicted.path.to_owned(),
        n_predicted,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The queries of two files.
    fn read(gold: &str, predicted: &str) -> Result<Vec<(String, String, String)>, String> {
        let file = |path, text| TextFile {
            path: Path::new(path),
            text,
        };
        let pairs = queries(file("/gold.sql", gold), file("/pred.sql", predicted));
        let pairs = pairs.map_err(|it| it.to_string())?;
        let parts = pairs.into_iter();
        Ok(parts
            .map(|it| (it.gold, it.predicted, it.database))
            .collect())
    }

    #[track_caller]
    fn check(gold: &str, predicted: &str, expected: &[(&str, &str, &str)]) {
        let found = read(gold, predicted).unwrap();
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
        let error = read("a\tx\n", "b\nc\n").unwrap_err();
        assert_eq!(
            error,
            "`/gold.sql` has 1 programs, but `/pred.sql` has 2 predictions"
        );
        let error = read("a\tx\nb\n", "b\nc\n").unwrap_err();
        assert!(
            error.starts_with("`/gold.sql`, line 2: expected a query"),
            "{error}"
        );
        assert_eq!(read("\n", "").unwrap_err(), "`/gold.sql` is empty");
    }
}
