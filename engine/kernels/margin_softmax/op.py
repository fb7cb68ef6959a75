"""ArcFace's and CosFace's loss as an operator over blocks of labels, and the choice of labels that a step compares with.

What is large in this loss is the sum over all wrong labels; that is the operator. The margin goes onto one cosine an item, in
plain torch. A loss is in no exported graph, so there is no ``onnx.py``.

Shapes: B batch, D numbers, L labels, S sampled labels.
"""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from torch import Tensor

from engine.kernels.margin_softmax import blocks, cpu, reference
from engine.kernels.margin_softmax.margins import Margin, harder

ALL_UP_TO = 10_000
"""Labels: that many are always compared with, all at once, which is faster as long as their logits stay in caches."""
SHARE = 0.1
"""Of more labels, but no fewer than ``ALL_UP_TO``; a tenth lost nothing in the paper on Partial FC."""


def margin_softmax(directions_BD: Tensor, centres_LD: Tensor, targets_B: Tensor, *, margin: Margin, scale: float) -> Tensor:
    """Loss of each item, ``_B``: cross-entropy of cosines to the labels' centres, of which the right one is made harder.

    ArcFace (Deng et al. 2019, https://arxiv.org/abs/1801.07698) and CosFace (Wang et al. 2018, https://arxiv.org/abs/1801.09414).

    Args:
        directions_BD: of length one, in a floating-point format that products are to be computed in.
        centres_LD: of any length.
        targets_B: the right labels, int64, 0..L-1.
        margin: of the right label.
        scale: of cosines as logits.
    """
    if len(centres_LD) <= ALL_UP_TO:
        return reference.margin_softmax(directions_BD, centres_LD, targets_B, margin=margin, scale=scale)
    log_sum_B, right_B = compared(directions_BD, centres_LD, targets_B, scale)
    return F.softplus(log_sum_B - scale * harder(right_B, margin))


def sampled(targets_B: Tensor, num_labels: int) -> tuple[Tensor, Tensor]:
    """Labels to compare with ``_S``, ascending: the batch's own and others by lot; and the places of its targets among them.

    Partial FC (An et al. 2021, https://arxiv.org/abs/2010.05222). Nothing waits for the device.

    Args:
        targets_B: the right labels, int64, 0..L-1.
        num_labels: L, more than ``ALL_UP_TO`` and than the batch has items.
    """
    num_sampled = min(num_labels, max(ALL_UP_TO, int(SHARE * num_labels), len(targets_B)))
    lots_L = torch.rand(num_labels, device=targets_B.device).index_fill_(0, targets_B, 2.0)
    labels_S = lots_L.topk(num_sampled, sorted=False).indices.sort().values
    return labels_S, torch.searchsorted(labels_S, targets_B)


@torch.library.custom_op("modelyard::margin_softmax", mutates_args=())
def compared(directions_BD: Tensor, centres_LD: Tensor, targets_B: Tensor, scale: float) -> tuple[Tensor, Tensor]:
    """Logarithms ``_B`` of the sums of ``exp(scale * cosine)`` over all wrong labels; and the right labels' cosines ``_B``.

    In fp32 at least. A logarithm is -inf where there is no wrong label.

    Args:
        directions_BD: as of ``margin_softmax``.
        centres_LD: as there.
        targets_B: as there.
        scale: as there.
    """
    return blocks.forward(_device(centres_LD), directions_BD, centres_LD, targets_B, scale)


@compared.register_fake
def _(directions_BD: Tensor, centres_LD: Tensor, targets_B: Tensor, scale: float) -> tuple[Tensor, Tensor]:
    dtype = torch.promote_types(directions_BD.dtype, torch.float32)
    log_sum_B = directions_BD.new_empty(directions_BD.shape[:1], dtype=dtype)
    return log_sum_B, torch.empty_like(log_sum_B)


@torch.library.custom_op("modelyard::margin_softmax_backward", mutates_args=())
def _backward(inputs: list[Tensor], scale: float, kept_3B: list[Tensor]) -> tuple[Tensor, Tensor]:
    """Gradients of the first two inputs: directions, centres and targets."""
    directions_BD, centres_LD, targets_B = inputs
    log_sum_B, grad_B, to_right_B = kept_3B
    device = _device(centres_LD)
    return blocks.backward(device, (directions_BD, centres_LD, targets_B), scale, (log_sum_B, grad_B, to_right_B))


@_backward.register_fake
def _(inputs: list[Tensor], scale: float, kept_3B: list[Tensor]) -> tuple[Tensor, Tensor]:
    return torch.empty_like(inputs[0]), torch.empty_like(inputs[1])


def _keep(ctx: Any, inputs: tuple[Any, ...], output: tuple[Tensor, Tensor]) -> None:
    directions_BD, centres_LD, targets_B, ctx.scale = inputs
    ctx.save_for_backward(output[0], directions_BD, centres_LD, targets_B)


def _gradients(ctx: Any, grad_B: Tensor, to_right_B: Tensor) -> tuple[Tensor | None, ...]:
    log_sum_B, *inputs = ctx.saved_tensors
    return *_backward(inputs, ctx.scale, [log_sum_B, grad_B, to_right_B]), None, None


compared.register_autograd(_gradients, setup_context=_keep)


def _device(centres_LD: Tensor) -> Any:
    if centres_LD.device.type == "cuda":
        from engine.kernels.margin_softmax import cuda  # noqa: PLC0415 - Triton is there only beside CUDA

        return cuda
    return cpu
