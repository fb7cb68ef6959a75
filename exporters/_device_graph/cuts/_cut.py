"""What a cut is, and how its place is found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import onnx
from numpy.typing import NDArray
from onnx import numpy_helper

from exporters._device_graph.errors import GraphNotCutError


@dataclass(frozen=True)
class Cut:
    """Where a graph ends."""

    outputs: Mapping[str, str]
    """Tensors that the graph answers with from there on: name in the graph -> what it holds."""
    settings: Mapping[str, float | Sequence[float]] = field(default_factory=dict)
    """Numbers that what was cut off needs."""


def first_node(model: onnx.ModelProto, operation: str) -> onnx.NodeProto:
    """The first node of that operation.

    Raises:
        GraphNotCutError: there is none.
    """
    found: onnx.NodeProto | None = next((node for node in model.graph.node if node.op_type == operation), None)
    if found is None:
        raise GraphNotCutError(f"the graph has no {operation}, before which it would be cut")
    return found


def maker_of(model: onnx.ModelProto, tensor: str) -> onnx.NodeProto:
    """The node that makes a tensor.

    Raises:
        GraphNotCutError: it is an input or a constant.
    """
    found: onnx.NodeProto | None = next((node for node in model.graph.node if tensor in node.output), None)
    if found is None:
        raise GraphNotCutError(f"{tensor} is made by no operation of the graph")
    return found


def constants_of(model: onnx.ModelProto) -> dict[str, NDArray[Any]]:
    """All constants of a graph by their names."""
    return {each.name: numpy_helper.to_array(each) for each in model.graph.initializer}


def shape_of(model: onnx.ModelProto, tensor: str) -> tuple[int, ...]:
    """The shape of a tensor in a graph of fixed shapes; 0 where an axis depends on values; () of one that is not known."""
    for known in (*model.graph.value_info, *model.graph.input, *model.graph.output):
        if known.name == tensor:
            return tuple(axis.dim_value for axis in known.type.tensor_type.shape.dim)
    return ()
