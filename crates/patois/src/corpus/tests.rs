//! Every reader on small data, good and bad; the real datasets where `PATOIS_DATA` names them.

use std::fs;
use std::path::Path;

use patois_syntax::{Ast, Language, ParseError, PrintError};
use proptest::prelude::*;
use tempfile::TempDir;

use super::*;

pub(super) const TABLES: &str = r#"[{"db_id": "pets", "table_names": ["dog"], "table_names_original": ["Dog"],
    "column_names": [[-1, "*"], [0, "name"]], "column_names_original": [[-1, "*"], [0, "Name"]],
    "column_types": ["text", "text"], "primary_keys": [1], "foreign_keys": []}]"#;

/// A folder with the given files; a file whose content is `None` is a folder instead.
pub(super) fn folder(files: &[(&str, Option<&[u8]>)]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, content) in files {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        match content {
            Some(content) => fs::write(path, content).unwrap(),
            None => fs::create_dir(path).unwrap(),
        }
    }
    dir
}

fn open(path: &Path) -> Result<Corpus, CorpusError> {
    open_as(None, path)
}

pub(super) fn open_as(language: Option<&str>, path: &Path) -> Result<Corpus, CorpusError> {
    let nowhere = DataDir::locate(Some(Path::new("nowhere")));
    let options = CorpusOptions {
        language: language.map(str::to_owned),
        ..CorpusOptions::default()
    };
    Corpus::open(path.to_str().unwrap(), &nowhere, &options)
}

/// `split id text code` of every example, then `split id reason` of every dropped row.
pub(super) fn describe(corpus: &Corpus) -> Vec<String> {
    let examples = corpus
        .examples
        .iter()
        .map(|it| format!("{} {} {:?} {:?}", it.split, it.id, it.text, it.code));
    let dropped = corpus
        .dropped
        .iter()
        .map(|it| format!("{} {} dropped: {}", it.split, it.id, it.reason));
    examples.chain(dropped).collect()
}

fn check(files: &[(&str, &str)], expected: &[&str]) -> Corpus {
    let files: Vec<_> = files
        .iter()
        .map(|(name, content)| (*name, Some(content.as_bytes())))
        .collect();
    let dir = folder(&files);
    let corpus = open(dir.path()).unwrap();
    assert_eq!(describe(&corpus), expected);
    corpus
}

/// Opens a folder, or the file called `name` in it, and expects all parts in the error's message.
fn check_error(name: &str, files: &[(&str, Option<&[u8]>)], parts: &[&str]) {
    let dir = folder(files);
    let message = open(&dir.path().join(name)).unwrap_err().to_string();
    for part in parts {
        assert!(message.contains(part), "no {part:?} in {message:?}");
    }
}

#[test]
fn hearthstone_programs_span_lines() {
    check(
        &[
            ("train_hs.in", "\u{feff}A NAME_END\r\nB NAME_END\r\n"),
            ("train_hs.out", "class A:§    pass§\n\n"),
            ("dev_hs.in", "C NAME_END"),
            ("dev_hs.out", "class C: pass"),
        ],
        &[
            r#"train train_hs.in:1 "A NAME_END" "class A:\n    pass\n""#,
            r#"dev dev_hs.in:1 "C NAME_END" "class C: pass""#,
            "train train_hs.in:2 dropped: the program is empty",
        ],
    );
}

#[test]
fn hearthstone_test_split_is_read_where_it_is_present() {
    let pair = [("train_hs.in", "a"), ("train_hs.out", "a")];
    let dev = [("dev_hs.in", "b"), ("dev_hs.out", "b")];
    let test = [("test_hs.in", "c"), ("test_hs.out", "c")];
    let expected = [
        r#"train train_hs.in:1 "a" "a""#,
        r#"dev dev_hs.in:1 "b" "b""#,
        r#"test test_hs.in:1 "c" "c""#,
    ];
    check(&[pair, dev].concat(), &expected[..2]);
    check(&[pair, dev, test].concat(), &expected);
}

#[test]
fn hearthstone_files_must_agree() {
    let input: (&str, Option<&[u8]>) = ("train_hs.in", Some(b"a\nb\n"));
    check_error(
        "",
        &[input, ("train_hs.out", Some(b"a\n"))],
        &["train_hs.out as in", "found 1 and 2"],
    );
    check_error("", &[input], &["train_hs.out", "Ling et al. 2016"]);
    check_error(
        "",
        &[input, ("train_hs.out", None)],
        &["train_hs.out", "one program per line", "directory"],
    );
    check_error(
        "",
        &[input, ("train_hs.out", Some(b"a\n\xc3("))],
        &["train_hs.out:2", "UTF-8", "0xc3"],
    );
    let empty: &[(&str, Option<&[u8]>)] = &[
        ("train_hs.in", Some(b"")),
        ("train_hs.out", Some(b"")),
        ("dev_hs.in", Some(b"")),
        ("dev_hs.out", Some(b"")),
    ];
    check_error("", empty, &["expected python programs, found none"]);
}

const SPIDER_ROW: &str =
    r#"[{"db_id": "pets", "question": "How many?", "query": "SELECT 1", "sql": null}]"#;

#[test]
fn spider_rows_carry_their_database() {
    let others = r#"[{"db_id": "cats", "question": "Which?", "query": "SELECT 2"}]"#;
    let files = [
        ("tables.json", TABLES),
        ("train_spider.json", SPIDER_ROW),
        ("train_others.json", others),
        ("dev.json", SPIDER_ROW),
    ];
    let corpus = check(
        &files,
        &[
            r#"train train_spider.json[0] "How many?" "SELECT 1""#,
            r#"dev dev.json[0] "How many?" "SELECT 1""#,
            "train train_others.json[0] dropped: the database `cats` is not in tables.json",
        ],
    );
    assert_eq!(corpus.examples[0].database.as_deref(), Some("pets"));
    assert_eq!(corpus.databases["pets"].tables[0].name, "Dog");
}

#[test]
fn spider_can_do_without_train_others() {
    let files = [
        ("tables.json", TABLES),
        ("train_spider.json", SPIDER_ROW),
        ("dev.json", SPIDER_ROW),
    ];
    let dir = folder(&files.map(|(name, content)| (name, Some(content.as_bytes()))));
    assert_eq!(
        spider::read(dir.path(), TrainOthers::LeaveOut)
            .unwrap()
            .examples
            .len(),
        2
    );
    let message = open(dir.path()).unwrap_err().to_string();
    assert!(message.contains("train_others.json"), "{message}");
}

#[test]
fn spider_files_must_be_of_their_shape() {
    let tables: (&str, Option<&[u8]>) = ("tables.json", Some(TABLES.as_bytes()));
    let row = |content: &'static str| ("train_spider.json", Some(content.as_bytes()));
    check_error(
        "",
        &[tables, row(&SPIDER_ROW[..40])],
        &["train_spider.json:1:40", "`question`", "EOF"],
    );
    check_error(
        "",
        &[tables, row("[\n{\"db_id\": \"pets\", \"question\": 3}]")],
        &["train_spider.json:2", "integer `3`, expected a string"],
    );
    let dangling = TABLES.replace("\"foreign_keys\": []", "\"foreign_keys\": [[1, 7]]");
    check_error(
        "",
        &[("tables.json", Some(dangling.as_bytes())), row(SPIDER_ROW)],
        &["tables.json", "foreign key 0 names column 7"],
    );
}

#[test]
fn conala_prefers_rewritten_intents_and_holds_rows_out() {
    let row = |index: usize| {
        format!(r#"{{"intent": "i{index}", "rewritten_intent": null, "snippet": "s{index}"}}"#)
    };
    let train = (0..201).map(row).collect::<Vec<_>>().join(",");
    let test = r#"[{"intent": "i", "rewritten_intent": "r", "snippet": "s", "question_id": 7}]"#;
    let dir = folder(&[
        ("conala-train.json", Some(format!("[{train}]").as_bytes())),
        ("conala-test.json", Some(test.as_bytes())),
    ]);
    let corpus = open(dir.path()).unwrap();
    assert_eq!(corpus.of(Split::Train).count(), 1);
    assert_eq!(corpus.of(Split::Dev).count(), 200);
    assert_eq!(
        describe(&corpus)[200..],
        [
            r#"dev conala-train.json[200] "i200" "s200""#,
            r#"test conala-test.json[0] "r" "s""#
        ]
    );
}

#[test]
fn django_lines_are_completed() {
    check(
        &[
            ("all.anno", "  if not,\n  return x.\n"),
            ("all.code", "  else :\n return x\n"),
        ],
        &[
            r#"train all.anno:1 "if not," "if True: pass\nelse : pass""#,
            r#"train all.anno:2 "return x." "return x""#,
        ],
    );
}

proptest! {
    #[test]
    fn any_line_of_code_can_be_completed(line in ".{0,30}") {
        let completed = django::complete(&line);
        prop_assert!(completed.contains(line.trim()));
    }
}

#[test]
fn folders_give_one_program_a_file() {
    let dir = folder(&[
        (".gitignore", Some(b"build/\n")),
        ("a.py", Some(b"\xef\xbb\xbfa = 1\r\n")),
        ("b/c.py", Some(b"c")),
        ("b/c.txt", Some(b"no")),
        ("build/d.py", Some(b"ignored")),
        (".hidden.py", Some(b"hidden")),
        ("latin.py", Some(b"x = '\xe9'")),
        ("nul.py", Some(b"x\0")),
        ("empty.py", Some(b"")),
        ("folder.py/z.py", Some(b"z")),
        ("query.sql", Some(b"SELECT 1")),
    ]);
    let corpus = open(dir.path()).unwrap();
    let place = format!("{}/", dir.path().display());
    let found: Vec<String> = describe(&corpus)
        .iter()
        .map(|row| row.replace(&place, ""))
        .collect();
    assert_eq!(
        found,
        [
            r#"train a.py "" "a = 1\r\n""#,
            r#"train b/c.py "" "c""#,
            r#"train folder.py/z.py "" "z""#,
            "train empty.py dropped: the program is empty",
            "train latin.py dropped: is not UTF-8: byte 0xE9 at offset 5",
            "train nul.py dropped: holds a NUL byte at offset 1",
        ]
    );
}

#[test]
fn files_are_read_whatever_they_are_called_where_the_language_is_known() {
    let dir = folder(&[
        ("script", Some(b"x")),
        ("main.rs", Some(b"x")),
        ("a.pyi", Some(b"x")),
        ("q.sql", Some(b"SELECT 1")),
    ]);
    let script = dir.path().join("script");
    for (name, language) in [("q.sql", "sql"), ("a.pyi", "python"), (".", "python")] {
        assert_eq!(open(&dir.path().join(name)).unwrap().language, language);
    }
    for name in ["script", "main.rs"] {
        let path = dir.path().join(name);
        let message = open(&path).unwrap_err().to_string();
        let expected = "expected a file that ends in `.py`, `.pyi`, `.sql`, or a language";
        assert_eq!(message, format!("`{}`: {expected}", path.display()));
        assert_eq!(
            folder::read(&[path], Some("sql")).unwrap().examples.len(),
            1
        );
    }
    let error = folder::read(&[script], Some("cobol")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected a language of `python`, `sql`, found `cobol`"
    );
}

#[test]
fn corpora_are_joined_where_their_language_is_the_same() {
    let dir = folder(&[
        (
            "a.jsonl",
            Some(br#"{"text": "t", "code": "c", "split": "dev"}"#),
        ),
        ("b.py", Some(b"b")),
        ("q.sql", Some(b"SELECT 1")),
    ]);
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let open_all = |language: Option<&str>, names: &[&str]| {
        let options = CorpusOptions {
            language: language.map(str::to_owned),
            ..CorpusOptions::default()
        };
        let names: Vec<String> = names.iter().map(|name| path(name)).collect();
        Corpus::open_all(&names, &DataDir::locate(None), &options)
    };
    let joined = open_all(Some("python"), &["a.jsonl", "b.py"]).unwrap();
    assert_eq!(joined.splits(), [Split::Train, Split::Dev]);
    let message = open_all(None, &["b.py", "q.sql"]).unwrap_err().to_string();
    assert!(message.contains("q.sql"), "{message}");
    assert!(
        message.contains("expected python programs like those of"),
        "{message}"
    );
    assert!(open_all(None, &[]).is_err());
}

#[cfg(unix)]
#[test]
fn links_are_left_out_of_folders() {
    let dir = folder(&[("a.py", Some(b"a"))]);
    std::os::unix::fs::symlink("nowhere", dir.path().join("b.py")).unwrap();
    std::os::unix::fs::symlink(dir.path(), dir.path().join("c.py")).unwrap();
    assert_eq!(describe(&open(dir.path()).unwrap()).len(), 1);
}

/// Programs are lower-case words.
struct LowerCase;

impl Language for LowerCase {
    fn name(&self) -> &'static str {
        "lower-case"
    }

    fn parse(&self, source: &str) -> Result<Ast, ParseError> {
        match source.find(|character: char| !character.is_lowercase()) {
            Some(offset) => Err(ParseError::at(offset, "expected a lower-case letter")),
            None => Ok(Ast::new("program", "Word", Vec::new())),
        }
    }

    fn print(&self, _: &Ast) -> Result<String, PrintError> {
        Err(PrintError::new("cannot print"))
    }
}

fn corpus_of(rows: &[(&str, Option<&str>)]) -> Corpus {
    let mut corpus = Corpus::empty("lower-case");
    for (index, (code, database)) in rows.iter().enumerate() {
        corpus.add(Example {
            id: format!("row {index}"),
            split: Split::Train,
            text: String::new(),
            code: (*code).to_owned(),
            database: database.map(str::to_owned),
        });
    }
    corpus
}

#[test]
fn rows_that_do_not_parse_are_dropped_with_the_reason() {
    let corpus = corpus_of(&[("ab", None), ("aB", None), ("cd", None)]);
    let languages = Languages::Same(Arc::new(LowerCase));
    let programs = corpus.parse(&languages).unwrap();
    assert_eq!(programs.trees.len(), 2);
    assert_eq!(
        describe(&programs.corpus),
        [
            r#"train row 0 "" "ab""#,
            r#"train row 2 "" "cd""#,
            "train row 1 dropped: does not parse: expected a lower-case letter (line 1, column 2)",
        ]
    );
}

#[test]
fn rows_without_a_known_database_are_dropped() {
    let mut corpus = corpus_of(&[("a", Some("pets")), ("b", Some("cats")), ("c", None)]);
    let databases = DatabaseSchema::from_tables_json(TABLES).unwrap();
    corpus.databases = databases
        .into_iter()
        .map(|(name, schema)| (name, Arc::new(schema)))
        .collect();
    let languages = Languages::bind(&corpus, |_| Arc::new(LowerCase));
    assert_eq!(
        describe(&corpus.parse(&languages).unwrap().corpus)[1..],
        [
            "train row 1 dropped: the database `cats` is not described",
            "train row 2 dropped: the row names no database",
        ]
    );
}

/// The dataset called `name`.
fn real(name: &str) -> Corpus {
    assert!(
        std::env::var_os("PATOIS_DATA").is_some(),
        "PATOIS_DATA names the datasets"
    );
    Corpus::open(name, &DataDir::locate(None), &CorpusOptions::default()).unwrap()
}

fn check_counts(name: &str, expected: &[(Split, usize)]) {
    let corpus = real(name);
    assert_eq!(corpus.dropped, []);
    for &(split, count) in expected {
        assert_eq!(corpus.of(split).count(), count, "{name} {split}");
    }
}

#[test]
#[ignore = "needs PATOIS_DATA: the public datasets"]
fn data_the_datasets_have_their_published_sizes() {
    check_counts("hearthstone", &[(Split::Train, 533), (Split::Dev, 66)]);
    check_counts("spider", &[(Split::Train, 8659), (Split::Dev, 1034)]);
    check_counts(
        "conala",
        &[(Split::Train, 2179), (Split::Dev, 200), (Split::Test, 500)],
    );
    check_counts(
        "django",
        &[
            (Split::Train, 16_000),
            (Split::Dev, 1000),
            (Split::Test, 1805),
        ],
    );
}
