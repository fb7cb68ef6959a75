"""RoIAlign on CUDA: one program for a region's cell and a block of channels, forward and backward, a launch a level.

A program whose region is of another level does nothing, so that the device need not be asked how many there are.

The backward pass adds by atomics, so that its sums may differ in the last bit from run to run.
Shapes: B batch, C channels, H height, W width, R regions, P cells of a region's side.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
import triton
import triton.language as tl
from torch import Tensor

_CHANNELS = 64


@triton.jit
def _kernel(  # noqa: PLR0917 - a kernel's arguments
    features, regions, out, level, channels, height, width, scale,
    SIDE: tl.constexpr, SAMPLES: tl.constexpr, CHANNELS: tl.constexpr, IS_BACKWARD: tl.constexpr,
):  # fmt: skip
    region, cell, block = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    row, column = cell // SIDE, cell % SIDE
    channel = block * CHANNELS + tl.arange(0, CHANNELS)
    is_channel = channel < tl.where(tl.load(regions + region * 6 + 5) == level, channels, 0)
    left = tl.load(regions + region * 6) * scale - 0.5
    top = tl.load(regions + region * 6 + 1) * scale - 0.5
    cell_w = (tl.load(regions + region * 6 + 2) * scale - 0.5 - left) / SIDE
    cell_h = (tl.load(regions + region * 6 + 3) * scale - 0.5 - top) / SIDE
    base = (tl.load(regions + region * 6 + 4).to(tl.int64) * channels + channel) * height * width
    out_at = out + ((region * channels + channel) * SIDE + row) * SIDE + column
    total = tl.zeros([CHANNELS], dtype=tl.float32)
    if IS_BACKWARD:
        total = tl.load(out_at, mask=is_channel, other=0.0).to(tl.float32) / (SAMPLES * SAMPLES)
    for sample in range(SAMPLES * SAMPLES):
        y = top + (row + (sample // SAMPLES + 0.5) / SAMPLES) * cell_h
        x = left + (column + (sample % SAMPLES + 0.5) / SAMPLES) * cell_w
        is_inside = ((y >= -1) & (y <= height) & (x >= -1) & (x <= width)).to(tl.float32)
        y = tl.minimum(tl.maximum(y, 0.0), height - 1.0)
        x = tl.minimum(tl.maximum(x, 0.0), width - 1.0)
        y_low, x_low = tl.floor(y).to(tl.int32), tl.floor(x).to(tl.int32)
        below, beside = y - y_low, x - x_low
        for corner in range(4):
            is_low, is_right = corner // 2, corner % 2
            y_at, x_at = tl.minimum(y_low + is_low, height - 1), tl.minimum(x_low + is_right, width - 1)
            weight_y = tl.where(is_low == 1, below, 1 - below)
            weight_x = tl.where(is_right == 1, beside, 1 - beside)
            weight = weight_y * weight_x * is_inside
            at = features + base + y_at * width + x_at
            if IS_BACKWARD:
                tl.atomic_add(at, total * weight, mask=is_channel)
            else:
                total += weight * tl.load(at, mask=is_channel, other=0.0).to(tl.float32)
    if not IS_BACKWARD:
        tl.store(out_at, total / (SAMPLES * SAMPLES), mask=is_channel)


def forward(
    maps_BCHW: Sequence[Tensor],
    regions_R6: Tensor,
    side: int,
    scales: Sequence[float],
    num_samples: int,
) -> Tensor:
    """See ``engine.kernels.roi_align.op.roi_align``."""
    out_RCPP = maps_BCHW[0].new_empty((len(regions_R6), maps_BCHW[0].shape[1], side, side))
    maps_BCHW = [map_BCHW.contiguous() for map_BCHW in maps_BCHW]
    _launch(maps_BCHW, regions_R6, out_RCPP, scales, num_samples, is_backward=False)
    return out_RCPP


def backward(
    grad_RCPP: Tensor,
    maps_BCHW: Sequence[Tensor],
    regions_R6: Tensor,
    scales: Sequence[float],
    num_samples: int,
) -> list[Tensor]:
    """Gradients of the maps."""
    grads = [torch.zeros(map_BCHW.shape, dtype=torch.float32, device=grad_RCPP.device) for map_BCHW in maps_BCHW]
    _launch(grads, regions_R6, grad_RCPP.contiguous(), scales, num_samples, is_backward=True)
    return [grad_BCHW.to(map_BCHW.dtype) for grad_BCHW, map_BCHW in zip(grads, maps_BCHW, strict=True)]


def _launch(
    maps_BCHW: Sequence[Tensor],
    regions_R6: Tensor,
    cut_RCPP: Tensor,
    scales: Sequence[float],
    num_samples: int,
    *,
    is_backward: bool,
) -> None:
    if len(regions_R6) == 0:
        return
    side = cut_RCPP.shape[-1]
    regions_R6 = regions_R6.float().contiguous()
    for level, (map_BCHW, scale) in enumerate(zip(maps_BCHW, scales, strict=True)):
        _, channels, height, width = map_BCHW.shape
        grid = (len(regions_R6), side * side, triton.cdiv(channels, _CHANNELS))
        _kernel[grid](
            map_BCHW, regions_R6, cut_RCPP, level, channels, height, width, scale,
            SIDE=side, SAMPLES=num_samples, CHANNELS=_CHANNELS, IS_BACKWARD=is_backward,
        )  # fmt: skip
