"""MobileNetV2 as an ONNX graph with random weights, pre- and post-processing inside: what an ordinary endpoint serves.

Written with the onnx helpers, so that no training framework is needed to measure a server.
"""

from __future__ import annotations

import numpy as np
import onnx
from onnx import NodeProto, TensorProto, helper, numpy_helper

SIDE_PX = 224
STAGES = ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1))
"""Expansion, channels, repeats, stride of each stage (Sandler et al. 2018, table 2)."""


class _Graph:
    def __init__(self, seed: int) -> None:
        self.nodes: list[NodeProto] = []
        self.constants: list[TensorProto] = []
        self._rng = np.random.default_rng(seed)

    def constant(self, value: np.ndarray) -> str:
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(value, name))
        return name

    def add(self, kind: str, *inputs: str, **attributes: object) -> str:
        name = f"n{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def conv(
        self, x: str, c_in: int, c_out: int, side: int, *, stride: int = 1, group: int = 1, is_linear: bool = False
    ) -> str:
        fan_in = c_in // group * side * side
        weight = self._rng.normal(0, (2 / fan_in) ** 0.5, (c_out, c_in // group, side, side)).astype(np.float32)
        bias = np.zeros(c_out, np.float32)
        pad = side // 2
        y = self.add("Conv", x, self.constant(weight), self.constant(bias), strides=[stride] * 2, pads=[pad] * 4, group=group)
        if is_linear:
            return y
        return self.add("Clip", y, self.constant(np.float32(0)), self.constant(np.float32(6)))

    def linear(self, x: str, c_in: int, c_out: int) -> str:
        return self.add("MatMul", x, self.constant(self._rng.normal(0, 0.05, (c_in, c_out)).astype(np.float32)))


def mobilenet_model(num_labels: int, seed: int = 0) -> onnx.ModelProto:
    """uint8 pictures of any size in, probabilities out."""
    graph = _Graph(seed)
    x = graph.add("Cast", "picture", to=TensorProto.FLOAT)
    x = graph.add("Transpose", x, perm=[0, 3, 1, 2])
    sizes = graph.constant(np.array([SIDE_PX, SIDE_PX], np.int64))
    x = graph.add("Resize", x, "", "", sizes, mode="linear", antialias=1, axes=[2, 3])
    x = graph.add("Mul", graph.add("Sub", x, graph.constant(np.float32(127))), graph.constant(np.float32(1 / 128)))
    x = graph.conv(x, 3, 32, 3, stride=2)
    channels = 32
    for expansion, c_out, repeats, stride in STAGES:
        for index in range(repeats):
            x = _block(graph, x, channels, c_out, expansion=expansion, stride=stride if index == 0 else 1)
            channels = c_out
    x = graph.conv(x, channels, 1280, 1)
    x = graph.add("Flatten", graph.add("GlobalAveragePool", x))
    graph.nodes.append(helper.make_node("Softmax", [graph.linear(x, 1280, num_labels)], ["scores"], axis=1))
    picture = helper.make_tensor_value_info("picture", TensorProto.UINT8, ["batch", "height", "width", 3])
    scores = helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["batch", num_labels])
    made = helper.make_graph(graph.nodes, "mobilenet_v2", [picture], [scores], graph.constants)
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)


def _block(graph: _Graph, x: str, c_in: int, c_out: int, *, expansion: int, stride: int) -> str:
    wide = c_in * expansion
    y = graph.conv(x, c_in, wide, 1) if expansion > 1 else x
    y = graph.conv(y, wide, wide, 3, stride=stride, group=wide)
    y = graph.conv(y, wide, c_out, 1, is_linear=True)
    return graph.add("Add", x, y) if stride == 1 and c_in == c_out else y
