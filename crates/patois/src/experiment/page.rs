//! The table of an experiment as a page: one file, no network, no scripts.

use std::fmt::Write as _;

use patois_codebase::page::escaped;

use super::outcome::Outcome;
use crate::report::html::{head, table};

/// The whole page; `plot` is the picture of all runs.
pub(super) fn html(outcome: &Outcome, plot: &str) -> String {
    let (heading, rows) = outcome.table();
    let columns: Vec<&str> = heading.iter().map(String::as_str).collect();
    let rows = rows.into_iter().map(|mut row| (row.remove(0), row));
    let mut page = head(&outcome.title);
    // Writing to a string cannot fail.
    let _ = write!(
        page,
        "<header>\n<p class=\"eyebrow\">patois · experiment</p>\n<h1>{}</h1>\n</header>\n<main class=\"wide\">\n\
         {}{}<p>{}</p>\n<p><code>{}</code></p>\n</main>\n\
         <footer>The same as data: <code>table.json</code>; as plain text: \
         <code>table.md</code>.</footer>\n</body>\n</html>\n",
        escaped(&outcome.title),
        plot,
        table(None, &columns, rows),
        with_code(&outcome.legend()),
        escaped(&outcome.command),
    );
    page
}

/// A text whose parts between backquotes are code.
fn with_code(text: &str) -> String {
    let parts = text.split('`').enumerate();
    parts
        .map(|(index, part)| match index % 2 {
            0 => escaped(part).to_string(),
            _ => format!("<code>{}</code>", escaped(part)),
        })
        .collect()
}
