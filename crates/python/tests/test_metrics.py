"""How good predictions are."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from conftest import CommandLine

import patois
from patois import metrics

REFERENCE = Path(__file__).parents[2] / "metrics" / "src" / "bleu" / "reference.json"


def test_bleu_is_that_of_nltk() -> None:
    reference = json.loads(REFERENCE.read_text())
    pairs = reference["pairs"]
    gold, predicted = [it["gold"] for it in pairs], [it["predicted"] for it in pairs]
    expected = [it["sentence"] for it in pairs]
    assert metrics.sentence_bleu(gold, predicted) == pytest.approx(expected, abs=1e-9)
    assert metrics.bleu(gold, predicted) == pytest.approx(reference["corpora"][-1], abs=1e-9)
    assert metrics.bleu(gold[0], predicted[0]) == pytest.approx(expected[0], abs=1e-9)


def test_programs_are_scored_as_on_the_command_line(tmp_path: Path, command_line: CommandLine) -> None:
    gold, predicted = ["x = (1)", "y = f(2)", "z"], ["x=1", "y = g(2)", "z ="]
    (tmp_path / "gold").write_text("\n".join(gold) + "\n")
    (tmp_path / "pred").write_text("\n".join(predicted) + "\n")
    theirs = command_line("score", "hearthstone", "--gold", "gold", "--pred", "pred")
    ours = metrics.score_programs(gold, predicted)
    assert theirs.pop("errors") == 1
    assert ours["figures"] == theirs
    assert [it["exact_match"] for it in ours["scores"]] == [True, False, False]


@pytest.fixture
def pets(tmp_path: Path) -> Path:
    folder = tmp_path / "database" / "pets"
    folder.mkdir(parents=True)
    with sqlite3.connect(folder / "pets.sqlite") as database:
        database.execute("CREATE TABLE pet(name TEXT, age INTEGER)")
        database.execute("INSERT INTO pet VALUES ('Rex', 3), ('Tom', 9)")
    database.close()
    columns = [[-1, "*"], [0, "name"], [0, "age"]]
    tables = {
        "db_id": "pets",
        "table_names": ["pet"],
        "table_names_original": ["pet"],
        "column_names": columns,
        "column_names_original": columns,
        "column_types": ["text", "text", "number"],
        "primary_keys": [],
        "foreign_keys": [],
    }
    (tmp_path / "tables.json").write_text(json.dumps([tables]))
    return tmp_path


def test_queries_are_scored_as_on_the_command_line(pets: Path, command_line: CommandLine) -> None:
    gold = ["SELECT name FROM pet WHERE age > 5", "SELECT name, age FROM pet", "SELECT count(*) FROM pet"]
    predicted = ["SELECT name FROM pet WHERE age > 7", "SELECT age, name FROM pet", "SELECT nothing"]
    databases = ["pets"] * 3
    tables, folder = pets / "tables.json", pets / "database"
    (pets / "gold.sql").write_text("".join(f"{it}\tpets\n" for it in gold))
    (pets / "pred.sql").write_text("".join(f"{it}\n" for it in predicted))
    theirs = command_line(
        "score", "spider", "--gold", "gold.sql", "--pred", "pred.sql", "--tables", tables, "--database", folder
    )
    ours = metrics.score_queries(gold, predicted, databases, tables=tables, folder=folder)
    assert ours["figures"] == {key: value for key, value in theirs.items() if key != "errors"}
    assert metrics.spider_exact_match(gold, predicted, databases, tables=tables) == [True, True, False]
    file = folder / "pets" / "pets.sqlite"
    assert metrics.execution(gold, predicted, [file] * 3) == metrics.execution(gold, predicted, file) == [True, True, False]


def test_what_cannot_be_compared_is_told(pets: Path) -> None:
    with pytest.raises(patois.MisuseError, match="there are 1 gold programs, but 2 predictions"):
        metrics.bleu(["x"], ["x", "y"])
    with pytest.raises(patois.MisuseError, match="has no database `cats`"):
        metrics.spider_exact_match(["SELECT 1"], ["SELECT 1"], ["cats"], tables=pets / "tables.json")
    with pytest.raises(patois.Error, match="the gold query fails"):
        metrics.execution(["SELECT nothing"], ["SELECT 1"], pets / "database" / "pets" / "pets.sqlite")
