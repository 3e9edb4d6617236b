//! No source makes the parser panic or overflow the stack, on a thread of 2 MB.

use std::thread;

use patois_languages::python::{MAX_DEPTH, Python};
use patois_syntax::{Ast, Language, ParseError};

const SMALL_STACK: usize = 2 << 20;

/// Parses, prints and drops on a small stack.
fn parse(source: &str) -> Result<(), ParseError> {
    let work = || {
        let ast: Ast = Python.parse(source)?;
        let printed = Python.print(&ast).unwrap();
        assert_eq!(Python.parse(&printed), Ok(ast));
        Ok(())
    };
    thread::scope(|scope| {
        let worker = thread::Builder::new()
            .stack_size(SMALL_STACK)
            .spawn_scoped(scope, work);
        worker.unwrap().join().unwrap()
    })
}

fn check_refused(source: &str, expected: &str) {
    let error = parse(source).expect_err("the source is no program, or too deep");
    assert!(error.message.contains(expected), "{error}");
}

fn check_accepted(source: &str) {
    if let Err(error) = parse(source) {
        let start: String = source.chars().take(80).collect();
        panic!("{start:?}: {error}");
    }
}

#[test]
fn deep_sources_are_refused() {
    let n = 100_000;
    let many = |text: &str| text.repeat(n);
    let too_deep = format!("at most {MAX_DEPTH} nested nodes");
    for source in [
        many("(") + &many(")"),
        many("["),
        many("{") + &many("}"),
        many("(1,") + &many(")"),
        many("f(") + &many(")"),
        many("x[") + "0" + &many("]"),
        many("not ") + "x",
        many("-") + "1",
        many("~ +") + "1",
        many("await ") + "x",
        "x".to_owned() + &many("+x"),
        "x".to_owned() + &many("**x"),
        "x".to_owned() + &many(".y"),
        "x".to_owned() + &many("()"),
        "x".to_owned() + &many("[0]"),
        "x".to_owned() + &many(" if x else x"),
        many("lambda: ") + "x",
        many("lambda a, b: ") + "x",
        many("lambda a=") + "x",
        many("yield x, "),
        many("x < not "),
        many("x or lambda: "),
        many("async "),
        many("*") + "x",
        many("f\"{") + "x",
        many("f'''{"),
        "f\"{x:".to_owned() + &many("{x:"),
        many("@"),
        many("x := "),
        many("if x: "),
        "match x:\n case ".to_owned() + &many("[") + &many("]") + ": pass",
        "match x:\n case ".to_owned() + &many("-") + "1: pass",
    ] {
        let error = parse(&source).expect_err("the source is too deep");
        let is_too_deep = error.message.contains(&too_deep);
        let is_no_program = error.offset.is_some();
        assert!(is_too_deep || is_no_program, "{error}");
    }
    let chain = "if x:\n    pass\n".to_owned() + &"elif x:\n    pass\n".repeat(n);
    check_refused(&chain, &too_deep);
    check_refused(&("x".to_owned() + &many("+x")), &too_deep);
}

#[test]
fn deep_indentation_is_refused() {
    let lines = (0..5000).map(|level| format!("{}if x:\n", " ".repeat(level)));
    check_refused(
        &(lines.collect::<String>() + &" ".repeat(5000) + "pass\n"),
        "nested nodes",
    );
}

#[test]
fn sources_just_within_the_limit_are_read() {
    let many = |text: &str| text.repeat(MAX_DEPTH - 10);
    check_accepted(&("x".to_owned() + &many("+x")));
    check_accepted(&("x".to_owned() + &many("**x")));
    check_accepted(&("x".to_owned() + &many(".y")));
    check_accepted(&("x".to_owned() + &many(" if x else x")));
    check_accepted(&(many("not ") + "x"));
    check_accepted(&(many("(1,") + &many(")")));
    check_accepted(&("if x:\n    pass\n".to_owned() + &many("elif x:\n    pass\n")));
    let nested = "f(a=".repeat(MAX_DEPTH / 2 - 10) + &")".repeat(MAX_DEPTH / 2 - 10);
    check_accepted(&nested.replace("=)", "=1)"));
    let lambdas = "lambda a, b: ".repeat(MAX_DEPTH - 10);
    check_accepted(&(lambdas + "x"));
    let lines = (0..400).map(|level| format!("{}if x:\n", " ".repeat(level)));
    check_accepted(&(lines.collect::<String>() + &" ".repeat(400) + "pass\n"));
}

#[test]
fn wide_sources_are_not_deep() {
    // More than any depth that is tried.
    let n = 12_000;
    check_accepted(&format!("x = [{}]", "-1, ".repeat(n)));
    check_accepted(&format!(
        "x = [{}]",
        "lambda a, b: a if a else b, ".repeat(n / 10)
    ));
    check_accepted(&format!("x = {{{}}}", "1: {2: -3}, ".repeat(n)));
    check_accepted(&format!("x = y{}", " or not y == -1".repeat(n)));
    check_accepted(&format!("x = y{}", " < -y".repeat(n)));
    check_accepted(&format!("x = {}", "'text' ".repeat(n)));
    check_accepted(&"x = y\n".repeat(n));
    check_accepted(&format!("{}y", "x = ".repeat(n)));
}

const NO_PROGRAMS: &[&str] = &[
    "\0",
    "x\0",
    "x = 'a\0b",
    "'",
    "\"\"\"",
    "f\"{",
    "f\"{x",
    "f'{x!}'",
    "x = \\",
    "(",
    ")",
    "]",
    "x = (]",
    "  x",
    "if x:",
    "if x:\npass",
    "\tx\n  y",
    "§",
    "x ==== y",
    "0777",
    "1__0",
    "'\\N{NO SUCH NAME}'",
    "'\\xZ'",
    "b'é'",
    "%matplotlib inline",
    "!ls",
    "x?",
    "def f(a, a=1, b): pass",
    "print 'x'",
    "*x = y",
    "*a, *b = y",
    "f(**a, *b)",
    "f(a=1, b)",
    "del f()",
    "1 = x",
    "x: *y",
    "return *x",
    "try:\n    x\nexcept:\n    y\nexcept A:\n    z\n",
    "{**a for a in b}",
    "[*a for a in b]",
    "lazy import x",
    "match x:\n    case [*a, *b]: pass",
    "match x:\n    case f'a': pass",
];

#[test]
fn odd_sources_are_errors_or_programs() {
    for source in [
        "",
        "\n",
        "\u{FEFF}x = 1\n",
        "x = 1\r\ny = 2\r",
        "\x0c\nx",
        "# only a comment",
    ] {
        check_accepted(source);
    }
    for source in NO_PROGRAMS {
        let error = parse(source).expect_err(source);
        assert!(!error.message.is_empty());
        assert!(
            error.offset.is_none_or(|it| it <= source.len()),
            "{source:?} {error:?}"
        );
    }
    check_refused(&("9".repeat(5000)), "4300 decimal digits");
    check_accepted(&format!("0x{}", "f".repeat(100_000)));
    check_accepted(&format!("x = '{}'", "a".repeat(1 << 20)));
    check_refused(
        &("x = '".to_owned() + &"a".repeat(5 << 20)),
        "missing closing quote",
    );
}

#[test]
fn errors_point_into_the_source_as_it_was_given() {
    let check = |source: &str, line_column| {
        let error = parse(source).unwrap_err();
        assert_eq!(
            error.line_column(source),
            Some(line_column),
            "{source:?} {error}"
        );
    };
    check("x = 1\ny = = 2\n", (2, 5));
    check("x = 1\r\ny = 1\r\nz = = 2\r\n", (3, 5));
    check("é = 1\r\n\r\n\nz = = 2\r\n", (4, 5));
}
