//! The page: its text, its data, and the script that shows them.

use std::fmt::Write as _;

use serde::Serialize;

use super::{Details, Summary};
use crate::number::{count, counted};
use crate::page::{BASE_STYLE, escaped};

/// Its policy names the two scripts by their hashes: nothing else runs, whatever gets into the page.
const TEMPLATE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = concat!(
    include_str!("page/code.js"),
    include_str!("page/map.js"),
    include_str!("page/details.js"),
    include_str!("page/main.js"),
);

/// The whole page.
pub(super) fn write(summary: &Summary, mut near_misses: String, details: &[Details]) -> String {
    let mut lines = String::new();
    for details in details {
        // Writing to a string cannot fail.
        let _ = writeln!(lines, "{}", json(details));
    }
    fill(TEMPLATE, |key| match key {
        "name" => escaped(&summary.name).to_string(),
        "style" => format!("{BASE_STYLE}{STYLE}"),
        "lead" => escaped(&lead(summary)).to_string(),
        "version" => summary.patois.to_owned(),
        "places" => places(summary).to_owned(),
        "near-misses" => std::mem::take(&mut near_misses),
        "data" => json(summary),
        "details" => std::mem::take(&mut lines),
        "script" => SCRIPT.to_owned(),
        _ => unreachable!("the template has no other keys"),
    })
}

/// A template with `{{key}}` replaced; what is put in is not looked at again.
fn fill(template: &str, mut value: impl FnMut(&str) -> String) -> String {
    let mut page = String::new();
    let mut rest = template;
    while let Some((before, (key, after))) = rest
        .split_once("{{")
        .and_then(|(before, after)| Some((before, after.split_once("}}")?)))
    {
        page += before;
        page += &value(key);
        rest = after;
    }
    page + rest
}

/// The repository in a sentence.
fn lead(summary: &Summary) -> String {
    let of = |language: usize| {
        summary
            .files
            .iter()
            .filter(move |it| it.language == language)
    };
    let languages: Vec<String> = summary
        .languages
        .iter()
        .enumerate()
        .map(|(index, language)| {
            let n_files = counted(of(index).count(), "file");
            let programs = match summary.unit.as_str() {
                "file" => String::new(),
                _ => format!(" ({})", counted(language.programs, "program")),
            };
            format!("{n_files} of {}{programs}", language.name)
        })
        .collect();
    let nodes: usize = summary.files.iter().map(|it| it.nodes).sum();
    let covered: usize = summary.files.iter().map(|it| it.covered).sum();
    let share = 100.0 * covered as f64 / nodes.max(1) as f64;
    let n_idioms = counted(summary.idioms.len(), "idiom");
    format!(
        "{n_idioms}, mined from {}. {share:.1}\u{a0}% of the code belongs to an idiom: {} of {} \
         nodes of its syntax trees.",
        in_words(&languages),
        count(covered),
        count(nodes),
    )
}

/// `a`, `a and b`, `a, b and c`.
fn in_words(parts: &[String]) -> String {
    match parts {
        [] => "nothing".to_owned(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

fn places(summary: &Summary) -> &'static str {
    match summary.base {
        Some(_) => "Places link to the files as they lay beside this page when it was made.",
        None => "",
    }
}

/// A value as JSON that may stand in a script element: it cannot end it, nor a line.
fn json(value: &impl Serialize) -> String {
    let json = serde_json::to_string(value).expect("texts and numbers are always JSON");
    let mut safe = String::with_capacity(json.len());
    for char in json.chars() {
        match char {
            '<' => safe += "\\u003c",
            '\u{2028}' => safe += "\\u2028",
            '\u{2029}' => safe += "\\u2029",
            char => safe.push(char),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_filled_in_is_not_filled_in_again() {
        let page = fill("a {{x}} b {{y}} {{", |key| format!("[{key}: {{{{x}}}}]"));
        assert_eq!(page, "a [x: {{x}}] b [y: {{x}}] {{");
    }

    /// A script that was changed does not run before its hash is.
    #[test]
    fn the_policy_allows_the_scripts_of_the_page() {
        let page = fill(TEMPLATE, |key| match key {
            "script" => SCRIPT.to_owned(),
            _ => String::new(),
        });
        let scripts = page.split("<script>").skip(1);
        let scripts = scripts.map(|it| it.split("</script>").next().unwrap());
        let hashes: Vec<String> = scripts.map(hash).collect();
        assert_eq!(hashes.len(), 2);
        let allowed = format!("script-src {};", hashes.join(" "));
        assert!(
            page.contains(&allowed),
            "the template should say `{allowed}`"
        );
        let policy = page.find("Content-Security-Policy").unwrap();
        assert!(policy < page.find("<script").unwrap());
    }

    /// A script as a policy names it: SHA-256 in base 64. Browsers see line ends as `\n`.
    fn hash(script: &str) -> String {
        const DIGITS: &[u8; 64] =
            b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let hash = hmac_sha256::Hash::hash(script.replace("\r\n", "\n").as_bytes());
        let mut text = String::new();
        for bytes in hash.chunks(3) {
            let bits = (0..3).fold(0, |bits, at| {
                bits << 8 | usize::from(*bytes.get(at).unwrap_or(&0))
            });
            for digit in 0..=bytes.len() {
                text.push(char::from(DIGITS[bits >> (18 - 6 * digit) & 63]));
            }
        }
        format!("'sha256-{text}='")
    }

    #[test]
    fn data_cannot_end_its_element() {
        let hostile = "</script><!-- <script> \u{2028}\u{2029}\n \"\\ \0 é";
        let safe = json(&hostile);
        assert!(
            !safe.contains(['<', '\u{2028}', '\u{2029}', '\n', '\0']),
            "{safe}"
        );
        let back: String = serde_json::from_str(&safe).unwrap();
        assert_eq!(back, hostile);
    }

    #[test]
    fn lists_are_read_as_people_write_them() {
        let check = |parts: &[&str], expected: &str| {
            let parts: Vec<String> = parts.iter().map(|&it| it.to_owned()).collect();
            assert_eq!(in_words(&parts), expected);
        };
        check(&[], "nothing");
        check(&["a"], "a");
        check(&["a", "b"], "a and b");
        check(&["a", "b", "c"], "a, b and c");
    }
}
