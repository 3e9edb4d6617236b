//! Languages that are read through tree-sitter grammars: round trips, printing, units, faults.

use std::sync::Arc;

use patois_languages::UnitKind;
use patois_languages::tree_sitter::{MAX_DEPTH, TreeSitter};
use patois_languages::{LANGUAGES, SourceLanguage};
use patois_syntax::{Grammar, Language, laws};

fn language(name: &str) -> Arc<TreeSitter> {
    TreeSitter::named(name).unwrap()
}

/// A small program in each language, as it prints.
const PROGRAMS: &[(&str, &str)] = &[
    ("c", include_str!("../fixtures/sources/stack.c")),
    ("cpp", include_str!("../fixtures/sources/stack.cpp")),
    ("csharp", include_str!("../fixtures/sources/Stack.cs")),
    ("go", include_str!("../fixtures/sources/stack.go")),
    ("java", include_str!("../fixtures/sources/Stack.java")),
    ("javascript", include_str!("../fixtures/sources/stack.js")),
    ("ruby", include_str!("../fixtures/sources/stack.rb")),
    ("rust", include_str!("../fixtures/sources/stack.rs")),
    ("sql", include_str!("../fixtures/sources/stack.sql")),
    ("tsx", include_str!("../fixtures/sources/stack.tsx")),
    ("typescript", include_str!("../fixtures/sources/stack.ts")),
];

#[test]
fn every_language_keeps_the_laws() {
    for (name, program) in PROGRAMS {
        laws::check_language(language(name).as_ref(), [*program]);
    }
    let mut names: Vec<&str> = PROGRAMS.iter().map(|it| it.0).collect();
    names.push("python");
    let mut known = SourceLanguage::names();
    names.sort_unstable();
    known.sort_unstable();
    assert_eq!(names, known);
    assert_eq!(known.len(), LANGUAGES.len());
}

#[test]
fn what_is_printed_prints_the_same_again() {
    for (name, program) in PROGRAMS {
        let language = language(name);
        let printed = language.print(&language.parse(program).unwrap()).unwrap();
        let again = language.print(&language.parse(&printed).unwrap()).unwrap();
        assert_eq!(printed, again, "{name}");
        insta::assert_snapshot!(format!("printed_{name}"), printed);
    }
}

#[test]
fn comments_and_blanks_do_not_matter() {
    let check = |name: &str, one: &str, other: &str| {
        let language = language(name);
        assert_eq!(
            language.parse(one),
            language.parse(other),
            "{one:?} {other:?}"
        );
    };
    check("javascript", "f(a,b,)", "f( a, b ); // calls");
    check(
        "javascript",
        "let x = 1\nlet y = 2",
        "let x = 1; let y = 2;",
    );
    check(
        "rust",
        "fn f() { g(1, 2,) }",
        "fn f() {\n    // calls\n    g(1, 2)\n}",
    );
    check(
        "rust",
        "fn f() { match x { A => {} B => 1 } }",
        "fn f() { match x { A => {}, B => 1, } }",
    );
    check(
        "go",
        "package a\nfunc f() { g() }",
        "package a\n\n/* f */\nfunc f() {\n\tg()\n}\n",
    );
    check(
        "c",
        "int f(void){return 1;}",
        "int f(void)\n{\n  return 1; /* one */\n}\n",
    );
    check(
        "typescript",
        "interface A { a: B, c: D }",
        "interface A {\n a: B\n c: D;\n}",
    );
}

/// Printed `unique symbol unique symbol`.
#[test]
fn two_words_of_one_token_are_not_four() {
    let typescript = language("typescript");
    let source = "declare const a: unique symbol;\n";
    let parsed = typescript.parse(source).unwrap();
    assert_eq!(typescript.print(&parsed).unwrap(), source);
}

#[test]
fn ruby_keeps_its_keyword_arguments() {
    let ruby = language("ruby");
    let source = "def f(a:, b: 1, &block)\n    a ? b : block\nend\n";
    laws::check_language(ruby.as_ref(), [source]);
    assert_eq!(ruby.print(&ruby.parse(source).unwrap()).unwrap(), source);
}

#[test]
fn what_matters_is_kept() {
    let check = |name: &str, one: &str, other: &str| {
        let language = language(name);
        let parse = |source| language.parse(source).unwrap();
        assert_ne!(parse(one), parse(other), "{one:?} {other:?}");
    };
    check("javascript", "a + b;", "a - b;");
    check("javascript", "x = 'a b';", "x = 'a  b';");
    check("rust", "fn f() -> (u8,) { (1,) }", "fn f() -> (u8) { (1) }");
    check("go", "package a\nvar x = 1", "package a\nvar x = 2");
    check("java", "class A { int x; }", "class A { long x; }");
}

#[test]
fn a_constructor_says_what_is_fixed() {
    let language = language("javascript");
    let ast = language.parse("f(a + 1)").unwrap();
    let grammar = Grammar::induce("javascript", [&ast]).unwrap();
    let tree = grammar.tree(&ast).unwrap();
    assert_eq!(
        tree.display(&grammar).to_string(),
        "(`program $statement*` [(`expression_statement $expression ;` \
         (`call_expression $function $arguments` (identifier \"f\") \
         (`arguments ( $expression*, )` [(`binary_expression $left + $right` \
         (identifier \"a\") (number \"1\"))])))])"
    );
    let again = Grammar::parse(&grammar.to_string()).unwrap();
    assert_eq!(again, grammar);
}

#[test]
fn files_are_cut_into_functions_and_the_rest() {
    let check = |name: &str, source: &str, expected: &[&str]| {
        let language = language(name);
        let units = language.units(source, UnitKind::Function).unwrap();
        assert_eq!(units.faults, []);
        let printed: Vec<String> = units
            .units
            .iter()
            .map(|it| language.print(&it.ast).unwrap().trim_end().to_owned())
            .collect();
        assert_eq!(printed, expected);
    };
    check(
        "rust",
        "use a;\nimpl A { fn f() { fn g() {} } const B: u8 = 1; }\nfn h() {}",
        &[
            "use a;\n...",
            "impl A {\n    ...\n    const B: u8 = 1;\n}",
            "fn f() {\n    fn g() {}\n}",
            "fn h() {}",
        ],
    );
    check(
        "java",
        "import a.B;\nclass C { int x; void f() { g(); } }",
        &[
            "import a.B;\n...",
            "class C {\n    int x;\n    ...\n}",
            "void f() {\n    g();\n}",
        ],
    );
    // What was cut out leaves no code behind that is not there, nor what was said about it.
    check(
        "rust",
        "impl fmt::Display for A { fn fmt() {} }\nmod tests { #[test] fn f() {} #[test] fn g() {} }",
        &[
            "impl fmt::Display for A {\n    ...\n}",
            "...\nmod tests {\n    ...\n}",
            "fn fmt() {}",
            "fn f() {}",
            "fn g() {}",
        ],
    );
    check(
        "javascript",
        "const a = { f() {}, g() {}, b: 1 };\nexport function h() {}\nexport function k() {}\n",
        &[
            "const a = { ..., b: 1 };\nexport ...",
            "f() {}",
            "g() {}",
            "function h() {}",
            "function k() {}",
        ],
    );
    let whole = language("rust")
        .units("fn f() {} fn g() {}", UnitKind::File)
        .unwrap();
    assert_eq!(whole.units.len(), 1);
}

#[test]
fn what_is_broken_is_left_out_and_counted() {
    let language = language("rust");
    let source = "fn good() { f(); }\nfn bad() { let = ; }\nfn fine() { g(); }\n";
    assert!(language.parse(source).is_err());
    let units = language.units(source, UnitKind::Function).unwrap();
    assert!(!units.faults.is_empty());
    let printed: Vec<String> = units
        .units
        .iter()
        .map(|it| language.print(&it.ast).unwrap())
        .collect();
    assert!(printed.iter().any(|it| it.contains("good")), "{printed:?}");
    assert!(printed.iter().any(|it| it.contains("fine")), "{printed:?}");
}

#[test]
fn nothing_makes_a_parser_panic() {
    let deep = 5 * MAX_DEPTH;
    let sources = [
        String::new(),
        " \n\t".to_owned(),
        "\u{feff}".to_owned(),
        "(".repeat(deep),
        "{".repeat(deep),
        format!("x = {}1{};", "(".repeat(deep), ")".repeat(deep)),
        format!("int x = {}1;", "-".repeat(deep)),
        "\u{0}\u{1}\u{2}é\u{10ffff}".to_owned(),
        "\"unfinished".to_owned(),
        "`$q\\".to_owned(),
    ];
    for (name, _) in PROGRAMS {
        let language = language(name);
        for source in &sources {
            for kind in [UnitKind::File, UnitKind::Function] {
                let _ = language.units(source, kind);
            }
            if let Ok(ast) = language.parse(source) {
                let _ = language.print(&ast);
            }
        }
    }
}

#[test]
fn noise_is_given_up_and_code_behind_it_is_read() {
    for (name, noise) in [
        ("rust", ")&"),
        ("rust", "with (="),
        ("rust", "[;"),
        ("c", "=>lambda "),
        ("sql", "/* "),
    ] {
        let language = language(name);
        let noise = noise.repeat(10_000);
        for _ in 0..3 {
            let error = language.parse(&noise).unwrap_err();
            assert!(error.message.contains("steps a byte"), "{name}: {error}");
            // What was left in the middle of its work has left nothing behind.
            let (_, program) = PROGRAMS.iter().find(|it| it.0 == name).unwrap();
            laws::check_language(language.as_ref(), [*program]);
        }
    }
}

#[test]
fn depth_is_bounded() {
    let language = language("c");
    let nested = |n: usize| format!("int x = {}1{};", "(".repeat(n), ")".repeat(n));
    assert!(language.parse(&nested(MAX_DEPTH / 4)).is_ok());
    let error = language.parse(&nested(2 * MAX_DEPTH)).unwrap_err();
    assert!(error.message.contains("nested nodes"), "{error}");
}

#[test]
fn a_statement_that_names_a_function_is_a_unit() {
    let javascript = TreeSitter::named("javascript").unwrap();
    let source = "start();\nconst f = () => { g(); };\nexports.h = function h() { const k = () => 1; };\n\
        const n = 1;\nlist.map(x => x);\nfunction m() {}\n";
    let units = javascript.units(source, UnitKind::Function).unwrap();
    let mut found: Vec<&str> = units
        .units
        .iter()
        .map(|it| &source[it.range.clone()])
        .collect();
    // What is left of the file comes first.
    assert_eq!(found.remove(0), source);
    let expected: Vec<&str> = source.lines().collect();
    assert_eq!(found, [expected[1], expected[2], expected[5]]);
    let rest = javascript.print(&units.units[0].ast).unwrap();
    assert_eq!(
        rest,
        "start();\n...\nconst n = 1;\nlist.map(x => x);\n...\n"
    );
}
