"""Runs: models that are trained, and measured."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from . import _patois
from ._errors import Error
from ._idioms import IdiomLibrary
from ._progress import Progress, shown
from ._sources import PathLike
from ._tables import data_frame, html_table

if TYPE_CHECKING:
    import pandas

Split = Literal["train", "dev", "test", "handwritten"]


class _Rows(Sequence[dict[str, Any]]):
    """Rows of a file, as dictionaries."""

    def __init__(self, rows: Sequence[dict[str, Any]]) -> None:
        self._rows = list(rows)

    @overload
    def __getitem__(self, index: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, index: slice) -> list[dict[str, Any]]: ...
    def __getitem__(self, index: int | slice) -> dict[str, Any] | list[dict[str, Any]]:
        return self._rows[index]

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self._rows)

    def to_pandas(self) -> pandas.DataFrame:
        """The rows as a data frame."""
        return data_frame(self._rows, None)


class History(_Rows):
    """What each step and measurement of training found: ``step``, ``loss``, ``gradient``, ``dev_loss``, ``seconds``."""

    def __repr__(self) -> str:
        return f"<history of {self[-1]['step'] if len(self) else 0} steps>"

    def _repr_html_(self) -> str:
        measured = [it for it in self if "dev_loss" in it]
        rows = [(it["step"], f"{it['dev_loss']:.3f}", f"{it['seconds']:.0f}") for it in measured]
        return html_table(["step", "dev loss", "seconds"], rows, repr(self)[1:-1])


class Evaluation(_Rows):
    """What a model wrote for the examples of a split: a row for each, and figures of all."""

    def __init__(self, evaluated: Mapping[str, Any]) -> None:
        super().__init__(evaluated["predictions"])
        self.split: str = evaluated["split"]
        """The part of the corpus."""
        self.beam: int = evaluated["beam"]
        """How many hypotheses were kept."""
        self.seconds: float = evaluated["seconds"]
        """How long it took."""
        self.figures: dict[str, Any] = evaluated["figures"]
        """All figures, as ``patois evaluate --json`` has them."""

    @property
    def exact_match(self) -> float:
        """The share of programs that are right: equal trees, or Spider's exact set match."""
        return _of_all(self.figures["exact_match"])

    @property
    def execution(self) -> float | None:
        """The share of queries that return the right rows, where they were run."""
        execution = self.figures.get("execution")
        return None if execution is None else _of_all(execution)

    def __repr__(self) -> str:
        return f"<{len(self)} predictions for {self.split}: exact match {self.exact_match:.3f}>"

    def _repr_html_(self) -> str:
        rows = [("yes" if it["exact_match"] else "no", it["text"], it["gold"], it["predicted"]) for it in self[:20]]
        return html_table(["right", "text", "gold", "predicted"], rows, repr(self)[1:-1], code=[2, 3])


def _of_all(figure: Any) -> float:
    try:
        return float(figure["all"] or 0.0)
    except TypeError:
        return float(figure)


class Run:
    """The folder of a run: its configuration, its idioms, its model, and what came of training."""

    def __init__(self, path: PathLike, *, outcome: Mapping[str, Any] | None = None) -> None:
        self.path = Path(path)
        """The folder."""
        self.outcome: dict[str, Any] | None = None if outcome is None else dict(outcome)
        """How training ended, where it was trained just now: ``steps``, ``seconds``, ``loss``, ``dev_loss``, ``stopped``."""
        if not (self.path / "config.toml").is_file():
            raise Error(f"`{self.path}` holds no run: there is no `config.toml`", help="make one: patois.train")

    @property
    def config(self) -> dict[str, Any]:
        """The configuration, with every default."""
        return _patois.configuration(os.fspath(self.path / "config.toml"))

    @property
    def idioms(self) -> IdiomLibrary:
        """The idioms that the model may use."""
        return IdiomLibrary.load(self.path / "idioms.json")

    @property
    def history(self) -> History:
        """What each step and measurement of training found."""
        try:
            text = (self.path / "training.jsonl").read_text(encoding="utf-8")
        except OSError as error:
            raise Error(f"`{self.path}` was not trained", [str(error)]) from error
        return History([json.loads(line) for line in text.splitlines() if line.endswith("}")])

    def evaluate(
        self,
        split: Split = "dev",
        *,
        beam: int | None = None,
        limit: int | None = None,
        progress: Progress = False,
    ) -> Evaluation:
        """Writes programs for the examples of a split, and measures how good they are, as ``patois evaluate`` does."""
        with shown(progress) as callback:
            return Evaluation(_patois.evaluate(os.fspath(self.path), split, beam, limit, callback))

    def __repr__(self) -> str:
        return f"Run({os.fspath(self.path)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Run) and self.path == other.path

    def __hash__(self) -> int:
        return hash(self.path)


def train(
    config: PathLike | None = None,
    *,
    out: PathLike | None = None,
    overrides: Mapping[str, Any] | None = None,
    existing: Literal["refuse", "resume", "replace"] = "refuse",
    progress: Progress = False,
) -> Run:
    """Trains a model to write programs, with or without idioms, as ``patois train`` does.

    Without a configuration, the one inside the package is taken: questions and SQL over 27 small databases. ``overrides`` are keys
    with dots, ``{"training.n_steps": 1000, "training.objective": "plain"}``, or nested dictionaries. Ctrl-C finishes the step and
    saves; ``existing="resume"`` goes on, to the same model as without the interruption.
    """
    default = "runs/default" if config is None else Path("runs") / Path(config).stem
    folder = os.fspath(default if out is None else out)
    given = None if config is None else os.fspath(config)
    with shown(progress) as callback:
        outcome = _patois.train(given, folder, dict(overrides or {}), existing, callback)
    return Run(folder, outcome=outcome)
