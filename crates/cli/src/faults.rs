//! What went wrong with single examples, on standard error.

use crate::terminal::Terminal;

/// How many examples are named.
const N_SHOWN: usize = 5;

/// Names the first of the examples in which something went wrong; `where_all` says where all are.
pub(super) fn note<'a>(
    terminal: Terminal,
    faults: impl Iterator<Item = (String, &'a str)>,
    where_all: &str,
) {
    let mut n_more = 0;
    for (index, (name, error)) in faults.enumerate() {
        if index < N_SHOWN {
            terminal.note(format!("{name}: {error}"));
        } else {
            n_more += 1;
        }
    }
    if n_more > 0 {
        terminal.note(format!("and {n_more} more, see {where_all}"));
    }
}
