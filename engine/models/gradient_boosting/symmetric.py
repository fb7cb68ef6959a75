"""Boosted trees in which all nodes of a level have the same split (Prokhorenkova et al. 2018, CatBoost).

So few splits for so many leaves make smooth, cautious trees: on small tables they do better than LightGBM's, which has no
such trees. Numpy sums the gradients of all bins of all leaves at once, which is fast for some ten thousand cells; with many
rows LightGBM is many times as fast. Bins are made as LightGBM makes them, missing cells have one of their own below all others.

Three more things are taken from CatBoost. A split is judged by the cosine between what it would add and the gradients, which
does not grow with the number of leaves. Scores may have noise, which fades as the trees add up. Leaves of two labels take
several Newton steps, so that a smaller learning rate needs no more trees.

Shapes: N rows, F features, B bins of a feature, K outputs, V leaves that hold rows, D levels.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.models.gradient_boosting.gradients import base_of, gradients_of, loss_of
from engine.models.gradient_boosting.symmetric_tree import SymmetricTree, added, arrays_of
from engine.table.trees import TreeArrays, float32_below

_MOST_BORDERS = 64
_LEAF_STEPS = 10
"""Newton steps for the leaves of two labels; they move what the next step is made of. Of numbers the first is exact."""
_LOWEST = np.finfo(np.float32).min
"""The border between missing and there."""
_TINY = 1e-100
_LONGEST = 500.0
"""Of trees, times the rate: beyond it nothing is left of the noise."""


@dataclass(frozen=True)
class SymmetricSettings:
    """How trees are grown."""

    depth: int
    """Levels, 1..8."""
    rate: float
    lambda_l2: float
    row_fraction: float
    """Of the rows that a tree is shown, 0..1."""
    column_fraction: float
    seed: int
    noise: float = 0.0
    """Standard deviation of what is added to the scores of splits, in root mean squares of the gradients, while the first trees
    are grown; it fades once there are as many, times ``rate``, as the logarithm of the number of rows."""


@dataclass
class _Validation:
    """Rows of validation, and the sums of the trees that were applied to them so far."""

    x_NF: NDArray[np.float32]
    targets_N: NDArray[Any]
    weights_N: NDArray[np.float64] | None
    raw_NK: NDArray[np.float64]
    num_counted: int = 0


class SymmetricBooster:
    """Grows a tree an output and round."""

    def __init__(
        self,
        x_NF: NDArray[np.float32],
        targets_N: NDArray[Any],
        settings: SymmetricSettings,
        *,
        num_labels: int,
        weights_N: NDArray[np.float64] | None = None,
    ):
        """Begins with what is most frequent, or with 0 for a number.

        Args:
            x_NF: NaN is missing.
            targets_N: indices of labels, or numbers of mean 0.
            settings: of the trees.
            num_labels: 2 has one output, the log-odds of the second; 0 where a number is predicted.
            weights_N: of the rows; None weighs them alike.
        """
        self.settings, self._num_labels, self._weights_N = settings, num_labels, weights_N
        self._targets_N, self._random = targets_N, np.random.default_rng(settings.seed)
        self._borders = [_borders(x_NF[:, feature]) for feature in range(x_NF.shape[1])]
        self._bins_NF = np.stack([_binned(x_NF[:, f], borders) for f, borders in enumerate(self._borders)], axis=1)
        self._splitting_F = np.flatnonzero([len(borders) > 0 for borders in self._borders])
        self.base_K = base_of(targets_N, num_labels, weights_N)
        self._raw_NK = np.tile(self.base_K, (len(targets_N), 1))
        self._validation: _Validation | None = None
        self.trees: list[SymmetricTree] = []

    def validate(self, x_MF: NDArray[np.float32], targets_M: NDArray[Any], weights_M: NDArray[np.float64] | None) -> None:
        """Sets the rows, at least one, on which ``loss`` is measured; called before the first round."""
        self._validation = _Validation(x_MF, targets_M, weights_M, np.tile(self.base_K, (len(targets_M), 1)))

    def loss(self) -> float:
        """On the rows of validation: the root of the mean squared error, or the log loss."""
        assert self._validation is not None, "there must be rows of validation"
        rows = self._validation
        for tree in self.trees[rows.num_counted :]:
            rows.raw_NK[:, tree.output] += added(tree, rows.x_NF)
        rows.num_counted = len(self.trees)
        return loss_of(rows.raw_NK, rows.targets_N, self._num_labels, rows.weights_N)

    def raw(self, x_NF: NDArray[np.float32], num_rounds: int) -> NDArray[np.float64]:
        """Sums of leaves ``_NK`` of the first rounds."""
        raw_NK = np.tile(self.base_K, (len(x_NF), 1))
        for tree in self.trees[: num_rounds * len(self.base_K)]:
            raw_NK[:, tree.output] += added(tree, x_NF)
        return raw_NK

    def arrays(self, num_rounds: int) -> TreeArrays:
        """The first rounds for a graph."""
        return arrays_of(self.trees[: num_rounds * len(self.base_K)], self.base_K)

    def update(self) -> bool:
        """Grows the trees of a round; true where no column can be split."""
        if not len(self._splitting_F):
            self.trees.extend(self._stump(output) for output in range(len(self.base_K)))
            return True
        gradients = gradients_of(self._raw_NK, self._targets_N, self._num_labels, self._weights_N)
        rows = self._draw(len(self._targets_N), self.settings.row_fraction)
        for output in range(len(self.base_K)):
            second_NK = gradients.second_NK
            columns = self._splitting_F[self._draw(len(self._splitting_F), self.settings.column_fraction)]
            second_R = None if second_NK is None else second_NK[rows, output]
            tree = self._grow(rows, columns, gradients.first_NK[rows, output], second_R, output)
            self.trees.append(tree)
        return False

    def _draw(self, number: int, fraction: float) -> NDArray[np.intp]:
        size = max(1, round(number * fraction))
        return np.sort(self._random.permutation(number)[:size]) if size < number else np.arange(number)

    def _stump(self, output: int) -> SymmetricTree:
        return SymmetricTree(np.zeros(0, np.int64), np.zeros(0, np.float32), np.zeros(1, np.float32), output)

    def _grow(
        self,
        rows: NDArray[np.intp],
        columns: NDArray[np.intp],
        first_R: NDArray[np.float64],
        second_R: NDArray[np.float64] | None,
        output: int,
    ) -> SymmetricTree:
        """A tree from some rows and columns; what it adds is then added to all rows."""
        settings, bins_NF = self.settings, self._bins_NF
        num_bins = max(len(self._borders[column]) for column in columns) + 1
        cells_RF = bins_NF[np.ix_(rows, columns)] + np.arange(len(columns)) * num_bins
        first_RF = np.repeat(first_R, len(columns))
        weights_RF = None if self._weights_N is None else np.repeat(self._weights_N[rows], len(columns))
        may_split_FB = np.arange(num_bins) < np.array([[len(self._borders[column])] for column in columns])
        noise = self._noise(first_R)
        leaf_R = np.zeros(len(rows), np.int64)
        questions: list[tuple[int, int]] = []
        for _ in range(settings.depth):
            _, compact_R = np.unique(leaf_R, return_inverse=True)
            shape = (int(compact_R.max()) + 1, len(columns), num_bins)
            at = (compact_R[:, None] * (len(columns) * num_bins) + cells_RF).ravel()
            size = int(np.prod(shape))
            first_VFB = np.bincount(at, first_RF, size).reshape(shape).cumsum(axis=2)
            weights_VFB = np.bincount(at, weights_RF, size).reshape(shape).cumsum(axis=2)
            score_FB = _score(first_VFB, weights_VFB, settings.lambda_l2)
            if noise > 0.0:
                score_FB += self._random.normal(0.0, noise, score_FB.shape)
            gain_FB = np.where(may_split_FB, score_FB, -np.inf)
            place, border = divmod(int(gain_FB.argmax()), num_bins)
            questions.append((int(columns[place]), border))
            leaf_R = leaf_R * 2 + (bins_NF[rows, columns[place]] > border)
        values_V = self._values(leaf_R, rows, first_R, second_R, output)
        leaf_N = np.zeros(len(bins_NF), np.int64)
        for feature, border in questions:
            leaf_N = leaf_N * 2 + (bins_NF[:, feature] > border)
        self._raw_NK[:, output] += values_V[leaf_N]
        thresholds = np.array([self._borders[feature][border] for feature, border in questions], np.float32)
        return SymmetricTree(np.array([feature for feature, _ in questions]), thresholds, values_V, output)

    def _noise(self, first_R: NDArray[np.float64]) -> float:
        """Standard deviation of the noise on scores, for the next tree."""
        if not self.settings.noise:
            return 0.0
        length = self.settings.rate * len(self.trees) / len(self.base_K)
        left = len(self._targets_N) * math.exp(-min(length, _LONGEST))
        return self.settings.noise * left / (1.0 + left) * float(np.sqrt(np.mean(np.square(first_R))))

    def _values(
        self,
        leaf_R: NDArray[np.int64],
        rows: NDArray[np.intp],
        first_R: NDArray[np.float64],
        second_R: NDArray[np.float64] | None,
        output: int,
    ) -> NDArray[np.float32]:
        """What the leaves add, ``_V``."""
        num_leaves, l2 = 1 << self.settings.depth, self.settings.lambda_l2
        values_V = np.bincount(leaf_R, first_R, num_leaves) / (np.bincount(leaf_R, second_R, num_leaves) + l2)
        if self._num_labels == 2:
            weights_R = None if self._weights_N is None else self._weights_N[rows]
            raw_R1, targets_R = self._raw_NK[rows, output][:, None], self._targets_N[rows]
            for _ in range(_LEAF_STEPS - 1):
                first_R1, second_R1 = gradients_of(raw_R1 + values_V[leaf_R][:, None], targets_R, 2, weights_R)
                assert second_R1 is not None, "the log loss has one"
                steps_V = np.bincount(leaf_R, first_R1[:, 0], num_leaves)
                values_V += steps_V / (np.bincount(leaf_R, second_R1[:, 0], num_leaves) + l2)
        return (self.settings.rate * values_V).astype(np.float32)


def _score(first_VFB: NDArray[np.float64], weights_VFB: NDArray[Any], lambda_l2: float) -> NDArray[np.float64]:
    """How good a border of all leaves alike would be, from sums of bins up to it and the weights of their rows: ``_FB``.

    It is the cosine, but for the length of the gradients, which is the same for all. Weights are not second derivatives, as of
    LightGBM, by which rows that are known for sure count next to nothing: splits then go to the few that are not, and small
    tables are overfitted.
    """
    along_FB, square_FB = np.zeros((2, *first_VFB.shape[1:]))
    sides = (first_VFB, weights_VFB), (first_VFB[:, :, -1:] - first_VFB, weights_VFB[:, :, -1:] - weights_VFB)
    for sums_VFB, sizes_VFB in sides:
        values_VFB = sums_VFB / (sizes_VFB + lambda_l2)
        along_FB += (values_VFB * sums_VFB).sum(axis=0)
        square_FB += (np.square(values_VFB) * sizes_VFB).sum(axis=0)
    score_FB: NDArray[np.float64] = along_FB / np.sqrt(np.maximum(square_FB, _TINY))
    return score_FB


def _borders(x_N: NDArray[np.float32]) -> NDArray[np.float32]:
    """Between values of a column: midway between all that occur, or as many as may be, with as many rows between them."""
    there = x_N[np.isfinite(x_N)]
    values, counts = np.unique(there, return_counts=True)
    middles = (values[1:].astype(np.float64) + values[:-1]) / 2
    if len(middles) > _MOST_BORDERS:
        rows_before = np.cumsum(counts)[:-1]
        places = np.linspace(0, len(there), _MOST_BORDERS + 2)[1:-1]
        middles = middles[np.unique(np.searchsorted(rows_before, places).clip(0, len(middles) - 1))]
    missing = [_LOWEST] if np.isnan(x_N).any() and len(values) else []
    return np.unique(np.concatenate([np.array(missing, np.float32), float32_below(middles)]))


def _binned(x_N: NDArray[np.float32], borders: NDArray[np.float32]) -> NDArray[np.int64]:
    """Borders that are below each value; missing is below all."""
    return np.searchsorted(borders, np.where(np.isnan(x_N), -np.inf, x_N), side="left")
