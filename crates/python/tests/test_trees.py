"""Programs as trees."""

from __future__ import annotations

import ast
import pickle
from pathlib import Path

import pytest

import patois


def test_a_tree_has_nodes() -> None:
    tree = patois.parse("é = 1\nx = f(é)  # why\n")
    call = tree.children[1].children[1]
    assert (call.kind, call.type, call.field, call.source, call.line, call.column) == (
        "Call",
        "expr",
        "value",
        "f(é)",
        2,
        5,
    )
    assert call.parent == tree.children[1]
    assert [node.text for node in call.walk() if node.text is not None] == ["f", "é"]
    assert len(tree.nodes) == len(tree) == len(list(tree.root.walk()))
    assert tree.nodes[0] == tree.root and tree.root.parent is None


def test_a_tree_is_printed_and_written_down() -> None:
    tree = patois.parse("x=f( 1 ) # one")
    assert tree.to_source() == "x = f(1)\n"
    assert tree.to_sexp() == patois.parse("x = f(1)").to_sexp()
    assert tree.to_sexp().startswith("(Module [(Assign ")
    copy = pickle.loads(pickle.dumps(tree))
    assert copy == tree and copy.to_sexp() == tree.to_sexp()


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("javascript", "const x = f(1);"),
        ("rust", "fn main() { println!(\"{}\", 1 + 2); }"),
        ("go", "package main\n\nfunc main() {\n\tx := f(1)\n}\n"),
        ("sql", "SELECT name FROM pet WHERE age > 3;"),
    ],
)
def test_other_languages_have_trees(language: str, source: str) -> None:
    tree = patois.parse(source, language=language)
    assert patois.parse(tree.to_source(), language=language).to_sexp() == tree.to_sexp()
    assert tree.derivation()


def test_idioms_make_derivations_shorter() -> None:
    programs = [f"{name} = f(g({number}))" for number, name in enumerate("abcdef")]
    library = patois.mine(programs, min_names=1)
    tree = patois.parse("x = f(g(7))")
    plain, short = tree.derivation(), tree.derivation(library)
    assert len(short) < len(plain)
    assert "#0" in short and "#0" not in plain
    with pytest.raises(patois.MisuseError, match="the idioms are of `python`, the program is of `go`"):
        patois.parse("package main", language="go").derivation(library)


def test_real_programs_come_back(sources: Path) -> None:
    for path in sorted(sources.glob("*.py")):
        text = path.read_text(encoding="utf-8")
        if not text.strip():
            continue
        printed = patois.parse(text).to_source()
        assert ast.dump(ast.parse(printed)) == ast.dump(ast.parse(text)), path


def test_what_does_not_parse_is_told() -> None:
    with pytest.raises(patois.MisuseError, match=r"the source does not parse: .* \(line 2, column"):
        patois.parse("x = 1\ny = (")
    with pytest.raises(ValueError, match="expected a language of python"):
        patois.parse("x", language="latin")
    with pytest.raises(patois.MisuseError):
        patois.parse("(" * 100_000)


def test_notebooks_show_the_tree() -> None:
    assert "value: Call" in patois.parse("x = f('<b>')")._repr_html_()
