"""Grows a forest a few trees at a time, and keeps it small enough to ship.

Shapes: N rows, M rows of validation, F features, L labels (or 1 for a number), C labels that occur.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier
from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)

from engine.models.random_forest.calibrate import Calibration, calibrated
from engine.models.random_forest.grow import TrainingData, affordable, grow_trees
from engine.models.shared import rows
from engine.table.encode import Preparation
from engine.table.graph import GraphWriter
from engine.table.table import RowTask, Table
from engine.table.trees import trees_of_forest

_FORESTS = {
    ("extra", True): ExtraTreesRegressor,
    ("extra", False): ExtraTreesClassifier,
    ("random", True): RandomForestRegressor,
    ("random", False): RandomForestClassifier,
}
_MOST_JUDGED = 10_000
_PREPARED = 0.1
"""Fraction of the work that is done when the columns are prepared."""
_MOST_TREES = 0.8
"""Share of the trees without which a forest that is to stand for others does not do."""
_LIMIT = np.finfo(np.float32).max


@dataclass(frozen=True)
class ForestModel:
    """Trees on prepared columns."""

    preparation: Preparation
    forest: Any
    """Of scikit-learn."""
    labels_C: NDArray[np.int64]
    """Indices of the labels that occur; one 0 where a number is predicted."""
    calibration: Calibration | None
    """None where a number is predicted."""
    unit: float = 1.0
    """Of a number: the trees' mean times this, and ``offset`` more."""
    offset: float = 0.0

    def answers(self, table: Table) -> NDArray[np.float32]:
        """See ``RowModel``."""
        x_NF = np.clip(self.preparation.apply(table), -_LIMIT, _LIMIT)
        if not len(x_NF):
            return np.empty((0, 1 if self.calibration is None else len(self.calibration.prior_L)), np.float32)
        return self.answers_of(raw_answers(self.forest, x_NF))

    def answers_of(self, raw_NC: NDArray[np.float64]) -> NDArray[np.float32]:
        """Answers from the trees' mean."""
        if self.calibration is None:
            return (raw_NC * self.unit + self.offset).astype(np.float32)
        return self.calibration.apply(self.shares_of(raw_NC))

    def shares_of(self, raw_NC: NDArray[np.float64]) -> NDArray[np.float64]:
        """The same for all labels, those that do not occur too."""
        assert self.calibration is not None, "numbers have no labels"
        shares_NL = np.zeros((len(raw_NC), len(self.calibration.prior_L)))
        shares_NL[:, self.labels_C] = raw_NC
        return shares_NL

    def write(self, graph: GraphWriter) -> str:
        """See ``RowModel``."""
        features = self.preparation.write(graph)
        trees = trees_of_forest(self.forest.estimators_, num_outputs=len(self.labels_C))
        if self.calibration is None:
            scaled = graph.add("Mul", [trees.write(graph, features), graph.floats(self.unit)])
            return graph.add("Add", [scaled, graph.floats(self.offset)])
        num_labels = len(self.calibration.prior_L)
        base_L = np.zeros(num_labels, np.float32)
        trees = replace(trees, output_W=self.labels_C[trees.output_W], num_outputs=num_labels, base_K=base_L)
        return self.calibration.write(graph, trees.write(graph, features))


def raw_answers(model: Any, x_NF: NDArray[np.float32]) -> NDArray[np.float64]:
    """Raw answers of a tree or a forest: shares of the labels that occur ``_NC``, or numbers ``_N1``."""
    return model.predict_proba(x_NF) if is_classifier(model) else model.predict(x_NF)[:, None]


def fit(task: RowTask) -> ForestModel:
    """Grows trees until there are as many as were asked for, or the deadline comes.

    Raises:
        NoColumnsError: there is nothing to learn from.
    """
    table, targets_N = rows.training_rows(task)
    preparation, x_NF = Preparation.learn(table, targets_N, task.num_labels, style="trees", seed=task.seed)
    task.report(_PREPARED, {})
    model = _without_trees(task, preparation, targets_N)
    data = TrainingData(
        x_NF=np.clip(x_NF, -_LIMIT, _LIMIT),
        y_N=targets_N if task.num_labels else (targets_N - model.offset) / model.unit,
        weights_N=_weights(task, targets_N),
    )
    data = affordable(model.forest, data, task.deadline, task.seed)
    if task.num_labels:
        model = replace(model, labels_C=np.unique(data.y_N))
    judged = np.random.default_rng(task.seed).permutation(len(task.validation))[:_MOST_JUDGED]
    judged_MF = np.clip(preparation.apply(task.validation.take(judged)), -_LIMIT, _LIMIT)
    truth_M = task.validation_targets_N[judged]
    sums_MC, num_summed = np.zeros((len(judged), len(model.labels_C))), 0
    for fraction in grow_trees(model.forest, data, int(task.params["num_trees"]), task.deadline):
        trees = model.forest.estimators_
        for tree in trees[num_summed:] if len(judged) else ():
            sums_MC += raw_answers(tree, judged_MF)
        num_summed = len(trees)
        values = rows.measured(model.answers_of(sums_MC / num_summed), truth_M, task.num_labels)
        task.report(_PREPARED + (1.0 - _PREPARED) * fraction, values)
    if model.calibration is None:
        return model
    shares_ML = model.shares_of(sums_MC / num_summed)
    return replace(model, calibration=calibrated(model.calibration.prior_L, shares_ML, truth_M, _weights(task, truth_M)))


def refit(task: RowTask, models: Sequence[ForestModel]) -> ForestModel | None:
    """One forest of all rows, of as many trees as others have, whose answers become probabilities as theirs do.

    Args:
        task: with the same settings as those of the models; its validation is not looked at.
        models: at least one.

    Returns:
        The model; None if the deadline came before most trees were grown, or only some of the rows can be learned in time.

    Raises:
        NoColumnsError: there is nothing to learn from.
    """
    table, targets_N = rows.training_rows(task)
    preparation, x_NF = Preparation.learn(table, targets_N, task.num_labels, style="trees", seed=task.seed)
    model = _without_trees(task, preparation, targets_N)
    whole = TrainingData(
        x_NF=np.clip(x_NF, -_LIMIT, _LIMIT),
        y_N=targets_N if task.num_labels else (targets_N - model.offset) / model.unit,
        weights_N=_weights(task, targets_N),
    )
    num_trees = round(float(np.mean([len(each.forest.estimators_) for each in models])))
    if len(affordable(model.forest, whole, task.deadline, task.seed).y_N) < len(targets_N):
        return None
    for fraction in grow_trees(model.forest, whole, num_trees, task.deadline):
        task.report(_PREPARED + (1.0 - _PREPARED) * fraction, {})
    if len(model.forest.estimators_) < _MOST_TREES * num_trees:
        return None
    found = [each.calibration for each in models if each.calibration is not None]
    if model.calibration is None or not found:
        return model
    draw, sharpness = (
        float(np.median(values)) for values in zip(*((each.draw, each.sharpness) for each in found), strict=True)
    )
    return replace(model, calibration=replace(model.calibration, draw=draw, sharpness=sharpness))


def _without_trees(task: RowTask, preparation: Preparation, targets_N: NDArray) -> ForestModel:
    is_number = task.num_labels == 0
    part = task.params["columns_per_split"]
    all_or_root = 1.0 if is_number else "sqrt"
    forest = _FORESTS[str(task.params["trees"]), is_number](
        warm_start=True,
        max_features={"auto": all_or_root, "root": "sqrt", "third": 1 / 3, "all": 1.0}[str(part)],
        min_samples_leaf=int(task.params["min_samples_leaf"]),
        n_jobs=task.num_threads,
        random_state=task.seed,
    )
    if is_number:
        unit, offset = float(targets_N.std()) or 1.0, float(targets_N.mean())
        return ForestModel(preparation, forest, np.zeros(1, np.int64), None, unit, offset)
    prior_L = rows.priors(targets_N, task.num_labels, _weights(task, targets_N)).astype(np.float32)
    return ForestModel(preparation, forest, np.unique(targets_N), Calibration(prior_L))


def _weights(task: RowTask, targets_N: NDArray) -> NDArray[np.float64] | None:
    is_balanced = task.num_labels and task.params["is_balanced"]
    return rows.balanced_weights(targets_N, task.num_labels) if is_balanced else None
