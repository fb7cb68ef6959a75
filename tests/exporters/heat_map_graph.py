"""A tiny ONNX graph that answers with a heat map, and its golden samples."""

from __future__ import annotations

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from automl.contracts.artefact import GoldenHeatMap, GoldenSample
from tests.exporters.resize_nodes import resize_nodes

SIDE_PX = 8
_CELL = 4
"""Pixels of a cell's side in the resized picture."""
AXES = ("batch", SIDE_PX, SIDE_PX)


def heat_map_model(*, seed: int) -> onnx.ModelProto:
    """uint8 pictures of any size in, planes of 8 x 8 out: resize, one convolution, scores 0..1."""
    rng = np.random.default_rng(seed)
    constants = {
        "scale": np.array(1 / 255, np.float32),
        "kernel": rng.normal(0, 2, (1, 3, 1, 1)).astype(np.float32),
        "axis": np.array([1], np.int64),
    }
    resizing, sizes = resize_nodes("picture", "channels", "pixels", side_px=SIDE_PX * _CELL)
    constants |= sizes
    nodes = [
        helper.make_node("Cast", ["picture"], ["floats"], to=TensorProto.FLOAT),
        helper.make_node("Transpose", ["floats"], ["channels"], perm=[0, 3, 1, 2]),
        *resizing,
        helper.make_node("AveragePool", ["pixels"], ["small"], kernel_shape=[_CELL, _CELL], strides=[_CELL, _CELL]),
        helper.make_node("Mul", ["small", "scale"], ["unit"]),
        helper.make_node("Conv", ["unit", "kernel"], ["logits"]),
        helper.make_node("Sigmoid", ["logits"], ["scores"]),
        helper.make_node("Squeeze", ["scores", "axis"], ["heat_map"]),
    ]
    graph = helper.make_graph(
        nodes,
        "tiny-heat-map",
        [helper.make_tensor_value_info("picture", TensorProto.UINT8, ["batch", "height", "width", 3])],
        [helper.make_tensor_value_info("heat_map", TensorProto.FLOAT, AXES)],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)
    onnx.checker.check_model(model)
    return model


def heat_map_sample(file: str, plane_hw: NDArray[np.float32]) -> GoldenSample:
    """What the graph answered."""
    return GoldenSample(
        file=file,
        scores=(),
        heat_map=GoldenHeatMap(height=SIDE_PX, width=SIDE_PX, values=tuple(plane_hw.ravel().tolist())),
    )
