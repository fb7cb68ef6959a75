"""A tree whose nodes of a level all have the same split, and many of them in a graph.

Shapes: N rows, F features, K outputs, D levels, V leaves; M nodes and W leaves of all trees, as a graph has them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.table.trees import TreeArrays


class SymmetricTree(NamedTuple):
    """A split for each level, and the value of each leaf."""

    features_D: NDArray[np.int64]
    thresholds_D: NDArray[np.float32]
    """A row goes right, which is the bit 1, where ``x > threshold``; missing goes left."""
    values_V: NDArray[np.float32]
    """2 to the power of D; the first split is the highest bit of a leaf's number."""
    output: int


def added(tree: SymmetricTree, x_NF: NDArray[np.float32]) -> NDArray[np.float32]:
    """What a tree adds to its output, ``_N``."""
    leaf_N = np.zeros(len(x_NF), np.int64)
    for feature, threshold in zip(tree.features_D.tolist(), tree.thresholds_D, strict=True):
        leaf_N = leaf_N * 2 + (x_NF[:, feature] > threshold)
    return tree.values_V[leaf_N]


def arrays_of(trees: Sequence[SymmetricTree], base_K: NDArray[np.float64]) -> TreeArrays:
    """The trees for a graph, without splits that are decided by those above, or that change nothing.

    Raises:
        ValueError: there are no trees.
    """
    if not trees:
        raise ValueError("there are no trees")
    nodes = _Nodes([], [], [], [], [])
    for number, tree in enumerate(trees):
        _add(nodes, tree, number, (0, len(tree.values_V)), {})
    feature_M, value_M = np.array(nodes.features), np.array(nodes.values, np.float32)
    leaf_W = np.flatnonzero(feature_M < 0)
    tree_M = np.array(nodes.trees)
    return TreeArrays(
        tree_M=tree_M,
        feature_M=feature_M,
        threshold_M=np.where(feature_M < 0, np.float32(0), value_M),
        left_M=np.array(nodes.lefts),
        right_M=np.array(nodes.rights),
        is_missing_left_M=feature_M >= 0,
        leaf_W=leaf_W,
        output_W=np.array([tree.output for tree in trees])[tree_M[leaf_W]],
        value_W=value_M[leaf_W],
        num_outputs=len(base_K),
        base_K=base_K.astype(np.float32),
    )


class _Nodes(NamedTuple):
    """Of all trees so far."""

    trees: list[int]
    features: list[int]
    """-1 of leaves."""
    values: list[float]
    """Thresholds, or of leaves what they add."""
    lefts: list[int]
    rights: list[int]

    def add(self, tree: int, feature: int, value: float) -> int:
        """Its place; nothing is below it yet."""
        self.trees.append(tree)
        self.features.append(feature)
        self.values.append(value)
        self.lefts.append(0)
        self.rights.append(0)
        return len(self.trees) - 1


def _add(nodes: _Nodes, tree: SymmetricTree, number: int, span: tuple[int, int], known: dict[int, tuple[float, float]]) -> int:
    """Adds what is below a path: its leaves are those of ``span``.

    Args:
        nodes: of all trees, changed.
        tree: to add.
        number: of the tree.
        span: first leaf and the one after the last.
        known: for features split on the path, the highest threshold that the value is above, and the lowest that it is not.
    """
    values_V = tree.values_V[span[0] : span[1]]
    if (values_V == values_V[0]).all():
        return nodes.add(number, -1, float(values_V[0]))
    level = len(tree.features_D) - (len(values_V).bit_length() - 1)
    feature, threshold = int(tree.features_D[level]), float(tree.thresholds_D[level])
    above, upto = known.get(feature, (-np.inf, np.inf))
    middle = (span[0] + span[1]) // 2
    if threshold <= above:
        return _add(nodes, tree, number, (middle, span[1]), known)
    if threshold >= upto:
        return _add(nodes, tree, number, (span[0], middle), known)
    place = nodes.add(number, feature, threshold)
    nodes.lefts[place] = _add(nodes, tree, number, (span[0], middle), known | {feature: (above, threshold)})
    nodes.rights[place] = _add(nodes, tree, number, (middle, span[1]), known | {feature: (threshold, upto)})
    return place
