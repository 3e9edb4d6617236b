"""Idioms, libraries of them, and mining."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, overload

from . import _patois
from ._errors import Error, MisuseError
from ._matches import Matches
from ._progress import Progress, shown
from ._sources import PathLike, paths_of, programs_of
from ._tables import data_frame, html_table

if TYPE_CHECKING:
    import numpy
    import pandas
    from numpy.typing import NDArray

MinerName = Literal["type-based", "single-site", "bpe"]
Ranking = Literal["coverage", "cross-entropy", "residual", "compression", "surprise"]
Preset = Literal["best", "paper"]
Unit = Literal["file", "function"]


@dataclass(frozen=True)
class Example:
    """A place where an idiom occurs."""

    place: str
    """The file and the line, or what the program is called."""
    line: str
    """The first line of what is there."""


@dataclass(frozen=True)
class Phrase:
    """A word, or two that follow each other, that an idiom is foretold by."""

    phrase: str
    """The words."""
    programs: int
    """In how many programs with these words in their texts the idiom is."""
    of: int
    """How many programs with these words there are."""

    def __str__(self) -> str:
        return self.phrase


@dataclass(frozen=True)
class Idiom:
    """A fragment of programs that people keep writing."""

    source: str
    """The idiom as source code: ``$name`` is a hole, ``$name...`` one for a list, ``$name?`` one that may stay empty."""
    count: int
    """At how many places it occurs."""
    coverage: int
    """In how many programs it occurs."""
    score: float
    """What the ranking thought of it."""
    notation: str
    """The idiom as a fragment of syntax trees, as in ``idioms.json``."""
    examples: tuple[Example, ...] = field(default=(), repr=False)
    """Some of its places."""
    phrases: tuple[Phrase, ...] = field(default=(), repr=False)
    """Words of the programs' texts that foretell it, the most telling first; none where programs come without texts."""
    id: str = ""
    """What it is called wherever it is mined: a hash of what it is."""
    title: str = ""
    """What people call it: its own words, unless somebody has changed them in ``idioms.json``."""

    @property
    def holes(self) -> list[str]:
        """The names of its holes, in order, each once.

        >>> Idiom("$x = copy.copy($x)", 2, 2, 1.0, "").holes
        ['x']
        """
        return _patois.holes(self.source)

    def __str__(self) -> str:
        return self.source

    def _repr_html_(self) -> str:
        return _table([(None, self)])


class IdiomLibrary(Sequence[Idiom]):
    """The idioms of a corpus, best first."""

    def __init__(self, inner: _patois.Library, figures: Mapping[str, Any] | None = None) -> None:
        self._inner = inner
        self._idioms = [_idiom(it) for it in inner.idioms()]
        self._corpus, self._grammar, self._config = inner.about()
        self.figures: dict[str, Any] = dict(figures or {})
        """What was measured while mining: programs, compression, coverage, ...; nothing where the library was read from a file."""

    @staticmethod
    def load(path: PathLike) -> IdiomLibrary:
        """Reads ``idioms.json``, as ``patois mine`` and :meth:`save` write it."""
        return IdiomLibrary(_patois.Library.load(os.fspath(path)))

    def save(self, path: PathLike) -> None:
        """Writes ``idioms.json``, whole or not at all."""
        self._inner.save(os.fspath(path))

    @property
    def language(self) -> str:
        """The language of the programs."""
        return str(self._corpus["language"])

    @property
    def corpus(self) -> str:
        """What the programs were asked for by."""
        return str(self._corpus["name"])

    @property
    def config(self) -> Mapping[str, Any]:
        """How the idioms were mined."""
        config: dict[str, Any] = self._config
        return config

    @overload
    def __getitem__(self, index: int) -> Idiom: ...
    @overload
    def __getitem__(self, index: slice) -> list[Idiom]: ...
    def __getitem__(self, index: int | slice) -> Idiom | list[Idiom]:
        return self._idioms[index]

    def __len__(self) -> int:
        return len(self._idioms)

    def __iter__(self) -> Iterator[Idiom]:
        return iter(self._idioms)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, IdiomLibrary) and self._inner.to_json() == other._inner.to_json()

    def __hash__(self) -> int:
        return hash(self._inner.to_json())

    def __repr__(self) -> str:
        return f"<{len(self)} idioms of {self.corpus} ({self.language})>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._inner.to_json(), self.corpus, self.figures)

    def _repr_html_(self) -> str:
        shown = list(enumerate(self._idioms[:25]))
        more = f", the first {len(shown)}" if len(shown) < len(self) else ""
        return _table(shown, f"{len(self)} idioms of {self.corpus}{more}")

    def find(
        self, paths: PathLike | Iterable[PathLike], *, idiom: int | str | None = None, progress: Progress = False
    ) -> Matches:
        """Finds where the idioms occur in files and folders; or one of them, by its id or counted from zero, with what its holes stand for."""
        if isinstance(idiom, str):
            idiom = self._by_id(idiom)
        number = None if idiom is None else range(len(self))[idiom] + 1
        with shown(progress) as callback:
            return Matches._of(self._inner.find(paths_of(paths), number, callback))

    def _by_id(self, wanted: str) -> int:
        for index, idiom in enumerate(self):
            if idiom.id == wanted:
                return index
        raise MisuseError(f"no idiom of {self.corpus} has the id `{wanted}`")

    def transform(self, programs: Iterable[str], *, progress: Progress = False) -> NDArray[numpy.int64]:
        """Counts the idioms of programs: a row for each program, a column for each idiom.

        Idioms are counted at every place, as :meth:`find` finds them. What does not parse of a program counts nothing.

        >>> import patois
        >>> library = patois.mine(["x = f(g(1))", "y = f(g(2))", "z = f(g(3))"], min_names=1)
        >>> library.transform(["a = f(g(7))", "pass"]).tolist()
        [[1], [0]]
        """
        try:
            import numpy
        except ImportError as error:
            raise Error("there is no NumPy here", [str(error)], "pip install numpy") from error
        listed = programs_of(programs)
        with shown(progress) as callback:
            rows = self._inner.count(listed, callback)
        counts = numpy.zeros((len(listed), len(self)), dtype=numpy.int64)
        for row, idioms in enumerate(rows):
            for idiom, count in idioms:
                counts[row, idiom] = count
        return counts

    def to_pandas(self) -> pandas.DataFrame:
        """The idioms as a data frame."""
        columns = ["id", "title", "source", "count", "coverage", "score", "holes"]
        return data_frame([[getattr(it, name) for name in columns] for it in self], columns)


def _restored(text: str, name: str, figures: dict[str, Any]) -> IdiomLibrary:
    return IdiomLibrary(_patois.Library.from_json(text, name), figures)


def _idiom(record: dict[str, Any]) -> Idiom:
    return Idiom(
        source=record["source"],
        count=record["occurrences"],
        coverage=record["coverage"],
        score=record["score"],
        notation=record["notation"],
        examples=tuple(Example(it["example"], it["line"]) for it in record["examples"]),
        phrases=tuple(Phrase(it["phrase"], it["programs"], it["of"]) for it in record.get("phrases", ())),
        id=record["id"],
        title=record["title"],
    )


def _table(idioms: Sequence[tuple[int | None, Idiom]], caption: str = "") -> str:
    rows = [(index, it.count, it.coverage, it.source) for index, it in idioms]
    return html_table(["", "places", "programs", "idiom"], rows, caption, code=[3])


def mine(
    programs: PathLike | Iterable[PathLike] | Iterable[str],
    *,
    language: str | None = None,
    n_idioms: int | None = None,
    seed: int = 0,
    unit: Unit = "function",
    preset: Preset = "best",
    miner: MinerName | None = None,
    sweeps: int | None = None,
    concentration: float | None = None,
    discount: float | None = None,
    anneal: bool = False,
    rank: Ranking | None = None,
    keep_closed: bool = False,
    keep_names: bool = False,
    min_size: int | None = None,
    min_names: int | None = None,
    min_files: int | None = None,
    max_file_size: int = 1_000_000,
    progress: Progress = False,
) -> IdiomLibrary:
    """Mines the idioms of programs: the fragments that people keep writing.

    ``programs`` is a file or folder, several of them, the name of a dataset (``default``, ``hearthstone``, ...), or an iterable of
    sources. What is a path: a text that has no line end and names something that is there, or a dataset; and whatever
    :mod:`pathlib` made. The other arguments are the options of ``patois mine``, and give the same library for the same seed.

    >>> library = mine(["x = f(g(1))", "y = f(g(2))", "z = f(g(3))"], min_names=1)
    >>> print(library[0].source, library[0].count, library[0].holes)
    $1 = f(g($integer)) 3 ['1', 'integer']
    """
    options = {
        "language": language,
        "n_idioms": n_idioms,
        "seed": seed,
        "unit": unit,
        "keep_names": keep_names,
        "max_file_size": max_file_size,
        "preset": preset,
        "miner": "byte-pairs" if miner == "bpe" else miner,
        "sweeps": sweeps,
        "concentration": concentration,
        "discount": discount,
        "anneal": anneal,
        "rank": rank,
        "keep_closed": keep_closed,
        "min_size": min_size,
        "min_names": min_names,
        "min_files": min_files,
    }
    listed = [programs] if isinstance(programs, (str, os.PathLike)) else list(programs)
    with shown(progress) as callback:
        if isinstance(programs, (str, os.PathLike)) or (listed and all(map(_is_path, listed))):
            inner, figures = _patois.mine(paths_of(listed), None, options, callback)
        else:
            texts = programs_of(listed)
            named = [(f"program {index}", text) for index, text in enumerate(texts)]
            inner, figures = _patois.mine([], named, options, callback)
    return IdiomLibrary(inner, figures)


def _is_path(program: object) -> bool:
    if not isinstance(program, str):
        return isinstance(program, os.PathLike)
    return "\n" not in program and (program in _DATASETS or os.path.exists(program))


_DATASETS = ("default", "hearthstone", "spider", "conala", "django")
