"""What goes wrong."""

from __future__ import annotations

from collections.abc import Sequence


class Error(Exception):
    """Something was not found, not written, or does not hold; the text is the command line's.

    >>> import patois
    >>> try:
    ...     patois.IdiomLibrary.load("nowhere.json")
    ... except patois.Error as error:
    ...     print(error.message)
    cannot read `nowhere.json`
    """

    def __init__(self, message: str, causes: Sequence[str] = (), help: str | None = None) -> None:
        super().__init__(message, tuple(causes), help)
        self.message = message
        """What went wrong."""
        self.causes = tuple(causes)
        """Why, from the nearest cause to the root."""
        self.help = help
        """What can be done about it, where there is advice."""

    def __str__(self) -> str:
        text = ": ".join([self.message, *self.causes])
        return f"{text} ({self.help})" if self.help else text


class MisuseError(Error, ValueError):
    """What was asked for makes no sense; nothing was tried.

    >>> import patois
    >>> patois.parse("x = ", language="python")
    Traceback (most recent call last):
    ...
    patois._errors.MisuseError: the source does not parse: ...
    """
