//! The places that are nearly as usual: what `patois check` finds, on the page.

use std::fmt::Write as _;

use crate::check::{self, CheckConfig, Deviation};
use crate::page::escaped;
use crate::repository::RepositoryPrograms;

/// How many places are shown of a language.
const N_SHOWN: usize = 20;

/// The most surprising places of a language, as nobody's settings would have them.
pub(super) fn near_misses(read: &RepositoryPrograms) -> Vec<Deviation> {
    let found = check::check(read, &[], &CheckConfig::default()).found;
    let (mut kept, _) = check::silence(read, found);
    kept.truncate(N_SHOWN);
    kept
}

/// The section about such places, with paths below `root`; nothing where there are none.
pub(super) fn section(found: &[Deviation], root: &str) -> String {
    if found.is_empty() {
        return String::new();
    }
    let mut html = String::from(
        "<section id=\"near-misses\" aria-labelledby=\"near-misses-title\">\n\
         <div class=\"heading\"><h2 id=\"near-misses-title\">Nearly as usual</h2></div>\n\
         <p class=\"note\">Places that do not do what nearly all others do: mistakes, or meant. \
         The most surprising come first; <code>patois check</code> has the rest.</p>\n<ol class=\"near-misses\">\n",
    );
    for it in found {
        add(&mut html, it, root);
    }
    html + "</ol>\n</section>\n"
}

fn add(html: &mut String, deviation: &Deviation, root: &str) {
    let below = |path: &str| {
        let path = path.replace('\\', "/");
        path.strip_prefix(root).unwrap_or(&path).to_owned()
    };
    let (finding, region) = (&deviation.finding, &deviation.finding.region);
    // Writing to a string cannot fail.
    let _ = write!(
        html,
        "<li><p class=\"where\">{}:{}:{} <span class=\"often\">{:.1} bits</span></p><p>{}</p>\
         <pre class=\"excerpt\"><span class=\"line\" data-number=\"{}\">{}</span></pre>",
        escaped(&below(&region.file)),
        region.line,
        region.column,
        deviation.surprise,
        with_code(&finding.message),
        region.line,
        escaped(&region.text),
    );
    for other in &finding.related {
        let path = below(&other.region.file);
        let (path, line, text) = (
            escaped(&path),
            other.region.line,
            escaped(&other.region.text),
        );
        let _ = write!(
            html,
            "<p class=\"note\"><span class=\"where\">{path}:{line}</span> <code>{text}</code></p>"
        );
    }
    html.push_str("</li>\n");
}

/// A sentence whose code stands in backquotes, as elements.
fn with_code(text: &str) -> String {
    let mut html = String::new();
    for (index, part) in text.split('`').enumerate() {
        let part = escaped(part);
        let _ = match index % 2 {
            0 => write!(html, "{part}"),
            _ => write!(html, "<code>{part}</code>"),
        };
    }
    html
}
