//! The table of an experiment as a page: one file, no network, no scripts.

use std::fmt::Write as _;

use super::outcome::Outcome;
use crate::report::html::{BASE_STYLE, escaped};

const STYLE: &str = "\
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.35rem 0.9rem; text-align: right; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
.wide { overflow-x: auto; }
";

/// The whole page.
pub(super) fn html(outcome: &Outcome) -> String {
    let title = escaped(&outcome.title);
    let (heading, rows) = outcome.table();
    let line = |cells: &[String], tag: &str| {
        let cells = cells
            .iter()
            .map(|it| format!("<{tag}>{}</{tag}>", escaped(it)));
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title} – patois</title>\n<style>\n{BASE_STYLE}{STYLE}</style>\n</head>\n<body>\n\
         <header>\n<p class=\"eyebrow\">patois · experiment</p>\n<h1>{title}</h1>\n</header>\n<main>\n\
         <div class=\"wide\"><table>\n<thead>\n{}</thead>\n<tbody>\n",
        line(&heading, "th")
    );
    for row in &rows {
        page += &line(row, "td");
    }
    // Writing to a string cannot fail.
    let _ = write!(
        page,
        "</tbody>\n</table></div>\n<p>{}</p>\n<p><code>{}</code></p>\n</main>\n\
         <footer>patois {}. The same as data: <code>table.json</code>; as plain text: \
         <code>table.md</code>.</footer>\n</body>\n</html>\n",
        escaped(&outcome.legend()),
        escaped(&outcome.command),
        escaped(&outcome.patois),
    );
    page
}
