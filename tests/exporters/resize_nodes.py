"""The resize in front of the tiny graphs, written out as the trained models have it (docs/decisions/0004)."""

from __future__ import annotations

import numpy as np
import onnx
from onnx import TensorProto, helper

PREFIX = "resize_"
"""Of the names of what belongs to it."""


def resize_nodes(
    picture: str, planes: str, resized: str, *, side_px: int
) -> tuple[list[onnx.NodeProto], dict[str, np.ndarray]]:
    """Nodes and constants that resize planes to a square, antialiased and bilinear.

    Args:
        picture: name of the pictures ``_BHWC``, of which the sizes are asked.
        planes: name of the same as float ``_BCHW``.
        resized: name of the result.
        side_px: of the square.
    """
    constants = {
        f"{PREFIX}zero": np.array(0, np.int64),
        f"{PREFIX}one": np.array(1, np.int64),
        f"{PREFIX}two": np.array(2, np.int64),
        f"{PREFIX}side": np.array(side_px, np.int64),
        f"{PREFIX}odd": (2 * np.arange(side_px) + 1)[:, None].astype(np.int64),
        f"{PREFIX}axis": np.array([1], np.int64),
    }
    nodes: list[onnx.NodeProto] = []

    def node(operation: str, inputs: list[str], output: str, **attributes: object) -> str:
        names = [PREFIX + name if PREFIX + name in constants else name for name in inputs]
        nodes.append(helper.make_node(operation, names, [output], **attributes))
        return output

    weights = []
    for axis, name in ((1, "rows"), (2, "columns")):
        own = f"{PREFIX}{name}_"
        size = node("Shape", [picture], f"{own}sizes", start=axis, end=axis + 1)
        count = node("Squeeze", [size], f"{own}count")
        centres = node("Mul", ["odd", count], f"{own}centres")
        numbers = node("Range", ["zero", count, "one"], f"{own}numbers")
        odd = node("Add", [node("Mul", [numbers, "two"], f"{own}even"), "one"], f"{own}odd")
        places = node("Mul", [odd, "side"], f"{own}places")
        far = node("Abs", [node("Sub", [places, centres], f"{own}apart")], f"{own}far")
        reach = node("Mul", [node("Max", [count, "side"], f"{own}longer"), "two"], f"{own}reach")
        near = node("Cast", [node("Sub", [reach, far], f"{own}left")], f"{own}float", to=TensorProto.FLOAT)
        heights = node("Relu", [near], f"{own}heights")
        total = node("ReduceSum", [heights, "axis"], f"{own}total", keepdims=1)
        weights.append(node("Div", [heights, total], f"{own}weights"))
    rows, columns = weights
    lines = node("MatMul", [rows, planes], f"{PREFIX}lines")
    node("MatMul", [lines, node("Transpose", [columns], f"{PREFIX}turned", perm=[1, 0])], resized)
    return nodes, constants
