"""A label for each pixel: the graph ends with the scores of all labels, and whoever reads them takes the largest."""

from __future__ import annotations

import onnx

from exporters._device_graph.cuts._cut import Cut, first_node


def cut(model: onnx.ModelProto) -> Cut:
    """Before the largest score is taken."""
    largest = [node for node in model.graph.node if node.op_type == "ReduceMax"]
    node = largest[-1] if largest else first_node(model, "ReduceMax")
    return Cut({node.input[0]: "score 0..1 of no label (plane 0) and of each label (plane label + 1)"})


KIND = cut
