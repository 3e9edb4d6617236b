"""What people pass: paths, or programs."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Union

from ._errors import MisuseError

PathLike = Union[str, "os.PathLike[str]"]
"""A file or folder."""


def paths_of(paths: PathLike | Iterable[PathLike]) -> list[str]:
    """One path or several, as texts."""
    if isinstance(paths, (str, os.PathLike)):
        return [os.fspath(paths)]
    return [os.fspath(path) for path in paths]


def programs_of(programs: Iterable[object]) -> list[str]:
    """Programs as texts; one alone is a mistake, for it is as iterable as many."""
    if isinstance(programs, (str, bytes, os.PathLike)):
        raise MisuseError("expected several programs, found one text", help="put it in a list")
    texts: list[str] = []
    for index, program in enumerate(programs):
        if not isinstance(program, str):
            kind = type(program).__name__
            raise MisuseError(f"expected programs as texts, found `{kind}` at {index}")
        texts.append(program)
    return texts
