"""What a segmenter's losses are made of, straight from logits of cells: scores of pixels exist a band or a tile at a time.

Cross-entropy, its focal form and its hardest pixels need one number a pixel, Dice two a class: a share of the logits' memory
that falls with the number of classes. Lovasz-softmax sorts all scores and has no part in it. A loss is in no exported graph, so
there is no ``onnx.py``.

Shapes: B batch, C classes, h and w cells along an axis, H height, W width.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from engine.kernels.segmentation_loss import cpu


def pixel_scores(cells_BChw: Tensor, classes_BHW: Tensor, *, has_overlap: bool = True) -> tuple[Tensor, Tensor, Tensor]:
    """Logarithms ``_BHW`` of the right classes' scores, and two sums ``_C``: scores where a class is the right one, all scores.

    Scores are the softmax of logits, enlarged by doubling as often as makes cells pixels. Gradients go to the cells.

    Args:
        cells_BChw: logits in fp32 (on the CPU in fp64 as well).
        classes_BHW: the truth, int64; a pixel with a negative class counts in no sum, and its logarithm is 0. The sides are
            those of the cells times a power of two, the same for both.
        has_overlap: whether the sums are asked for; else they are 0.
    """
    right_BHW, _, shared_C, predicted_C = _scores(cells_BChw, classes_BHW, has_overlap)
    return right_BHW, shared_C, predicted_C


@torch.library.custom_op("modelyard::segmentation_loss", mutates_args=())
def _scores(cells_BChw: Tensor, classes_BHW: Tensor, has_overlap: bool) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """As ``pixel_scores``; second, for the backward pass alone, the logarithms ``_BHW`` of the softmax's sums."""
    return _device(cells_BChw).forward(cells_BChw, classes_BHW, has_overlap)


@_scores.register_fake
def _(cells_BChw: Tensor, classes_BHW: Tensor, has_overlap: bool) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    right_BHW, shared_C = cells_BChw.new_empty(classes_BHW.shape), cells_BChw.new_empty(cells_BChw.shape[1])
    return right_BHW, torch.empty_like(right_BHW), shared_C, torch.empty_like(shared_C)


@torch.library.custom_op("modelyard::segmentation_loss_backward", mutates_args=())
def _backward(
    grad_right_BHW: Tensor, grad_shared_C: Tensor, grad_predicted_C: Tensor, kept: list[Tensor], has_overlap: bool
) -> Tensor:
    return _device(kept[0]).backward(grad_right_BHW, grad_shared_C, grad_predicted_C, kept, has_overlap)


@_backward.register_fake
def _(grad_right_BHW, grad_shared_C, grad_predicted_C, kept, has_overlap) -> Tensor:
    return torch.empty_like(kept[0])


def _keep(ctx: Any, inputs: tuple[Any, ...], output: tuple[Tensor, ...]) -> None:
    cells_BChw, classes_BHW, ctx.has_overlap = inputs
    right_BHW, log_sum_BHW, _, _ = output
    ctx.save_for_backward(cells_BChw, classes_BHW, right_BHW, log_sum_BHW)


def _gradients(
    ctx: Any, grad_right_BHW: Tensor, _: Tensor, grad_shared_C: Tensor, grad_predicted_C: Tensor
) -> tuple[Tensor | None, ...]:
    kept = list(ctx.saved_tensors)
    return _backward(grad_right_BHW, grad_shared_C, grad_predicted_C, kept, ctx.has_overlap), None, None


_scores.register_autograd(_gradients, setup_context=_keep)


def _device(cells_BChw: Tensor) -> Any:
    if cells_BChw.device.type == "cuda":
        from engine.kernels.segmentation_loss import cuda  # noqa: PLC0415 - Triton is there only beside CUDA

        return cuda
    return cpu
