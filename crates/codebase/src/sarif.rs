//! Findings as SARIF 2.1.0, which code hosts and editors read.
//!
//! Only what the standard defines is written; `columnKind` is code points, as our columns are.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};

use crate::findings::{Finding, Fix, Region, Related, RuleText, plain_path};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// What the fingerprints of results are called.
const FINGERPRINT: &str = "patois/v1";

/// Findings of one run, with the rules that they are against; paths are told from `base`.
///
/// ```
/// use patois_codebase::sarif::sarif;
///
/// let log = sarif(&[], &[], std::path::Path::new("/src"));
/// assert_eq!(log["version"], "2.1.0");
/// ```
pub fn sarif(findings: &[Finding], rules: &[RuleText], base: &Path) -> Value {
    let results = findings.iter().map(|it| result(it, rules, base));
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "patois",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": rules.iter().map(rule).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "results": results.collect::<Vec<_>>(),
        }],
    })
}

fn rule(rule: &RuleText) -> Value {
    json!({
        "id": rule.id,
        "shortDescription": { "text": non_empty(&rule.title) },
        "fullDescription": { "text": non_empty(&rule.description) },
    })
}

fn result(finding: &Finding, rules: &[RuleText], base: &Path) -> Value {
    let related = finding.related.iter().enumerate();
    let related = related.map(|(id, it)| related_location(id + 1, it, base));
    let mut result = json!({
        "ruleId": finding.rule,
        "level": finding.level.name(),
        "message": { "text": message(&finding.message) },
        "locations": [{ "physicalLocation": physical_location(&finding.region, base) }],
        "relatedLocations": related.collect::<Vec<_>>(),
        "partialFingerprints": { FINGERPRINT: finding.fingerprint },
    });
    if let Some(index) = rules.iter().position(|it| it.id == finding.rule) {
        result["ruleIndex"] = json!(index);
    }
    if let Some(fix) = &finding.fix {
        result["fixes"] = json!([fix_of(fix, base)]);
    }
    result
}

fn related_location(id: usize, related: &Related, base: &Path) -> Value {
    json!({
        "id": id,
        "message": { "text": message(&related.message) },
        "physicalLocation": physical_location(&related.region, base),
    })
}

fn physical_location(place: &Region, base: &Path) -> Value {
    json!({
        "artifactLocation": artifact(place, base),
        "region": region(place),
    })
}

fn region(place: &Region) -> Value {
    json!({
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    })
}

fn artifact(place: &Region, base: &Path) -> Value {
    json!({ "uri": uri(&plain_path(Path::new(&place.file), base)) })
}

fn fix_of(fix: &Fix, base: &Path) -> Value {
    json!({
        "description": { "text": message(&fix.description) },
        "artifactChanges": [{
            "artifactLocation": artifact(&fix.region, base),
            "replacements": [{
                "deletedRegion": region(&fix.region),
                "insertedContent": { "text": fix.replacement },
            }],
        }],
    })
}

/// A message as SARIF has it: square brackets would be links, and braces places to fill in.
fn message(text: &str) -> String {
    let mut message = String::with_capacity(text.len());
    for it in non_empty(text).chars() {
        match it {
            '[' | ']' | '\\' => message.extend(['\\', it]),
            '{' | '}' => message.extend([it, it]),
            _ => message.push(it),
        }
    }
    message
}

/// A description must say something.
fn non_empty(text: &str) -> &str {
    if text.trim().is_empty() { "-" } else { text }
}

/// A path as a relative reference (RFC 3986), or a `file:` one where it is absolute.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    if path.starts_with('/') {
        uri.push_str("file://");
    }
    for byte in path.bytes() {
        match byte {
            b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(byte.into()),
            _ if byte.is_ascii_alphanumeric() => uri.push(byte.into()),
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::Level;

    fn place(file: &str) -> Region {
        Region {
            file: file.to_owned(),
            line: 3,
            column: 5,
            end_line: 3,
            end_column: 9,
            text: "f(\"</script>\")".to_owned(),
        }
    }

    fn hostile() -> (Finding, RuleText) {
        let finding = Finding {
            rule: "python-00ff".to_owned(),
            level: Level::Error,
            message: "37 of 38 places write `a[0]` and {x}; here `\"</script>\n` [evil](http://x)"
                .to_owned(),
            region: place("src/a b#é?.py"),
            related: vec![Related {
                message: "the usual way".to_owned(),
                region: place("/abs/c.py"),
            }],
            fingerprint: "0123456789abcdef".to_owned(),
            fix: Some(Fix {
                description: "write `a[0]`".to_owned(),
                start: 10,
                end: 14,
                replacement: "a[0] # {\"}".to_owned(),
                region: place("src/a b#é?.py"),
            }),
        };
        let rule = RuleText {
            id: "python-00ff".to_owned(),
            title: String::new(),
            description: "a[0]".to_owned(),
        };
        (finding, rule)
    }

    #[test]
    fn a_finding_is_a_result_with_all_that_is_known_of_it() {
        let (finding, rule) = hostile();
        let log = sarif(&[finding], &[rule], Path::new("/base"));
        let result = &log["runs"][0]["results"][0];
        assert_eq!(result["ruleIndex"], 0);
        assert_eq!(result["level"], "error");
        let location = &result["locations"][0]["physicalLocation"];
        let uri = &location["artifactLocation"]["uri"];
        assert_eq!(uri, "src/a%20b%23%C3%A9%3F.py");
        assert_eq!(location["region"]["startColumn"], 5);
        let related = &result["relatedLocations"][0]["physicalLocation"];
        assert_eq!(related["artifactLocation"]["uri"], "file:///abs/c.py");
        let change = &result["fixes"][0]["artifactChanges"][0]["replacements"][0];
        assert_eq!(change["insertedContent"]["text"], "a[0] # {\"}");
        let text = result["message"]["text"].as_str().unwrap();
        assert!(text.contains("`a\\[0\\]` and {{x}}"), "{text}");
        let rules = &log["runs"][0]["tool"]["driver"]["rules"];
        assert_eq!(rules[0]["shortDescription"]["text"], "-");
    }

    /// Everything that the schema of SARIF 2.1.0 requires of what is written, and nothing that it forbids.
    #[test]
    fn only_known_keys_are_written() {
        let (finding, rule) = hostile();
        let log = sarif(&[finding], &[rule], Path::new("/base"));
        let check = |value: &Value, expected: &[&str]| {
            let keys: Vec<&String> = value.as_object().unwrap().keys().collect();
            assert!(
                keys.iter().all(|it| expected.contains(&it.as_str())),
                "{keys:?}"
            );
        };
        check(&log, &["$schema", "version", "runs"]);
        let run = &log["runs"][0];
        check(run, &["tool", "columnKind", "results"]);
        let result = &run["results"][0];
        let keys = [
            "ruleId",
            "ruleIndex",
            "level",
            "message",
            "locations",
            "relatedLocations",
            "partialFingerprints",
            "fixes",
        ];
        check(result, &keys);
        let region = &result["locations"][0]["physicalLocation"]["region"];
        for (_, number) in region.as_object().unwrap() {
            assert!(number.as_u64().unwrap() >= 1);
        }
    }
}
