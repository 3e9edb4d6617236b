//! How a file of cells is written: what stands between them, and whether it begins with names.

use csv::{ByteRecord, ReaderBuilder};

use super::guess::{Form, Guess};
use super::number::Style;

/// How a file of cells is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dialect {
    /// What stands between cells.
    pub(super) delimiter: u8,
    /// Whether a cell may stand in quotes.
    pub(super) has_quotes: bool,
    /// How many rows come before the table: titles.
    pub(super) n_titles: usize,
    /// What the first row of the table is.
    pub(super) first: FirstRow,
}

/// What the first row of a table is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FirstRow {
    /// Names, one for each column.
    Names,
    /// Names for all columns but the first, which has none.
    NamesButOne,
    /// Values, in so many columns.
    Values { n_columns: usize },
}

/// How much of a file is looked at to tell.
pub(super) const SAMPLE_BYTES: usize = 1 << 18;

/// How many rows are looked at.
const N_ROWS: usize = 200;

const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// A sample of a file: its beginning.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample<'s> {
    pub(super) text: &'s [u8],
    /// Whether it is the whole file, so that its last row is a whole one.
    pub(super) is_whole: bool,
}

impl Dialect {
    /// How a file is written that begins with the sample. Tabs are `preferred` where they part cells at all.
    pub(super) fn of(sample: Sample<'_>, preferred: Option<u8>) -> Dialect {
        // Spreadsheets write what they part cells with on a line of its own.
        if let [b's', b'e', b'p', b'=', delimiter, b'\r' | b'\n', ..] = *sample.text
            && DELIMITERS.contains(&delimiter)
        {
            let rows = sample.rows(delimiter, true);
            return Dialect::from_rows(&rows, 1, delimiter, true);
        }
        let mut best: Option<(Likeness, u8)> = None;
        for delimiter in preferred.into_iter().chain(DELIMITERS) {
            let found = Likeness::of(&sample.rows(delimiter, true));
            let is_preferred = preferred == Some(delimiter) && found.n_columns > 1;
            if is_preferred || best.is_none_or(|(it, _)| found.score() > it.score()) {
                best = Some((found, delimiter));
            }
            if is_preferred {
                break;
            }
        }
        let (found, delimiter) = best.unwrap_or_default();
        // Between tabs, a quote is often a character as any other.
        let bare = Likeness::of(&sample.rows(delimiter, false));
        let has_quotes = delimiter != b'\t' || found.score() >= bare.score();
        let rows = sample.rows(delimiter, has_quotes);
        let n_titles = n_titles(&rows);
        Dialect::from_rows(&rows, n_titles, delimiter, has_quotes)
    }

    fn from_rows(rows: &[ByteRecord], n_titles: usize, delimiter: u8, has_quotes: bool) -> Dialect {
        Dialect {
            delimiter,
            has_quotes,
            n_titles,
            first: first_row(rows.get(n_titles..).unwrap_or_default()),
        }
    }

    /// How numbers are likely to be written.
    pub(super) fn style(self) -> Style {
        match self.delimiter {
            b';' => Style::Comma,
            _ => Style::Point,
        }
    }
}

impl Sample<'_> {
    fn rows(self, delimiter: u8, has_quotes: bool) -> Vec<ByteRecord> {
        let reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(delimiter)
            .quoting(has_quotes)
            .from_reader(self.text);
        // A slice can be read.
        let mut rows: Vec<ByteRecord> = reader
            .into_byte_records()
            .map_while(Result::ok)
            .take(N_ROWS + 1)
            .collect();
        let is_cut = !self.is_whole || rows.len() > N_ROWS;
        if is_cut && rows.len() > 1 {
            rows.pop();
        }
        rows
    }
}

/// How much rows are like those of a table.
#[derive(Clone, Copy, Debug, Default)]
struct Likeness {
    /// How many cells most rows have.
    n_columns: usize,
    /// The share of rows that have as many.
    share: f64,
    is_first_like_others: bool,
}

impl Likeness {
    fn of(rows: &[ByteRecord]) -> Likeness {
        let mut counts: Vec<usize> = rows.iter().map(ByteRecord::len).collect();
        counts.sort_unstable();
        let runs = counts.chunk_by(|a, b| a == b);
        let Some(most) = runs.max_by_key(|it| it.len()) else {
            return Likeness::default();
        };
        Likeness {
            n_columns: most[0],
            share: most.len() as f64 / rows.len() as f64,
            is_first_like_others: rows[0].len() == most[0],
        }
    }

    fn score(self) -> (bool, f64, usize) {
        let first = if self.is_first_like_others { 0.5 } else { 0.0 };
        (self.n_columns > 1, self.share + first, self.n_columns)
    }
}

/// How many rows of one cell come before the others.
fn n_titles(rows: &[ByteRecord]) -> usize {
    let is_title = |it: &ByteRecord| it.iter().filter(|cell| !cell.is_empty()).count() <= 1;
    let n_titles = rows.iter().take_while(|it| is_title(it)).count();
    let n_columns = Likeness::of(rows).n_columns;
    if n_columns > 1 && n_titles < rows.len() {
        n_titles
    } else {
        0
    }
}

/// What the first row of a table is, by what is below it.
fn first_row(rows: &[ByteRecord]) -> FirstRow {
    let Some((first, others)) = rows.split_first() else {
        return FirstRow::Values { n_columns: 0 };
    };
    if has_unnamed_column(first, others) {
        return FirstRow::NamesButOne;
    }
    let votes: i32 = (0..first.len())
        .map(|column| vote(first, others, column))
        .sum();
    if votes < 0 {
        let n_columns = rows.iter().map(ByteRecord::len).max().unwrap_or(0);
        return FirstRow::Values { n_columns };
    }
    FirstRow::Names
}

/// Whether all rows have one cell more than the first, and the last one is not always empty.
fn has_unnamed_column(first: &ByteRecord, others: &[ByteRecord]) -> bool {
    let is_longer = |it: &ByteRecord| it.len() == first.len() + 1;
    let has_last = |it: &ByteRecord| it.iter().next_back().is_some_and(|cell| !cell.is_empty());
    !others.is_empty() && others.iter().all(is_longer) && others.iter().any(has_last)
}

/// Whether a column says that the first row is of names (more than 0) or of values (less).
fn vote(first: &ByteRecord, others: &[ByteRecord], column: usize) -> i32 {
    let cell = |row: &ByteRecord| row.get(column).unwrap_or_default().trim_ascii().to_vec();
    let top = cell(first);
    let mut below = Guess::default();
    for row in others {
        below.see(&cell(row));
    }
    let mut all = below.clone();
    all.see(&top);
    let own = {
        let mut own = Guess::default();
        own.see(&top);
        own
    };
    if own.is_text() && !own.is_ambiguous() {
        // A name over numbers or dates; over texts, one that is there again would be a value.
        let is_repeated = !top.is_empty() && others.iter().any(|it| cell(it) == top);
        let is_typed = below.n_values > 0 && !below.is_text();
        return i32::from(is_typed) - i32::from(is_repeated);
    }
    // Years are names of columns, too, where what is below them is something else.
    if is_year(&top) && others.iter().any(|it| !is_year(&cell(it))) {
        return 1;
    }
    let is_alike = others.is_empty() || matches(&all, &below);
    if is_alike { -1 } else { 0 }
}

/// Whether a column is of the same kind with and without its first cell.
fn matches(all: &Guess, below: &Guess) -> bool {
    let kind = |guess: &Guess| match guess.form(Style::Point) {
        Form::Real => Form::Integer,
        form => form,
    };
    kind(all) == kind(below) || below.n_values == 0
}

fn is_year(cell: &[u8]) -> bool {
    matches!(cell, [b'1' | b'2', rest @ ..] if rest.len() == 3 && rest.iter().all(u8::is_ascii_digit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dialect(text: &str) -> Dialect {
        let sample = Sample {
            text: text.as_bytes(),
            is_whole: true,
        };
        Dialect::of(sample, None)
    }

    #[test]
    fn delimiters_are_those_that_make_a_table() {
        let check = |text: &str, delimiter: char| {
            assert_eq!(char::from(dialect(text).delimiter), delimiter, "{text}");
        };
        check("a,b\n1,2\n", ',');
        check("a;b\n1,5;2,5\n3,5;4,5\n", ';');
        check("a\tb\nx, y\tz\nv, w\tu\n", '\t');
        check("a|b\n1|2\n", '|');
        check("name\nRex\n", ',');
        check("a,b\n\"x;y;z\",1\n\"u;v;w\",2\n", ',');
        check("sep=;\na;b\n1;2\n", ';');
        check("", ',');
    }

    #[test]
    fn the_first_row_is_of_names_or_of_values() {
        let check = |text: &str, first| assert_eq!(dialect(text).first, first, "{text}");
        let values = |n_columns| FirstRow::Values { n_columns };
        check("id,name\n1,Rex\n2,Tom\n", FirstRow::Names);
        check("1,Rex\n2,Tom\n", values(2));
        check("Ada,2020-01-01\nIda,2021-01-01\n", values(2));
        check(
            "country,2019,2020\nItaly,1.5,2.5\nSpain,2,3\n",
            FirstRow::Names,
        );
        check("2019,3\n2020,4\n", values(2));
        check("name,city\nAda,Rome\n", FirstRow::Names);
        check("red,x\nred,y\nblue,z\n", values(2));
        check("name,city\n", FirstRow::Names);
        check("1,2,3\n", values(3));
        check("mpg,cyl\nMazda,21,6\nDatsun,22,4\n", FirstRow::NamesButOne);
        check("mpg,cyl\n21,6,\n22,4,\n", FirstRow::Names);
        check("id,amount\n1,$5\n2,$6\n", FirstRow::Names);
        check("id,note\n,\n", FirstRow::Names);
    }

    #[test]
    fn titles_are_told_from_tables() {
        assert_eq!(dialect("Report\n\nid,name\n1,Rex\n").n_titles, 1);
        assert_eq!(dialect("id,name\n1,Rex\n").n_titles, 0);
        assert_eq!(dialect("name\nRex\n").n_titles, 0);
        assert_eq!(dialect("sep=,\nid,name\n1,Rex\n").n_titles, 1);
    }

    #[test]
    fn quotes_between_tabs_may_be_characters() {
        let text = "title\tyear\n\"Up\" and away\t1990\n\"So\t1991\nNo\t1992\n";
        let found = dialect(text);
        assert!(found.delimiter == b'\t' && !found.has_quotes, "{found:?}");
        assert!(dialect("a\tb\n\"x\ty\"\tz\n").has_quotes);
    }
}
