"""A tiny ONNX graph that answers with a label a pixel, and its golden samples."""

from __future__ import annotations

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from automl.contracts.artefact import GoldenMask, GoldenSample
from runtime.run_lengths import counts_of
from tests.exporters.resize_nodes import resize_nodes

SIDE_PX = 32
AXES = ("batch", 2, SIDE_PX, SIDE_PX)


def mask_model(*, num_labels: int, seed: int) -> onnx.ModelProto:
    """uint8 pictures of any size in, planes of 32 x 32 out: resize, one convolution, the best of the labels and none."""
    rng = np.random.default_rng(seed)
    constants = {
        "scale": np.array(1 / 255, np.float32),
        "kernel": rng.normal(0, 3, (num_labels + 1, 3, 1, 1)).astype(np.float32),
        "one": np.array(1, np.float32),
        "axis": np.array([1], np.int64),
    }
    resizing, sizes = resize_nodes("picture", "channels", "small", side_px=SIDE_PX)
    constants |= sizes
    nodes = [
        helper.make_node("Cast", ["picture"], ["floats"], to=TensorProto.FLOAT),
        helper.make_node("Transpose", ["floats"], ["channels"], perm=[0, 3, 1, 2]),
        *resizing,
        helper.make_node("Mul", ["small", "scale"], ["unit"]),
        helper.make_node("Conv", ["unit", "kernel"], ["logits"]),
        helper.make_node("Softmax", ["logits"], ["sure_of_each"], axis=1),
        helper.make_node("ReduceMax", ["sure_of_each", "axis"], ["sure"], keepdims=1),
        helper.make_node("ArgMax", ["sure_of_each"], ["place"], axis=1, keepdims=1),
        helper.make_node("Cast", ["place"], ["place_float"], to=TensorProto.FLOAT),
        helper.make_node("Sub", ["place_float", "one"], ["index"]),
        helper.make_node("Concat", ["index", "sure"], ["mask"], axis=1),
    ]
    graph = helper.make_graph(
        nodes,
        "tiny-mask",
        [helper.make_tensor_value_info("picture", TensorProto.UINT8, ["batch", "height", "width", 3])],
        [helper.make_tensor_value_info("mask", TensorProto.FLOAT, AXES)],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)
    onnx.checker.check_model(model)
    return model


def mask_sample(file: str, planes_2hw: NDArray[np.float32]) -> GoldenSample:
    """What the graph answered, written down pixel by pixel."""
    index_hw, sure_hw = planes_2hw
    indices = [int(index) for index in np.unique(index_hw) if index >= 0]
    segments = tuple((index, counts_of(index_hw == index), float(sure_hw[index_hw == index].mean())) for index in indices)
    return GoldenSample(file=file, scores=(), mask=GoldenMask(height=SIDE_PX, width=SIDE_PX, segments=segments))
