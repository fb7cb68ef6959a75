"""The operator in ONNX: ``NonMaxSuppression``, whose list of survivors becomes a mask.

Shapes: B batch, K candidates, L labels, S survivors.
"""

from __future__ import annotations

from typing import Any

from onnxscript import INT64, opset20
from onnxscript.onnx_types import BOOL, FLOAT

op: Any = opset20
"""Its own types refuse Python's numbers, which it takes."""


def nms(boxes_BK4: FLOAT, scores_BK: FLOAT, labels_BK: INT64, num_labels: int, iou_threshold: float) -> BOOL:
    """See ``engine.kernels.nms.op.nms``. Intersections are the same whichever of the axes comes first."""
    labels_1L1 = op.Reshape(op.Range(0, num_labels, 1), op.Constant(value_ints=[1, -1, 1]))
    is_of_label_BLK = op.Equal(op.Unsqueeze(labels_BK, op.Constant(value_ints=[1])), labels_1L1)
    scores_B1K = op.Unsqueeze(scores_BK, op.Constant(value_ints=[1]))
    scores_BLK = op.Where(is_of_label_BLK, scores_B1K, op.Constant(value_float=0.0))
    num_candidates_1 = op.Shape(scores_BK, start=1)
    survivors_S3 = op.NonMaxSuppression(
        boxes_BK4, scores_BLK, num_candidates_1, op.Constant(value_floats=[iou_threshold]), op.Constant(value_floats=[0.0])
    )
    places_S2 = op.Gather(survivors_S3, op.Constant(value_ints=[0, 2]), axis=1)
    nothing_BK = op.Sub(scores_BK, scores_BK)
    ones_S = op.Expand(op.Constant(value_float=1.0), op.Shape(survivors_S3, end=1))
    return op.Greater(op.ScatterND(nothing_BK, places_S2, ones_S), op.Constant(value_float=0.0))
