"""Graphs as they are read and changed: which nodes belong to the network, and weights with fewer bits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
import onnx
from onnx import numpy_helper

from engine.compress.smaller_graph import NoCandidateError, SmallerGraph

LEAST_WEIGHTS = 1024
"""In a tensor that is worth being stored in another way."""
_LEAST_CHANNELS = 8
"""That a convolution makes: one of a blur, or of a sum of places, makes fewer, whatever the number of its weights."""
_WEIGHTED = frozenset({"Conv", "Gemm", "MatMul"})
_CARRIERS = frozenset({"Add", "AveragePool", "Clip", "Concat", "GlobalAveragePool", "LeakyRelu", "MaxPool", "Relu"})
"""What 8-bit numbers pass through without being turned back, where they come from nodes with weights."""
_RISING = frozenset({"Clip", "LeakyRelu", "Relu"})
"""Of the largest of some numbers they give what is the largest of what they give of each."""


def weighted_nodes(model: onnx.ModelProto) -> list[str]:
    """Names of the nodes that multiply with weights of their own, in the graph's order.

    The matrices that pictures are resized by depend on the picture's size, so they are none; neither is what comes behind the
    network. A depthwise convolution has few weights and as much work as one with many.
    """
    weights = {tensor.name: tensor.dims for tensor in model.graph.initializer}
    return [
        node.name
        for node in model.graph.node
        if node.op_type in _WEIGHTED and len(node.input) > 1 and _is_learned(node, weights.get(node.input[1], ()))
    ]


def _is_learned(node: onnx.NodeProto, dims: Sequence[int]) -> bool:
    if node.op_type == "Conv":
        return len(dims) > 0 and dims[0] >= _LEAST_CHANNELS
    return len(dims) > 0 and bool(np.prod(dims) >= LEAST_WEIGHTS)


def inner_nodes(model: onnx.ModelProto) -> list[str]:
    """Of the nodes with weights, those between others: what reads the item first and what answers is left out.

    They are a small part of the work, and rounding there costs most: a head whose weights cancel out lost most of its right
    answers by it (docs/decisions/0030).

    Args:
        model: its nodes stand in the order in which they are computed.
    """
    weighted = set(weighted_nodes(model))
    behind: set[str] = set()  # tensors that a node with weights had a part in
    not_first: set[str] = set()
    for node in model.graph.node:
        if behind.intersection(node.input):
            not_first.add(node.name)
        if node.name in not_first | weighted:
            behind.update(node.output)
    last = set(last_nodes(model))
    return [name for name in weighted_nodes(model) if name in not_first and name not in last]


def last_nodes(model: onnx.ModelProto) -> list[str]:
    """Names of the nodes with weights behind which there is none.

    Args:
        model: as of ``inner_nodes``.
    """
    weighted = weighted_nodes(model)
    found = set(weighted)
    before: set[str] = set()
    for node in reversed(model.graph.node):
        is_before = bool(before.intersection(node.output))
        if is_before:
            found.discard(node.name)
        if is_before or node.name in found:
            before.update(node.input)
    return [name for name in weighted if name in found]


def carrying_nodes(model: onnx.ModelProto, weighted: frozenset[str]) -> list[str]:
    """Names of the nodes between those given that can stay in 8 bits: all that they take comes from such nodes.

    Args:
        model: its nodes stand in the order in which they are computed.
        weighted: nodes that are computed in 8 bits.
    """
    constants = {tensor.name for tensor in model.graph.initializer}
    constants |= {name for node in model.graph.node if node.op_type == "Constant" for name in node.output}
    small: set[str] = set()
    found = []
    for node in model.graph.node:
        if node.name in weighted:
            small.update(node.output)
        elif node.op_type in _CARRIERS and _data_inputs(node, constants) and _data_inputs(node, constants) <= small:
            small.update(node.output)
            found.append(node.name)
    return found


def pooled_first(model: onnx.ModelProto, changed: frozenset[str]) -> onnx.ModelProto:
    """Moves activations behind the pooling that follows them, where both stay in float; the answers are the same.

    ONNX Runtime turns what is pooled into 8 bits where what comes behind is in 8 bits, and pools 8-bit numbers of a layer in
    float by a slow loop: a third of the time of a ResNet-18. It moves nothing over an activation.

    Args:
        model: is changed; its nodes stand in the order in which they are computed.
        changed: names of the nodes that are turned into 8 bits.

    Returns:
        The model.
    """
    nodes = list(model.graph.node)
    makers = {name: node for node in nodes for name in node.output}
    readers = Counter(name for node in nodes for name in node.input)
    readers.update(output.name for output in model.graph.output)
    for pool in [node for node in nodes if node.op_type == "MaxPool" and node.name not in changed]:
        rising = makers.get(pool.input[0])
        if rising is None or rising.op_type not in _RISING or rising.name in changed or readers[pool.input[0]] > 1:
            continue
        if any(attribute.name == "alpha" and attribute.f < 0 for attribute in rising.attribute) or len(pool.output) > 1:
            continue
        values, active, pooled = rising.input[0], rising.output[0], pool.output[0]
        pool.input[0], pool.output[0], rising.input[0], rising.output[0] = (
            values,
            f"{active}_pooled",
            f"{active}_pooled",
            pooled,
        )
        place, other = nodes.index(rising), nodes.index(pool)
        nodes.insert(other, nodes.pop(place))
    model.graph.ClearField("node")
    model.graph.node.extend(nodes)
    return model


def halved(model: onnx.ModelProto) -> SmallerGraph:
    """Stores large float32 weights as float16, each followed by a cast back; runtimes fold the cast when they load the graph.

    Raises:
        NoCandidateError: there are no such weights.
    """
    casts, num_kept = [], 0
    for tensor in model.graph.initializer:
        if tensor.data_type != onnx.TensorProto.FLOAT or np.prod(tensor.dims) < LEAST_WEIGHTS:
            continue
        with np.errstate(over="ignore"):
            values = numpy_helper.to_array(tensor).astype(np.float16)
        if not np.isfinite(values).all():
            num_kept += 1
            continue
        name = tensor.name
        tensor.CopyFrom(numpy_helper.from_array(values, f"{name}_16bit"))
        casts.append(onnx.helper.make_node("Cast", [tensor.name], [name], name=f"{name}_cast", to=onnx.TensorProto.FLOAT))
    if not casts:
        raise NoCandidateError("nothing_to_change")
    others = list(model.graph.node)
    model.graph.ClearField("node")
    model.graph.node.extend([*casts, *others])
    return SmallerGraph(model, num_changed=len(casts), num_kept=num_kept)


def named(model: onnx.ModelProto) -> onnx.ModelProto:
    """The same graph, in which every node has a name of its own."""
    for name, node in zip(_fresh_names(model), model.graph.node, strict=True):
        node.name = name
    return model


def _fresh_names(model: onnx.ModelProto) -> Iterator[str]:
    seen: set[str] = set()
    for number, node in enumerate(model.graph.node):
        name = node.name if node.name and node.name not in seen else f"{node.op_type}_{number}"
        seen.add(name)
        yield name


def _data_inputs(node: onnx.NodeProto, constants: set[str]) -> set[str]:
    return {name for name in node.input if name} - constants
