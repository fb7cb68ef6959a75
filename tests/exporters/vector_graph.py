"""A tiny ONNX graph that answers with a vector of length one."""

from __future__ import annotations

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from tests.exporters.resize_nodes import resize_nodes

NUM_DIMENSIONS = 12
_GRID = 2
_CELL = 16
"""Pixels of a cell's side, which are averaged: decoders of JPEG differ by a level here and there."""


def vector_model(*, seed: int) -> onnx.ModelProto:
    """uint8 pictures of any size in, directions out: the colours of four quarters, mixed."""
    rng = np.random.default_rng(seed)
    num_inputs = 3 * _GRID * _GRID
    constants = {
        "scale": np.array(1 / 255, np.float32),
        "mixing": rng.normal(0, 1, (num_inputs, NUM_DIMENSIONS)).astype(np.float32),
        "axis": np.array([1], np.int64),
        "tiny": np.array(1e-12, np.float32),
        "shift": rng.normal(0, 0.1, NUM_DIMENSIONS).astype(np.float32),
    }
    resizing, sizes = resize_nodes("picture", "channels", "small", side_px=_GRID * _CELL)
    constants |= sizes
    nodes = [
        helper.make_node("Cast", ["picture"], ["floats"], to=TensorProto.FLOAT),
        helper.make_node("Transpose", ["floats"], ["channels"], perm=[0, 3, 1, 2]),
        *resizing,
        helper.make_node("AveragePool", ["small"], ["cells"], kernel_shape=[_CELL, _CELL], strides=[_CELL, _CELL]),
        helper.make_node("Mul", ["cells", "scale"], ["unit"]),
        helper.make_node("Flatten", ["unit"], ["colours"]),
        helper.make_node("Gemm", ["colours", "mixing", "shift"], ["mixed"]),
        helper.make_node("ReduceL2", ["mixed", "axis"], ["length"], keepdims=1),
        helper.make_node("Clip", ["length", "tiny"], ["divisor"]),
        helper.make_node("Div", ["mixed", "divisor"], ["vector"]),
    ]
    graph = helper.make_graph(
        nodes,
        "tiny-vector",
        [helper.make_tensor_value_info("picture", TensorProto.UINT8, ["batch", "height", "width", 3])],
        [helper.make_tensor_value_info("vector", TensorProto.FLOAT, ["batch", NUM_DIMENSIONS])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)
    onnx.checker.check_model(model)
    return model
