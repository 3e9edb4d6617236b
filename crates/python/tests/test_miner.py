"""The manners of scikit-learn."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils import estimator_checks

import patois

READING = [f"def f{n}(path):\n    with open(path) as f:\n        return json.load(f)[{n}]\n" for n in range(12)]
MATHS = [f"def g{n}(x):\n    return math.sqrt(math.fabs(x - {n}))\n" for n in range(12)]
PROGRAMS = READING + MATHS
LABELS = [0] * len(READING) + [1] * len(MATHS)

# Checks that need no data; the others feed tables of numbers, which are no programs.
CHECKS = [
    "check_estimator_cloneable",
    "check_estimator_repr",
    "check_no_attributes_set_in_init",
    "check_parameters_default_constructible",
    "check_get_params_invariance",
    "check_set_params",
    "check_do_not_raise_errors_in_init_or_set_param",
    "check_estimator_tags_renamed",
    "check_valid_tag_types",
    "check_estimator_get_tags_default_keys",
    "check_mixin_order",
    "check_estimators_unfitted",
]


@pytest.mark.parametrize("name", [name for name in CHECKS if hasattr(estimator_checks, name)])
def test_checks_of_scikit_learn(name: str) -> None:
    check: Callable[[str, Any], None] = getattr(estimator_checks, name)
    check("Miner", patois.Miner())


def test_most_checks_are_there() -> None:
    assert sum(hasattr(estimator_checks, name) for name in CHECKS) >= 10


def test_a_miner_is_a_step_of_a_pipeline() -> None:
    pipeline = make_pipeline(patois.Miner(n_idioms=10), LogisticRegression())
    assert pipeline.fit(PROGRAMS, LABELS).score(PROGRAMS, LABELS) == 1.0
    search = GridSearchCV(pipeline, {"miner__n_idioms": [1, 5]}, cv=2, n_jobs=2)
    assert search.fit(PROGRAMS, LABELS).best_score_ > 0.5


def test_fit_then_transform_is_fit_transform() -> None:
    miner = patois.Miner(n_idioms=10)
    counts = miner.fit(PROGRAMS).transform(PROGRAMS)
    assert counts.dtype == numpy.int64 and counts.shape == (24, len(miner.library_))
    assert (clone(miner).fit_transform(numpy.array(PROGRAMS, dtype=object)) == counts).all()
    assert (pickle.loads(pickle.dumps(miner)).transform(PROGRAMS) == counts).all()
    assert miner.library_ == patois.mine(PROGRAMS, n_idioms=10)


def test_columns_have_names() -> None:
    miner = patois.Miner(n_idioms=3).set_output(transform="pandas")  # type: ignore[attr-defined]
    frame = miner.fit_transform(PROGRAMS)
    assert list(frame.columns) == list(miner.get_feature_names_out()) == [f"idiom{n}" for n in range(len(miner.library_))]


def test_what_was_not_fitted_says_so() -> None:
    with pytest.raises(NotFittedError):
        patois.Miner().transform(PROGRAMS)
    with pytest.raises(patois.MisuseError, match="expected several programs, found one text"):
        patois.Miner().fit("x = 1")


def test_it_does_without_scikit_learn() -> None:
    code = """
import sys
sys.modules["sklearn"] = None
import patois
programs = [f"x = f(g({n}))" for n in range(6)]
miner = patois.Miner(n_idioms=3, min_names=1)
print(miner.fit_transform(programs).tolist(), miner.set_params(n_idioms=2).get_params()["n_idioms"])
try:
    patois.Miner().transform(programs)
except patois.MisuseError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        f"{[[1]] * 6} 2",
        "this Miner has not seen any programs (call fit first)",
    ]
