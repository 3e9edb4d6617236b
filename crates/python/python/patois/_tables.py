"""Results as tables: of a notebook, and of pandas."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from ._errors import Error

if TYPE_CHECKING:
    import pandas

_LEFT = "text-align: left; vertical-align: top"
_CODE = "margin: 0; text-align: left; font-family: monospace; white-space: pre; background: none"


def html_table(
    heading: Sequence[str], rows: Iterable[Sequence[object]], caption: str = "", code: Sequence[int] = ()
) -> str:
    """A table; the columns of ``code`` are set as code. What cells hold is text, whatever is in it."""
    parts = ["<table>"]
    if caption:
        parts.append(f'<caption style="{_LEFT}">{escape(caption)}</caption>')
    names = "".join(f'<th style="{_LEFT}">{escape(name)}</th>' for name in heading)
    parts.append(f"<thead><tr>{names}</tr></thead><tbody>")
    for row in rows:
        cells = (_cell(value, index in code) for index, value in enumerate(row))
        parts.append(f"<tr>{''.join(cells)}</tr>")
    parts.append("</tbody></table>")
    return "".join(parts)


def _cell(value: object, is_code: bool) -> str:
    text = "" if value is None else escape(str(value))
    if is_code:
        text = f'<pre style="{_CODE}">{text}</pre>'
    return f'<td style="{_LEFT}">{text}</td>'


def data_frame(rows: Sequence[Mapping[str, Any]] | Sequence[Sequence[Any]], columns: Sequence[str] | None) -> pandas.DataFrame:
    """Rows as a data frame."""
    try:
        import pandas
    except ImportError as error:
        raise Error("there is no pandas here", [str(error)], "pip install pandas") from error
    return pandas.DataFrame(list(rows), columns=None if columns is None else list(columns))
