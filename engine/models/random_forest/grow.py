"""Grows trees of scikit-learn until there are enough, the time is over, or the model would become too large to ship.

Shapes: N rows, F features.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from engine.table.own_time import own_s
from engine.table.table import Deadline

MAX_NODES = 1_200_000
"""Of all trees: inner nodes, and numbers in leaves beyond the first; each takes 36 bytes in the model's file, measured."""
ENOUGH_TREES = 100
"""Rather than give so many up, trees are kept small."""
FEWEST_TREES = 10
"""When the time does not suffice for so many, they learn from fewer rows."""
_LEAST_LEAVES = 8
_TIMED_ROWS = 3_000
_FEWEST_ROWS = 500
_STEP_S = 2.0
"""Between two looks at the clock, unless a single tree takes longer."""


@dataclass(frozen=True)
class TrainingData:
    """Rows that trees learn from, with their targets and weights."""

    x_NF: NDArray[np.float32]
    y_N: NDArray[Any]
    """Indices of labels, or numbers of unit size about 0."""
    weights_N: NDArray[np.float64] | None

    def sample(self, num_rows: int, seed: int) -> TrainingData:
        """So many rows; all where there are no more."""
        if num_rows >= len(self.y_N):
            return self
        rows_N = np.sort(np.random.default_rng(seed).choice(len(self.y_N), num_rows, replace=False))
        return TrainingData(self.x_NF[rows_N], self.y_N[rows_N], None if self.weights_N is None else self.weights_N[rows_N])


def affordable(forest: Any, data: TrainingData, deadline: Deadline, seed: int) -> TrainingData:
    """The rows of which a few trees can be grown in time: all, or some, drawn evenly.

    Args:
        forest: of scikit-learn, whose trees are tried.
        data: all rows.
        deadline: of the growing.
        seed: of the draw.
    """
    if math.isinf(deadline.left_s):
        return data
    tried = data.sample(_TIMED_ROWS, seed)
    began_s = own_s()
    clone(forest).set_params(n_estimators=1).fit(tried.x_NF, tried.y_N, tried.weights_N)
    # The levels of a tree grow with the logarithm of its rows, taken at the most that there may be.
    levels = math.log2(len(data.y_N) + 1) / math.log2(len(tried.y_N) + 1)
    row_s = (own_s() - began_s) / len(tried.y_N) * levels
    return data.sample(max(_FEWEST_ROWS, int(deadline.usable_s / (FEWEST_TREES * row_s))), seed)


def grow_trees(forest: Any, data: TrainingData, num_trees: int, deadline: Deadline) -> Iterator[float]:
    """Grows a forest in steps, and yields after each the fraction that is done; it has at least one tree.

    Args:
        forest: of scikit-learn, with ``warm_start``; changed in place.
        data: what it learns from.
        num_trees: to grow; fewer where they become large.
        deadline: looked at after each step.
    """
    began_s = own_s()
    forest.set_params(n_estimators=1).fit(data.x_NF, data.y_N, data.weights_N)
    num_nodes = _num_nodes(forest.estimators_[0])
    num_trees = max(min(num_trees, ENOUGH_TREES), min(num_trees, MAX_NODES // num_nodes))
    if num_trees * num_nodes > MAX_NODES:
        num_values = min(forest.estimators_[0].tree_.value.shape[2], 1 + len(data.y_N) * num_trees // MAX_NODES)
        forest.set_params(max_leaf_nodes=max(_LEAST_LEAVES, MAX_NODES // (num_trees * (1 + num_values))))
        began_s = own_s()
        forest.set_params(warm_start=False).fit(data.x_NF, data.y_N, data.weights_N).set_params(warm_start=True)
    done, tree_s = 1, own_s() - began_s
    yield done / num_trees
    while done < num_trees and deadline.usable_s > tree_s:
        step = max(1, int(min(_STEP_S, deadline.usable_s / 2) / max(tree_s, 1e-3)))
        began_s, before = own_s(), done
        done = min(num_trees, done + step)
        forest.set_params(n_estimators=done).fit(data.x_NF, data.y_N, data.weights_N)
        tree_s = (own_s() - began_s) / (done - before)
        yield done / num_trees


def _num_nodes(tree: Any) -> int:
    """Inner nodes, and numbers in the leaves."""
    is_leaf = tree.tree_.children_left < 0
    num_values = np.count_nonzero(tree.tree_.value[is_leaf, 0, :], axis=1)
    return int((~is_leaf).sum() + np.maximum(num_values, 1).sum())
