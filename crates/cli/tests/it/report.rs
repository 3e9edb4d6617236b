//! The report of a run: its three writers on a report made by hand.

use patois::corpus::Split;
use patois::report::curve::{Curve, Point};
use patois::report::results::{ComponentRow, Level, Results, Shown, Usage, UsedIdiom};
use patois::report::{CorpusSummary, IdiomSummary, Report, SplitSize, System, Timing, VERSION};
use patois::run::trace::{Part, Source};
use serde_json::json;

/// Text that would do harm in a page or in Markdown.
const HOSTILE: &str =
    "</code><script>alert(\"1\")</script> & 'x' <img src=http://a.b/c> | `` **b** \u{1b}[31m\0";

fn shown(question: &str, predicted: &str) -> Shown {
    Shown {
        id: "default/test/1".to_owned(),
        database: Some("zoo".to_owned()),
        question: question.to_owned(),
        expected: "SELECT name FROM animal WHERE age > 3".to_owned(),
        predicted: predicted.to_owned(),
        probability: Some(0.25),
        execution: Some(false),
        idioms: vec![0],
        trace: vec![
            Part {
                depth: 0,
                label: "select".to_owned(),
                idiom: Some(0),
                is_root_of_idiom: true,
                probability: Some(0.5),
                sources: Vec::new(),
            },
            Part {
                depth: 1,
                label: "\"3\"".to_owned(),
                idiom: None,
                is_root_of_idiom: false,
                probability: Some(0.5),
                sources: vec![Source {
                    subtoken: "3".to_owned(),
                    words: "3".to_owned(),
                    first: 5,
                    last: 5,
                }],
            },
        ],
        errors: vec!["the predicted query fails: no such table".to_owned()],
    }
}

fn results(set: Split, exact_match: f64) -> Results {
    Results {
        set,
        examples: 4,
        step: 20,
        beam: 1,
        seconds: 1.5,
        errors: 1,
        exact_match,
        execution: Some(0.5),
        sentence_bleu: None,
        corpus_bleu: None,
        hardness: vec![Level {
            level: "easy".to_owned(),
            examples: 4,
            exact_match: Some(exact_match),
            execution: None,
        }],
        components: vec![ComponentRow {
            component: "select".to_owned(),
            accuracy: 0.5,
            recall: 0.25,
            f1: 1.0 / 3.0,
        }],
        usage: Usage {
            all: vec![1, 2, 1],
            exact: vec![0, 2],
            idioms: vec![UsedIdiom {
                idiom: 0,
                all: 4,
                exact: 2,
            }],
        },
        right: vec![shown(
            "Which animals are older than 3?",
            "SELECT name FROM animal WHERE age > 3",
        )],
        wrong: vec![shown("Which are older than 3?", "SELECT age FROM animal")],
    }
}

fn system(name: &str, exact_match: f64) -> System {
    let point = |step, loss| Point { step, loss };
    System {
        name: name.to_owned(),
        objective: "marginal".to_owned(),
        idioms: usize::from(name == "idioms"),
        step: 20,
        dev_loss: Some(2.5),
        curve: Curve {
            train: vec![point(10, 4.0), point(20, 3.0)],
            dev: vec![point(20, 2.5)],
        },
        results: vec![
            results(Split::Test, exact_match),
            results(Split::Handwritten, exact_match / 2.0),
        ],
    }
}

/// A report of two systems, as `add` makes one.
fn small() -> Report {
    let size = |split, examples| SplitSize {
        split,
        examples,
        dropped: 0,
    };
    let mut report = Report {
        version: VERSION,
        patois: "0.1.0".to_owned(),
        run: None,
        corpus: CorpusSummary {
            name: "default".to_owned(),
            language: "sql".to_owned(),
            databases: 1,
            splits: vec![
                size(Split::Train, 1200),
                size(Split::Test, 4),
                size(Split::Handwritten, 4),
            ],
            notes: Vec::new(),
        },
        seed: 7,
        config: json!({ "seed": 7, "training": { "n_steps": 20 } }),
        sets: Vec::new(),
        systems: vec![system("baseline", 0.25), system("idioms", 0.5)],
        idioms: vec![IdiomSummary {
            idiom: 0,
            source: "SELECT $column FROM $table WHERE $where?".to_owned(),
            notation: "(select ?0 ?1 ?2)".to_owned(),
            occurrences: 1104,
            programs: 1054,
            score: 12.0,
            examples: vec!["SELECT name FROM animal".to_owned()],
            phrases: Vec::new(),
        }],
        timings: vec![Timing {
            stage: "train idioms".to_owned(),
            seconds: 101.4,
        }],
    };
    for name in ["baseline", "idioms"] {
        let of_system = report.systems.iter().find(|it| it.name == name);
        for results in of_system.unwrap().results.clone() {
            report.add(name, results);
        }
    }
    report
}

/// The report with a hostile text in all places that have one.
fn hostile() -> Report {
    let mut report = small();
    HOSTILE.clone_into(&mut report.corpus.name);
    HOSTILE.clone_into(&mut report.idioms[0].source);
    report.config = json!({ "corpus": HOSTILE });
    HOSTILE.clone_into(&mut report.timings[0].stage);
    for set in &mut report.sets {
        HOSTILE.clone_into(&mut set.label);
    }
    for system in &mut report.systems {
        HOSTILE.clone_into(&mut system.name);
        HOSTILE.clone_into(&mut system.objective);
        for results in &mut system.results {
            HOSTILE.clone_into(&mut results.hardness[0].level);
            HOSTILE.clone_into(&mut results.components[0].component);
            for shown in results.right.iter_mut().chain(&mut results.wrong) {
                for text in [
                    &mut shown.id,
                    &mut shown.question,
                    &mut shown.expected,
                    &mut shown.predicted,
                    &mut shown.errors[0],
                ] {
                    HOSTILE.clone_into(text);
                }
                shown.database = Some(HOSTILE.to_owned());
                HOSTILE.clone_into(&mut shown.trace[0].label);
                HOSTILE.clone_into(&mut shown.trace[1].sources[0].words);
            }
        }
    }
    report
}

/// What is wrong with a page: tags that do not pair up, attributes without quotes, a link or
/// picture from elsewhere, a script, an anchor that leads nowhere.
#[track_caller]
pub(crate) fn check_page(html: &str) {
    const VOID: [&str; 1] = ["meta"];
    const KNOWN: &str = "a article body caption circle code dd details div dl dt figcaption figure \
        footer h1 h2 h3 h4 h5 head header html li main mark meta nav ol p path pre q rect section small \
        span style summary svg table tbody td text th thead title tr ul";
    let body = html.strip_prefix("<!DOCTYPE html>\n").unwrap();
    let mut open: Vec<&str> = Vec::new();
    for rest in body.split('<').skip(1) {
        let (tag, text) = rest.split_once('>').unwrap_or_else(|| panic!("{rest}"));
        // Between tags nothing is left that could be one.
        let is_style = tag == "style";
        assert!(is_style || !text.contains('>'), "{rest}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "{tag}");
            continue;
        }
        let (tag, is_closed) = match tag.strip_suffix('/') {
            Some(tag) => (tag, true),
            None => (tag, false),
        };
        let name = tag.split([' ', '\n']).next().unwrap();
        assert!(KNOWN.split_whitespace().any(|it| it == name), "<{tag}>");
        check_attributes(tag[name.len()..].trim(), html);
        if !is_closed && !VOID.contains(&name) {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
    assert!(!html.contains("url("), "something from elsewhere");
    let is_visible = |it: char| it == '\n' || it == '\t' || !it.is_control();
    assert!(html.chars().all(is_visible), "a control character");
}

#[track_caller]
fn check_attributes(mut attributes: &str, html: &str) {
    while !attributes.is_empty() {
        let (name, rest) = attributes.split_once("=\"").expect("a value in quotes");
        let (value, rest) = rest.split_once('"').expect("a closing quote");
        let is_name = |it: char| it.is_ascii_alphabetic() || it == '-';
        assert!(name.chars().all(is_name), "{attributes}");
        assert!(!name.starts_with("on") && name != "src", "{attributes}");
        if name == "href" {
            let id = value.strip_prefix('#').expect("a link inside of the page");
            assert!(html.contains(&format!(" id=\"{id}\"")), "{value}");
        }
        attributes = rest.trim();
    }
}

#[test]
fn as_plain_text() {
    insta::assert_snapshot!(small().to_markdown());
}

#[test]
fn as_a_page() {
    let html = small().to_html();
    check_page(&html);
    assert!(!html.contains("://"), "a page needs nothing else");
    assert!(
        html.contains("Content-Security-Policy"),
        "and may do nothing else"
    );
    for part in [
        "<span class=\"hole\">$where?</span>",
        "<td class=\"best\">0.500<small>",
        "<a href=\"#idiom-0\"",
        "<mark>3</mark>?",
        "SELECT <mark>name</mark>",
        "1,104 occurrences in 1,054 programs",
        "8 times",
        "test, hand-written",
        "n_steps = 20",
    ] {
        assert!(html.contains(part), "no {part} in {html}");
    }
    assert_eq!(html.matches("<svg").count(), 3 + 4 + 1);
}

#[test]
fn hostile_texts_stay_texts() {
    let report = hostile();
    check_page(&report.to_html());
    let markdown = report.to_markdown();
    let mut fence: Option<&str> = None;
    for line in markdown.lines() {
        let ticks = &line[..line.len() - line.trim_start_matches('`').len()];
        match fence {
            Some(open) if ticks == open && ticks == line => fence = None,
            None if ticks.len() >= 3 => fence = Some(ticks),
            None => assert!(
                !line.contains("<script") || line.contains("\\<script"),
                "{line}"
            ),
            Some(_) => {}
        }
    }
    assert_eq!(fence, None);
    let again: Report = serde_json::from_str(&report.to_json()).unwrap();
    assert_eq!(again, report);
}

#[test]
fn little_can_be_reported_too() {
    let mut report = small();
    report.systems.truncate(1);
    report.idioms.clear();
    check_page(&report.to_html());
    for system in &mut report.systems {
        system.results.clear();
        system.curve = Curve::default();
    }
    report.sets.clear();
    report.timings.clear();
    report.corpus = CorpusSummary::default();
    check_page(&report.to_html());
    assert!(report.to_markdown().contains("Nothing was evaluated yet"));
    report.systems.clear();
    check_page(&report.to_html());
    report.to_markdown();
}
