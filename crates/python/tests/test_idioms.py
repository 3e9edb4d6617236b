"""Mining, and libraries of idioms."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from conftest import CommandLine

import patois

# Other local names each time: what is the same nearly everywhere is no hole.
OPENING = [
    f"def {name}({path}):\n    with open({path}) as {file}:\n        return json.load({file})\n"
    for name, path, file in [
        ("load", "path", "f"),
        ("read", "name", "stream"),
        ("count", "where", "text"),
        ("check", "place", "source"),
        ("show", "settings", "file"),
    ]
]


def test_a_library_is_that_of_the_command_line(sources: Path, command_line: CommandLine, tmp_path: Path) -> None:
    report = command_line("mine", sources, "--language", "python", "--top", 20, "--seed", 1, "--out", "cli.json")
    library = patois.mine(sources, language="python", n_idioms=20, seed=1)
    library.save(tmp_path / "python.json")
    assert (tmp_path / "python.json").read_bytes() == (tmp_path / "cli.json").read_bytes()
    assert len(library) == report["idioms"]
    for ours, theirs in [
        ("programs", report["programs"]),
        ("sites", report["sites"]),
        ("compression", report["compression"]["train"]),
        ("coverage", report["coverage"]["train"]),
        ("log_posterior", report["log_posterior"]),
    ]:
        assert library.figures[ours] == theirs, ours


def test_a_dataset_is_mined_by_its_name(command_line: CommandLine, tmp_path: Path) -> None:
    command_line("mine", "default", "--top", 5, "--miner", "bpe", "--out", "cli.json")
    library = patois.mine("default", n_idioms=5, miner="bpe")
    assert library == patois.IdiomLibrary.load(tmp_path / "cli.json")
    assert library.language == "sql"
    with pytest.raises(patois.MisuseError, match="which no source files are in"):
        library.find(tmp_path)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_threads_change_nothing(sources: Path, threads: int) -> None:
    expected = patois.mine(sources, n_idioms=10, sweeps=2, seed=3)
    patois.set_threads(threads)
    try:
        assert patois.threads() == threads
        assert patois.mine(sources, n_idioms=10, sweeps=2, seed=3) == expected
    finally:
        patois.set_threads(0)


def test_a_library_is_a_sequence() -> None:
    library = patois.mine(OPENING)
    assert library[0].source == "def $name($1):\n    with open($1) as $2:\n        return json.load($2)"
    assert library[0].holes == ["name", "1", "2"]
    assert library[0].count == library[0].coverage == 5
    assert list(library) == [library[index] for index in range(len(library))] == library[:]
    assert library[0].examples[0].line == "def load(path):"
    assert library.index(library[0]) == 0


def test_what_is_saved_or_pickled_comes_back(tmp_path: Path) -> None:
    library = patois.mine(OPENING)
    library.save(tmp_path / "idioms.json")
    assert patois.IdiomLibrary.load(tmp_path / "idioms.json") == library
    copy = pickle.loads(pickle.dumps(library))
    assert copy == library and copy.figures == library.figures
    assert pickle.loads(pickle.dumps(library[0])) == library[0]


def test_a_library_counts_its_idioms() -> None:
    library = patois.mine(OPENING)
    counts = library.transform([*OPENING[:2], "", "def broken(:", OPENING[0] * 2])
    assert counts.shape == (5, len(library))
    assert counts[:, 0].tolist() == [1, 1, 0, 0, 2]


def test_a_library_finds_its_idioms(sources: Path, command_line: CommandLine) -> None:
    library = patois.mine(sources, n_idioms=5)
    found = library.find(sources)
    by_idiom = [sum(match.idiom == index for match in found) for index in range(len(library))]
    assert by_idiom == [idiom.count for idiom in library]
    first = library.find(sources, idiom=0)
    assert len(first) == library[0].count
    assert set(first[0].bindings) == set(library[0].holes)
    assert list(library.find(sources, idiom=library[0].id)) == list(first)
    with pytest.raises(patois.MisuseError, match="no idiom of .* has the id `py-nothing`"):
        library.find(sources, idiom="py-nothing")


def test_idioms_have_names_that_last() -> None:
    library = patois.mine(OPENING, seed=1)
    again = patois.mine(OPENING[1:], seed=2)
    assert library[0].id == again[0].id
    assert library[0].id.startswith("py-")
    assert library[0].title == "def with open as return json.load"


def test_other_languages_are_mined() -> None:
    programs = [f"function f{n}(x) {{ return document.getElementById(x + {n}).value; }}" for n in range(6)]
    library = patois.mine(programs, language="javascript", min_names=1)
    assert any("getElementById" in idiom.source for idiom in library)
    assert library.transform(programs)[:, 0].tolist() == [1] * 6


def test_notebooks_show_a_table_and_nothing_of_it_is_obeyed() -> None:
    library = patois.mine([f"x{n} = '<script>' + f(g({n}))" for n in range(5)], min_names=1)
    shown = library._repr_html_()
    assert "<script>" not in shown and "&lt;script&gt;" in shown
    assert shown.count("<tr>") == len(library) + 1
    assert "f(g(" in library[0]._repr_html_()


def test_pandas_has_the_idioms() -> None:
    library = patois.mine(OPENING)
    frame = library.to_pandas()
    assert frame["count"].tolist() == [idiom.count for idiom in library]


@pytest.mark.parametrize(
    ("programs", "options", "message"),
    [
        ("nowhere/", {}, "nowhere"),
        (["pass"], {"language": "cobol"}, "expected a language of python, .*, found `cobol`"),
        (["def f(:"], {}, "has no program to mine"),
        ([1, 2], {}, "expected programs as texts, found `int` at 0"),
        (["x = 1"], {"unit": "module"}, "expected the unit `file` or `function`, found `module`"),
        (["x = 1"], {"rank": "beauty"}, "beauty"),
        (["x = 1"], {"discount": 2.0}, "discount"),
        (["x = 1"], {"sweeps": 0}, "at least one sweep"),
    ],
)
def test_what_cannot_be_mined_is_told(programs: object, options: dict[str, object], message: str) -> None:
    with pytest.raises(patois.Error, match=message):
        patois.mine(programs, **options)  # type: ignore[arg-type]


def test_errors_are_those_of_the_command_line(command_line: CommandLine, tmp_path: Path) -> None:
    theirs = command_line("mine", "nowhere")["error"]
    with pytest.raises(patois.Error) as caught:
        patois.mine("nowhere")
    assert (caught.value.message, list(caught.value.causes), caught.value.help) == (
        theirs["message"],
        theirs["causes"],
        theirs["help"],
    )
    copy = pickle.loads(pickle.dumps(caught.value))
    assert str(copy) == str(caught.value) and type(copy) is type(caught.value)
