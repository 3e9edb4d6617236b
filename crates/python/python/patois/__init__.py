"""The idioms of code, models that write with them, and databases asked in plain English.

>>> import patois
>>> programs = [f"def {name}(path):\\n    with open(path) as f:\\n        return json.load(f)\\n"
...             for name in ("load", "read", "count", "check", "show")]
>>> library = patois.mine(programs, language="python")
>>> print(library[0].source)
def $name(path):
    with open(path) as f:
        return json.load(f)
>>> library[0].count
5

Long work gives up the interpreter's lock and can be interrupted; whatever goes wrong is a :class:`patois.Error`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import metrics
from ._ask import Alternative, Answer, Database, ask
from ._errors import Error, MisuseError
from ._idioms import Example, Idiom, IdiomLibrary, Phrase, mine
from ._matches import Match, Matches, find
from ._patois import set_threads, threads, version
from ._runs import Evaluation, History, Run, train
from ._trees import Node, Tree, parse

if TYPE_CHECKING:
    from ._miner import Miner

__version__ = version()

__all__ = [
    "Alternative",
    "Answer",
    "Database",
    "Error",
    "Evaluation",
    "Example",
    "History",
    "Idiom",
    "IdiomLibrary",
    "Match",
    "Matches",
    "Miner",
    "MisuseError",
    "Node",
    "Phrase",
    "Run",
    "Tree",
    "ask",
    "find",
    "metrics",
    "mine",
    "parse",
    "set_threads",
    "threads",
    "train",
]


def __getattr__(name: str) -> Any:
    # scikit-learn takes longer to import than everything else here together.
    if name == "Miner":
        from ._miner import Miner

        return Miner
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
