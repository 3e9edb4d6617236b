"""The package itself: the command line in it, its types, and how fast it is there."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

import patois


def test_the_command_line_comes_along(tmp_path: Path) -> None:
    program = Path(sys.executable).with_name("patois")
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"patois {patois.__version__}\n"
    done = subprocess.run([program, "mine", "nowhere"], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 2 and "nowhere" in done.stderr and done.stdout == ""
    done = subprocess.run([program, "ask", "--sample", "How many artists are there?"], capture_output=True, text=True)
    assert done.returncode == 0 and "count(*)" in done.stdout


def test_versions_agree() -> None:
    assert patois.__version__ == version("patois")


def test_there_are_types() -> None:
    assert files("patois").joinpath("py.typed").is_file()
    assert files("patois").joinpath("_patois.pyi").is_file()


def test_everything_that_is_promised_is_there() -> None:
    for name in patois.__all__:
        assert getattr(patois, name).__doc__, name


def test_it_is_imported_at_once() -> None:
    # Whatever else the machine does.
    code = "import time; t = time.process_time(); import patois; print(time.process_time() - t)"
    times = [float(subprocess.check_output([sys.executable, "-c", code])) for _ in range(5)]
    assert min(times) < 0.1, times
    code = "import sys, patois; print([it for it in ('numpy', 'pandas', 'sklearn', 'tqdm') if it in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"


def test_the_tour_is_made() -> None:
    tour = Path(__file__).parents[1] / "examples" / "tour.py"
    done = subprocess.run([sys.executable, tour], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "number of customers for each country" in done.stdout
