"""Blocks of labels on CUDA: cuBLAS multiplies, and one kernel each goes over the logits forward and backward.

Written into one kernel with the products, the logits would not leave the chip at all; but a block of them crosses memory three
times in half the time that its products take, and cuBLAS's products are hard to match.

Shapes: B batch, D numbers, K labels of a block.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch import Tensor

_LOGITS = 1 << 25
"""Of a block, at most: 128 MB in fp32."""
_PART = 2048
"""Labels that one program sees."""


@triton.jit
def _log_sums_kernel(cosines, targets, right, sums, num_labels, num_parts, scale, PART: tl.constexpr):  # noqa: PLR0917
    row, part = tl.program_id(0).to(tl.int64), tl.program_id(1)
    columns = part * PART + tl.arange(0, PART)
    is_label, is_right = columns < num_labels, columns == tl.load(targets + row)
    counts = is_label & (is_right == 0)
    own = tl.load(cosines + row * num_labels + columns, mask=is_label, other=0.0).to(tl.float32)
    tl.store(right + row + tl.zeros_like(columns), own, mask=is_label & is_right)
    logits = own * scale
    highest = tl.max(tl.where(counts, logits, -3.0e38), axis=0)
    total = tl.sum(tl.where(counts, tl.exp(logits - highest), 0.0), axis=0)
    tl.store(sums + row * num_parts + part, highest + tl.log(total))


@triton.jit
def _shares_kernel(cosines, targets, log_sums, grads, right_grads, num_labels, scale, PART: tl.constexpr):  # noqa: PLR0917
    row = tl.program_id(0).to(tl.int64)
    columns = tl.program_id(1) * PART + tl.arange(0, PART)
    is_label, is_right = columns < num_labels, columns == tl.load(targets + row)
    counts = is_label & (is_right == 0)
    log_sum, grad = tl.load(log_sums + row), tl.load(grads + row)
    logits = tl.load(cosines + row * num_labels + columns, mask=counts, other=0.0).to(tl.float32) * scale
    shares = tl.where(is_right, tl.load(right_grads + row), tl.exp(logits - log_sum) * grad * scale)
    tl.store(cosines + row * num_labels + columns, shares.to(cosines.dtype.element_ty), mask=is_label)


@triton.jit
def _project_kernel(grads, directions, norms, num_numbers, NUMBERS: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    places = tl.arange(0, NUMBERS)
    is_number = places < num_numbers
    grad = tl.load(grads + row * num_numbers + places, mask=is_number, other=0.0).to(tl.float32)
    direction = tl.load(directions + row * num_numbers + places, mask=is_number, other=0.0).to(tl.float32)
    across = (grad - direction * tl.sum(grad * direction, axis=0)) / tl.load(norms + row)
    tl.store(grads + row * num_numbers + places, across.to(grads.dtype.element_ty), mask=is_number)


def width(batch: int) -> int:
    """Labels of a block."""
    return max(_PART, _LOGITS // max(1, batch))


def log_sums(cosines_BK: Tensor, targets_B: Tensor, scale: float, right_B: Tensor) -> Tensor:
    """See ``blocks.Device``."""
    batch, num_labels = cosines_BK.shape
    num_parts = triton.cdiv(num_labels, _PART)
    sums_BP = torch.empty((batch, num_parts), dtype=torch.float32, device=cosines_BK.device)
    _log_sums_kernel[(batch, num_parts)](cosines_BK, targets_B, right_B, sums_BP, num_labels, num_parts, scale, PART=_PART)
    return sums_BP


def shares(cosines_BK: Tensor, targets_B: Tensor, scale: float, kept_3B: tuple[Tensor, Tensor, Tensor]) -> Tensor:
    """See ``blocks.Device``."""
    batch, num_labels = cosines_BK.shape
    grid = (batch, triton.cdiv(num_labels, _PART))
    _shares_kernel[grid](cosines_BK, targets_B, *(each.contiguous() for each in kept_3B), num_labels, scale, PART=_PART)
    return cosines_BK


def project(grad_KD: Tensor, directions_KD: Tensor, norms_K1: Tensor) -> None:
    """See ``blocks.Device``."""
    rows, num_numbers = grad_KD.shape
    _project_kernel[(rows,)](grad_KD, directions_KD, norms_K1, num_numbers, NUMBERS=triton.next_power_of_2(num_numbers))
