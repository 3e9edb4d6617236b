//! The data in the page: counts, places, holes, nesting; and nothing of a repository as markup.

use std::fs;

use patois_syntax::{Fragment, Idiom};
use serde_json::Value;
use tempfile::TempDir;

use super::*;
use crate::idiom_source::IdiomPrinter;
use crate::repository::{Repository, UnitConfig};

const HOSTILE: &str = "</script><script>alert(1)</script>\u{2028}<!--";

fn folder_with(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// The page about some idioms in Python files.
fn page(files: &[(&str, &str)], idioms: &[&str]) -> String {
    let folder = folder_with(files);
    let config = UnitConfig::default();
    let found = Repository::find(&[folder.path().to_owned()], &config).unwrap();
    let read = found.parse("python", &config, &|| ());
    let grammar = &read.grammar;
    let idiom = |notation: &&str| Idiom {
        fragment: Fragment::parse(grammar, notation).unwrap(),
        coverage: 1,
        score: 0.5,
    };
    let library = IdiomLibrary::new(grammar, idioms.iter().map(idiom).collect());
    let printer = IdiomPrinter::of_sources(grammar, &read.language);
    let file = IdiomFile::of_repository(&read, &library, Value::Null, &printer);
    let mut report = IdiomReport::new(HOSTILE, "function");
    report.link_from("");
    report.add(&read, &library, &file);
    report.to_html()
}

/// What is inside the script element with an id.
fn block<'p>(page: &'p str, id: &str) -> &'p str {
    let (_, after) = page.split_once(&format!("id=\"{id}\">")).unwrap();
    after.split_once("</script>").unwrap().0
}

/// The data in a page: for the list, and for each idiom.
fn data(page: &str) -> (Value, Vec<Value>) {
    let details = block(page, "details").trim().lines();
    (
        serde_json::from_str(block(page, "data")).unwrap(),
        details
            .map(|it| serde_json::from_str(it).unwrap())
            .collect(),
    )
}

const CODE: &str = "import os\n\n\ndef f(a):\n    print(a.x)\n    return os.path.join(a, 'é')\n";
const JOIN: &str = r#"(Call (Attribute (Attribute (Name "os") "path") "join") [?x ?y] [])"#;
const PATH: &str = r#"expr:(Attribute (Attribute (Name "os") "path") ?what)"#;

#[test]
fn counts_and_places_are_those_of_the_files() {
    let other = "def g(b):\n    return os.path.join(b, 'é')\n\ng = os.path.exists\n";
    let page = page(&[("src/a.py", CODE), ("src/b/c.py", other)], &[JOIN, PATH]);
    let (summary, details) = data(&page);
    let files = summary["files"].as_array().unwrap();
    assert_eq!(files[0]["path"], "a.py");
    assert_eq!(files[1]["path"], "b/c.py");
    assert_eq!(files[0]["lines"], 6);
    assert!(files[0]["covered"].as_u64() < files[0]["nodes"].as_u64());
    assert!(summary["base"].as_str().unwrap().ends_with("/src/"));

    let join = &summary["idioms"][0];
    assert_eq!(join["source"], "os.path.join($argument1, $argument2)");
    assert_eq!(
        join["holes"],
        serde_json::json!(["$argument1", "$argument2"])
    );
    assert_eq!(
        (&join["occurrences"], &join["programs"]),
        (&2.into(), &2.into())
    );
    assert_eq!(join["files"], serde_json::json!([0, 1, 1, 1]));
    assert_eq!(
        summary["idioms"][1]["files"],
        serde_json::json!([0, 1, 1, 2])
    );

    let place = &details[0]["places"][0];
    assert_eq!(
        (&place["file"], &place["line"], &place["column"]),
        (&0.into(), &6.into(), &12.into())
    );
    assert_eq!(place["first"], 4);
    assert_eq!(
        place["code"],
        "def f(a):\n    print(a.x)\n    return os.path.join(a, 'é')"
    );
    assert_eq!(place["mark"], serde_json::json!([36, 56]));
    assert_eq!(
        place["fills"],
        serde_json::json!([[0, 49, 50], [1, 52, 55]])
    );
}

#[test]
fn holes_are_filled_and_idioms_nest() {
    let page = page(
        &[
            ("a.py", CODE),
            ("b.py", CODE),
            ("c.py", "p = os.path.exists\n"),
        ],
        &[JOIN, PATH],
    );
    let (_, details) = data(&page);
    let filling = |idiom: usize, hole: usize| details[idiom]["fillings"][hole].clone();
    assert_eq!(
        filling(0, 0),
        serde_json::json!({"distinct": 1, "values": [["a", 2]]})
    );
    assert_eq!(
        filling(0, 1),
        serde_json::json!({"distinct": 1, "values": [["'é'", 2]]})
    );
    let expected = serde_json::json!({"distinct": 2, "values": [["join", 2], ["exists", 1]]});
    assert_eq!(filling(1, 0), expected);
    assert_eq!(
        details[0]["holds"],
        serde_json::json!([{"idiom": 1, "places": 2}])
    );
    assert_eq!(
        details[1]["inside"],
        serde_json::json!([{"idiom": 0, "places": 2}])
    );
    assert_eq!(details[0]["inside"], serde_json::json!([]));
}

#[test]
fn what_overlaps_does_not_nest() {
    let attribute = r#"expr:(Attribute ?x "join")"#;
    let page = page(&[("a.py", CODE)], &[PATH, attribute, JOIN]);
    let (_, details) = data(&page);
    let nested = |idiom: usize, key: &str| details[idiom][key].to_string();
    assert_eq!(nested(0, "holds"), "[]");
    let inside = r#"[{"idiom":2,"places":1}]"#;
    assert_eq!([nested(0, "inside"), nested(1, "inside")], [inside; 2]);
}

#[test]
fn a_place_is_covered_once_and_what_fills_holes_is_not() {
    let covered = |idioms: &[&str]| {
        let page = page(&[("a.py", "x = os.path.join(y, z)\n")], idioms);
        data(&page).0["files"][0]["covered"].as_u64().unwrap()
    };
    assert_eq!(covered(&[]), 0);
    assert_eq!(covered(&[PATH]), 5);
    assert_eq!(covered(&[JOIN, PATH]), covered(&[JOIN]));
    assert_eq!(covered(&["expr:(Name ?x)"]), 3);
}

#[test]
fn nothing_in_a_repository_is_markup() {
    let code = format!("f({HOSTILE:?}, '{HOSTILE}')\n# </script>\n").replace("\\u{2028}", "");
    let name = "a<b>&\"'.py";
    let page = page(&[(name, &code)], &[r#"(Call (Name "f") [?x ?y] [])"#]);
    assert!(!page.contains("<script>alert"), "{page}");
    assert!(!block(&page, "data").contains('\u{2028}'));
    assert!(!block(&page, "details").contains('\u{2028}'));
    assert_eq!(page.matches("</script>").count(), 4);
    assert_eq!(page.matches("<!--").count(), 0);
    let (summary, details) = data(&page);
    assert_eq!(summary["name"], HOSTILE);
    assert_eq!(summary["files"][0]["path"], name);
    let value = &details[0]["fillings"][1]["values"][0][0];
    assert_eq!(value, &format!("'{}'", HOSTILE.replace('\u{2028}', " ")));
}

#[test]
fn the_same_input_gives_the_same_page() {
    let folder = folder_with(&[("a.py", CODE)]);
    let once = || {
        let config = UnitConfig::default();
        let found = Repository::find(&[folder.path().to_owned()], &config).unwrap();
        let read = found.parse("python", &config, &|| ());
        let library = IdiomLibrary::empty(&read.grammar);
        let printer = IdiomPrinter::of_sources(&read.grammar, &read.language);
        let file = IdiomFile::of_repository(&read, &library, Value::Null, &printer);
        let mut report = IdiomReport::new("x", "function");
        report.add(&read, &library, &file);
        report.to_html()
    };
    assert_eq!(once(), once());
    assert!(once().contains("0 idioms, mined from 1 file of python (2 programs)."));
}

#[test]
fn folders_in_common() {
    let check = |one, other, expected| assert_eq!(common_folder(one, other), expected);
    check("a/b/", "a/b/c/", "a/b/");
    check("a/bc/", "a/b/", "a/");
    check("/x/", "y/", "");
    check("", "y/", "");
    assert_eq!(folder_of("a/b.py"), "a/");
    assert_eq!(folder_of("b.py"), "");
}

#[test]
fn places_that_are_nearly_as_usual_are_on_the_page() {
    let usual = |it: usize| {
        let path = format!("src/usual{it}.py");
        let code = format!("def f{it}(x, path):\n    disk.table.save(x, path)\n");
        (path, code.repeat(20))
    };
    let usual: Vec<(String, String)> = (0..20).map(usual).collect();
    let odd = "def g(y, path):\n    disk.table.save(y)  # </pre><b>\n";
    let mut files: Vec<(&str, &str)> = vec![("src/odd.py", odd)];
    files.extend(usual.iter().map(|it| (it.0.as_str(), it.1.as_str())));
    let html = page(&files, &[]);
    let (_, section) = html.split_once("Nearly as usual").unwrap();
    let (_, first) = section.split_once("<li>").unwrap();
    assert!(
        first.starts_with("<p class=\"where\">odd.py:2:5 "),
        "{first}"
    );
    assert!(first.contains("here it is missing"), "{first}");
    assert!(first.contains("&lt;/pre&gt;&lt;b&gt;"), "{first}");
    assert!(!page(&[("a.py", CODE)], &[]).contains("Nearly as usual"));
}
