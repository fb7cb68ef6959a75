"""Ensembles of trees in a graph, from plain arrays: LightGBM's boosters and scikit-learn's forests answer there as here.

A tree asks ``x <= threshold``. Features are float32 and thresholds float64, so a threshold is rounded down to float32: the
answer is then the same for every x. The nodes become one ``TreeEnsembleRegressor`` (ai.onnx.ml 3), which onnxruntime walks
fast; it adds up the leaves in float32.

Shapes: T trees, M nodes of all trees, W weights of all leaves, N rows, K outputs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.table.graph import ML, GraphWriter

_CATEGORICAL, _DEFAULT_LEFT = 1, 2
_MISSING_ZERO, _MISSING_NAN = 1, 2
"""Bits of ``decision_type`` in LightGBM's text (``include/LightGBM/tree.h``); how missing is meant stands in bits 2 and 3."""
_ZERO = float(np.float32(1e-35))
"""LightGBM's ``kZeroThreshold``."""
_BELOW_ZERO = float(np.nextafter(np.float32(-_ZERO), np.float32(-1)))


@dataclass(frozen=True)
class TreeArrays:
    """Trees node by node. An inner node leads to nodes of its tree, a leaf (feature -1) to what it adds to the outputs."""

    tree_M: NDArray[np.int64]
    """Which tree a node is of; ascending, the first node of a tree is its root."""
    feature_M: NDArray[np.int64]
    threshold_M: NDArray[np.float32]
    """Left where ``x <= threshold``."""
    left_M: NDArray[np.int64]
    """Places in these arrays; 0 of leaves."""
    right_M: NDArray[np.int64]
    is_missing_left_M: NDArray[np.bool_]
    """Where NaN goes."""
    leaf_W: NDArray[np.int64]
    """The leaf that a weight is of: a place in the arrays above, ascending."""
    output_W: NDArray[np.int64]
    value_W: NDArray[np.float32]
    num_outputs: int
    """K."""
    base_K: NDArray[np.float32]
    """What the leaves are added to."""

    @property
    def num_trees(self) -> int:
        """T."""
        return int(self.tree_M[-1]) + 1 if len(self.tree_M) else 0

    def answers(self, x_NF: NDArray[np.float32]) -> NDArray[np.float32]:
        """The sums of leaves ``_NK``, row by row through every tree at once: the plain reference, and slow."""
        sums_NK = np.tile(self.base_K.astype(np.float64), (len(x_NF), 1))
        roots_T = np.flatnonzero(np.diff(self.tree_M, prepend=-1))
        first_M = np.searchsorted(self.leaf_W, np.arange(len(self.tree_M)), side="left")
        last_M = np.searchsorted(self.leaf_W, np.arange(len(self.tree_M)), side="right")
        for root in roots_T:
            node_N = np.full(len(x_NF), root)
            while (is_inner_N := self.feature_M[node_N] >= 0).any():
                rows, nodes = np.flatnonzero(is_inner_N), node_N[is_inner_N]
                x = x_NF[rows, self.feature_M[nodes]]
                is_left = np.where(np.isnan(x), self.is_missing_left_M[nodes], x <= self.threshold_M[nodes])
                node_N[rows] = np.where(is_left, self.left_M[nodes], self.right_M[nodes])
            for weight in range(int((last_M - first_M)[node_N].max(initial=0))):
                has_N = first_M[node_N] + weight < last_M[node_N]
                at = first_M[node_N[has_N]] + weight
                np.add.at(sums_NK, (np.flatnonzero(has_N), self.output_W[at]), self.value_W[at])
        return sums_NK.astype(np.float32)

    def write(self, graph: GraphWriter, features: str) -> str:
        """Adds the trees to a graph.

        Args:
            graph: in the making.
            features: name of the tensor ``[batch, F]``, float32.

        Returns:
            Name of the tensor with the sums, ``[batch, K]``, float32.
        """
        if not len(self.tree_M):
            raise ValueError("an ensemble without trees has nothing to write")
        is_leaf_M = self.feature_M < 0
        roots_T = np.flatnonzero(np.diff(self.tree_M, prepend=-1))
        start_M = roots_T[self.tree_M]
        numbers_M = np.arange(len(self.tree_M)) - start_M
        modes = np.where(is_leaf_M, "LEAF", "BRANCH_LEQ")
        return graph.add(
            "TreeEnsembleRegressor",
            [features],
            domain=ML,
            n_targets=self.num_outputs,
            aggregate_function="SUM",
            post_transform="NONE",
            base_values=self.base_K.tolist(),
            nodes_treeids=self.tree_M.tolist(),
            nodes_nodeids=numbers_M.tolist(),
            nodes_featureids=np.where(is_leaf_M, 0, self.feature_M).tolist(),
            nodes_values=np.where(is_leaf_M, np.float32(0), self.threshold_M).tolist(),
            nodes_modes=modes.tolist(),
            nodes_truenodeids=np.where(is_leaf_M, 0, self.left_M - start_M).tolist(),
            nodes_falsenodeids=np.where(is_leaf_M, 0, self.right_M - start_M).tolist(),
            nodes_missing_value_tracks_true=self.is_missing_left_M.astype(np.int64).tolist(),
            target_treeids=self.tree_M[self.leaf_W].tolist(),
            target_nodeids=numbers_M[self.leaf_W].tolist(),
            target_ids=self.output_W.tolist(),
            target_weights=self.value_W.tolist(),
        )


def float32_below(numbers: NDArray[np.float64]) -> NDArray[np.float32]:
    """The largest float32 that is not above each number: ``x <= t`` then gives the same result for every float32 x."""
    with np.errstate(over="ignore"):
        near = numbers.astype(np.float32)
    return np.where(near > numbers, np.nextafter(near, np.float32(-np.inf)), near)


def trees_of_lightgbm(text: str, *, num_iterations: int | None = None) -> TreeArrays:
    """Reads the trees of a booster from its text (``Booster.model_to_string``).

    Args:
        text: of the model; the trees must split numbers only.
        num_iterations: rounds to take; None takes all.

    Raises:
        ValueError: the text is none, or the trees split categories, are linear, or take zero for missing.
    """
    head, *blocks = text.split("\nTree=")
    facts = dict(line.split("=", 1) for line in head.splitlines() if "=" in line)
    if "num_tree_per_iteration" not in facts:
        raise ValueError("this is no text of a LightGBM model")
    num_outputs = int(facts["num_tree_per_iteration"])
    used = blocks if num_iterations is None else blocks[: num_iterations * num_outputs]
    built = _Builder(num_outputs)
    for place, block in enumerate(used):
        _add_lightgbm_tree(built, block, place % num_outputs)
    return built.finish()


def _add_lightgbm_tree(built: _Builder, block: str, output: int) -> None:
    fields = dict(line.split("=", 1) for line in block.split("\n\n", 1)[0].splitlines() if "=" in line)
    if fields.get("num_cat", "0") != "0" or fields.get("is_linear", "0") != "0":
        raise ValueError("trees with categorical splits or linear leaves cannot be written")
    leaves = _numbers(fields["leaf_value"], np.float64)
    outputs = np.full(len(leaves), output)
    if len(leaves) == 1:
        none = np.zeros(0, np.int64)
        built.add(_Tree(none, none, none, none, none > 0, (np.zeros(1, np.int64), outputs, leaves), 1))
        return
    decisions = _numbers(fields["decision_type"], np.int64)
    missing = (decisions >> 2) & 3
    if (decisions & _CATEGORICAL).any() or (missing == _MISSING_ZERO).any():
        raise ValueError("splits of categories, or with zero for missing, cannot be written")
    thresholds = _numbers(fields["threshold"], np.float64)
    # What is as small as ``_ZERO`` is 0 to LightGBM (``RowPairFunctionFromDenseMatric``), and so is NaN in a column that missed
    # nothing in training (``Tree::NumericalDecision``).
    thresholds = np.where(np.abs(thresholds) <= _ZERO, np.where(thresholds < 0.0, _BELOW_ZERO, _ZERO), thresholds)
    is_missing_left = np.where(missing == _MISSING_NAN, (decisions & _DEFAULT_LEFT) > 0, thresholds >= 0.0)
    children = [_numbers(fields[name], np.int64) for name in ("left_child", "right_child")]
    left, right = (np.where(child < 0, len(thresholds) + ~child, child) for child in children)
    features = _numbers(fields["split_feature"], np.int64)
    weights = np.arange(len(leaves)), outputs, leaves
    built.add(_Tree(features, thresholds, left, right, is_missing_left, weights, len(leaves)))


def _numbers(line: str, dtype: type[Any]) -> NDArray[Any]:
    return np.array(line.split(), dtype=dtype)


def trees_of_forest(trees: Sequence[Any], *, num_outputs: int) -> TreeArrays:
    """Reads the trees of a forest of scikit-learn; the answers are their means.

    Args:
        trees: ``forest.estimators_``, or any fitted trees.
        num_outputs: labels, or 1 for a number.
    """
    built = _Builder(num_outputs)
    for each in trees:
        tree = each.tree_
        is_leaf = tree.children_left < 0
        inner, leaves = np.flatnonzero(~is_leaf), np.flatnonzero(is_leaf)
        places = np.empty(len(is_leaf), dtype=np.int64)
        places[inner], places[leaves] = np.arange(len(inner)), len(inner) + np.arange(len(leaves))
        values = tree.value[leaves, 0, :].astype(np.float64)
        if num_outputs > 1:
            values = values / values.sum(axis=1, keepdims=True)
        which, outputs = np.nonzero(values) if num_outputs > 1 else (np.arange(len(leaves)), np.zeros(len(leaves), np.int64))
        built.add(
            _Tree(
                feature=tree.feature[inner],
                threshold=tree.threshold[inner],
                left=places[tree.children_left[inner]],
                right=places[tree.children_right[inner]],
                is_missing_left=tree.missing_go_to_left[inner].astype(bool),
                weights=(which, outputs, values[which, outputs] / len(trees)),
                num_leaves=len(leaves),
            )
        )
    return built.finish()


class _Tree(NamedTuple):
    """One tree: of its inner nodes the first five. Children are numbered within the tree, leaves behind the inner nodes."""

    feature: NDArray[Any]
    threshold: NDArray[Any]
    """Float64."""
    left: NDArray[Any]
    right: NDArray[Any]
    is_missing_left: NDArray[Any]
    weights: tuple[NDArray[Any], NDArray[Any], NDArray[Any]]
    """Which leaf, which output, how much."""
    num_leaves: int


class _Builder:
    """Puts trees behind each other: of each the inner nodes, then the leaves."""

    def __init__(self, num_outputs: int):
        self._num_outputs = num_outputs
        self._parts: list[tuple[NDArray[Any], ...]] = []
        self._num_nodes = 0

    def add(self, tree: _Tree) -> None:
        """Adds a tree."""
        begin, num_inner = self._num_nodes, len(tree.feature)
        self._num_nodes += num_inner + tree.num_leaves
        at_leaves = np.zeros(tree.num_leaves, dtype=np.int64)
        leaf, output, value = tree.weights
        self._parts.append(
            (
                np.full(num_inner + tree.num_leaves, len(self._parts)),
                np.concatenate([tree.feature, at_leaves - 1]),
                np.concatenate([float32_below(np.asarray(tree.threshold, np.float64)), at_leaves.astype(np.float32)]),
                np.concatenate([tree.left + begin, at_leaves]),
                np.concatenate([tree.right + begin, at_leaves]),
                np.concatenate([tree.is_missing_left, at_leaves > 0]),
                leaf + begin + num_inner,
                output,
                np.asarray(value, np.float32),
            )
        )

    def finish(self) -> TreeArrays:
        """The trees that were added.

        Raises:
            ValueError: there are none.
        """
        if not self._parts:
            raise ValueError("there are no trees")
        tree, feature, threshold, left, right, missing, leaf, output, value = map(
            np.concatenate, zip(*self._parts, strict=True)
        )
        whole = [each.astype(np.int64) for each in (tree, feature, left, right, leaf, output)]
        return TreeArrays(
            tree_M=whole[0],
            feature_M=whole[1],
            threshold_M=threshold,
            left_M=whole[2],
            right_M=whole[3],
            is_missing_left_M=missing,
            leaf_W=whole[4],
            output_W=whole[5],
            value_W=value,
            num_outputs=self._num_outputs,
            base_K=np.zeros(self._num_outputs, dtype=np.float32),
        )
