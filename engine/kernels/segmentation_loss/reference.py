"""The same with the logits of all pixels. Nothing runs it but tests and benchmarks.

Shapes: B batch, C classes, h and w cells along an axis, H height, W width.
"""

from __future__ import annotations

import torch
from torch import Tensor

from engine.kernels.segmentation_loss.doubling import enlarged


def pixel_scores(cells_BChw: Tensor, classes_BHW: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """See ``engine.kernels.segmentation_loss.op.pixel_scores``."""
    scores_BCHW = enlarged(cells_BChw, classes_BHW.shape[-1] // cells_BChw.shape[-1]).log_softmax(dim=1)
    counts_BHW = (classes_BHW >= 0).to(scores_BCHW.dtype)
    right_BHW = scores_BCHW.gather(1, classes_BHW.clamp(min=0)[:, None])[:, 0] * counts_BHW
    predicted_BCHW = scores_BCHW.exp() * counts_BHW[:, None]
    is_class_BCHW = classes_BHW[:, None] == torch.arange(cells_BChw.shape[1])[:, None, None]
    return right_BHW, (predicted_BCHW * is_class_BCHW).sum(dim=(0, 2, 3)), predicted_BCHW.sum(dim=(0, 2, 3))
