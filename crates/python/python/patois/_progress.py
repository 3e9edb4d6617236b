"""How far long work is: a callback, a bar of tqdm where that is installed, a line on a terminal, else nothing."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Generator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Union

ProgressCallback = Callable[[str, int, int, str], object]
"""Is called with the work, such as ``"mining"``, how much of it is done, of how much, and a remark."""

Progress = Union[bool, ProgressCallback]
"""Whether to show progress, or whom to tell."""


@contextmanager
def shown(progress: Progress) -> Generator[ProgressCallback | None, None, None]:
    """What the work is to call, as long as it takes."""
    if callable(progress):
        yield progress
        return
    display = _display() if progress else None
    try:
        yield display
    finally:
        if display is not None:
            display.close()


def _display() -> _Bars | _Line | None:
    try:
        with warnings.catch_warnings():
            # In a notebook without widgets it complains, and draws with characters.
            warnings.simplefilter("ignore")
            tqdm = import_module("tqdm.auto").tqdm
    except ImportError:
        return _Line() if sys.stderr.isatty() else None
    return _Bars(tqdm)


class _Bars:
    """One bar for each kind of work; it stays when the work is done."""

    def __init__(self, tqdm: Any) -> None:
        self._tqdm = tqdm
        self._bar: Any = None
        self._work = ""

    def __call__(self, work: str, done: int, total: int, message: str) -> None:
        if self._bar is None or work != self._work or done < self._bar.n:
            self.close()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self._bar = self._tqdm(total=total, desc=work, initial=done)
            self._work = work
        if message:
            self._bar.set_postfix_str(message, refresh=False)
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None


class _Line:
    """A line of a terminal that is written over and over."""

    def __init__(self) -> None:
        self._width = 0

    def __call__(self, work: str, done: int, total: int, message: str) -> None:
        line = f"{work}: {done} of {total}" + (f", {message}" if message else "")
        sys.stderr.write("\r" + line.ljust(self._width))
        sys.stderr.flush()
        self._width = len(line)

    def close(self) -> None:
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()
