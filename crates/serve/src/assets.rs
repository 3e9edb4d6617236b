//! The page: files inside the program, and nothing from elsewhere.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

/// A file of the page.
struct Asset {
    path: &'static str,
    kind: &'static str,
    text: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

macro_rules! asset {
    ($path:literal, $kind:expr, $file:literal) => {
        Asset {
            path: $path,
            kind: $kind,
            text: include_str!(concat!("../assets/", $file)),
        }
    };
}

const ASSETS: [Asset; 15] = [
    asset!("/", HTML, "index.html"),
    asset!("/style.css", CSS, "style.css"),
    asset!("/answer.css", CSS, "answer.css"),
    asset!("/theme.js", SCRIPT, "theme.js"),
    asset!("/main.js", SCRIPT, "main.js"),
    asset!("/api.js", SCRIPT, "api.js"),
    asset!("/dom.js", SCRIPT, "dom.js"),
    asset!("/answer.js", SCRIPT, "answer.js"),
    asset!("/table.js", SCRIPT, "table.js"),
    asset!("/chart.js", SCRIPT, "chart.js"),
    asset!("/sql.js", SCRIPT, "sql.js"),
    asset!("/complete.js", SCRIPT, "complete.js"),
    asset!("/schema.js", SCRIPT, "schema.js"),
    asset!("/icon.svg", "image/svg+xml", "icon.svg"),
    asset!("/openapi.json", "application/json", "openapi.json"),
];

/// The paths of all files.
pub(crate) fn paths() -> impl Iterator<Item = &'static str> {
    ASSETS.iter().map(|it| it.path)
}

/// The file at a path.
pub(crate) fn at(path: &str) -> Option<Response> {
    let asset = ASSETS.iter().find(|it| it.path == path)?;
    // The next version of patois may have another page at the same address.
    let headers = [(CONTENT_TYPE, asset.kind), (CACHE_CONTROL, "no-cache")];
    Some((headers, asset.text).into_response())
}
