//! What Python's trees look like, and that printing them loses nothing.

use std::path::Path;

use patois_languages::python::Python;
use patois_syntax::laws::check_language;
use patois_syntax::{Ast, Field, Grammar, Language};

/// Checks that `source` prints as `expected`, which has the same tree.
fn check(source: &str, expected: &str) {
    let ast = Python
        .parse(source)
        .unwrap_or_else(|error| panic!("{source:?}: {error}"));
    assert_eq!(
        Python.print(&ast).as_deref(),
        Ok(&*format!("{expected}\n")),
        "{source:?}"
    );
    check_language(&Python, [source, expected]);
}

fn check_same(source: &str) {
    check(source, source);
}

fn check_refused(source: &str, expected: &str) {
    assert_eq!(
        Python.parse(source).unwrap_err().message,
        expected,
        "{source:?}"
    );
}

#[test]
fn fixtures_have_these_trees() {
    let grammar = Grammar::from_schema(Python.schema().unwrap());
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/python");
    for name in ["card", "statements", "expressions"] {
        let source = std::fs::read_to_string(fixtures.join(name).with_extension("py")).unwrap();
        check_language(&Python, [&*source]);
        let ast = Python.parse(&source).unwrap();
        let printed = Python.print(&ast).unwrap();
        insta::assert_snapshot!(format!("python_{name}_printed"), printed);
        insta::assert_snapshot!(format!("python_{name}_tree"), statements(&grammar, &ast));
    }
}

/// The statements of a module in the notation of trees, one a line.
fn statements(grammar: &Grammar, module: &Ast) -> String {
    let body = module.fields[0].value.children().iter();
    let alone = body.map(|it| vec![Field::many("body", "stmt", [it.clone()])]);
    let trees = alone.map(|body| grammar.tree(&Ast::new("mod", "Module", body)).unwrap());
    let lines: Vec<String> = trees.map(|it| it.display(grammar).to_string()).collect();
    lines.join("\n")
}

#[test]
fn layout_and_spelling_vanish() {
    check("x=( 1 )#c", "x = 1");
    check("a;b", "a\nb");
    check("if a: b", "if a:\n    b");
    check("(a\n+\nb)", "a + b");
    check("'a' \"b\"", "\"ab\"");
    check("'\\x41\\n'", "\"\"\"A\n\"\"\"");
    check("x = u'a'", "x = \"a\"");
    check("x = '''it's'''", "x = \"it's\"");
    check("x = 'say \"hi\"'", "x = 'say \"hi\"'");
    check("x = 0X1F, 0o17, 0b1, 1_0, 00", "x = 31, 15, 1, 10, 0");
    check(
        "x = 1E5, 1., .1, 1e-7, 1e16, 1e999, 1J",
        "x = 100000.0, 1.0, 0.1, 1e-07, 1e+16, 1e309, 1j",
    );
    check("class A(): pass", "class A:\n    pass");
    check("f(a=1, *b)", "f(*b, a=1)");
    check("f((x for x in y))", "f(x for x in y)");
    check("with (a as b): pass", "with a as b:\n    pass");
    check("with (a as b, c): pass", "with a as b, c:\n    pass");
    check("x[(a, b)]", "x[a, b]");
    check("x[*a]", "x[*a,]");
    check("else_ = 1 if a else (2)", "else_ = 1 if a else 2");
    check("if a: b\nelse:\n  if c: d", "if a:\n    b\nelif c:\n    d");
    check("ﬁ = 1", "fi = 1");
    check("import a . b", "import a.b");
    check("from . . a import (b,)", "from ..a import b");
    check("x = 1\r\n'''a\r\nb'''\r\n", "x = 1\n\"\"\"a\nb\"\"\"");
    check(
        "match x:\n case (a, b): pass",
        "match x:\n    case [a, b]:\n        pass",
    );
}

#[test]
fn parentheses_stay_where_they_mean_something() {
    check_same("(a and b) and c");
    check_same("a and (b and c)");
    check_same("(a < b) < c");
    check_same("a - (b - c)");
    check_same("(a ** b) ** c");
    check_same("(-a) ** -b");
    check_same("-a ** b");
    check_same("await a ** await b");
    check_same("await (a ** b)");
    check_same("await (await a)");
    check_same("not (a := b)");
    check_same("(not a) == b");
    check_same("(lambda: a)()");
    check_same("lambda: (yield)");
    check_same("(a if b else c) if d else e");
    check_same("x = yield");
    check_same("x: (a, b) = c, d");
    check_same("(x): int");
    check_same("return (yield)");
    check_same("del (a, b)");
    check_same("del a, b");
    check_same("(1).real, 1.0.real, 1j.real");
    check_same("with ((a, b)):\n    pass");
    check_same("with (a, b) as c:\n    pass");
    check_same("with (a, b), c:\n    pass");
    check_same("[x for x in (a if b else c) if (lambda: d)]");
    check_same("print((x for x in y), z)");
    check_same("@(yield)\nclass A((x for x in y)):\n    pass");
    check_same("x[(a := 1)], x[(a := 1):], x[1:2,], x[()]");
    check_same("match (a, b):\n    case (c as d) | (e | f) as g if (h := i):\n        pass");
    check_same("match(x)\nmatch[x]: int\nmatch - x\ntype(x)\ntype = case");
}

#[test]
fn strings_keep_every_character() {
    check(
        "x = '\\0\\x1b\\x7f\\x85\\u200b\\ufeff'",
        "x = \"\\x00\\x1b\\x7f\\x85\\u200b\\ufeff\"",
    );
    check_same("x = \"\\ud800\", \"\\udfff\\ud800\", \"\\U0010ffff\", \"�\"");
    check(
        "x = '\\N{BULLET}\\ufffd\\udc00\\N{replacement character}'",
        "x = \"•��\"".replace("�\"", "\\udc00�\"").as_str(),
    );
    check("x = r'\\ud800�'", "x = \"\\\\ud800�\"");
    check("x = f'\\ud800{a}�{{'", "x = f\"\\ud800{a}�{{\"");
    check("x = b'\\0\\xff\\'' rb'\\x'", "x = b\"\\x00\\xff'\\\\x\"");
    check("'''a\n\"\"\"\"'''", "\"\"\"a\n\\\"\\\"\\\"\\\"\"\"\"");
    check_same("\"\"\"a\n\"b\" \\\"\"\"\"");
    check("'''a\n\\\\'''", "\"\"\"a\n\\\\\"\"\"");
    check("x = '\\\n'", "x = \"\"");
    check("x = '\\8\\d'", "x = \"\\\\8\\\\d\"");
}

#[test]
fn formatted_strings_nest() {
    check_same("x = f\"{a}b{{{c!r:>{d}}}}\"");
    check("x = f'{a = }'", "x = f\"a = {a!r}\"");
    check("x = f'{ a=!s}{(b)=:5}'", "x = f\" a={a!s}(b)={b:5}\"");
    check("x = 'a' f'b{c}' 'd{'", "x = f\"ab{c}d{{\"");
    check("x = f'{a[\"b\"]}'", "x = f\"{a['b']}\"");
    check("x = f'{f\"{b}\"}'", "x = f\"{f'{b}'}\"");
    check("x = f'{f\"{b['c']}\"}'", "x = f\"{f'''{b['c']}'''}\"");
    check("x = f'{\"\\\"\"}'", "x = f\"\"\"{'\"'}\"\"\"");
    check("x = f'{ {1} }'", "x = f\"{ {1}}\"");
    check_same("x = f\"{(lambda: 1)}{a if b else c}{(a if b else lambda: c)}{(a := b)}{(yield)}\"");
    check_same("x = f\"{a:}{a:\\x7b\\n}\"");
    check_same("x = f\"\", f\"a\", t\"{a}\"");
    check("x = f'{a,}{*b, c}'", "x = f\"{(a,)}{(*b, c)}\"");
    check("x = f'''{a:\n}'''", "x = f\"{a:\\n}\"");
    check("x = rf'\\{a}\\d'", "x = f\"\\\\{a}\\\\d\"");
}

#[test]
fn what_trees_cannot_hold_is_named() {
    check_refused("return *a", "expected an expression, found a starred one");
    check_refused(
        "a, *b, *c = d",
        "expected one starred target, found a second one",
    );
    check_refused(
        "match a:\n case [*b, *c]: pass",
        "expected one starred pattern, found a second one",
    );
    check_refused(
        "try: a\nexcept: b\nexcept C: d",
        "expected the bare `except:` to be the last, found another after it",
    );
}

#[test]
fn definitions_are_set_off() {
    check_same(
        "import a\n\n\nclass B:\n    c = 1\n\n    def d(self):\n        pass\n\n    @e\n    def f(self):\n        pass\n\n\ng = 1",
    );
}
