"""The end of a tiny detector's graph, built as those of trained ones are: candidates, suppression, the best rows."""

from __future__ import annotations

import numpy as np
import onnx
from onnx import TensorProto, helper

LOWEST_SCORE = 1e-4


def tiny_boxes(num_labels: int) -> np.ndarray:
    """A place for each label: x, y, width, height."""
    corners = np.arange(num_labels)[:, None] / (2 * num_labels)
    return np.hstack([corners, corners / 2, 0 * corners + 0.2, 0 * corners + 0.3]).astype(np.float32)


def detector_tail(num_labels: int, output: str) -> tuple[list[onnx.NodeProto], dict[str, np.ndarray]]:
    """Nodes and constants behind ``scores``: a box of each label at the label's own place, best first, and an empty row."""
    boxes, num_pairs = tiny_boxes(num_labels), num_labels**2
    constants = {
        "at_its_place": np.eye(num_labels, dtype=np.float32),
        "corners": np.hstack([boxes[:, :2], boxes[:, :2] + boxes[:, 2:]]),
        "nothing": np.array(0, np.float32),
        "certain": np.array([1], np.float32),
        "label_numbers": np.arange(num_labels, dtype=np.int64)[None, :, None],
        "num_labels": np.array(num_labels, np.int64),
        "flat": np.array([0, num_pairs], np.int64),
        "num_pairs": np.array([num_pairs], np.int64),
        "lowest": np.full(num_pairs, LOWEST_SCORE, np.float32),
        "four": np.array([1, 1, 4], np.int64),
        "axis_1": np.array([1], np.int64),
        "axis_2": np.array([2], np.int64),
        "overlap": np.array([0.6], np.float32),
        "above": np.array([0], np.float32),
        "picture_and_place": np.array([0, 2], np.int64),
        "zero": np.array([0], np.int64),
        "two": np.array([2], np.int64),
        "far": np.array([4], np.int64),
        "most": np.array([num_labels], np.int64),
        "pads": np.array([0, 0, 0, 0, 1, 0], np.int64),
    }
    node = helper.make_node
    nodes = [
        node("Unsqueeze", ["scores", "axis_2"], ["columns"]),
        node("Mul", ["columns", "at_its_place"], ["pairs"]),
        node("Mul", ["columns", "nothing"], ["nowhere"]),
        node("Add", ["nowhere", "corners"], ["everywhere"]),
        node("Reshape", ["pairs", "flat"], ["pairs_in_a_row"]),
        node("TopK", ["pairs_in_a_row", "num_pairs"], ["ordered", "order"], axis=1),
        node("Greater", ["ordered", "lowest"], ["is_candidate"]),
        node("Where", ["is_candidate", "ordered", "nothing"], ["candidates"]),
        node("Mod", ["order", "num_labels"], ["labels"]),
        node("Div", ["order", "num_labels"], ["boxes_of"]),
        node("Unsqueeze", ["boxes_of", "axis_2"], ["boxes_of_column"]),
        node("Expand", ["boxes_of_column", "four"], ["boxes_of_rows"]),
        node("GatherElements", ["everywhere", "boxes_of_rows"], ["boxes"], axis=1),
        node("Unsqueeze", ["labels", "axis_1"], ["labels_row"]),
        node("Equal", ["labels_row", "label_numbers"], ["is_of_label"]),
        node("Unsqueeze", ["candidates", "axis_1"], ["candidates_row"]),
        node("Where", ["is_of_label", "candidates_row", "nothing"], ["by_label"]),
        node("NonMaxSuppression", ["boxes", "by_label", "num_pairs", "overlap", "above"], ["survivors"]),
        node("Gather", ["survivors", "picture_and_place"], ["places"], axis=1),
        node("Shape", ["survivors"], ["num_survivors"], start=0, end=1),
        node("Expand", ["certain", "num_survivors"], ["ones"]),
        node("Sub", ["candidates", "candidates"], ["nobody"]),
        node("ScatterND", ["nobody", "places", "ones"], ["marks"]),
        node("Greater", ["marks", "nothing"], ["is_kept"]),
        node("Where", ["is_kept", "candidates", "nothing"], ["kept"]),
        node("TopK", ["kept", "most"], ["best", "best_places"], axis=1),
        node("Unsqueeze", ["best_places", "axis_2"], ["best_places_column"]),
        node("Expand", ["best_places_column", "four"], ["best_places_rows"]),
        node("GatherElements", ["boxes", "best_places_rows"], ["best_boxes"], axis=1),
        node("Slice", ["best_boxes", "zero", "two", "axis_2"], ["corner"]),
        node("Slice", ["best_boxes", "two", "far", "axis_2"], ["opposite"]),
        node("Sub", ["opposite", "corner"], ["size"]),
        node("Unsqueeze", ["best", "axis_2"], ["best_column"]),
        node("GatherElements", ["labels", "best_places"], ["best_labels"], axis=1),
        node("Cast", ["best_labels"], ["best_labels_float"], to=TensorProto.FLOAT),
        node("Unsqueeze", ["best_labels_float", "axis_2"], ["label_column"]),
        node("Concat", ["corner", "size", "best_column", "label_column"], ["rows"], axis=2),
        node("Pad", ["rows", "pads"], [output]),
    ]
    return nodes, constants
