//! Whether two results hold the same rows, whatever the order of their columns.

use patois_database::Rows;

use super::values::numbered;

/// How many rows the search for an order of columns may look at, or as many as four times the
/// cells of a larger result. Results for which that is not enough count as different.
const MAX_ROWS: usize = 1 << 22;

/// Whether the order of rows counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowOrder {
    /// The results are lists.
    Counts,
    /// The results are multisets.
    DoesNotCount,
}

/// How far two results are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sameness {
    /// They are not.
    None,
    /// The columns stand in another order.
    Permuted,
    /// They are, column by column.
    Strict,
}

/// Compares two results.
pub(super) fn compare(left: &Rows, right: &Rows, order: RowOrder) -> Sameness {
    let (n_columns, n_rows) = (left.columns.len(), left.rows.len());
    if n_columns != right.columns.len() || n_rows != right.rows.len() {
        return Sameness::None;
    }
    if n_rows == 0 {
        return Sameness::Strict;
    }
    let cells = [left, right].into_iter().flat_map(|it| {
        (0..n_columns).flat_map(move |column| it.rows.iter().map(move |row| &row[column]))
    });
    let numbers = numbered(cells);
    let columns: Vec<&[u32]> = numbers.chunks(n_rows).collect();
    let (left, right) = columns.split_at(n_columns);
    let start = Groups::new(n_rows, order);
    let mut pairs = left.iter().zip(right);
    if pairs
        .try_fold(start.clone(), |groups, (l, r)| groups.split(l, r))
        .is_some()
    {
        Sameness::Strict
    } else if Search::new(left, right, start).is_some_and(|it| it.finds_order()) {
        Sameness::Permuted
    } else {
        Sameness::None
    }
}

/// The rows of both results, in groups that are equal as far as columns were looked at.
///
/// Where the order of rows counts, the place of a row is like a first column.
#[derive(Clone)]
struct Groups {
    /// The group of each row.
    left: Vec<u32>,
    right: Vec<u32>,
}

impl Groups {
    fn new(n_rows: usize, order: RowOrder) -> Groups {
        let left: Vec<u32> = match order {
            RowOrder::Counts => (0..n_rows as u32).collect(),
            RowOrder::DoesNotCount => vec![0; n_rows],
        };
        let right = left.clone();
        Groups { left, right }
    }

    /// Splits the groups by one more column of each result; none where their sizes then differ.
    fn split(&self, left: &[u32], right: &[u32]) -> Option<Groups> {
        let (left, right) = (keys(&self.left, left), keys(&self.right, right));
        let mut groups = sorted(&left);
        if groups != sorted(&right) {
            return None;
        }
        groups.dedup();
        let number = |key: &u64| groups.partition_point(|it| it < key) as u32;
        Some(Groups {
            left: left.iter().map(number).collect(),
            right: right.iter().map(number).collect(),
        })
    }
}

/// The group of each row together with its value in a column.
fn keys(groups: &[u32], column: &[u32]) -> Vec<u64> {
    let pairs = groups.iter().zip(column);
    pairs
        .map(|(&group, &value)| u64::from(group) << 32 | u64::from(value))
        .collect()
}

fn sorted(keys: &[u64]) -> Vec<u64> {
    let mut keys = keys.to_vec();
    keys.sort_unstable();
    keys
}

/// The search for the column of the right result that each column of the left one is.
///
/// To permute rows and columns of one matrix into another is as hard as graph isomorphism, so this
/// goes back where a choice was wrong. Choices are few: a column must hold the same values, and
/// every choice splits the rows into groups that the next ones must respect.
struct Search<'r> {
    /// The columns of the left result, those with the fewest candidates first; each with its
    /// candidates.
    left: Vec<(&'r [u32], Vec<usize>)>,
    right: &'r [&'r [u32]],
    start: Groups,
}

impl<'r> Search<'r> {
    /// None where a column has no candidate.
    fn new(left: &[&'r [u32]], right: &'r [&'r [u32]], start: Groups) -> Option<Search<'r>> {
        let values = |column: &&[u32]| sorted(&keys(&start.left, column));
        let of_right: Vec<Vec<u64>> = right.iter().map(values).collect();
        let mut left = left
            .iter()
            .map(|column| {
                let own = values(column);
                let candidates = (0..right.len()).filter(|&it| of_right[it] == own);
                let candidates: Vec<usize> = candidates.collect();
                (!candidates.is_empty()).then_some((*column, candidates))
            })
            .collect::<Option<Vec<_>>>()?;
        left.sort_by_key(|(_, candidates)| candidates.len());
        Some(Search { left, right, start })
    }

    fn finds_order(&self) -> bool {
        let n_cells: usize = self.right.iter().map(|it| it.len()).sum();
        let mut n_rows_left = MAX_ROWS.max(4 * n_cells);
        let mut taken = vec![false; self.right.len()];
        self.finds_rest(0, &self.start, &mut taken, &mut n_rows_left)
    }

    /// Whether the columns from the left one at `depth` on can be found among those not taken.
    fn finds_rest(
        &self,
        depth: usize,
        groups: &Groups,
        taken: &mut [bool],
        n_rows_left: &mut usize,
    ) -> bool {
        let Some((column, candidates)) = self.left.get(depth) else {
            return true;
        };
        let mut tried: Vec<&[u32]> = Vec::new();
        for &candidate in candidates {
            let other = self.right[candidate];
            if taken[candidate] || tried.contains(&other) {
                continue;
            }
            let Some(rest) = n_rows_left.checked_sub(other.len()) else {
                return false;
            };
            *n_rows_left = rest;
            tried.push(other);
            if let Some(groups) = groups.split(column, other) {
                taken[candidate] = true;
                if self.finds_rest(depth + 1, &groups, taken, n_rows_left) {
                    return true;
                }
                taken[candidate] = false;
            }
        }
        false
    }
}
