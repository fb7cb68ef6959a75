"""Non-maximum suppression as one operator: fast on the CPU, Triton on CUDA, ONNX's own node in an exported graph.

It answers with a mask of the candidates' shape, not with a list of unknown length, so that a graph keeps its shapes.
Shapes: B batch, K candidates, L labels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor

from engine.kernels.nms import cpu


@torch.library.custom_op("modelyard::nms", mutates_args=())
def nms(boxes_BK4: Tensor, scores_BK: Tensor, labels_BK: Tensor, num_labels: int, iou_threshold: float) -> Tensor:
    """Says which candidates survive, ``_BK``: those that no better surviving candidate of the same label covers.

    Args:
        boxes_BK4: left, top, right, bottom in any unit.
        scores_BK: a candidate whose score is 0 does not take part and does not survive. Of equal scores the first wins.
        labels_BK: int64, 0..L-1.
        num_labels: L.
        iou_threshold: largest intersection over union that two survivors of one label may have, 0..1.
    """
    if boxes_BK4.device.type == "cuda":
        from engine.kernels.nms import cuda  # noqa: PLC0415 - Triton is there only beside CUDA

        return cuda.nms(boxes_BK4, scores_BK, labels_BK, iou_threshold)
    return cpu.nms(boxes_BK4, scores_BK, labels_BK, iou_threshold)


@nms.register_fake
def _(boxes_BK4: Tensor, scores_BK: Tensor, labels_BK: Tensor, num_labels: int, iou_threshold: float) -> Tensor:
    return torch.empty_like(scores_BK, dtype=torch.bool)


def onnx_translations() -> Mapping[Callable[..., Any], Callable[..., Any]]:
    """How ``torch.onnx.export`` writes the operators of this package: its ``custom_translation_table``."""
    from engine.kernels.nms import onnx  # noqa: PLC0415 - onnxscript is slow to import and only exports need it

    return {torch.ops.modelyard.nms.default: onnx.nms}
