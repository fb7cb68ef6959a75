"""Keeps rows, and finds on validation how many of the nearest should answer together, and how far towards the mean.

Shapes: N rows to choose by, R known rows, F features, L labels (or 1 for a number).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.models.shared import rows
from engine.models.table_knn.nearest import Nearest
from engine.models.table_knn.relevance import relevance
from engine.table.encode import Preparation
from engine.table.graph import GraphWriter
from engine.table.table import RowTask, Table

NEIGHBOURS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 50, 70, 100, 140, 200)
USUAL_NEIGHBOURS = 12
"""Where there is nothing to choose by."""
_MOST_JUDGED = 2_000
"""Rows of validation that settings are chosen by; more hardly change the choice."""
_MAX_CELLS = 10_000_000
"""Rows times features that are kept, float32: 40 MB in the model's file."""
_LEAST_SPREAD = 0.1
"""A value that one row in a hundred has spreads by this; what is rarer is not made larger."""
_LEAST_WEIGHT = 0.02
"""Of the most relevant feature: one that is irrelevant alone may matter together with others."""
_AT_ONCE = 256
"""Rows of validation between two checks of the deadline."""
_PREPARED = 0.2
"""Fraction of the work that is done when the columns are prepared."""
_DRAWS = (0.1, 0.3, 1.0, 3.0)
"""Weights of the mean of all known rows beside the nearest, of which one at ``h`` weighs 1."""


@dataclass(frozen=True)
class NeighboursModel:
    """Known rows, and how their targets become answers."""

    preparation: Preparation
    scales_F: NDArray[np.float32]
    """What features are multiplied by, after their means are taken off."""
    means_F: NDArray[np.float32]
    nearest: Nearest
    prior_L: NDArray[np.float32]
    """Mean target of all known rows."""
    draw: float
    is_number: bool
    unit: float = 1.0
    """Of a number: the mean of the neighbours times this, and ``offset`` more."""
    offset: float = 0.0

    def answers(self, table: Table) -> NDArray[np.float32]:
        """See ``RowModel``."""
        queries_NF = (self.preparation.apply(table) - self.means_F) * self.scales_F
        return self.answers_of(self.nearest.sums(queries_NF))

    def answers_of(self, sums_NL: NDArray[np.float32]) -> NDArray[np.float32]:
        """Answers from the weighted sums of the nearest rows' targets, followed by the sums of the weights."""
        draw = np.float32(self.draw)
        mean_NL = (sums_NL[:, :-1] + draw * self.prior_L) / (sums_NL[:, -1:] + draw)
        return mean_NL * np.float32(self.unit) + np.float32(self.offset) if self.is_number else mean_NL

    def write(self, graph: GraphWriter) -> str:
        """See ``RowModel``."""
        centred = graph.add("Sub", [self.preparation.write(graph), graph.constant(self.means_F)])
        sums = self.nearest.write(graph, graph.add("Mul", [centred, graph.constant(self.scales_F)]))
        totals = graph.add("Slice", [sums, graph.ints(0), graph.ints(-1), graph.ints(1)])
        weights = graph.add("Slice", [sums, graph.ints(-1), graph.ints(np.iinfo(np.int64).max), graph.ints(1)])
        drawn = graph.add("Add", [totals, graph.constant(np.float32(self.draw) * self.prior_L)])
        answers = graph.add("Div", [drawn, graph.add("Add", [weights, graph.floats(self.draw)])])
        if not self.is_number:
            return answers
        return graph.add("Add", [graph.add("Mul", [answers, graph.floats(self.unit)]), graph.floats(self.offset)])


def fit(task: RowTask) -> NeighboursModel:
    """Keeps rows and chooses how many answer, by the rows of validation that are evaluated before the deadline.

    Raises:
        NoColumnsError: there is nothing to learn from.
    """
    model = _prepared(task)
    most = max(1, min(int(task.params["max_neighbours"]), len(model.nearest.known_RF) // 2))
    counts = tuple(count for count in NEIGHBOURS if count <= most)
    usual = max(count for count in counts if count <= USUAL_NEIGHBOURS)
    chosen, least = replace(model, nearest=replace(model.nearest, num_neighbours=usual)), float("inf")
    num_judged, sums = _sums_in_time(task, model, counts)
    truth_M = task.validation_targets_N[_judged(task)[:num_judged]]
    for count, sums_ML in zip(counts, sums, strict=True):
        for draw in (0.0,) if model.is_number else _DRAWS:
            tried = replace(model, nearest=replace(model.nearest, num_neighbours=count), draw=draw)
            value = rows.loss(tried.answers_of(sums_ML[:num_judged]), truth_M, task.num_labels)
            if value < least:
                chosen, least = tried, value
    task.report(1.0, rows.measured(chosen.answers(task.validation.take(_judged(task)[:num_judged])), truth_M, task.num_labels))
    return chosen


def refit(task: RowTask, models: Sequence[NeighboursModel]) -> NeighboursModel | None:
    """One model that knows all rows, with as many neighbours and as much of the mean as others have found best.

    Args:
        task: with the same settings as those of the models; its validation is not looked at.
        models: at least one.

    Returns:
        The model; None if the deadline has come.

    Raises:
        NoColumnsError: there is nothing to learn from.
    """
    if task.deadline.left_s <= 0.0:
        return None
    model = _prepared(task)
    count = round(float(np.median([each.nearest.num_neighbours for each in models])))
    draw = float(np.median([each.draw for each in models]))
    nearest = replace(model.nearest, num_neighbours=max(1, min(count, len(model.nearest.known_RF))))
    return replace(model, nearest=nearest, draw=draw)


def _prepared(task: RowTask) -> NeighboursModel:
    """The model before its settings are chosen: prepared rows and their targets."""
    table, targets_N = rows.training_rows(task)
    preparation, x_NF = Preparation.learn(table, targets_N, task.num_labels, style="dense", seed=task.seed)
    limit = max(1, _MAX_CELLS // x_NF.shape[1])
    if len(x_NF) > limit:
        chosen = np.sort(np.random.default_rng(task.seed).choice(len(x_NF), limit, replace=False))
        x_NF, targets_N = x_NF[chosen], targets_N[chosen]
    is_number = task.num_labels == 0
    means_F = x_NF.mean(axis=0)
    scales_F = 1 / np.maximum(x_NF.std(axis=0), np.float32(_LEAST_SPREAD))
    if task.params["is_weighing_columns"]:
        relevance_F = relevance(x_NF, targets_N, is_number=is_number, seed=task.seed)
        if relevance_F.max() > 0.0:
            scales_F = scales_F * np.sqrt(np.maximum(relevance_F / relevance_F.max(), _LEAST_WEIGHT)).astype(np.float32)
    offset, unit = (float(targets_N.mean()), float(targets_N.std()) or 1.0) if is_number else (0.0, 1.0)
    targets_RL = ((targets_N - offset) / unit)[:, None] if is_number else np.eye(task.num_labels)[targets_N]
    return NeighboursModel(
        preparation=preparation,
        scales_F=scales_F,
        means_F=means_F,
        nearest=Nearest(
            known_RF=(x_NF - means_F) * scales_F,
            targets_RL=targets_RL.astype(np.float32),
            num_neighbours=1,
            is_by_distance=task.params["weights"] == "distance",
        ),
        prior_L=np.zeros(1, np.float32) if is_number else rows.priors(targets_N, task.num_labels).astype(np.float32),
        draw=0.0 if is_number else 1.0,
        is_number=is_number,
        unit=unit,
        offset=offset,
    )


def _judged(task: RowTask) -> NDArray[np.intp]:
    """Rows of validation that settings are chosen by, in the order of their evaluation."""
    return np.random.default_rng(task.seed).permutation(len(task.validation))[:_MOST_JUDGED]


def _sums_in_time(task: RowTask, model: NeighboursModel, counts: tuple[int, ...]) -> tuple[int, list[NDArray[np.float32]]]:
    """Evaluates rows of validation until the deadline.

    Returns:
        How many were evaluated, and for each number of neighbours the sums of ``Nearest.sums``.
    """
    judged = _judged(task)
    sums = [np.empty((len(judged), model.nearest.targets_RL.shape[1] + 1), np.float32) for _ in counts]
    for start in range(0, len(judged), _AT_ONCE):
        task.report(_PREPARED + (1.0 - _PREPARED) * start / len(judged), {})
        if task.deadline.left_s <= 0.0:
            return start, sums
        part = judged[start : start + _AT_ONCE]
        queries_NF = (model.preparation.apply(task.validation.take(part)) - model.means_F) * model.scales_F
        for place, sums_NL in enumerate(model.nearest.sums_by_count(queries_NF, counts)):
            sums[place][start : start + _AT_ONCE] = sums_NL
    return len(judged), sums
