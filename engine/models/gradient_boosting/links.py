"""What trees learn of a target, and how their sums become answers: outside the graph and inside.

Shapes: N rows, K sums of leaves, L labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.table.graph import GraphWriter

_HIGHEST_LOG = 80.0
"""Where the exponential ends: float32 holds no more than 88."""
_WIDTH_OF_NORMAL = 1.349
"""Of the middle half, in standard deviations."""


class Link(Protocol):
    """Between targets and the sums of leaves."""

    @property
    def num_raw(self) -> int:
        """K."""
        ...

    @property
    def objective(self) -> dict[str, Any]:
        """Parameters of LightGBM's objective."""
        ...

    def transformed(self, targets_N: NDArray[Any]) -> NDArray[Any]:
        """The targets as the trees learn them, such as logarithms."""
        ...

    def task_metrics(self, loss: float) -> dict[str, float]:
        """The loss on validation under the name and in the unit of the task; empty where it is none of it."""
        ...

    def fitted(self, raw_NK: NDArray[np.float32], targets_N: NDArray[Any]) -> Link:
        """The link with its parameters chosen by the trees' sums for validation rows."""
        ...

    def combined(self, targets_N: NDArray[Any], links: Sequence[Any]) -> Link:
        """One link for all rows, from several of its kind that were fitted on parts of them."""
        ...

    def answers(self, raw_NK: NDArray[np.float32]) -> NDArray[np.float32]:
        """Probabilities ``_NL`` or numbers ``_N1``."""
        ...

    def write(self, graph: GraphWriter, raw: str) -> str:
        """Adds nodes that do what ``answers`` does."""
        ...


@dataclass(frozen=True)
class BinaryLink:
    """Of two labels: the log-odds of the second."""

    num_raw = 1

    @property
    def objective(self) -> dict[str, Any]:
        """See ``Link``."""
        return {"objective": "binary", "metric": "binary_logloss"}

    def transformed(self, targets_N: NDArray[Any]) -> NDArray[Any]:
        """See ``Link``."""
        return targets_N

    def task_metrics(self, loss: float) -> dict[str, float]:
        """See ``Link``."""
        return {"log_loss": loss}

    def fitted(self, raw_NK: NDArray[np.float32], targets_N: NDArray[Any]) -> Link:
        """See ``Link``."""
        return self

    def combined(self, targets_N: NDArray[Any], links: Sequence[Any]) -> Link:
        """See ``Link``."""
        return self

    def answers(self, raw_NK: NDArray[np.float32]) -> NDArray[np.float32]:
        """See ``Link``."""
        raw_N1 = raw_NK.astype(np.float64)
        return np.concatenate([1 / (1 + np.exp(raw_N1)), 1 / (1 + np.exp(-raw_N1))], axis=1).astype(np.float32)

    def write(self, graph: GraphWriter, raw: str) -> str:
        """See ``Link``."""
        return graph.add("Sigmoid", [graph.add("Concat", [graph.add("Neg", [raw]), raw], axis=1)])


@dataclass(frozen=True)
class SoftmaxLink:
    """Of more labels: a sum for each."""

    num_raw: int

    @property
    def objective(self) -> dict[str, Any]:
        """See ``Link``."""
        return {"objective": "multiclass", "num_class": self.num_raw, "metric": "multi_logloss"}

    def transformed(self, targets_N: NDArray[Any]) -> NDArray[Any]:
        """See ``Link``."""
        return targets_N

    def task_metrics(self, loss: float) -> dict[str, float]:
        """See ``Link``."""
        return {"log_loss": loss}

    def fitted(self, raw_NK: NDArray[np.float32], targets_N: NDArray[Any]) -> Link:
        """See ``Link``."""
        return self

    def combined(self, targets_N: NDArray[Any], links: Sequence[Any]) -> Link:
        """See ``Link``."""
        return self

    def answers(self, raw_NK: NDArray[np.float32]) -> NDArray[np.float32]:
        """See ``Link``."""
        power_NK = np.exp(raw_NK.astype(np.float64) - raw_NK.max(axis=1, keepdims=True, initial=-np.inf))
        return (power_NK / power_NK.sum(axis=1, keepdims=True)).astype(np.float32)

    def write(self, graph: GraphWriter, raw: str) -> str:
        """See ``Link``."""
        return graph.add("Softmax", [raw], axis=1)


@dataclass(frozen=True)
class NumberLink:
    """A number, less the mean, over the spread."""

    mean: float
    spread: float

    num_raw = 1

    @classmethod
    def of(cls, targets_N: NDArray[Any]) -> NumberLink:
        """From training targets."""
        return cls(mean=float(np.mean(targets_N)), spread=float(np.std(targets_N)) or 1.0)

    @property
    def objective(self) -> dict[str, Any]:
        """See ``Link``."""
        return {"objective": "regression", "metric": "rmse", "boost_from_average": False}

    def transformed(self, targets_N: NDArray[Any]) -> NDArray[Any]:
        """See ``Link``."""
        return (targets_N - self.mean) / self.spread

    def task_metrics(self, loss: float) -> dict[str, float]:
        """See ``Link``."""
        return {"rmse": loss * self.spread}

    def fitted(self, raw_NK: NDArray[np.float32], targets_N: NDArray[Any]) -> Link:
        """See ``Link``."""
        return self

    def combined(self, targets_N: NDArray[Any], links: Sequence[Any]) -> Link:
        """See ``Link``."""
        return NumberLink.of(targets_N)

    def answers(self, raw_NK: NDArray[np.float32]) -> NDArray[np.float32]:
        """See ``Link``."""
        return raw_NK * np.float32(self.spread) + np.float32(self.mean)

    def write(self, graph: GraphWriter, raw: str) -> str:
        """See ``Link``."""
        return graph.add("Add", [graph.add("Mul", [raw, graph.floats(self.spread)]), graph.floats(self.mean)])


@dataclass(frozen=True)
class HuberLink(NumberLink):
    """A number, less the median, over the spread of its middle half; what is far off pulls no more than what is near.

    Errors count by their square up to the spread, and beyond it by their size (Huber 1964,
    https://doi.org/10.1214/aoms/1177703732).
    """

    @classmethod
    def of(cls, targets_N: NDArray[Any]) -> HuberLink:
        """From training targets."""
        low, middle, high = np.quantile(targets_N, (0.25, 0.5, 0.75)).tolist()
        return cls(mean=middle, spread=(high - low) / _WIDTH_OF_NORMAL or float(np.std(targets_N)) or 1.0)

    @property
    def objective(self) -> dict[str, Any]:
        """See ``Link``."""
        return {"objective": "huber", "alpha": 1.0, "metric": "huber", "boost_from_average": False}

    def task_metrics(self, loss: float) -> dict[str, float]:
        """See ``Link``: this loss is none of the task's metrics."""
        return {}

    def combined(self, targets_N: NDArray[Any], links: Sequence[Any]) -> Link:
        """See ``Link``."""
        return HuberLink.of(targets_N)


@dataclass(frozen=True)
class LogLink:
    """A number that is never negative, as ``log(1 + y / s)`` with the median ``s``, less the mean, over the spread.

    The exponential of a mean of logarithms lies below the mean; a factor brings it back: of validation rows, the sum of the
    truth over that of the answers (smearing, Duan 1983, https://doi.org/10.1080/01621459.1983.10478017, by its ratio).
    """

    scale: float
    mean: float
    spread: float
    factor: float = 1.0

    num_raw = 1

    @classmethod
    def of(cls, targets_N: NDArray[Any]) -> LogLink:
        """From training targets, of which more than half are positive."""
        scale = float(np.median(targets_N))
        logs_N = np.log1p(targets_N / scale)
        return cls(scale=scale, mean=float(logs_N.mean()), spread=float(logs_N.std()) or 1.0)

    @property
    def objective(self) -> dict[str, Any]:
        """See ``Link``."""
        return {"objective": "regression", "metric": "rmse", "boost_from_average": False}

    def transformed(self, targets_N: NDArray[Any]) -> NDArray[Any]:
        """See ``Link``; negative ones, which validation may hold, are taken as 0."""
        return (np.log1p(np.maximum(targets_N, 0.0) / self.scale) - self.mean) / self.spread

    def task_metrics(self, loss: float) -> dict[str, float]:
        """See ``Link``: an error of logarithms is not in the task's unit."""
        return {}

    def fitted(self, raw_NK: NDArray[np.float32], targets_N: NDArray[Any]) -> Link:
        """See ``Link``."""
        predicted = float(self.answers(raw_NK).astype(np.float64).sum()) + self.scale * len(targets_N)
        true = float(np.sum(targets_N)) + self.scale * len(targets_N)
        factor = true / predicted if predicted > 0.0 and np.isfinite(predicted) else 1.0
        return replace(self, factor=self.factor * float(np.clip(factor, 0.5, 2.0)))

    def combined(self, targets_N: NDArray[Any], links: Sequence[Any]) -> Link:
        """See ``Link``."""
        return replace(LogLink.of(targets_N), factor=float(np.mean([link.factor for link in links])))

    def answers(self, raw_NK: NDArray[np.float32]) -> NDArray[np.float32]:
        """See ``Link``."""
        logs_N1 = np.minimum(raw_NK * np.float32(self.spread) + np.float32(self.mean), np.float32(_HIGHEST_LOG))
        return np.exp(logs_N1) * np.float32(self.scale * self.factor) - np.float32(self.scale)

    def write(self, graph: GraphWriter, raw: str) -> str:
        """See ``Link``."""
        logs = graph.add("Add", [graph.add("Mul", [raw, graph.floats(self.spread)]), graph.floats(self.mean)])
        power = graph.add("Exp", [graph.add("Min", [logs, graph.floats(_HIGHEST_LOG)])])
        return graph.add("Sub", [graph.add("Mul", [power, graph.floats(self.scale * self.factor)]), graph.floats(self.scale)])
