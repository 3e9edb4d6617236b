"""Where idioms and code with holes occur."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, overload

from . import _patois
from ._progress import Progress, shown
from ._sources import PathLike, paths_of
from ._tables import data_frame, html_table

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Match:
    """A place where something was found."""

    path: str
    """The file."""
    line: int
    """The line that it begins on, counted from one."""
    column: int
    """The column that it begins in, in characters, counted from one."""
    end_line: int
    """The line that it ends on."""
    end_column: int
    """The column behind its last character."""
    text: str
    """The line of source code that it begins on."""
    bindings: Mapping[str, str] = field(default_factory=dict[str, str])
    """The code that each hole stands for, where one pattern or one idiom was looked for."""
    idiom: int | None = None
    """Which idiom of the library it is, counted from zero, where a library was looked for."""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}: {self.text}"


class Matches(Sequence[Match]):
    """The places where something was found, in the order of files and lines."""

    def __init__(self, matches: Sequence[Match], searched: int, unsearched: Sequence[tuple[str, str]]) -> None:
        self._matches = list(matches)
        self.searched = searched
        """How many files were searched."""
        self.unsearched = list(unsearched)
        """Files that could not be searched, each with the reason."""

    @classmethod
    def _of(cls, found: dict[str, Any]) -> Matches:
        unsearched = [(it["file"], it["reason"]) for it in found["unsearched"]]
        for file, reason in unsearched:
            warnings.warn(f"{file}: {reason}", stacklevel=3)
        return cls([_match(it) for it in found["places"]], found["searched"], unsearched)

    @overload
    def __getitem__(self, index: int) -> Match: ...
    @overload
    def __getitem__(self, index: slice) -> list[Match]: ...
    def __getitem__(self, index: int | slice) -> Match | list[Match]:
        return self._matches[index]

    def __len__(self) -> int:
        return len(self._matches)

    def __iter__(self) -> Iterator[Match]:
        return iter(self._matches)

    def __repr__(self) -> str:
        return f"<{len(self)} matches in {self.searched} files>"

    def __str__(self) -> str:
        return "\n".join(map(str, self))

    def _repr_html_(self) -> str:
        files = {it.path for it in self}
        folder = os.path.commonpath(map(os.path.dirname, files)) if files else ""
        rows: list[tuple[str, str, str]] = []
        for it in self[:20]:
            place = f"{os.path.relpath(it.path, folder or None)}:{it.line}:{it.column}"
            rows.append((place, _short(it.text), _listed(it.bindings)))
        more = f", the first {len(rows)}" if len(rows) < len(self) else ""
        return html_table(["place", "code", "holes"], rows, f"{len(self)} matches{more}", code=[1, 2])

    def to_pandas(self) -> pandas.DataFrame:
        """The matches as a data frame, each hole a column."""
        rows: list[dict[str, Any]] = []
        for it in self:
            row: dict[str, Any] = {"path": it.path, "line": it.line, "column": it.column, "text": it.text}
            if it.idiom is not None:
                row["idiom"] = it.idiom
            rows.append(row | {f"${name}": code for name, code in it.bindings.items()})
        return data_frame(rows, None if rows else ["path", "line", "column", "text"])


def _listed(bindings: Mapping[str, str]) -> str:
    return "\n".join(f"${name} = {_short(code)}" for name, code in bindings.items() if code)


def _short(code: str, width: int = 60) -> str:
    """The first line of code, as far as a table has room for it."""
    first, _, rest = code.partition("\n")
    if len(first) > width:
        return first[: width - 1] + "…"
    return first + " …" if rest else first


def _match(place: dict[str, Any]) -> Match:
    number: int | None = place.get("idiom")
    return Match(
        path=place["file"],
        line=place["line"],
        column=place["column"],
        end_line=place["end_line"],
        end_column=place["end_column"],
        text=place["text"],
        bindings=place.get("bindings", {}),
        idiom=None if number is None else number - 1,
    )


def find(
    what: str,
    paths: PathLike | Iterable[PathLike],
    *,
    language: str | None = None,
    unit: Literal["file", "function"] | None = None,
    max_file_size: int | None = None,
    progress: Progress = False,
) -> Matches:
    """Finds where code with holes occurs in files and folders.

    ``$name`` stands for anything, equal names for equal code; ``$_`` is anything, ``$name...`` the rest of a list, ``$name?``
    something or nothing, ``"$name"`` any string. As on the command line, ``what`` may be ``idioms.json#3``, too, or a fragment in the
    notation of that file. Layout, comments and quotes do not matter.

    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "a.py").write_text("port = options.get('port', None)\\nname = options.get('name')\\n")
    >>> [match] = find("$x.get($k, None)", folder)
    >>> match.line, match.column, match.bindings
    (1, 8, {'x': 'options', 'k': "'port'"})
    """
    with shown(progress) as callback:
        found = _patois.find(what, paths_of(paths), language, unit, max_file_size, callback)
    return Matches._of(found)
