"""Boosts trees, as ``boosting`` has it, of one kind or the other: ``leafwise`` or ``symmetric``.

Numbers are learned less their mean, over their spread. Numbers that are never negative and have a long tail are also learned as
logarithms, and where some lie far out also by Huber's loss (``links``); whichever answers validation better stays. By the
squared error alone a few wild numbers of validation would decide, so where they lie far out the absolute one counts as much.

Shapes: N rows, F features, K outputs of the trees (one a label from three labels on, else one).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.models.gradient_boosting.boosting import Booster, Data, boosted, boosted_for
from engine.models.gradient_boosting.links import BinaryLink, HuberLink, Link, LogLink, NumberLink, SoftmaxLink
from engine.models.shared import rows
from engine.table.encode import Preparation
from engine.table.graph import GraphWriter
from engine.table.outliers import has_loose
from engine.table.table import RowTask, Table

_LONG_TAIL = 2.0
"""Times the median that the 99th percentile is, where logarithms are worth a try: on house prices (2.9) they took 4 % off the
error, and where they do not help the other stays."""

_MOST_ROUNDS = 0.9
"""Share of the rounds without which a model that is to stand for others does not do."""


@dataclass(frozen=True)
class BoostedTrees:
    """The model."""

    preparation: Preparation
    booster: Booster
    num_rounds: int
    rate: float
    """With which they learned."""
    link: Link

    def answers(self, table: Table) -> NDArray[np.float32]:
        """See ``RowModel``."""
        return self.link.answers(self.raw(self.preparation.apply(table)))

    def raw(self, x_NF: NDArray[np.float32]) -> NDArray[np.float32]:
        """Sums of leaves ``_NK``."""
        if not len(x_NF):
            return np.empty((0, self.link.num_raw), dtype=np.float32)
        return self.booster.raw(x_NF, self.num_rounds).astype(np.float32)

    def write(self, graph: GraphWriter) -> str:
        """See ``RowModel``."""
        trees = self.booster.arrays(self.num_rounds)
        return self.link.write(graph, trees.write(graph, self.preparation.write(graph)))


def fit(task: RowTask) -> BoostedTrees:
    """Boosts trees.

    Raises:
        LibraryMissingError: LightGBM cannot be loaded.
        NoColumnsError: there is nothing to learn from.
    """
    table, targets_N = rows.training_rows(task)
    preparation, x_NF = Preparation.learn(table, targets_N, task.num_labels, style="trees", seed=task.seed)
    data = Data(x_NF, targets_N, preparation.apply(task.validation), task.validation_targets_N)
    links = _links(task, targets_N)
    fitted: list[tuple[float, BoostedTrees]] = []
    for place, link in enumerate(links):
        share = 1.0 / (len(links) - place)
        part = replace(task, deadline=task.deadline.part(share), report=_part_of(task.report, place, len(links)))
        done = boosted(part, data, link)
        model = BoostedTrees(preparation, done.booster, done.num_rounds, done.rate, link)
        if len(links) > 1:
            model = replace(model, link=link.fitted(model.raw(data.validation_NF), data.validation_targets_N))
        answers = model.link.answers(model.raw(data.validation_NF))
        fitted.append((_judged(answers, data.validation_targets_N, links), model))
    return min(fitted, key=lambda each: each[0])[1]


def refit(task: RowTask, models: Sequence[BoostedTrees]) -> BoostedTrees | None:
    """One model of all rows in place of several, each of which left some out: with as many rounds as they have in the mean.

    Validation is not looked at.

    Args:
        task: with the same settings as those of the models, and rows of which each model knows a part.
        models: at least one.

    Returns:
        The model; None if the deadline came before most rounds were done.

    Raises:
        NoColumnsError: there is nothing to learn from.
    """
    table, targets_N = rows.training_rows(task)
    preparation, x_NF = Preparation.learn(table, targets_N, task.num_labels, style="trees", seed=task.seed)
    data = Data(x_NF, targets_N, x_NF[:0], targets_N[:0])
    kinds = Counter(type(model.link) for model in models)
    alike = [model for model in models if type(model.link) is kinds.most_common(1)[0][0]]
    rate = float(np.median([model.rate for model in alike]))
    num_rounds = max(1, round(float(np.mean([model.num_rounds * model.rate for model in alike])) / rate))
    link = alike[0].link.combined(targets_N, [model.link for model in alike])
    done = boosted_for(task, data, link, num_rounds=num_rounds, rate=rate)
    if done.num_rounds < _MOST_ROUNDS * num_rounds and task.deadline.left_s <= 0.0:
        return None
    return BoostedTrees(preparation, done.booster, done.num_rounds, done.rate, link)


def _links(task: RowTask, targets_N: NDArray[Any]) -> list[Link]:
    """The ways to learn the targets that are worth a try."""
    if task.num_labels:
        return [BinaryLink() if task.num_labels == 2 else SoftmaxLink(task.num_labels)]
    plain = NumberLink.of(targets_N)
    median = float(np.median(targets_N))
    is_long = median > 0.0 and targets_N.min() >= 0.0 and np.quantile(targets_N, 0.99) > _LONG_TAIL * median
    if not len(task.validation_targets_N):
        return [plain]
    logs = [LogLink.of(targets_N)] if is_long else []
    is_leafwise = task.params["growth"] != "symmetric"  # those trees know squared errors alone
    return [plain, *logs, *([HuberLink.of(targets_N)] if is_leafwise and has_loose(targets_N) else [])]


def _judged(answers_NL: NDArray[np.float32], targets_N: NDArray[Any], links: Sequence[Link]) -> float:
    """What is minimised: the task's loss; times the mean absolute error where Huber's loss was tried."""
    num_labels = answers_NL.shape[1] if answers_NL.shape[1] > 1 else 0
    value = rows.loss(answers_NL, targets_N, num_labels)
    if not any(isinstance(link, HuberLink) for link in links):
        return value
    return value * float(np.abs(answers_NL[:, 0].astype(np.float64) - targets_N).mean())


def _part_of(report: Callable[..., None], place: int, number: int) -> Callable[..., None]:
    return lambda fraction, values: report((place + fraction) / number, values)
