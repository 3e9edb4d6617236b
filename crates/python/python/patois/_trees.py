"""Programs as trees."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import Any

from . import _patois
from ._idioms import IdiomLibrary
from ._tables import html_table


class Node:
    """A node of a program's tree: a piece of syntax, or a name or literal in it."""

    __slots__ = ("_index", "_tree")

    def __init__(self, tree: Tree, index: int) -> None:
        self._tree = tree
        self._index = index

    @property
    def kind(self) -> str:
        """What it is: ``Assign``, ``Name``; of a name or literal its type, such as ``identifier``."""
        return self._tree._nodes[self._index][0]

    @property
    def type(self) -> str:
        """What it counts as for its parent: ``stmt``, ``expr``."""
        return self._tree._nodes[self._index][1]

    @property
    def field(self) -> str:
        """The field of its parent that it is in: ``value``; empty for the root."""
        return self._tree._nodes[self._index][2]

    @property
    def text(self) -> str | None:
        """The name or literal itself; nothing where there are nodes below."""
        return self._tree._nodes[self._index][3]

    @property
    def source(self) -> str | None:
        """The source code that it was parsed from, where that is known."""
        span = self._span
        return None if span is None else self._tree._bytes[span[0] : span[1]].decode()

    @property
    def line(self) -> int | None:
        """The line that it begins on, counted from one, where that is known."""
        span = self._span
        return None if span is None else bisect_right(self._tree._lines, span[0])

    @property
    def column(self) -> int | None:
        """The column that it begins in, in characters, counted from one, where that is known."""
        span, line = self._span, self.line
        if span is None or line is None:
            return None
        start = self._tree._lines[line - 1]
        return len(self._tree._bytes[start : span[0]].decode()) + 1

    @property
    def parent(self) -> Node | None:
        """The node that this one is in."""
        parent = self._tree._nodes[self._index][5]
        return None if parent is None else Node(self._tree, parent)

    @property
    def children(self) -> list[Node]:
        """The nodes right below, in order."""
        return [Node(self._tree, child) for child in self._tree._children[self._index]]

    def walk(self) -> Iterator[Node]:
        """This node, and all nodes below it, in the order of the source."""
        open_ = [self._index]
        while open_:
            index = open_.pop()
            yield Node(self._tree, index)
            open_.extend(reversed(self._tree._children[index]))

    @property
    def _span(self) -> tuple[int, int] | None:
        return self._tree._nodes[self._index][4]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Node) and (self._index, self._tree) == (other._index, other._tree)

    def __hash__(self) -> int:
        return hash((self._index, self._tree))

    def __repr__(self) -> str:
        return f"Node({self.kind})" if self.text is None else f"Node({self.kind} {self.text!r})"


class Tree:
    """A program as a tree, made by :func:`parse`. Equal sources are equal trees; layout and comments do not count for :meth:`to_sexp`."""

    def __init__(self, source: str, language: str) -> None:
        self.source = source
        """The source that was parsed."""
        self.language = language
        """Its language."""
        self._parsed = _patois.Parsed(source, language)
        self._nodes = self._parsed.nodes()
        self._children: list[list[int]] = [[] for _ in self._nodes]
        for index, node in enumerate(self._nodes):
            if node[5] is not None:
                self._children[node[5]].append(index)
        self._bytes = source.encode()
        ends = (at + 1 for at, byte in enumerate(self._bytes) if byte == ord("\n"))
        self._lines = [0, *ends]

    @property
    def root(self) -> Node:
        """The node that all others are below."""
        return Node(self, 0)

    @property
    def nodes(self) -> list[Node]:
        """All nodes, in the order of the source."""
        return [Node(self, index) for index in range(len(self._nodes))]

    @property
    def children(self) -> list[Node]:
        """The nodes right below the root."""
        return self.root.children

    def to_source(self) -> str:
        """The program, printed from its tree: other layout, no comments, same meaning."""
        return self._parsed.to_source()

    def to_sexp(self) -> str:
        """The tree in the notation that idioms have in ``idioms.json``."""
        return self._parsed.to_sexp()

    def derivation(self, library: IdiomLibrary | None = None) -> list[str]:
        """The steps that write the program, as a decoder takes them.

        ``stmt.Assign`` applies a rule, ``"copy"`` writes a part of a name, ``$`` ends it. With a library, ``#3`` writes its idiom 3,
        counted from zero, wherever that takes fewer steps.
        """
        inner = None if library is None else library._inner
        return [step for _, step in self._parsed.derivation(inner)]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tree) and (self.source, self.language) == (other.source, other.language)

    def __hash__(self) -> int:
        return hash((self.source, self.language))

    def __len__(self) -> int:
        return len(self._nodes)

    def __repr__(self) -> str:
        return f"<{self.language} tree of {len(self)} nodes>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Tree, (self.source, self.language)

    def _repr_html_(self) -> str:
        depths: list[int] = []
        rows: list[tuple[str, str | None]] = []
        for node in self._nodes:
            depth = 0 if node[5] is None else depths[node[5]] + 1
            depths.append(depth)
            label = f"{node[2]}: {node[0]}" if node[2] else node[0]
            rows.append(("  " * depth + label, node[3]))
        return html_table(["node", "text"], rows[:100], repr(self), code=[0, 1])


def parse(source: str, *, language: str = "python") -> Tree:
    """Parses a program.

    >>> tree = parse("x = f(1)", language="python")
    >>> tree.children[0].kind, tree.children[0].children[1].source
    ('Assign', 'f(1)')
    >>> tree.to_source()
    'x = f(1)\\n'
    >>> tree.derivation()[1:4]
    ['stmt.Assign', ...
    """
    return Tree(source, language)
