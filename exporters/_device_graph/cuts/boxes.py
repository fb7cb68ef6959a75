"""Boxes: the graph ends with the box of each place and its scores; whoever reads them drops what a better one covers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import onnx

from exporters._device_graph.cuts._cut import Cut, constants_of, first_node, maker_of, shape_of
from exporters._device_graph.errors import GraphNotCutError

_NUMBER = np.zeros(())


def cut(model: onnx.ModelProto) -> Cut:
    """Before candidates are chosen by their scores.

    Raises:
        GraphNotCutError: the graph looks at its picture again after that, as detectors of two stages do, or is built otherwise.
    """
    nodes, constants = model.graph.node, constants_of(model)
    if sum(node.op_type == "NonMaxSuppression" for node in nodes) != 1:
        raise GraphNotCutError("the format lacks NonMaxSuppression, and the graph goes on after it (a detector of two stages)")
    suppression, chosen = first_node(model, "NonMaxSuppression"), [node for node in nodes if node.op_type == "TopK"]
    scores = maker_of(model, chosen[0].input[0]).input[0]  # made flat, or reduced to the best of each place
    boxes = [
        node.input[0]
        for node in nodes
        if node.op_type == "GatherElements" and node.input[0] != scores and shape_of(model, node.input[0])[2:] == (4,)
    ]
    lowest = [node.input[1] for node in nodes if node.op_type == "Greater" and constants.get(node.input[1], _NUMBER).ndim == 1]
    if not boxes or not lowest or constants[lowest[0]].size != constants[suppression.input[2]].item():
        raise GraphNotCutError("the candidates of the suppression are not where they are looked for")
    settings: dict[str, float | Sequence[float]] = {
        "max_boxes": int(constants[chosen[-1].input[1]].item()),
        "max_overlap": float(constants[suppression.input[3]].item()),
        "lowest_scores": constants[lowest[0]].astype(float).tolist(),
    }
    units = ("left, top, right, bottom of each place, as shares of the picture", "score 0..1 of each label there")
    return Cut(dict(zip((boxes[0], scores), units, strict=True)), settings)


KIND = cut
