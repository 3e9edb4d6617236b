"""Databases asked in plain English."""

from __future__ import annotations

import pickle
import sqlite3
from pathlib import Path

import pytest
from conftest import CommandLine

import patois


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    path = tmp_path / "shop.sqlite"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE customer(id INTEGER PRIMARY KEY, name TEXT, city TEXT)")
        rows = [("Ada", "Berlin"), ("Bob", "Paris"), ("Cem", "Berlin"), ("Dan", None)]
        database.executemany("INSERT INTO customer(name, city) VALUES (?, ?)", rows)
    database.close()
    return path


def test_an_answer_is_that_of_the_command_line(shop: Path, command_line: CommandLine) -> None:
    question = "How many customers are from Berlin?"
    answer = patois.ask(shop, question)
    assert answer.rows == ((2,),) and answer
    [theirs] = command_line("ask", shop, question)["answers"]
    best = theirs["programs"][0]
    assert (answer.sql, answer.words, answer.confidence) == (best["code"].strip(), best["words"], best["confidence"])
    assert [it.sql for it in answer.alternatives] == [it["code"].strip() for it in theirs["programs"][1:]]


def test_rows_keep_their_types(shop: Path) -> None:
    answer = patois.ask(shop, "Show the name and city of all customers")
    assert ("Dan", None) in answer.rows
    assert answer.to_pandas().shape == (4, 2)
    assert len(patois.ask(shop, "Show the name and city of all customers", max_rows=2).rows) == 2


def test_what_is_not_known_is_refused() -> None:
    answer = patois.Database.sample().ask("How is the weather in Oslo?")
    assert not answer and answer.abstained
    assert answer.reason is not None and "weather" in answer.reason
    assert "no answer" in answer._repr_html_()


def test_a_database_is_asked_often_and_learns(shop: Path) -> None:
    database = patois.Database(shop)
    database.learn("who is special?", "SELECT name FROM customer WHERE id = 3")
    assert database.ask("who is special?").rows == (("Cem",),)
    again = pickle.loads(pickle.dumps(database))
    answer = again.ask("who is special?")
    assert answer.is_remembered
    assert pickle.loads(pickle.dumps(answer)) == answer


def test_files_become_a_database(tmp_path: Path) -> None:
    (tmp_path / "pets.csv").write_text("name,age\nRex,3\nTom,9\n")
    answer = patois.ask([tmp_path / "pets.csv"], "What is the age of the oldest pet?")
    assert answer.rows == ((9,),)


def test_notebooks_show_rows_and_alternatives() -> None:
    answer = patois.ask(patois.Database.sample(), "How many customers are there in each country?")
    shown = answer._repr_html_()
    assert "Austria" in shown and "or did you mean" in shown and "GROUP BY" in shown


def test_errors_are_told(tmp_path: Path) -> None:
    with pytest.raises(patois.Error, match="nowhere.sqlite"):
        patois.ask(tmp_path / "nowhere.sqlite", "How many?")
    with pytest.raises(patois.Error, match="holds no run"):
        patois.ask(patois.Database([], model=tmp_path), "How many?")
