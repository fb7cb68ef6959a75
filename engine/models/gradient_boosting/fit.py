"""Boosts trees until more of them no longer help on validation rows, or the time is over.

Numbers are learned less their mean, over their spread. Numbers that are never negative and have a long tail are also learned as
logarithms (``links``); whichever answers validation better stays. Where the time would not do for enough rounds, the learning
rate grows: fewer, bolder trees beat an end in the middle.

Shapes: N rows, F features, K outputs of the trees (one a label from three labels on, else one).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import EngineError
from engine.models import rows
from engine.models.gradient_boosting.links import BinaryLink, Link, LogLink, NumberLink, SoftmaxLink
from engine.table.encode import Preparation
from engine.table.graph import GraphWriter
from engine.table.table import RowTask, Table
from engine.table.trees import trees_of_lightgbm

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
_LONG_TAIL = 2.0
"""Times the median that the 99th percentile is, where logarithms are worth a try: on house prices (2.9) they took 4 % off the
error, and where they do not help the other stays."""
_GAIN = 1e-6
"""Least relative gain that counts."""


class LibraryMissingError(EngineError):
    """A library of the system is not there."""

    code = "library_missing"
    hint = "Install it, e.g. with: apt-get install libgomp1"


@dataclass(frozen=True)
class BoostedTrees:
    """The model."""

    preparation: Preparation
    booster: Any
    num_rounds: int
    link: Link

    def answers(self, table: Table) -> NDArray[np.float32]:
        """See ``RowModel``."""
        return self.link.answers(self.raw(self.preparation.apply(table)))

    def raw(self, x_NF: NDArray[np.float32]) -> NDArray[np.float32]:
        """Sums of leaves ``_NK``."""
        if not len(x_NF):
            return np.empty((0, self.link.num_raw), dtype=np.float32)
        raw_N = self.booster.predict(x_NF, raw_score=True, num_iteration=self.num_rounds)
        return raw_N.reshape(len(x_NF), -1).astype(np.float32)

    def write(self, graph: GraphWriter) -> str:
        """See ``RowModel``."""
        trees = trees_of_lightgbm(self.booster.model_to_string(num_iteration=self.num_rounds))
        return self.link.write(graph, trees.write(graph, self.preparation.write(graph)))


def fit(task: RowTask) -> BoostedTrees:
    """Boosts trees.

    Raises:
        LibraryMissingError: LightGBM cannot be loaded.
        NoColumnsError: there is nothing to learn from.
    """
    table, targets_N = rows.drawn(task)
    preparation, x_NF = Preparation.learn(table, targets_N, task.num_labels, style="trees", seed=task.seed)
    data = _Data(x_NF, targets_N, preparation.apply(task.validation), task.validation_targets_N)
    links = _links(task, targets_N)
    fitted: list[tuple[float, BoostedTrees]] = []
    for place, link in enumerate(links):
        share = 1.0 / (len(links) - place)
        part = replace(task, deadline=task.deadline.part(share), report=_part_of(task.report, place, len(links)))
        booster, num_rounds = _boosted(part, data, link)
        model = BoostedTrees(preparation, booster, num_rounds, link)
        if len(links) > 1:
            model = replace(model, link=link.fitted(model.raw(data.validation_NF), data.validation_targets_N))
        answers = model.link.answers(model.raw(data.validation_NF))
        fitted.append((rows.loss(answers, data.validation_targets_N, task.num_labels), model))
    return min(fitted, key=lambda each: each[0])[1]


@dataclass(frozen=True)
class _Data:
    x_NF: NDArray[np.float32]
    targets_N: NDArray[Any]
    validation_NF: NDArray[np.float32]
    validation_targets_N: NDArray[Any]


def _links(task: RowTask, targets_N: NDArray[Any]) -> list[Link]:
    """The ways to learn the targets that are worth a try."""
    if task.num_labels:
        return [BinaryLink() if task.num_labels == 2 else SoftmaxLink(task.num_labels)]
    plain = NumberLink.of(targets_N)
    median = float(np.median(targets_N))
    is_long = median > 0.0 and targets_N.min() >= 0.0 and np.quantile(targets_N, 0.99) > _LONG_TAIL * median
    return [plain, LogLink.of(targets_N)] if is_long and len(task.validation_targets_N) else [plain]


def _part_of(report: Callable[..., None], place: int, number: int) -> Callable[..., None]:
    return lambda fraction, values: report((place + fraction) / number, values)


def _boosted(task: RowTask, data: _Data, link: Link) -> tuple[Any, int]:
    """A booster and how many of its rounds are best."""
    rate = float(task.params["learning_rate"])
    boosting = _Boosting(task, data, link, rate)
    if task.deadline.ends_s != float("inf"):
        round_s = boosting.probe()
        num_rounds = max(1.0, task.deadline.left_s / round_s)
        if num_rounds < min(float(task.params["max_rounds"]), _ENOUGH_ROUNDS / rate):
            boosting = _Boosting(task, data, link, float(np.clip(_ENOUGH_ROUNDS / num_rounds, rate, max(rate, _BOLDEST_RATE))))
    return boosting.run()


class _Boosting:
    """Round after round on the same rows."""

    def __init__(self, task: RowTask, data: _Data, link: Link, rate: float):
        library = _lightgbm()
        self._task, self._data, self._link, self._rate = task, data, link, rate
        weights_N = validation_weights_N = None
        if task.num_labels and task.params["is_balanced"]:
            weights_N = rows.balanced_weights(data.targets_N, task.num_labels)
            if len(data.validation_targets_N):
                validation_weights_N = rows.balanced_weights(data.validation_targets_N, task.num_labels)
        params = self._params()
        train = library.Dataset(data.x_NF, link.learned(data.targets_N), weight=weights_N, params=params)
        self._booster = library.Booster(params, train)
        self._has_validation = len(data.validation_targets_N) > 0
        if self._has_validation:
            learned_N = link.learned(data.validation_targets_N)
            held_back = library.Dataset(
                data.validation_NF, learned_N, weight=validation_weights_N, reference=train, params=params
            )
            self._booster.add_valid(held_back, "validation")
        self._num_rounds = 0
        self._is_over = False

    def _params(self) -> dict[str, Any]:
        given, num_rows = self._task.params, len(self._data.targets_N)
        return {
            **self._link.objective,
            "learning_rate": self._rate,
            "num_leaves": given["num_leaves"],
            "min_data_in_leaf": min(int(given["min_data_in_leaf"]), max(1, num_rows // 8)),
            "feature_fraction": given["feature_fraction"],
            "bagging_fraction": given["bagging_fraction"],
            "bagging_freq": 1,
            "lambda_l2": given["lambda_l2"],
            "extra_trees": given["extra_trees"],
            "seed": self._task.seed,
            "deterministic": True,
            "force_row_wise": True,
            "num_threads": self._task.num_threads,
            "feature_pre_filter": False,
            "verbosity": -1,
        }

    def probe(self) -> float:
        """Boosts a few rounds, and gives the seconds that each of the later ones took."""
        self._round()
        begun_s = time.monotonic()
        while self._num_rounds < _PROBE_ROUNDS and not self._is_over:
            self._round()
            self._task.report(0.0, {})
        return max(1e-6, (time.monotonic() - begun_s) / max(1, self._num_rounds - 1))

    def _round(self) -> None:
        self._is_over = bool(self._booster.update())  # true where no tree can be split any more
        self._num_rounds += 1

    def run(self) -> tuple[Any, int]:
        """Boosts to the end: the booster, and the round that was best on validation."""
        max_rounds = int(self._task.params["max_rounds"])
        if not self._has_validation:
            max_rounds = min(max_rounds, round(_ROUNDS_WITHOUT_VALIDATION / self._rate))
        patience = round(np.clip(_PATIENCE[0] * _BOLDEST_RATE / self._rate, *_PATIENCE))
        best_round, best_loss, told_s = self._num_rounds, float("inf"), time.monotonic()
        while self._num_rounds < max_rounds and not self._is_over:
            self._round()
            values: dict[str, float] = {}
            if self._has_validation:
                loss = float(self._booster.eval_valid()[0][2])
                if loss < best_loss - _GAIN * abs(best_loss) or not np.isfinite(best_loss):
                    best_round, best_loss = self._num_rounds, loss
                values = self._link.told(loss)
            else:
                best_round = self._num_rounds
            is_point = self._num_rounds % max(1, max_rounds // _CURVE_POINTS) == 0
            if is_point or time.monotonic() - told_s > _REPORT_EVERY_S:
                told_s = time.monotonic()
                self._task.report(self._num_rounds / max_rounds, values if is_point else {})
            if self._num_rounds - best_round >= patience or self._task.deadline.left_s <= 0.0:
                break
        self._task.report(1.0, self._link.told(best_loss) if np.isfinite(best_loss) else {})
        return self._booster, best_round


def _lightgbm() -> Any:
    try:
        import lightgbm  # noqa: PLC0415 - the family must be listed where the library cannot be loaded
    except OSError as error:
        raise LibraryMissingError(f"LightGBM cannot be loaded: {error}") from error
    return lightgbm
