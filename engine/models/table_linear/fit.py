"""Softmax regression for labels, ridge regression for numbers; the strength of the penalty is chosen on validation.

Numbers that are never negative are also learned as logarithms, ``log(1 + y / s)`` with their median ``s``: prices, counts and
durations grow by shares. The mean is brought back by the mean of the errors' exponentials (smearing, Duan 1983,
https://doi.org/10.1080/01621459.1983.10478017). Whichever answers validation better stays.

Shapes: N rows, F features (with those of the hinges), L labels (or 1 for a number).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.models.shared import rows
from engine.models.table_linear.hinges import Hinges
from engine.models.table_linear.solve import USUAL_L2, ridge_path, softmax_path, strengths_for
from engine.table.encode import Preparation
from engine.table.graph import GraphWriter
from engine.table.table import RowTask, Table

_MAX_CELLS = 100_000_000
"""Rows times features that are kept, float32: 400 MB, and of labels as much again."""
_EXACT_CELLS = 1_000_000
"""Up to so many, sums are made in float64."""
_LEAST_SPREAD = 0.1
"""A value that one row in a hundred has spreads by this; what is rarer is not made larger, so that the penalty holds it."""
_PATIENCE = 3
"""Strengths in a row that answer worse, after which weaker ones are not tried."""
_BETTER = 0.99
"""Times the error of the numbers that that of their logarithms must not reach, or the plainer model stays."""
_PREPARED = 0.1
"""Fraction of the work that is done when the columns are prepared."""


@dataclass(frozen=True)
class LogScale:
    """Answers are learned as ``log(1 + y / unit)``."""

    unit: float
    smear: float
    """Mean of the exponentials of the errors."""
    low: float
    high: float
    """What was learned from lies between, and so do answers: an exponential runs away."""


@dataclass(frozen=True)
class LinearModel:
    """Weights for prepared columns."""

    preparation: Preparation
    hinges: Hinges
    weights_FL: NDArray[np.float32]
    offsets_L: NDArray[np.float32]
    is_number: bool
    log_scale: LogScale | None = None
    """Of numbers learned as logarithms."""
    l2: float = USUAL_L2
    """Strength of the penalty."""

    def answers(self, table: Table) -> NDArray[np.float32]:
        """See ``RowModel``."""
        return self.answers_of(self.hinges.apply(self.preparation.apply(table)))

    def answers_of(self, x_NF: NDArray[np.float32]) -> NDArray[np.float32]:
        """The answers to features, with those of the hinges."""
        logits_NL = x_NF @ self.weights_FL + self.offsets_L
        if not self.is_number:
            raised_NL = np.exp(logits_NL - logits_NL.max(axis=1, keepdims=True))
            return raised_NL / raised_NL.sum(axis=1, keepdims=True)
        if self.log_scale is None:
            return logits_NL
        grown_N1 = np.exp(np.clip(logits_NL, np.float32(self.log_scale.low), np.float32(self.log_scale.high)))
        return grown_N1 * np.float32(self.log_scale.unit * self.log_scale.smear) - np.float32(self.log_scale.unit)

    def write(self, graph: GraphWriter) -> str:
        """See ``RowModel``."""
        x = self.hinges.write(graph, self.preparation.write(graph))
        answers = graph.add("Gemm", [x, graph.constant(self.weights_FL), graph.constant(self.offsets_L)])
        if not self.is_number:
            return graph.add("Softmax", [answers], axis=1)
        if self.log_scale is None:
            return answers
        scale = self.log_scale
        grown = graph.add("Exp", [graph.add("Clip", [answers, graph.floats(scale.low), graph.floats(scale.high)])])
        return graph.add("Sub", [graph.add("Mul", [grown, graph.floats(scale.unit * scale.smear)]), graph.floats(scale.unit)])


def fit(task: RowTask) -> LinearModel:
    """Fits along the path of strengths, and gives the model that answers validation best.

    Raises:
        NoColumnsError: there is nothing to learn from.
    """
    learned = RegressionData.of(task)
    task.report(_PREPARED, {})
    validation_NF = learned.hinges.apply(learned.preparation.apply(task.validation))
    truth_M = task.validation_targets_N
    judging_M = rows.balanced_weights(truth_M, task.num_labels) if _is_balanced(task) and len(truth_M) else None
    paths = [_classifiers(task, learned)] if task.num_labels else _regressions(learned)
    strengths = strengths_for(len(learned.x_NF))
    best, least = None, float("inf")
    for number, path in enumerate(paths):
        to_beat, num_worse, least_of_path = least * _BETTER, 0, float("inf")
        for place, found in enumerate(path):
            model = replace(found, l2=strengths[place])
            answers_ML = model.answers_of(validation_NF)
            value = rows.loss(answers_ML, truth_M, task.num_labels, judging_M)
            if not len(truth_M):  # nothing to choose by
                value = number + abs(math.log(strengths[place] / USUAL_L2))
            if best is None or value < min(to_beat, least):
                best, least = model, value
            num_worse, least_of_path = (0, value) if value < least_of_path else (num_worse + 1, least_of_path)
            done = (number + (place + 1) / len(strengths)) / len(paths)
            task.report(_PREPARED + (1.0 - _PREPARED) * done, rows.measured(answers_ML, truth_M, task.num_labels))
            if num_worse == _PATIENCE or task.deadline.left_s <= 0.0:
                break
        if task.deadline.left_s <= 0.0:
            break
    assert best is not None, "a path has a first strength"
    return best


def refit(task: RowTask, models: Sequence[LinearModel]) -> LinearModel | None:
    """One model of all rows, with the strength that others have found best.

    Args:
        task: with the same settings as those of the models; its validation is not looked at.
        models: at least one.

    Returns:
        The model; None if the deadline came before it was reached.

    Raises:
        NoColumnsError: there is nothing to learn from.
    """
    learned = RegressionData.of(task)
    paths = [_classifiers(task, learned)] if task.num_labels else _regressions(learned)
    is_of_logs = sum(model.log_scale is not None for model in models) * 2 > len(models)
    if is_of_logs and len(paths) == 1:
        return None
    log_l2 = float(np.mean(np.log([model.l2 for model in models])))
    strengths = strengths_for(len(learned.x_NF))
    last = min(range(len(strengths)), key=lambda place: abs(math.log(strengths[place]) - log_l2))
    for place, model in enumerate(paths[1 if is_of_logs else 0]):
        if task.deadline.left_s <= 0.0:
            return None
        task.report(_PREPARED + (1.0 - _PREPARED) * (place + 1) / (last + 1), {})
        if place == last:
            return replace(model, l2=strengths[place])
    return None


@dataclass(frozen=True)
class RegressionData:
    """What both kinds of regression learn from."""

    preparation: Preparation
    hinges: Hinges
    x_NF: NDArray
    """Features with a mean of 0 and about unit size."""
    mean_F: NDArray[np.float64]
    spread_F: NDArray[np.float64]
    targets_N: NDArray

    @classmethod
    def of(cls, task: RowTask) -> RegressionData:
        """Draws the rows, learns to prepare their columns, and prepares them."""
        table, targets_N = rows.training_rows(task)
        preparation, x_NF = Preparation.learn(table, targets_N, task.num_labels, style="dense", seed=task.seed)
        hinges = Hinges.learn(x_NF, int(task.params["num_knots"]))
        limit = max(1, _MAX_CELLS // (x_NF.shape[1] + len(hinges.columns_K)))
        if len(x_NF) > limit:
            chosen = np.sort(np.random.default_rng(task.seed).choice(len(x_NF), limit, replace=False))
            x_NF, targets_N = x_NF[chosen], targets_N[chosen]
        x_NF = hinges.apply(x_NF)
        mean_F = x_NF.mean(axis=0, dtype=np.float64)
        spread_F = np.maximum(x_NF.std(axis=0, dtype=np.float64), _LEAST_SPREAD)
        dtype = np.float64 if x_NF.size <= _EXACT_CELLS else np.float32
        return cls(
            preparation=preparation,
            hinges=hinges,
            x_NF=(x_NF - mean_F.astype(dtype)) / spread_F.astype(dtype),
            mean_F=mean_F,
            spread_F=spread_F,
            targets_N=targets_N,
        )

    def model(
        self, weights_FL: NDArray, offsets_L: NDArray, *, is_number: bool, log_scale: LogScale | None = None
    ) -> LinearModel:
        """The model for features as they come, of weights for centred ones."""
        folded_FL = weights_FL / self.spread_F[:, None]
        return LinearModel(
            preparation=self.preparation,
            hinges=self.hinges,
            weights_FL=folded_FL.astype(np.float32),
            offsets_L=(offsets_L - self.mean_F @ folded_FL).astype(np.float32),
            is_number=is_number,
            log_scale=log_scale,
        )


def _is_balanced(task: RowTask) -> bool:
    return bool(task.num_labels) and bool(task.params["is_balanced"])


def _classifiers(task: RowTask, learned: RegressionData) -> Iterator[LinearModel]:
    """Softmax regression, strongest penalty first."""
    targets_N = learned.targets_N.astype(np.int64)
    weights_N = rows.balanced_weights(targets_N, task.num_labels) if _is_balanced(task) else np.ones(len(targets_N))
    path = softmax_path(
        learned.x_NF,
        targets_N,
        weights_N=weights_N,
        priors_L=rows.priors(targets_N, task.num_labels, weights_N),
        deadline=task.deadline,
        tick=lambda: task.report(_PREPARED, {}),
    )
    for weights_FK, offsets_K in path:
        if len(offsets_K) == 1:  # one logit for two labels: half for one, half against the other
            halves_L = np.array([-0.5, 0.5])
            yield learned.model(weights_FK * halves_L, offsets_K * halves_L, is_number=False)
        else:
            yield learned.model(weights_FK, offsets_K, is_number=False)


def _regressions(learned: RegressionData) -> list[Iterator[LinearModel]]:
    """Ridge regression of the numbers, and of their logarithms where none is negative, each strongest penalty first."""
    y_N = learned.targets_N.astype(np.float64)
    paths = [_regression(learned, y_N, None)]
    if y_N.min() >= 0.0 < y_N.max():
        unit = float(np.median(y_N[y_N > 0.0]))
        paths.append(_regression(learned, np.log1p(y_N / unit), unit))
    return paths


def _regression(learned: RegressionData, z_N: NDArray[np.float64], unit: float | None) -> Iterator[LinearModel]:
    mean, spread = float(z_N.mean()), float(z_N.std()) or 1.0
    for weights_F1 in ridge_path(learned.x_NF, ((z_N - mean) / spread)[:, None]):
        log_scale = None
        if unit is not None:
            errors_N = z_N - mean - (learned.x_NF @ weights_F1)[:, 0] * spread
            log_scale = LogScale(unit, float(np.exp(errors_N).mean()), float(z_N.min()), float(z_N.max()))
        yield learned.model(weights_F1 * spread, np.array([mean]), is_number=True, log_scale=log_scale)
