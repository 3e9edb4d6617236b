"""What the tests share: some real sources, and the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

CommandLine = Callable[..., Any]


@pytest.fixture(scope="session")
def sources() -> Path:
    """A package of the standard library: real code, wherever this runs."""
    return Path(json.__file__).parent.parent / "email"


@pytest.fixture
def command_line(tmp_path: Path) -> CommandLine:
    """Runs the command line, and returns the object that it prints."""

    def run(*arguments: object) -> Any:
        words = [sys.executable, "-m", "patois", *map(str, arguments), "--json", "--quiet"]
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
        return json.loads(done.stdout)

    return run
