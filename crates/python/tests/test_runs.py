"""Training and evaluation, on a network of a few thousand weights."""

from __future__ import annotations

import html
import pickle
import shutil
from pathlib import Path

import pytest
from conftest import CommandLine

import patois

TINY = Path(__file__).parents[2] / "patois" / "tests" / "fixtures" / "tiny"


@pytest.fixture
def config(tmp_path: Path) -> Path:
    shutil.copytree(TINY, tmp_path / "tiny")
    return tmp_path / "tiny" / "tiny.toml"


def test_a_run_is_that_of_the_command_line(config: Path, tmp_path: Path, command_line: CommandLine) -> None:
    told: list[tuple[str, int, int, str]] = []
    run = patois.train(
        config,
        out=tmp_path / "ours",
        overrides={"training.n_steps": 12, "training": {"evaluate_every": 6}},
        progress=lambda *it: told.append(it),
    )
    assert run.outcome is not None and run.outcome["steps"] == 12
    assert ("training", 12, 12) in {it[:3] for it in told}
    assert run.config["training"]["n_steps"] == 12

    losses = [row["loss"] for row in run.history if "loss" in row]
    assert len(losses) == 12
    frame = run.history.to_pandas()
    assert frame["step"].max() == 12

    command_line("train", config, "--out", tmp_path / "theirs", "--steps", 12)
    theirs = patois.Run(tmp_path / "theirs")
    assert [row["loss"] for row in theirs.history if "loss" in row] == losses
    assert list(run.idioms) == list(theirs.idioms)

    evaluation = run.evaluate("dev", limit=5)
    figures = command_line("evaluate", tmp_path / "theirs", "--split", "dev", "--limit", 5)
    assert evaluation.exact_match == figures["exact_match"]["all"]
    assert evaluation.execution == figures["execution"]["all"]
    assert len(evaluation) == 5 and len(evaluation.to_pandas()) == 5
    assert evaluation[0]["gold"] in html.unescape(evaluation._repr_html_())
    assert pickle.loads(pickle.dumps(run)) == run


def test_a_run_goes_on(config: Path, tmp_path: Path) -> None:
    def train(out: str, steps: int, existing: str = "refuse") -> patois.Run:
        overrides = {"training.n_steps": steps}
        return patois.train(config, out=tmp_path / out, overrides=overrides, existing=existing)  # type: ignore[arg-type]

    train("halves", 4)
    with pytest.raises(patois.Error, match="holds a run already"):
        train("halves", 8)
    halves = train("halves", 8, "resume")
    whole = train("whole", 8)
    losses = [[row["loss"] for row in run.history if "loss" in row] for run in (halves, whole)]
    assert losses[0] == losses[1]


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"training.n_step": 3}, "`training`: unknown key `n_step`.*did you mean `n_steps`"),
        ({"training": {"n_steps": "many"}}, "`training.n_steps`: invalid type: string"),
        ({"seed": object()}, "object"),
    ],
)
def test_what_makes_no_sense_is_told(config: Path, tmp_path: Path, overrides: dict[str, object], message: str) -> None:
    with pytest.raises(patois.MisuseError, match=message):
        patois.train(config, out=tmp_path / "out", overrides=overrides)


def test_there_has_to_be_a_run(tmp_path: Path) -> None:
    with pytest.raises(patois.Error, match="holds no run: there is no `config.toml`"):
        patois.Run(tmp_path)
