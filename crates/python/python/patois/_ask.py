"""Databases asked in plain English."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from . import _patois
from ._sources import PathLike, paths_of
from ._tables import data_frame, html_table

if TYPE_CHECKING:
    import pandas

Row = tuple[Any, ...]


@dataclass(frozen=True)
class Alternative:
    """A query that may answer a question, with what it returns."""

    sql: str
    """The query."""
    words: str
    """What it computes, in words."""
    confidence: float
    """How often such an answer is right, from 0 to 1."""
    columns: tuple[str, ...]
    """The names of the columns."""
    rows: tuple[Row, ...] = field(repr=False)
    """The first rows."""
    is_cut: bool = False
    """Whether there are more rows."""
    error: str | None = None
    """Why there are no rows."""
    is_remembered: bool = False
    """Whether somebody said that this is right."""

    def to_pandas(self) -> pandas.DataFrame:
        """The rows as a data frame."""
        return data_frame(self.rows, self.columns)

    def _repr_html_(self) -> str:
        more = ", and more" if self.is_cut else ""
        caption = f"{self.words or self.sql} ({self.confidence:.0%} sure{more})"
        return html_table(self.columns, self.rows, caption)


@dataclass(frozen=True)
class Answer(Alternative):
    """What came of a question: the best query, and others that may have been meant.

    An answer that should not be trusted is false: ``if answer: ...``. Its query is then a guess, and :attr:`reason` says why.
    """

    question: str = ""
    """What was asked."""
    abstained: bool = False
    """Whether it is better to say nothing."""
    reason: str | None = None
    """Why, or why there is nothing at all."""
    alternatives: tuple[Alternative, ...] = field(default=(), repr=False)
    """Other queries, which return other rows, best first."""

    def __bool__(self) -> bool:
        return not self.abstained and self.error is None

    def _repr_html_(self) -> str:
        if self.abstained:
            rows = [(self.reason, f"the best guess, {self.confidence:.0%} sure: {self.words}")]
            return html_table(["no answer", ""], rows)
        best = super()._repr_html_()
        query = html_table(["query"], [(self.sql,)], code=[0])
        if not self.alternatives:
            return best + query
        others = [(it.words or it.sql, f"{it.confidence:.0%}") for it in self.alternatives]
        return best + query + html_table(["or did you mean", "sure"], others)


class Database:
    """A SQLite file, or CSV, TSV and JSON lines that become one, to be asked several questions. Nothing is written to the files.

    >>> shop = Database.sample()
    >>> answer = shop.ask("How many customers are there?")
    >>> answer.sql, answer.rows
    ('SELECT count(*) FROM customer', ((12,),))
    """

    def __init__(
        self,
        files: PathLike | Iterable[PathLike],
        *,
        model: PathLike | None = None,
        declared_keys: bool = False,
    ) -> None:
        self._files = paths_of(files)
        self._model = None if model is None else paths_of(model)[0]
        self._declared_keys = declared_keys
        self._asker = _patois.Asker(self._files, self._model, declared_keys)

    @classmethod
    def sample(cls) -> Database:
        """A small database inside the package: a record shop."""
        return cls([])

    @property
    def notes(self) -> Sequence[str]:
        """What is to be known about how the files were read: keys that are not declared, columns that were renamed."""
        return self._asker.notes

    def ask(self, question: str, *, n_alternatives: int = 3, max_rows: int = 100) -> Answer:
        """Answers a question."""
        return _answer(self._asker.ask(question, n_alternatives + 1, max_rows))

    def learn(self, question: str, sql: str) -> None:
        """Remembers that a query is right for a question, beside the first file, in ``FILE.patois``."""
        self._asker.learn(question, sql)

    def __repr__(self) -> str:
        return f"<database {', '.join(self._files) or 'sample'}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _opened, (self._files, self._model, self._declared_keys)


def _opened(files: list[str], model: str | None, declared_keys: bool) -> Database:
    return Database(files, model=model, declared_keys=declared_keys)


def _answer(answer: dict[str, Any]) -> Answer:
    programs: list[dict[str, Any]] = answer["programs"]
    nothing: dict[str, Any] = {"code": "", "words": "", "confidence": 0.0, "columns": (), "rows": ()}
    best = programs[0] if programs else nothing
    return Answer(
        **_alternative(best),
        question=answer["question"],
        abstained=answer["abstained"],
        reason=answer["reason"],
        alternatives=tuple(Alternative(**_alternative(it)) for it in programs[1:]),
    )


def _alternative(program: dict[str, Any]) -> dict[str, Any]:
    return {
        "sql": program["code"].rstrip(),
        "words": program["words"],
        "confidence": program["confidence"],
        "columns": tuple(program["columns"]),
        "rows": tuple(tuple(row) for row in program["rows"]),
        "is_cut": program.get("is_cut", False),
        "error": program.get("error"),
        "is_remembered": program.get("is_remembered", False),
    }


def ask(
    database: Database | PathLike | Iterable[PathLike],
    question: str,
    *,
    model: PathLike | None = None,
    n_alternatives: int = 3,
    max_rows: int = 100,
) -> Answer:
    """Asks a database, or files that become one, in plain English; the model inside the package answers, or that of a run.

    >>> import patois
    >>> answer = patois.ask(patois.Database.sample(), "How many customers are there in each country?")
    >>> answer.words
    'number of customers for each country'
    >>> answer.rows[:2]
    (('Austria', 1), ('Canada', 1))
    >>> bool(patois.ask(patois.Database.sample(), "How is the weather in Oslo?"))
    False
    """
    if not isinstance(database, Database):
        database = Database(database, model=model)
    return database.ask(question, n_alternatives=n_alternatives, max_rows=max_rows)
