"""The command line: ``patois``, or ``python -m patois``."""

from __future__ import annotations

import sys

from ._patois import command_line


def main() -> int:
    """Runs the command line of this process, and returns its exit code."""
    return command_line(["patois", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
