//! A part of the runs of an experiment: several processes share them.

use std::fmt;
use std::str::FromStr;

/// One of so many parts of the runs, counted from one.
///
/// ```
/// use patois::experiment::shard::Shard;
///
/// let shard: Shard = "2/3".parse()?;
/// let own: Vec<usize> = (0..7).filter(|&run| shard.has(run)).collect();
/// assert_eq!(own, [1, 4]);
/// # Ok::<(), patois::experiment::shard::ShardError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: usize,
    of: usize,
}

/// Why a text names no part.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected I/N with I from 1 to N, such as 2/8, found `{0}`")]
pub struct ShardError(String);

impl Shard {
    /// All runs.
    pub const ALL: Shard = Shard { index: 1, of: 1 };

    /// Whether a run is one of the part, by its number from zero on.
    pub fn has(self, run: usize) -> bool {
        run % self.of == self.index - 1
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Shard, ShardError> {
        let numbers = text.split_once('/');
        let shard = numbers.and_then(|(index, of)| {
            let (index, of) = (index.parse().ok()?, of.parse().ok()?);
            (1..=of).contains(&index).then_some(Shard { index, of })
        });
        shard.ok_or_else(|| ShardError(text.to_owned()))
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_disjoint_and_all() {
        for of in 1..5 {
            let shards: Vec<Shard> = (1..=of)
                .map(|it| format!("{it}/{of}").parse().unwrap())
                .collect();
            for run in 0..20 {
                assert_eq!(shards.iter().filter(|it| it.has(run)).count(), 1);
            }
        }
    }

    #[test]
    fn what_is_no_part_is_refused() {
        for text in ["", "3", "0/2", "3/2", "1/0", "-1/2", "1/2/3", "a/b"] {
            let error = text.parse::<Shard>().unwrap_err().to_string();
            assert_eq!(
                error,
                format!("expected I/N with I from 1 to N, such as 2/8, found `{text}`")
            );
        }
    }
}
