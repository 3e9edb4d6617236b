//! Names of tables and columns.

use std::collections::BTreeSet;
use std::path::Path;

use crate::schema::words;

/// How many bytes a name has at most: definitions of two thousand columns have to fit where SQLite reads them.
const MAX_BYTES: usize = 100;

/// Names that are taken, in any case of their letters.
#[derive(Debug, Default)]
pub(super) struct Taken(BTreeSet<String>);

impl Taken {
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains(&name.to_lowercase())
    }

    /// Takes the name that is wanted, or one like it.
    pub(super) fn take(&mut self, wanted: &str) -> String {
        let others = (2_u64..).map(|number| format!("{wanted}_{number}"));
        let mut names = std::iter::once(wanted.to_owned()).chain(others);
        let is_free = |name: &String| self.0.insert(name.to_lowercase());
        names
            .find(is_free)
            .expect("there are more numbers than names")
    }
}

/// What the table of a file is called: `Orders 2024.csv` is `orders_2024`.
pub(super) fn table_name(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let is_word = |it: &char| it.is_alphanumeric();
    if !stem.chars().any(|it| is_word(&it)) {
        return "table_1".to_owned();
    }
    let name = cut(&words(&stem)).replace(' ', "_");
    // The first would have to be quoted, the second are SQLite's own.
    let is_odd = name.starts_with(char::is_numeric) || name.starts_with("sqlite_");
    if is_odd {
        format!("table_{name}")
    } else {
        name
    }
}

/// What columns are called: as a file calls them, each by a name of its own.
pub(super) fn column_names<'n>(given: impl IntoIterator<Item = &'n str>) -> Vec<String> {
    let mut taken = Taken::default();
    let given = given.into_iter().enumerate();
    let name = |(index, name): (usize, &str)| {
        let words: Vec<&str> = name
            .split(|it: char| it.is_whitespace() || it.is_control())
            .filter(|it| !it.is_empty())
            .collect();
        let name = cut(&words.join(" "));
        if name.is_empty() {
            taken.take(&format!("column{}", index + 1))
        } else {
            taken.take(&name)
        }
    };
    given.map(name).collect()
}

fn cut(name: &str) -> String {
    let end = name.floor_char_boundary(MAX_BYTES);
    name[..end].trim_end().to_owned()
}

/// Names as a note lists them.
pub(super) fn listed<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    const N_SHOWN: usize = 4;
    let names: Vec<String> = names.into_iter().map(|it| format!("`{it}`")).collect();
    let shown = names[..names.len().min(N_SHOWN)].join(", ");
    match names.len().saturating_sub(N_SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_called_by_their_files() {
        let check = |file: &str, expected: &str| assert_eq!(table_name(Path::new(file)), expected);
        check("Orders 2024.csv", "orders_2024");
        check("a/b/OrderItems.csv", "order_items");
        check("order-items (1).csv", "order_items_1");
        check("Größe.csv", "größe");
        check("2024.csv", "table_2024");
        check("sqlite_stat1.csv", "table_sqlite_stat1");
        check("---.csv", "table_1");
        check("orders", "orders");
        check(&format!("{}.csv", "x".repeat(300)), &"x".repeat(100));
    }

    #[test]
    fn columns_have_names_of_their_own() {
        let check = |given: &[&str], expected: &[&str]| {
            assert_eq!(column_names(given.iter().copied()), expected);
        };
        check(&["id", " full\nname "], &["id", "full name"]);
        check(&["a", "A", "a", "a_2"], &["a", "A_2", "a_3", "a_2_2"]);
        check(&["", "x", " "], &["column1", "x", "column3"]);
        check(&["column2", ""], &["column2", "column2_2"]);
        check(&["ä\0b", &"ä".repeat(80)], &["ä b", &"ä".repeat(50)]);
    }

    #[test]
    fn long_lists_are_cut() {
        assert_eq!(listed(["a", "b"]), "`a`, `b`");
        let many = listed(["a", "b", "c", "d", "e", "f"]);
        assert_eq!(many, "`a`, `b`, `c`, `d` and 2 more");
    }
}
