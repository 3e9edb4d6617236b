"""How good predicted programs are: BLEU, Spider's exact set match, execution accuracy.

>>> from patois import metrics
>>> round(metrics.bleu(["x = f(1)", "y = g(2)"], ["x = f(1)", "y = g(3)"]), 3)
0.778
>>> metrics.score_programs(["x = (1)"], ["x=1"])["figures"]["exact_match"]
1.0
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, overload

from . import _patois
from ._sources import PathLike, paths_of

__all__ = ["bleu", "execution", "score_programs", "score_queries", "sentence_bleu", "spider_exact_match"]


@overload
def bleu(gold: str, predicted: str) -> float: ...
@overload
def bleu(gold: Sequence[str], predicted: Sequence[str]) -> float: ...
def bleu(gold: str | Sequence[str], predicted: str | Sequence[str]) -> float:
    """BLEU of a program, or of many as one, with the published tokens of code and NLTK's third smoothing.

    >>> bleu("x = f(1)", "x = f(1)")
    1.0
    """
    if isinstance(gold, str) and isinstance(predicted, str):
        return _patois.sentence_bleu([gold], [predicted])[0]
    return _patois.corpus_bleu(list(gold), list(predicted))


def sentence_bleu(gold: Sequence[str], predicted: Sequence[str]) -> list[float]:
    """BLEU of each of many programs.

    >>> sentence_bleu(["x = f(1)", "y"], ["x = f(1)", "z"])
    [1.0, 0.0]
    """
    return _patois.sentence_bleu(list(gold), list(predicted))


def spider_exact_match(
    gold: Sequence[str], predicted: Sequence[str], databases: Sequence[str], *, tables: PathLike
) -> list[bool]:
    """Whether each query is right by Spider's exact set match: clause by clause, without values.

    ``databases`` names the database of each query; ``tables`` is Spider's ``tables.json``, which describes them.
    """
    return _patois.spider_exact_match(list(gold), list(predicted), list(databases), os.fspath(tables))


def execution(
    gold: Sequence[str], predicted: Sequence[str], databases: PathLike | Sequence[PathLike]
) -> list[bool]:
    """Whether each query returns the rows that the gold one returns, from a SQLite file: one for all, or one for each.

    Queries only read, and end after some seconds. One that fails is wrong; a gold one that fails is an error.

    >>> import pathlib, sqlite3, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "pets.sqlite"
    >>> with sqlite3.connect(path) as pets:
    ...     _ = pets.execute("CREATE TABLE pet(name, age)")
    ...     _ = pets.execute("INSERT INTO pet VALUES ('Rex', 3), ('Tom', 9)")
    >>> execution(["SELECT name, age FROM pet"] * 2, ["SELECT age, name FROM pet", "SELECT name FROM pet"], path)
    [True, False]
    """
    files = paths_of(databases)
    if isinstance(databases, (str, os.PathLike)):
        files *= len(gold)
    return _patois.execution(list(gold), list(predicted), files)


def score_programs(gold: Sequence[str], predicted: Sequence[str]) -> dict[str, Any]:
    """Python programs as ``patois score hearthstone`` scores them: ``figures`` of all, and the ``scores`` of each."""
    return _patois.score_programs(list(gold), list(predicted))


def score_queries(
    gold: Sequence[str],
    predicted: Sequence[str],
    databases: Sequence[str],
    *,
    tables: PathLike,
    folder: PathLike | None = None,
) -> dict[str, Any]:
    """Queries as ``patois score spider`` scores them: ``figures`` of all, and the ``scores`` of each.

    They are run where ``folder`` holds the databases, as ``NAME/NAME.sqlite``.
    """
    where = None if folder is None else os.fspath(folder)
    return _patois.score_queries(list(gold), list(predicted), list(databases), os.fspath(tables), where)
