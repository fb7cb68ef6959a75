"""A graph that reads a picture and takes about as long as a small network for phones does."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from tests.exporters.artefact_factory import LABELS

SIDE_PX = 224
WIDTHS = (3, 24, 48, 96, 96, 96, 96)
NUM_HALVING = 3


def photo_graph() -> onnx.ModelProto:
    """Seven layers over a picture, then a score a label."""
    rng = np.random.default_rng(0)
    constants = {"scale": np.array(1 / 255, np.float32)}
    nodes = [
        helper.make_node("Cast", ["picture"], ["floats"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["floats", "scale"], ["unit"]),
        helper.make_node("Transpose", ["unit"], ["active_0"], perm=[0, 3, 1, 2]),
    ]
    for layer, (narrow, wide) in enumerate(pairwise(WIDTHS)):
        constants[f"kernel_{layer}"] = rng.normal(0, (2 / (9 * narrow)) ** 0.5, (wide, narrow, 3, 3)).astype(np.float32)
        stride = 2 if layer < NUM_HALVING else 1
        shape: dict[str, Any] = {"strides": [stride, stride], "pads": [1, 1, 1, 1]}
        nodes.append(helper.make_node("Conv", [f"active_{layer}", f"kernel_{layer}"], [f"seen_{layer}"], **shape))
        nodes.append(helper.make_node("Relu", [f"seen_{layer}"], [f"active_{layer + 1}"]))
    constants["weight"] = rng.normal(0, 0.1, (WIDTHS[-1], len(LABELS))).astype(np.float32)
    nodes += [
        helper.make_node("GlobalAveragePool", [f"active_{len(WIDTHS) - 1}"], ["mean"]),
        helper.make_node("Flatten", ["mean"], ["features"]),
        helper.make_node("MatMul", ["features", "weight"], ["logits"]),
        helper.make_node("Softmax", ["logits"], ["scores"], axis=1),
    ]
    graph = helper.make_graph(
        nodes,
        "photo",
        [helper.make_tensor_value_info("picture", TensorProto.UINT8, ["batch", "height", "width", 3])],
        [helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["batch", len(LABELS)])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)
