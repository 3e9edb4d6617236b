"""Long work: it can be interrupted, tells how far it is, and lets others work."""

from __future__ import annotations

import io
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import patois

STDLIB = Path(os.__file__).parent


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise")
@pytest.mark.parametrize(
    "work",
    [
        "patois.mine(sys.argv[1], language='python')",
        "patois.find('$x = $y', sys.argv[1])",
        "patois.train(out=sys.argv[2])",
    ],
)
@pytest.mark.parametrize("delay", [0.3, 2.5])
def test_ctrl_c_ends_it_within_a_second(work: str, delay: float, tmp_path: Path) -> None:
    code = f"""
import sys, time, patois
print("begins", flush=True)
try:
    while True:
        {work}
except KeyboardInterrupt:
    print(time.time(), flush=True)
print(len(patois.mine(["x = f(g(1))"] * 5, min_names=1)))
"""
    words = [sys.executable, "-c", code, str(STDLIB), str(tmp_path / "run")]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begins\n"
        time.sleep(delay)
        sent = time.time()
        process.send_signal(signal.SIGINT)
        ended = float(process.stdout.readline())
        assert ended - sent < 1.0
        assert process.stdout.readline() == "1\n"
        # What was left behind does not keep the process.
        assert process.wait(timeout=20) == 0


def test_progress_is_told() -> None:
    told: list[tuple[str, int, int, str]] = []
    patois.mine(STDLIB / "json", sweeps=4, progress=lambda *it: told.append(it))
    works = [it[0] for it in told]
    assert list(dict.fromkeys(works)) == ["reading files", "mining"]
    assert told[-1][:3] == ("mining", 4, 4)


def test_an_exception_of_the_callback_ends_the_work() -> None:
    class Enough(Exception):
        pass

    def callback(work: str, done: int, total: int, message: str) -> None:
        raise Enough(work)

    with pytest.raises(Enough):
        patois.mine(STDLIB / "json", progress=callback)
    assert len(patois.mine(["x = f(g(1))"] * 5, min_names=1)) == 1


def test_bars_are_drawn_where_there_is_tqdm(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = io.StringIO()
    monkeypatch.setattr(sys, "stderr", drawn)
    patois.mine(STDLIB / "json", sweeps=2, progress=True)
    assert "mining: 100%" in drawn.getvalue()


def test_nothing_is_drawn_where_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = io.StringIO()
    monkeypatch.setattr(sys, "stderr", drawn)
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    patois.mine(STDLIB / "json", sweeps=2, progress=True)
    patois.mine(STDLIB / "json", sweeps=2)
    assert drawn.getvalue() == ""


def test_other_threads_go_on() -> None:
    ticks = 0
    is_over = False

    def tick() -> None:
        nonlocal ticks
        while not is_over:
            ticks += 1
            time.sleep(0.005)

    thread = threading.Thread(target=tick)
    thread.start()
    started = time.time()
    patois.mine(STDLIB / "email")
    elapsed = time.time() - started
    is_over = True
    thread.join()
    assert ticks > elapsed / 0.005 / 10


def test_several_threads_may_call() -> None:
    expected = patois.mine(STDLIB / "json", sweeps=2)
    results: list[patois.IdiomLibrary] = []
    threads = [
        threading.Thread(target=lambda: results.append(patois.mine(STDLIB / "json", sweeps=2))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 4


def _count(_: int) -> int:
    return len(patois.mine(STDLIB / "json", sweeps=2))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks")
def test_a_fork_has_threads_of_its_own() -> None:
    expected = _count(0)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(_count, range(2)).get(timeout=60) == [expected] * 2
