"""RoIAlign as two small matrix products a region: bilinear samples and their mean are linear in each axis by itself.

The weights of all rows of a region form a matrix over the map's rows, likewise the columns; the map is multiplied by both. No
sample is gathered, and the backward pass is two products as well.

Shapes: B batch, C channels, H height, W width, R regions, P and Q cells of a region's side, S samples, N cells of an axis.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor


def forward(
    maps_BCHW: Sequence[Tensor],
    regions_R6: Tensor,
    side: int,
    scales: Sequence[float],
    num_samples: int,
) -> Tensor:
    """See ``engine.kernels.roi_align.op.roi_align``."""
    out_RCPP = maps_BCHW[0].new_zeros((len(regions_R6), maps_BCHW[0].shape[1], side, side))
    for level, picture, own, rows_RPH, columns_RPW in _cut(maps_BCHW, regions_R6, side, scales, num_samples):
        narrow_RCHP = torch.einsum("chw,rpw->rchp", maps_BCHW[level][picture], columns_RPW)
        out_RCPP.index_copy_(0, own, torch.einsum("rqh,rchp->rcqp", rows_RPH, narrow_RCHP))
    return out_RCPP


def backward(
    grad_RCPP: Tensor,
    maps_BCHW: Sequence[Tensor],
    regions_R6: Tensor,
    scales: Sequence[float],
    num_samples: int,
) -> list[Tensor]:
    """Gradients of the maps."""
    grads = [torch.zeros_like(map_BCHW) for map_BCHW in maps_BCHW]
    for level, picture, own, rows_RPH, columns_RPW in _cut(maps_BCHW, regions_R6, grad_RCPP.shape[-1], scales, num_samples):
        narrow_RCHP = torch.einsum("rqh,rcqp->rchp", rows_RPH, grad_RCPP[own])
        grads[level][picture] += torch.einsum("rchp,rpw->chw", narrow_RCHP, columns_RPW)
    return grads


def _cut(
    maps_BCHW: Sequence[Tensor],
    regions_R6: Tensor,
    side: int,
    scales: Sequence[float],
    num_samples: int,
) -> Iterator[tuple[int, int, Tensor, Tensor, Tensor]]:
    """Level, picture, its regions, and their weights of rows and of columns: a picture's regions share its map."""
    # Places are computed in fp32 at least: half a cell is much.
    boxes_R4 = regions_R6[:, :4].to(torch.promote_types(maps_BCHW[0].dtype, torch.float32))
    pictures_R, levels_R = regions_R6[:, 4], regions_R6[:, 5]
    for level, (map_BCHW, scale) in enumerate(zip(maps_BCHW, scales, strict=True)):
        height, width = map_BCHW.shape[-2:]
        for picture in range(len(map_BCHW)):
            own = torch.nonzero((pictures_R == picture) & (levels_R == level))[:, 0]
            if len(own):
                edges_R4 = boxes_R4[own] * scale - 0.5
                rows_RPH = _weights(edges_R4[:, 1], edges_R4[:, 3], height, side, num_samples).to(map_BCHW.dtype)
                columns_RPW = _weights(edges_R4[:, 0], edges_R4[:, 2], width, side, num_samples).to(map_BCHW.dtype)
                yield level, picture, own, rows_RPH, columns_RPW


def _weights(low_R: Tensor, high_R: Tensor, num_cells: int, side: int, num_samples: int) -> Tensor:
    """How much each cell of an axis counts for each output cell, ``_RPN``."""
    steps_S = (torch.arange(side * num_samples, device=low_R.device, dtype=low_R.dtype) + 0.5) / (side * num_samples)
    at_RS = low_R[:, None] + steps_S * (high_R - low_R)[:, None]
    is_inside_RS = (at_RS >= -1) & (at_RS <= num_cells)
    at_RS = at_RS.clamp(0, num_cells - 1)
    cells_N = torch.arange(num_cells, device=low_R.device, dtype=low_R.dtype)
    hat_RSN = (1 - (at_RS[..., None] - cells_N).abs()).clamp(min=0) * is_inside_RS[..., None]
    return hat_RSN.unflatten(1, (side, num_samples)).mean(dim=2)
