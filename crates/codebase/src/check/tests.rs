//! What is found in small code bases, in several languages, and how surprising it is.

use patois_languages::SourceLanguage;

use super::*;
use crate::repository::UnitConfig;

fn read(language: &str, files: &[(String, String)]) -> RepositoryPrograms {
    let language = SourceLanguage::named(language).unwrap();
    RepositoryPrograms::of_sources(language, files.to_vec(), &UnitConfig::default())
}

/// Files with so many functions that have the usual body, and one with the other.
fn files(ending: &str, usual: &dyn Fn(usize) -> String, other: &str) -> Vec<(String, String)> {
    let file = |index: usize| {
        let code: String = (0..10).map(|it| usual(10 * index + it)).collect();
        (format!("a{index}.{ending}"), code)
    };
    let mut files: Vec<(String, String)> = (0..3).map(file).collect();
    files.push((format!("odd.{ending}"), other.to_owned()));
    files
}

/// In a small house, nothing surprises as much as the usual threshold asks for.
fn small() -> CheckConfig {
    CheckConfig {
        min_surprise: 2.0,
        ..CheckConfig::default()
    }
}

/// Checks that the first finding is on a line of the odd file and says something; and that rules which were written down
/// find the same in that file alone.
fn check_first(language: &str, files: &[(String, String)], line: usize, expected: &str) {
    let read_all = read(language, files);
    let config = small();
    let found = check(&read_all, &[], &config).found;
    let first = found
        .first()
        .unwrap_or_else(|| panic!("nothing was found in {language}"));
    let region = &first.finding.region;
    assert!(region.file.starts_with("odd."), "{:?}", first.finding);
    assert_eq!(region.line, line, "{:?}", first.finding);
    assert!(
        first.finding.message.contains(expected),
        "{}",
        first.finding.message
    );
    let rules = rules(&read_all, &[], &config);
    let odd = read(language, &files[files.len() - 1..]);
    let again = check_against(&odd, &rules, &config).found;
    let lines = again.iter().map(|it| it.finding.region.line);
    assert!(
        lines.clone().any(|it| it == line),
        "{language}: {:?}",
        lines.collect::<Vec<_>>()
    );
}

#[test]
fn another_literal_is_found() {
    let usual = |it: usize| format!("def f{it}(x):\n    store.save(x, mode='safe', retries=3)\n");
    let odd = "def g(y):\n    store.save(y, mode='sfae', retries=3)\n";
    check_first(
        "python",
        &files("py", &usual, odd),
        2,
        "here it is `'sfae'`",
    );
}

#[test]
fn a_missing_argument_is_found() {
    let usual = |it: usize| format!("def f{it}(x):\n    open_table(x, encoding='utf-8')\n");
    let odd = "def g(y):\n    open_table(y)\n";
    check_first("python", &files("py", &usual, odd), 2, "here it is missing");
}

#[test]
fn a_missing_await_is_found() {
    let usual = |it: usize| {
        format!("async function f{it}(x) {{ const r = await queue.push(x); return r; }}\n")
    };
    let odd = "async function g(y) { const r = queue.push(y); return r; }\n";
    check_first("javascript", &files("js", &usual, odd), 1, "await");
}

#[test]
fn a_dropped_error_is_found() {
    let usual = |it: usize| {
        format!("package a\nfunc f{it}(x int) error {{\n\terr := disk.Sync(x)\n\treturn err\n}}\n")
    };
    let usual = |it: usize| {
        usual(it).replace(
            "package a\n",
            if it.is_multiple_of(10) {
                "package a\n"
            } else {
                ""
            },
        )
    };
    let odd = "package a\nfunc g(y int) error {\n\tdisk.Sync(y)\n\treturn nil\n}\n";
    check_first("go", &files("go", &usual, odd), 3, "disk.Sync");
}

#[test]
fn a_missing_neighbour_is_found() {
    let usual = |it: usize| {
        format!(
            "def f{it}(x):\n    store.begin(x)\n    touch{it}(x)\n    store.commit(x)\n    store.notify_all(x)\n"
        )
    };
    let odd = "def g(y):\n    store.begin(y)\n    touch(y)\n    store.commit(y)\n";
    check_first("python", &files("py", &usual, odd), 4, "notify_all");
}

#[test]
fn what_several_places_do_is_another_way() {
    let usual = |it: usize| format!("def f{it}(x):\n    store.save(x, mode='safe')\n");
    let odd = "def g(y):\n    store.save(y, mode='fast')\n".repeat(tally::ALTERNATIVE);
    let read = read("python", &files("py", &usual, &odd));
    let config = CheckConfig {
        min_share: 0.8,
        ..CheckConfig::default()
    };
    assert!(check(&read, &[], &config).found.is_empty());
}

#[test]
fn another_object_must_surprise_more_than_a_missing_argument() {
    let usual =
        |it: usize| format!("def f{it}(self):\n    self.connection.send_all(self.rows, 7)\n");
    let is_found = |odd: &str| {
        let read = read("python", &files("py", &usual, odd));
        !check(&read, &[], &CheckConfig::default()).found.is_empty()
    };
    assert!(is_found(
        "def g(self):\n    self.connection.send_all(self.rows)\n"
    ));
    assert!(!is_found(
        "def g(self):\n    self.mirror.send_all(self.rows, 7)\n"
    ));
}

#[test]
fn a_row_of_equal_calls_begins_and_ends_somewhere() {
    let usual = |it: usize| format!("register_handler('a{it}', handle_{it})\n");
    let odd = "register_handler('odd', handle)\n";
    let read = read("python", &files("py", &usual, odd));
    let found = check(&read, &[], &CheckConfig::default()).found;
    assert!(found.is_empty(), "{:?}", found[0].finding);
}

#[test]
fn heads_of_definitions_and_tokens_of_macros_are_as_they_must_be() {
    let usual = |it: usize| format!("def f{it}(self, *args, **kwargs):\n    return {it}\n");
    let odd = "def f0(self, *args):\n    return 0\n";
    let python = read("python", &files("py", &usual, odd));
    assert!(
        check(&python, &[], &CheckConfig::default())
            .found
            .is_empty()
    );
    let usual = |it: usize| format!("fn f{it}(x: usize) {{ trace!(\"at {{}}\", x, {it}); }}\n");
    let odd = "fn g(x: usize) { trace!(\"begin\"); }\n";
    let rust = read("rust", &files("rs", &usual, odd));
    assert!(check(&rust, &[], &CheckConfig::default()).found.is_empty());
}

#[test]
fn what_one_file_does_throughout_is_its_way() {
    let usual = |it: usize| format!("def f{it}(x):\n    open_table(x, encoding='utf-8')\n");
    let odd = "def g(y):\n    open_table(y)\n";
    let is_found = |odd: &str| {
        let read = read("python", &files("py", &usual, odd));
        !check(&read, &[], &small()).found.is_empty()
    };
    assert!(is_found(odd));
    assert!(!is_found(&odd.repeat(2)));
}

#[test]
fn two_other_ways_in_a_file_are_two_findings() {
    let way = |name: &str, mode: &str| {
        format!("def {name}(x):\n    rows = store.read_table(x, mode='{mode}')\n    return rows\n")
    };
    let usual = |it: usize| way(&format!("e{it}"), "strict") + &way(&format!("f{it}"), "strict");
    let odd = way("g", "lenient") + &way("h", "loose");
    let read = read("python", &files("py", &usual, &odd));
    let found = check(&read, &[], &small()).found;
    let lines: BTreeSet<usize> = found.iter().map(|it| it.finding.region.line).collect();
    assert_eq!(lines, BTreeSet::from([2, 5]));
}

#[test]
fn an_error_that_is_made_and_kept_is_handled_and_one_that_is_dropped_is_not() {
    let usual = |it: usize| format!("def f{it}(x):\n    raise TableError('no table', x)\n");
    let is_found = |odd: &str| {
        let read = read("python", &files("py", &usual, odd));
        !check(&read, &[], &CheckConfig::default()).found.is_empty()
    };
    assert!(is_found("def g(y):\n    TableError('no table', y)\n"));
    assert!(!is_found(
        "def g(y):\n    return TableError('no table', y)\n"
    ));
}

#[test]
fn an_empty_container_and_handed_on_arguments_lack_nothing() {
    let usual = |it: usize| format!("def f{it}(x):\n    return dict(x, a={it})\n");
    let is_found = |odd: &str| {
        let read = read("python", &files("py", &usual, odd));
        !check(&read, &[], &CheckConfig::default()).found.is_empty()
    };
    assert!(!is_found("def g(y):\n    return dict()\n"));
    assert!(!is_found("def g(y):\n    return dict(*y)\n"));
}

#[test]
fn surprise_grows_with_evidence_and_shrinks_with_exceptions() {
    let at = |n_others, n_usual| bits(0.5, n_others, n_usual);
    assert!(at(0.0, 200.0) > at(0.0, 40.0) && at(0.0, 40.0) > at(0.0, 20.0));
    assert!(at(0.0, 100.0) > at(1.0, 100.0) && at(1.0, 100.0) > at(5.0, 100.0));
    assert!(bits(0.9, 0.0, 20.0) > bits(0.1, 0.0, 20.0));
}

#[test]
fn hostile_code_is_shown_as_it_is_and_breaks_nothing() {
    let usual = |it: usize| format!("def f{it}(x):\n    page.write(x, tag='</script>\"{{[')\n");
    let odd = "def g(y):\n    page.write(y, tag='<b>')\n";
    let read = read("python", &files("py", &usual, odd));
    let found = check(&read, &[], &small()).found;
    assert_eq!(found.len(), 1);
    assert!(
        found[0].finding.message.contains("</script>"),
        "{}",
        found[0].finding.message
    );
}
