"""Finding code with holes."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from conftest import CommandLine

import patois

CODE = """
port = options.get("port", None)
name = options.get(
    key.lower(),   # a comment
    None)
n = n + 1
m = n + 1
print(1, 2, 3)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_text(CODE)
    return tmp_path


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("$x.get($k, None)", [(2, {"x": "options", "k": '"port"'}), (3, {"x": "options", "k": "key.lower()"})]),
        ("$x = $x + $by", [(6, {"x": "n", "by": "1"})]),
        ("print($first, $rest...)", [(8, {"first": "1", "rest": "2, 3"})]),
        ("print(1, 2, 3, $rest...)", [(8, {"rest": ""})]),
        ("$_ = $_ + 1", [(6, {}), (7, {})]),
        ("(BinOp ?a ?op ?b)", [(6, {"left": "n", "op": "", "right": "1"}), (7, {"left": "n", "op": "", "right": "1"})]),
    ],
)
def test_places_have_bindings(folder: Path, pattern: str, expected: list[tuple[int, dict[str, str]]]) -> None:
    found = patois.find(pattern, folder)
    assert [(match.line, match.bindings) for match in found] == expected


def test_a_match_says_where(folder: Path) -> None:
    [match] = patois.find("$x = $x + $by", str(folder))
    assert match == patois.Match(str(folder / "a.py"), 6, 1, 6, 10, "n = n + 1", {"x": "n", "by": "1"})
    assert str(match) == f"{folder / 'a.py'}:6:1: n = n + 1"
    assert pickle.loads(pickle.dumps(match)) == match


def test_matches_are_those_of_the_command_line(sources: Path, command_line: CommandLine) -> None:
    theirs = command_line("find", "$x.append($y)", sources)
    ours = patois.find("$x.append($y)", sources)
    assert len(ours) == theirs["count"] > 10
    for match, place in zip(ours, theirs["places"], strict=True):
        assert (match.path, match.line, match.column, match.text, match.bindings) == (
            place["file"],
            place["line"],
            place["column"],
            place["text"],
            place["bindings"],
        )


def test_matches_are_tables(folder: Path) -> None:
    found = patois.find("$x.get($k, None)", folder)
    assert found.to_pandas()["$k"].tolist() == ['"port"', "key.lower()"]
    assert "options" in found._repr_html_()
    assert list(pickle.loads(pickle.dumps(found))) == list(found)
    nothing = patois.find("nothing_like_it($x)", folder)
    assert len(nothing) == 0 and len(nothing.to_pandas()) == 0


def test_what_cannot_be_searched_is_told(folder: Path) -> None:
    (folder / "b.py").write_bytes(b"\xff\xfe\x00")
    with pytest.warns(UserWarning, match="b.py"):
        found = patois.find("$x = 1", [folder / "a.py", folder / "b.py"])
    assert [file for file, _ in found.unsearched] == [str(folder / "b.py")]


@pytest.mark.parametrize(
    ("pattern", "path", "message"),
    [
        ("", "a.py", "the pattern is empty"),
        ("def $x(:", "a.py", "is no python code"),
        ("$x", "nowhere.py", "`.*nowhere.py` does not exist"),
        ("nowhere.json#1", "a.py", "cannot read `nowhere.json`"),
    ],
)
def test_what_cannot_be_found_is_told(folder: Path, pattern: str, path: str, message: str) -> None:
    with pytest.raises(patois.Error, match=message):
        patois.find(pattern, folder / path)
