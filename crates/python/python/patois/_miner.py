"""Mining with the manners of scikit-learn, which need not be there."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._errors import MisuseError
from ._idioms import IdiomLibrary, MinerName, Preset, Ranking, Unit, mine
from ._progress import Progress
from ._sources import programs_of

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray


class _Parameters:
    """As much of ``sklearn.base.BaseEstimator`` and ``TransformerMixin`` as can be had without it."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by their names."""
        names = list(inspect.signature(type(self).__init__).parameters)[1:]
        return {name: getattr(self, name) for name in names}

    def set_params(self, **params: Any) -> Any:
        """Sets parameters."""
        known = self.get_params()
        for name, value in params.items():
            if name not in known:
                raise MisuseError(f"there is no parameter `{name}`, but {', '.join(known)}")
            setattr(self, name, value)
        return self

    def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> Any:
        """Fits to programs, and transforms them."""
        fitted: Any = self
        return fitted.fit(X, y, **fit_params).transform(X)


if TYPE_CHECKING:
    _Estimator = _Parameters
else:
    try:
        from sklearn.base import BaseEstimator, TransformerMixin

        class _Estimator(TransformerMixin, BaseEstimator):
            def __sklearn_tags__(self):
                tags = super().__sklearn_tags__()
                tags.input_tags.two_d_array = False
                tags.input_tags.string = True
                tags.no_validation = True
                return tags

    except ImportError:
        _Estimator = _Parameters


class Miner(_Estimator):
    """Mines idioms from programs, and counts them in others: a transformer of scikit-learn.

    >>> programs = [f"{name} = f(g({number}))" for number, name in enumerate("abcdef")]
    >>> Miner(n_idioms=5, min_names=1).fit(programs).transform(["x = f(g(7))", "pass"]).tolist()
    [[1], [0]]
    """

    def __init__(
        self,
        n_idioms: int = 80,
        *,
        language: str = "python",
        unit: Unit = "function",
        preset: Preset = "best",
        miner: MinerName | None = None,
        sweeps: int | None = None,
        rank: Ranking | None = None,
        keep_closed: bool = False,
        keep_names: bool = False,
        min_size: int | None = None,
        min_names: int | None = None,
        random_state: int = 0,
        progress: Progress = False,
    ) -> None:
        self.n_idioms = n_idioms
        self.language = language
        self.unit = unit
        self.preset = preset
        self.miner = miner
        self.sweeps = sweeps
        self.rank = rank
        self.keep_closed = keep_closed
        self.keep_names = keep_names
        self.min_size = min_size
        self.min_names = min_names
        self.random_state = random_state
        self.progress = progress

    def fit(self, X: Iterable[str], y: object = None) -> Miner:
        """Mines the idioms of programs; ``y`` is not looked at."""
        options: dict[str, Any] = self.get_params(deep=False)
        seed = options.pop("random_state")
        # Whatever they look like, these are programs.
        texts = [text if "\n" in text else text + "\n" for text in programs_of(X)]
        self.library_: IdiomLibrary = mine(texts, seed=seed, **options)
        return self

    def transform(self, X: Iterable[str]) -> NDArray[numpy.int64]:
        """Counts the idioms of programs: a row for each program, a column for each idiom."""
        return self._fitted().transform(X)

    def get_feature_names_out(self, input_features: object = None) -> Any:
        """The names of the columns: ``idiom0``, ``idiom1``, ..."""
        import numpy

        names = [f"idiom{index}" for index in range(len(self._fitted()))]
        return numpy.asarray(names, dtype=object)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "library_")

    def _fitted(self) -> IdiomLibrary:
        if hasattr(self, "library_"):
            return self.library_
        try:
            error: Any = import_module("sklearn.exceptions").NotFittedError
        except ImportError:
            raise MisuseError("this Miner has not seen any programs", help="call fit first") from None
        raise error("this Miner has not seen any programs: call fit first")
