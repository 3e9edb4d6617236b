//! Files of Python that are half written: what is whole is kept, what is not is left out and counted.

use patois_languages::python::Python;
use patois_languages::{UnitKind, Units};
use patois_syntax::Language;

fn units(source: &str) -> Units {
    let units = Python.units(source, UnitKind::Function).unwrap();
    for unit in &units.units {
        let printed = Python.print(&unit.ast);
        assert!(printed.is_ok(), "{source:?}: {printed:?}");
    }
    units
}

#[test]
fn a_comment_does_not_make_an_unfinished_statement_whole() {
    for unfinished in [
        "def f():",
        "class X:",
        "if x:",
        "for x in y:",
        "while x:",
        "with x:",
        "try:",
        "match x:",
        "if x:\n    y\nelse:",
        "from x import",
        "import",
        "import x.",
        "with",
        "@",
        "@x",
        "x.",
        "x = ",
        "x: ",
        "x + ",
        "not",
        "lambda:",
        "global",
        "del",
        "raise x from",
        "f(x)(",
    ] {
        let before = "def before():\n    return 1\n";
        for comment in ["", "# later", "  # later\n# and more\n\n"] {
            let alone = units(&format!("{unfinished} {comment}\n"));
            assert_eq!(alone.units, [], "{unfinished:?} {comment:?}");
            assert!(!alone.faults.is_empty(), "{unfinished:?} {comment:?}");
            let second = units(&format!("{before}{unfinished} {comment}\n"));
            assert_eq!(second.units.len(), 1, "{unfinished:?} {comment:?}");
            assert_eq!(
                second.faults.len(),
                alone.faults.len(),
                "{unfinished:?} {comment:?}"
            );
        }
    }
}

#[test]
fn one_statement_that_is_no_python_does_not_cost_the_others() {
    let source = "a = 1\ntry:\n    b\nexcept:\n    c\nexcept d:\n    e\nf = 2\n";
    let found = units(source);
    let printed = Python.print(&found.units[0].ast).unwrap();
    assert_eq!(printed, "a = 1\nf = 2\n");
    assert_eq!(found.faults.len(), 1);
}
