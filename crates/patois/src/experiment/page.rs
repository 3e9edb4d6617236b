//! The table of an experiment as a page: one file, no network, no scripts.

use std::fmt::Write as _;

use patois_codebase::page::escaped;

use super::outcome::Outcome;
use super::table::Part;
use crate::report::html::{head, table};

/// The whole page; `plot` is the picture of all runs.
pub(super) fn html(outcome: &Outcome, plot: &str) -> String {
    let (heading, rows) = outcome.table();
    let columns: Vec<&str> = heading.iter().map(String::as_str).collect();
    let rows = rows.into_iter().map(|row| {
        let mut cells = row.into_iter();
        let name = cells.next().unwrap_or_default();
        (name, cells.map(in_two_lines))
    });
    let mut page = head(&outcome.title);
    // Writing to a string cannot fail.
    let _ = write!(
        page,
        "<header>\n<p class=\"eyebrow\">patois · experiment</p>\n<h1>{}</h1>\n</header>\n<main class=\"wide\">\n\
         <figure>{}</figure>\n{}<p>{}</p>\n<p><code>{}</code></p>\n</main>\n\
         <footer>The same as data: <code>table.json</code>; as plain text: \
         <code>table.md</code>.</footer>\n</body>\n</html>\n",
        escaped(&outcome.title),
        plot,
        table(None, &columns, rows),
        legend(outcome),
        escaped(&outcome.command),
    );
    page
}

/// A figure with its deviation or its interval below, so that ten columns fit on a page.
fn in_two_lines(figure: String) -> String {
    match figure.find(['±', '[']) {
        Some(at) => format!(
            "{}<small>{}</small>",
            figure[..at].trim_end(),
            &figure[at..]
        ),
        None => figure,
    }
}

fn legend(outcome: &Outcome) -> String {
    let parts = outcome.legend().into_iter();
    parts
        .map(|part| match part {
            Part::Text(text) => escaped(&text).to_string(),
            Part::Code(code) => format!("<code>{}</code>", escaped(&code)),
        })
        .collect()
}
