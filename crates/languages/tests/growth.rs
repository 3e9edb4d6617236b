//! Twice the source is twice the work: sources of every shape, programs or not, in every language.
#![expect(clippy::unwrap_used, reason = "this is a test, helpers included")]

use std::sync::Arc;

use patois_growth::{Counter, check_linear};
use patois_languages::sql::{DatabaseSchema, Mode, Sql};
use patois_languages::{SourceLanguage, UnitKind};
use patois_syntax::Language;

#[global_allocator]
static COUNTER: Counter = Counter;

/// Checks sources that repeat `part` between `before` and `after`, as units and as programs.
fn check(language: &str, [before, part, after]: [&str; 3], n: usize) {
    let input = |n| format!("{before}{}{after}", part.repeat(n));
    let name = format!("{language} {before:?} {part:?} {after:?}");
    check_linear(&name, n, input, |source| {
        let language = SourceLanguage::named(language).unwrap();
        for kind in [UnitKind::File, UnitKind::Function] {
            if let Ok(units) = language.units(source, kind) {
                let locals = units.units.iter().map(|it| language.locals(&it.ast).len());
                assert!(locals.sum::<usize>() <= source.len());
            }
        }
        if let Ok(ast) = language.language().parse(source) {
            drop(language.language().print(&ast));
        }
    });
}

fn check_everywhere(part: &str, n: usize) {
    for language in SourceLanguage::names() {
        check(language, ["", part, ""], n);
    }
}

#[test]
fn many_statements() {
    for (language, statement) in [
        ("python", "x = f(a, b)\n"),
        ("python", "def f(a):\n    return a\n"),
        ("python", "class A:\n    def f(self): pass\n"),
        ("sql", "SELECT a FROM t WHERE b = 1;\n"),
        ("c", "int f(int a) { return g(a, 1); }\n"),
        ("cpp", "int f(int a) { return g(a, 1); }\n"),
        ("csharp", "class A { int F(int a) { return G(a, 1); } }\n"),
        ("go", "func f(a int) int { return g(a, 1) }\n"),
        ("java", "class A { int f(int a) { return g(a, 1); } }\n"),
        ("javascript", "const f = (a) => g(a, 1);\n"),
        ("ruby", "def f(a)\n  g(a, 1)\nend\n"),
        ("rust", "fn f(a: u8) -> u8 { g(a, 1) }\n"),
        ("tsx", "const f = (a: A) => <b>{g(a, 1)}</b>;\n"),
        ("typescript", "const f = (a: A): B => g(a, 1);\n"),
    ] {
        check(language, ["", statement, ""], 250);
    }
}

#[test]
fn long_lists() {
    for language in SourceLanguage::names() {
        let [before, after] = match language {
            "sql" => ["SELECT a", " FROM t"],
            "c" | "cpp" => ["int x[] = {1", "};"],
            "csharp" | "java" => ["class A { int[] x = {1", "}; }"],
            "go" => ["package p\nvar x = []int{1", "}"],
            "rust" => ["static X: A = [1", "];"],
            _ => ["x = [1", "]"],
        };
        check(language, [before, ", 1", after], 1_000);
    }
    check("javascript", ["let x", ", x = 1", ";"], 1_000);
    check("python", ["x = {1: 2", ", 1: 2", "}"], 1_000);
    check("python", ["f(a", ", a=1", ")"], 1_000);
}

#[test]
fn long_literals() {
    for language in SourceLanguage::names() {
        let [before, after] = match language {
            "sql" => ["SELECT '", "'"],
            "c" | "cpp" => ["char *x = \"", "\";"],
            "csharp" | "java" => ["class A { String x = \"", "\"; }"],
            "go" => ["package p\nvar x = \"", "\""],
            "rust" => ["static X: A = \"", "\";"],
            _ => ["x = \"", "\""],
        };
        check(language, [before, "word \\\\ ", after], 1_000);
    }
    check("python", ["x = ", "0", ""], 1_000);
    check("python", ["x = 0x", "f", ""], 4_000);
    check("python", ["x = f'", "{a}", "'"], 1_000);
    check("javascript", ["x = `", "${a}", "`"], 1_000);
}

#[test]
fn deep_nesting() {
    check_everywhere("(", 60);
    check_everywhere("{ if (x) ", 40);
    check("python", ["x = ", "[", ""], 120);
    check("python", ["", "not ", "x"], 120);
    check("c", ["int x = ", "-", "1;"], 60);
    check("javascript", ["x = ", "a => ", "1"], 60);
    // Beyond what is read.
    check("python", ["", "(", ""], 20_000);
    check("rust", ["", "fn f() {", ""], 1_000);
}

#[test]
fn what_is_no_program() {
    check_everywhere("It was a dark and stormy night. ", 200);
    check_everywhere("#if x\n", 500);
    check_everywhere(")&", 200);
    check_everywhere("with (=", 200);
    check_everywhere("=>lambda ", 200);
    check_everywhere("\"'`", 500);
    check_everywhere("/* // # ", 500);
    check_everywhere("r#\"", 500);
    check_everywhere("\u{1}é", 500);
    check_everywhere("\n", 2_000);
}

#[test]
fn many_faults() {
    check("python", ["", "def f():  # later\n", ""], 500);
    check("python", ["", "x = (\n", ""], 500);
    check("python", ["", "x = 'a\n", ""], 500);
    check("python", ["", "class A:\n  def f(: pass\n", ""], 300);
    check("rust", ["", "fn f() { let = ; }\n", ""], 200);
    check("c", ["", "int f( { return ; }\n", ""], 200);
    check("java", ["", "class A { int = ; }\n", ""], 200);
    check("javascript", ["", "let = ;\n", ""], 200);
}

/// Queries over one table, in both modes.
#[test]
fn queries() {
    let tables = r#"[{
        "db_id": "shop", "table_names": ["t"], "table_names_original": ["t"],
        "column_names": [[-1, "*"], [0, "a"]], "column_names_original": [[-1, "*"], [0, "a"]],
        "column_types": ["text", "number"], "primary_keys": [], "foreign_keys": []
    }]"#;
    let schema = Arc::new(DatabaseSchema::from_tables_json(tables).unwrap()["shop"].clone());
    for [before, part, after] in [
        ["SELECT a", ", a", " FROM t"],
        ["SELECT a FROM t WHERE a = '", "word '' ", "'"],
        ["SELECT a FROM t WHERE a IN (1", ", 1", ")"],
        ["", "SELECT ", ""],
        ["SELECT a FROM t", " FROM t", ""],
        ["SELECT '", "''", ""],
        ["SELECT a FROM t --", "-", ""],
    ] {
        for mode in [Mode::Full, Mode::Paper] {
            let sql = Sql::new(Arc::clone(&schema), mode);
            let input = |n| format!("{before}{}{after}", part.repeat(n));
            check_linear(&format!("{before:?} {part:?}"), 1_000, input, |query| {
                if let Ok(ast) = sql.parse(query) {
                    drop(sql.print(&ast));
                }
            });
        }
    }
    let sql = Sql::new(schema, Mode::Full);
    for [before, part, after] in [
        ["SELECT a FROM t WHERE a = 1", " AND a = 1", ""],
        ["SELECT a FROM t", " UNION SELECT a FROM t", ""],
        ["SELECT ", "(", "1"],
        ["SELECT a FROM t WHERE ", "NOT ", "a"],
    ] {
        let input = |n| format!("{before}{}{after}", part.repeat(n));
        check_linear(&format!("{before:?} {part:?}"), 50, input, |query| {
            if let Ok(ast) = sql.parse(query) {
                drop(sql.print(&ast));
            }
        });
    }
}
