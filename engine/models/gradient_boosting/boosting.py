"""Boosts round after round until more trees no longer help on validation rows, or the time is over.

Where the time would not do for enough rounds, the learning rate grows: fewer, bolder trees beat an end in the middle.

Shapes: N rows, F features, K outputs of the trees (one a label from three labels on, else one).
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.models.gradient_boosting.leafwise import LeafwiseBooster
from engine.models.gradient_boosting.links import Link
from engine.models.gradient_boosting.symmetric import SymmetricBooster, SymmetricSettings
from engine.models.shared import rows
from engine.table.own_time import own_s
from engine.table.table import RowTask
from engine.table.trees import TreeArrays

SYMMETRIC_CELLS = 1_000_000
"""Of prepared rows, up to which symmetric trees are grown: a tree of six levels then takes about 0.1 s."""
SYMMETRIC_ROUND_CELLS = 10 * SYMMETRIC_CELLS
"""The same times the trees of a round, which nothing ends: of many labels each has one."""
_NOISE_OF_NUMBERS = 1.0
"""On the scores of symmetric splits, CatBoost's default; with two labels it did not help."""
_PATIENCE = (40, 300)
"""Rounds without a gain that end it at a learning rate of 0.3, and at most."""
_ROUNDS_WITHOUT_VALIDATION = 10.0
"""Over the learning rate: rounds where there are no validation rows."""
_PROBE_ROUNDS = 5
_ENOUGH_ROUNDS = 10.0
"""Over the learning rate: rounds that there should be time for."""
_BOLDEST_RATE = 0.3
_REPORT_EVERY_S = 0.5
_CURVE_POINTS = 50
_GAIN = 1e-6
"""Least relative gain that counts."""


class Booster(Protocol):
    """Grows trees and keeps them."""

    def validate(self, x_MF: NDArray[np.float32], learned_M: NDArray[Any], weights_M: NDArray[np.float64] | None) -> None:
        """Sets the rows, at least one, on which ``loss`` is measured; called before the first round."""
        ...

    def update(self) -> bool:
        """Grows the trees of a round; true where that is no longer possible."""
        ...

    def loss(self) -> float:
        """On the rows of validation."""
        ...

    def raw(self, x_NF: NDArray[np.float32], num_rounds: int) -> NDArray[np.float64]:
        """Sums of leaves ``_NK`` of the first rounds."""
        ...

    def arrays(self, num_rounds: int) -> TreeArrays:
        """The first rounds for a graph."""
        ...


@dataclass(frozen=True)
class Data:
    """Prepared rows; those of validation may be none."""

    x_NF: NDArray[np.float32]
    targets_N: NDArray[Any]
    validation_NF: NDArray[np.float32]
    validation_targets_N: NDArray[Any]


@dataclass(frozen=True)
class BoostingResult:
    """The result of boosting."""

    booster: Booster
    num_rounds: int
    """The best, or the last without validation."""
    rate: float
    """The learning rate, which a tight deadline raises."""


def boosted(task: RowTask, data: Data, link: Link) -> BoostingResult:
    """Boosts until validation no longer gains, all rounds are done or the deadline is there."""
    rate = float(task.params["learning_rate"])
    boosting = _BoostingRun(task, data, link, rate)
    if task.deadline.ends_s != math.inf:
        round_s = boosting.probe()
        num_rounds = max(1.0, task.deadline.usable_s / round_s)
        is_lasting = num_rounds > boosting.num_rounds  # else beginning anew would give less than there is
        if is_lasting and num_rounds < min(float(task.params["max_rounds"]), _ENOUGH_ROUNDS / rate):
            boosting = _BoostingRun(
                task, data, link, float(np.clip(_ENOUGH_ROUNDS / num_rounds, rate, max(rate, _BOLDEST_RATE)))
            )
    return boosting.run()


def boosted_for(task: RowTask, data: Data, link: Link, *, num_rounds: int, rate: float) -> BoostingResult:
    """Boosts so many rounds, without early stopping; fewer if the deadline comes."""
    boosting = _BoostingRun(task, data, link, rate)
    return boosting.run_to(num_rounds)


class _BoostingRun:
    """Round after round on the same rows."""

    def __init__(self, task: RowTask, data: Data, link: Link, rate: float):
        self._task, self._link, self._rate = task, link, rate
        self._num_rounds = 0
        self._is_over = False
        self._booster = _booster(task, data, link, rate)
        self._has_validation = len(data.validation_targets_N) > 0
        if self._has_validation:
            weights_N = _weights(task, data.validation_targets_N)
            self._booster.validate(data.validation_NF, link.transformed(data.validation_targets_N), weights_N)

    def probe(self) -> float:
        """Boosts a few rounds, and gives the seconds that each of the later ones took; of a single one what that took."""
        first_s = own_s()
        self._round()
        begun_s = own_s()
        while self._num_rounds < _PROBE_ROUNDS and not self._is_over and self._task.deadline.left_s > 0.0:
            self._round()
            self._task.report(0.0, {})
        used_s, num = own_s() - begun_s, self._num_rounds - 1
        return max(1e-6, used_s / num if num else begun_s - first_s)

    @property
    def num_rounds(self) -> int:
        """That were boosted."""
        return self._num_rounds

    def _round(self) -> None:
        self._is_over = self._booster.update()
        self._num_rounds += 1

    def run(self) -> BoostingResult:
        """Boosts to the end, and finds the round that was best on validation."""
        max_rounds = int(self._task.params["max_rounds"])
        if not self._has_validation:
            return self.run_to(min(max_rounds, round(_ROUNDS_WITHOUT_VALIDATION / self._rate)))
        patience = round(np.clip(_PATIENCE[0] * _BOLDEST_RATE / self._rate, *_PATIENCE))
        best_round, best_loss, reported_s = self._num_rounds, math.inf, time.monotonic()
        while self._num_rounds < max_rounds and not self._is_over:
            if self._num_rounds and self._task.deadline.left_s <= 0.0:
                break
            self._round()
            loss = self._booster.loss()
            if loss < best_loss - _GAIN * abs(best_loss) or not np.isfinite(best_loss):
                best_round, best_loss = self._num_rounds, loss
            is_point = self._num_rounds % max(1, max_rounds // _CURVE_POINTS) == 0
            if is_point or time.monotonic() - reported_s > _REPORT_EVERY_S:
                reported_s = time.monotonic()
                self._task.report(self._num_rounds / max_rounds, self._link.task_metrics(loss) if is_point else {})
            if self._num_rounds - best_round >= patience:
                break
        self._task.report(1.0, self._link.task_metrics(best_loss) if np.isfinite(best_loss) else {})
        return BoostingResult(self._booster, best_round, self._rate)

    def run_to(self, num_rounds: int) -> BoostingResult:
        """Boosts up to a round, without validation."""
        reported_s = time.monotonic()
        while self._num_rounds < num_rounds and not self._is_over:
            self._round()
            if time.monotonic() - reported_s > _REPORT_EVERY_S:
                reported_s = time.monotonic()
                self._task.report(self._num_rounds / num_rounds, {})
            if self._task.deadline.left_s <= 0.0:
                break
        self._task.report(1.0, {})
        return BoostingResult(self._booster, self._num_rounds, self._rate)


def _booster(task: RowTask, data: Data, link: Link, rate: float) -> Booster:
    given, num_rows = task.params, len(data.targets_N)
    weights_N, learned_N = _weights(task, data.targets_N), link.transformed(data.targets_N)
    num_cells = data.x_NF.size
    is_quick = num_cells <= SYMMETRIC_CELLS and num_cells * link.num_raw <= SYMMETRIC_ROUND_CELLS
    if given["growth"] == "symmetric" and is_quick:
        settings = SymmetricSettings(
            depth=max(1, math.ceil(math.log2(float(given["num_leaves"])))),
            rate=rate,
            lambda_l2=float(given["lambda_l2"]),
            row_fraction=float(given["bagging_fraction"]),
            column_fraction=float(given["feature_fraction"]),
            seed=task.seed,
            noise=0.0 if task.num_labels else _NOISE_OF_NUMBERS,
        )
        return SymmetricBooster(data.x_NF, learned_N, settings, num_labels=task.num_labels, weights_N=weights_N)
    params = {
        **link.objective,
        "learning_rate": rate,
        "num_leaves": given["num_leaves"],
        "min_data_in_leaf": min(int(given["min_data_in_leaf"]), max(1, num_rows // 8)),
        "feature_fraction": given["feature_fraction"],
        "bagging_fraction": given["bagging_fraction"],
        "bagging_freq": 1,
        "lambda_l2": given["lambda_l2"],
        "extra_trees": given["extra_trees"],
        "seed": task.seed,
        "deterministic": True,
        "force_row_wise": True,
        "num_threads": task.num_threads,
        "feature_pre_filter": False,
        "verbosity": -1,
    }
    return LeafwiseBooster(data.x_NF, learned_N, params, weights_N)


def _weights(task: RowTask, targets_N: NDArray[Any]) -> NDArray[np.float64] | None:
    return rows.balanced_weights(targets_N, task.num_labels) if task.num_labels and task.params["is_balanced"] else None
