//! Names that a function binds.

use patois_languages::python::Python;
use patois_languages::tree_sitter::TreeSitter;
use patois_syntax::{Ast, Child, Language};

/// The texts of a tree, in order.
fn texts(ast: &Ast) -> Vec<&'static str> {
    let mut texts = Vec::new();
    for child in ast.fields.iter().flat_map(|it| it.value.children()) {
        match child {
            Child::Node(ast) => texts.extend(self::texts(ast)),
            Child::Text(text) => texts.push(text.as_str()),
            Child::Reference(_) => {}
        }
    }
    texts
}

/// The texts at the given places, each once, in the order of the tree.
fn named(ast: &Ast, locals: &[u32]) -> String {
    let texts = texts(ast);
    let mut names: Vec<&str> = Vec::new();
    for &at in locals {
        let name = texts[at as usize];
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.join(" ")
}

#[track_caller]
fn check_python(source: &str, expected: &str) {
    let ast = Python.parse(source).unwrap();
    assert_eq!(named(&ast, &Python.locals(&ast)), expected, "{source}");
}

#[track_caller]
fn check(language: &str, source: &str, expected: &str) {
    let language = TreeSitter::named(language).unwrap();
    let ast = language.parse(source).unwrap();
    assert_eq!(named(&ast, &language.locals(&ast)), expected, "{source}");
}

#[test]
fn python() {
    check_python("total = 0\nfor i in x: total += i\n", "");
    check_python(
        "def f(n):\n    total = 0\n    return g(n, total, total=h)\n",
        "n total",
    );
    check_python(
        "def f(self, a, *b, c: int = d, **e): return self.a\n",
        "a b c e",
    );
    check_python(
        "def f():\n    global x\n    x = y = 1\n    (z.w, u[v]) = x\n",
        "y",
    );
    check_python(
        "def f():\n    (a, *b), [c] = d\n    with e as g, h: pass\n",
        "a b c g",
    );
    check_python(
        "def f():\n    try: pass\n    except E as e: raise F(e)\n",
        "e",
    );
    check_python("def f(): return [x for x, y in z if (w := x)]\n", "x y w");
    check_python("key = lambda p, *q, r=s: p.q\n", "p q r");
    check_python(
        "def f(x):\n    match x:\n        case [a, *b] | {'k': A(c), **d} as e: pass\n",
        "x a b c d e",
    );
    check_python("def f():\n    def g(h): return i\n    i = 1\n", "h i");
}

#[test]
fn tree_sitter() {
    check("javascript", "let a = 1; f(a);", "");
    check(
        "javascript",
        "function f(a, {b, c: d = e}, ...g) { for (const h of a) { try { x(h.b) } catch (i) {} } }",
        "a b d g h i",
    );
    check("javascript", "const f = x => y => x + y + z;", "x y");
    check(
        "typescript",
        "function f(a: string, b?: number) { const c = a; g({c}); }",
        "a b c",
    );
    check(
        "rust",
        "fn f(a: u8, &(ref b, _): &T) -> V { let Some(c) = d else { return }; for e in a.b { \
         match c { None => 1, x @ Q { y, .. } => x.y } } k(|g| g + b) }",
        "a b c e x y g",
    );
    check(
        "java",
        "class A { int n; int f(int a) { int[] b = g(a); for (int c : b) this.n += c.n(); \
         try { } catch (E e) { } return h.map(x -> x.a); } }",
        "a b c e x",
    );
    check(
        "go",
        "package p\nfunc (r *T) f(a int, b ...string) (c error) { for i, v := range b { \
         d, e := g(i, v, r.a); var k = T{d: e} }; return }\n",
        "r a b c i v d e k",
    );
    check(
        "c",
        "int f(int a, char *b) { int i, c[2] = g(a); for (i = 0; i < n; i++) b->a; }",
        "a b i c",
    );
    check(
        "cpp",
        "void f(T& a) { for (auto& [b, c] : a) d([](int e) { return e; }); }",
        "a b c e",
    );
    check(
        "ruby",
        "def f(a, b = c, *d, e:, &g)\n  h = a.h\n  x.each { |i| puts i, h }\nend\n",
        "a b d e g h i",
    );
    check(
        "csharp",
        "class A { int F(int a) { var b = a; foreach (var c in b.a) G(c, x => x.c); } }",
        "a b c x",
    );
    check("sql", "SELECT a FROM b AS c WHERE c.a > 1;", "");
}
