//! Nodes stand where their text is.

use patois_languages::python::Python;
use patois_languages::tree_sitter::TreeSitter;
use patois_languages::{UnitKind, Units};
use patois_syntax::{Ast, Child, FieldValue};

/// Checks that names are where they say, and children within their parents; how many names there
/// are.
fn check(source: &str, units: &Units, is_name: impl Fn(&Ast) -> bool) -> usize {
    let mut n_names = 0;
    let mut open: Vec<&Ast> = units.units.iter().map(|it| &it.ast).collect();
    while let Some(ast) = open.pop() {
        if let (Some(span), true) = (ast.span, is_name(ast)) {
            let FieldValue::One(Child::Text(text)) = &ast.fields[0].value else {
                panic!("a name is a text, found {ast:?}");
            };
            assert_eq!(&source[span.range()], text.as_str());
            n_names += 1;
        }
        for child in ast.fields.iter().flat_map(|it| it.value.children()) {
            if let Child::Node(child) = child {
                if let (Some(outer), Some(inner)) = (ast.span, child.span) {
                    assert!(outer.contains(inner), "{child:?} is outside of {ast:?}");
                }
                open.push(child);
            }
        }
    }
    n_names
}

#[test]
fn python() {
    let source = "\u{feff}import os\r\n\r\n@wraps(f)\r\ndef g(a, *, b: int = c, **d):\r\n    \
        \"\"\"é\"\"\"\r\n    for x, (y, *z) in a:\r\n        if x < b <= y: return [i for i in z]\r\n\
        \r\n        elif b: pass\r\n    with e as h: h.k[b:c, ...] += f'{x!r:>{w}}'\r\n\
        class A(B, metaclass=C):\r\n    def m(self): return lambda q, *r: q\r\n";
    for kind in [UnitKind::File, UnitKind::Function] {
        let units = Python.units(source, kind).unwrap();
        assert_eq!(units.faults, []);
        let n_names = check(source, &units, |it| it.constructor == "Name");
        assert_eq!(n_names, 25);
    }
}

#[test]
fn tree_sitter() {
    let source = "// é\nfunction f(a, {b, c: [d]}) {\n  return a.map(x => ({...x, [b]: `${d}`}));\n}\n\
        class A { m() { for (const y of this.z) { if (y) continue; } } }\n";
    let javascript = TreeSitter::named("javascript").unwrap();
    for kind in [UnitKind::File, UnitKind::Function] {
        let units = javascript.units(source, kind).unwrap();
        assert_eq!(units.faults, []);
        let n_names = check(source, &units, |it| it.constructor == "identifier");
        assert_eq!(n_names, 10);
    }
}
