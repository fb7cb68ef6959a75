"""What an answer costs, by counting the nodes of the graph.

Counting rather than measuring: what else the machine does must not decide which models are shipped. The weights are
processor time of onnxruntime 1.31 on one core (Zen 4), batches of 2,000 rows, within a factor of about two.
"""

from __future__ import annotations

import math

import onnx

from engine.table.graph import GraphWriter

_TREE_S, _TREE_POWER = 1.9e-9, 0.55
"""A tree, times that power of its nodes: 31 took 10 to 14 ns, 61 14 to 18, 253 37 to 40."""
_CACHED_NODES, _BEYOND_CACHE = 400_000, 0.3
"""As long as all trees have so many nodes; with more it grows with that power of their number."""
_LEAF_S = 1.0e-9
"""Each output that the leaves of a tree add to."""
_PRODUCT_S = 5e-11
"""A multiply-accumulate."""
_LOOKUP_S = 6e-8
"""A string looked up."""
_RANKED_S = 2e-9
"""One of the values that the largest are taken of."""
_POWER_S = 5e-9
"""A power of e, of which there is one for each row that a row is compared with."""
_NODE_S = 2e-9
"""Anything else, a column; small beside the above."""


def seconds_per_row(graph: GraphWriter) -> float:
    """Processor time of one row's answer, about."""
    return sum(_cost(node, graph) for node in graph.nodes)


def _cost(node: onnx.NodeProto, graph: GraphWriter) -> float:
    if node.op_type in {"TreeEnsembleRegressor", "TreeEnsembleClassifier"}:
        return _trees(node)
    if node.op_type in {"Gemm", "MatMul"}:
        return _PRODUCT_S * _num_weights(node, graph)
    if node.op_type == "TopK":
        return _RANKED_S * _widest_before(node, graph)
    if node.op_type == "Exp":
        return _POWER_S * _widest_before(node, graph)
    if node.op_type == "LabelEncoder":
        return _LOOKUP_S
    return _NODE_S


def _trees(node: onnx.NodeProto) -> float:
    """Trees as large as they are in the mean, and what they add up."""
    attributes = {attribute.name: attribute for attribute in node.attribute}
    ids = attributes["nodes_treeids"].ints
    num_trees, num_nodes = len(set(ids)), len(ids)
    kind = "target" if "target_treeids" in attributes else "class"
    per_tree = len(attributes[f"{kind}_treeids"].ints) / max(1, (num_nodes + num_trees) / 2)
    tree_s = _TREE_S * (num_nodes / max(1, num_trees)) ** _TREE_POWER * max(1.0, num_nodes / _CACHED_NODES) ** _BEYOND_CACHE
    return num_trees * (tree_s + _LEAF_S * per_tree)


def _num_weights(node: onnx.NodeProto, graph: GraphWriter) -> int:
    shapes = (_shape(name, graph) for name in node.input[:2])
    return max((math.prod(shape) for shape in shapes if shape is not None), default=0)


def _widest_before(node: onnx.NodeProto, graph: GraphWriter) -> int:
    """Columns that the values of a product have: what is ranked or raised are the distances to stored rows."""
    widths = [0]
    for other in graph.nodes:
        if other.op_type in {"Gemm", "MatMul"}:
            widths.extend(shape[-1] for name in other.input[:2] if (shape := _shape(name, graph)))
    return max(widths)


def _shape(name: str, graph: GraphWriter) -> tuple[int, ...] | None:
    """Of a constant, or of one that was cast or had a row added; None of what is computed of rows."""
    if (shape := graph.constant_shape(name)) is not None:
        return shape
    made = next((node for node in graph.nodes if name in node.output), None)
    if made is None or made.op_type not in {"Cast", "Concat"}:
        return None
    shapes = [graph.constant_shape(each) or _shape(each, graph) for each in made.input]
    known = [shape for shape in shapes if shape is not None]
    return max(known, key=math.prod) if len(known) == len(shapes) else None
