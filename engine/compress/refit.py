"""The last layer fitted anew to what the layers before it make in 8 bits.

A head whose weights cancel out makes much of small errors in its features. It learns no labels here: its target is what the
model's own head answers to the same items of training, so that thresholds still fit. What is added to the weights is found by
ridge regression, as little as explains the errors; how little is chosen by leaving out one item after the other, which costs no
further fit (Golub, Heath and Wahba 1979, "Generalized cross-validation").

Shapes: N rows that the graph is asked, D features, C outputs, K strengths.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper

from engine.artefact.session import Session
from engine.compress.graphs import last_nodes
from engine.compress.smaller_graph import SmallerGraph
from engine.compress.source import Feeds, SourceGraph

_ITEMS = 256
_LEAST_ROWS = 32
_STRENGTHS = np.logspace(-6, 1, 15)
"""Of the ridge, beside the features' mean squared length."""
_LEAST_GAIN = 0.02
"""Of the squared error of items that were left out; below it the head stays as it is."""


def refitted(graph: SourceGraph, made: SmallerGraph) -> SmallerGraph:
    """Fits the last layer, where there is one and it is a product with weights in float; otherwise gives what it was given.

    Raises:
        StoppedError: the job was asked to stop.
    """
    original = graph.model()
    head = _head(original)
    own = None if head is None else next((node for node in made.model.graph.node if node.name == head.name), None)
    tensors = {tensor.name: tensor for tensor in made.model.graph.initializer}
    if head is None or own is None or len(own.input) < 3 or any(name not in tensors for name in own.input[1:3]):
        return made
    feeds = list(graph.rows(_ITEMS))
    if len(feeds) < _LEAST_ROWS:
        return made
    target_NC = _made(graph, original, head.output[0], feeds)
    features_ND = _made(graph, made.model, own.input[0], feeds)
    form = {each.name: onnx.helper.get_attribute_value(each) for each in head.attribute}
    is_plain = form.get("alpha", 1.0) == form.get("beta", 1.0) == 1.0 and not form.get("transA", 0)
    if not is_plain or features_ND.ndim != 2:
        return made
    weights, bias = (numpy_helper.to_array(tensors[name]) for name in own.input[1:3])
    weights_DC = weights.T if form.get("transB", 0) else weights
    error_NC = target_NC - features_ND @ weights_DC - bias
    found = correction(features_ND, error_NC)
    if found is None:
        return made
    more_DC, more_C = found
    changed_DC = (weights_DC + more_DC).astype(np.float32)
    for name, values in ((own.input[1], changed_DC.T if form.get("transB", 0) else changed_DC), (own.input[2], bias + more_C)):
        tensors[name].CopyFrom(numpy_helper.from_array(np.ascontiguousarray(values, np.float32), name))
    return made


def correction(
    features_ND: NDArray[np.float32], error_NC: NDArray[np.float32]
) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """What to add to weights and bias so that errors of a product become smaller, also of items that it was not fitted to.

    Returns:
        ``_DC`` and ``_C``; None where items that are left out do not gain.
    """
    mean_D, mean_C = features_ND.mean(axis=0, dtype=np.float64), error_NC.mean(axis=0, dtype=np.float64)
    centred_ND, goal_NC = features_ND - mean_D, error_NC - mean_C
    lengths_N, turned_NN = np.linalg.eigh(centred_ND @ centred_ND.T)
    lengths_N, parts_NC = np.maximum(lengths_N, 0.0), turned_NN.T @ goal_NC
    num = len(features_ND)

    def left_out(strength: float) -> float:
        """Squared error of items that a fit has not seen."""
        kept_N = strength / (lengths_N + strength)
        rest_NC = turned_NN @ (kept_N[:, None] * parts_NC)
        own_N = np.square(turned_NN) @ kept_N - 1.0 / num  # the mean has a part in each item too
        return float(np.square(rest_NC / np.maximum(own_N, 1e-6)[:, None]).mean())

    strengths_K = _STRENGTHS * max(float(lengths_N.mean()), 1e-12)
    losses = [left_out(strength) for strength in strengths_K]
    best = int(np.argmin(losses))
    if losses[best] > (1.0 - _LEAST_GAIN) * float(np.square(error_NC).mean()):
        return None
    more_DC = centred_ND.T @ (turned_NN @ (parts_NC / (lengths_N + strengths_K[best])[:, None]))
    return more_DC, mean_C - mean_D @ more_DC


def _head(model: onnx.ModelProto) -> onnx.NodeProto | None:
    """The only layer behind which there is none."""
    last = last_nodes(model)
    (node,) = [node for node in model.graph.node if node.name in last] if len(last) == 1 else [None]
    return node if node is not None and node.op_type == "Gemm" else None


def _made(graph: SourceGraph, model: onnx.ModelProto, name: str, feeds: Sequence[Feeds]) -> NDArray[np.float32]:
    """What a graph makes inside: one of its tensors, rows below one another."""
    shown = onnx.ModelProto()
    shown.CopyFrom(model)
    shown.graph.ClearField("output")
    shown.graph.output.append(onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None))
    path = graph.work / "shown.onnx"
    path.write_bytes(shown.SerializeToString())
    session = Session(path)
    rows = []
    for each in feeds:
        graph.source.job.control.raise_if_stopped()
        rows.append(session.answers(each))
    return np.concatenate(rows)
