"""Enlargement and pooling of feature maps by operators that every runtime computes alike.

They disagree about ONNX's ``Resize``, and for means of a grid that does not divide a map there is no operator at all.

Shapes: B batch, C channels, H height, W width.
"""

from __future__ import annotations

import torch
from torch import Tensor

from engine.data.resize import interpolation


def doubled(map_BCHW: Tensor) -> Tensor:
    """A map of twice the height and width: ``torch.nn.functional.interpolate(scale_factor=2, mode="bilinear")``."""
    return _doubled_along(_doubled_along(map_BCHW, 2), 3)


def enlarged(map_BCHW: Tensor, factor: int) -> Tensor:
    """A map of so many times the height and width, by doubling: slightly smoother than one bilinear step.

    Args:
        map_BCHW: of any size.
        factor: a power of two.
    """
    while factor > 1:
        map_BCHW, factor = doubled(map_BCHW), factor // 2
    return map_BCHW


def stretched(map_BCHW: Tensor, height: int, width: int) -> Tensor:
    """A small map at a larger size: ``torch.nn.functional.interpolate(size=(height, width), mode="bilinear")``.

    Args:
        map_BCHW: of a few cells; the work grows with their number.
        height: no less than the map's own.
        width: as the height.
    """
    rows_HM, columns_WM = (
        interpolation(before, after, map_BCHW.device)
        for before, after in zip(map_BCHW.shape[-2:], (height, width), strict=True)
    )
    return _by_products(map_BCHW, rows_HM, columns_WM)


def pooled(map_BCHW: Tensor, bins: int) -> Tensor:
    """Means of a grid of ``bins`` x ``bins`` parts: ``torch.nn.functional.adaptive_avg_pool2d``; neighbours may share cells.

    Args:
        map_BCHW: of any size.
        bins: along each side, at least 1.
    """
    rows_MH, columns_MW = (_parts(cells, bins, map_BCHW.device) for cells in map_BCHW.shape[-2:])
    return _by_products(map_BCHW, rows_MH, columns_MW)


def _by_products(map_BCHW: Tensor, rows_MH: Tensor, columns_NW: Tensor) -> Tensor:
    """Each row and each column after as a weighted mean of those before."""
    rows_MH, columns_NW = rows_MH.to(map_BCHW.dtype), columns_NW.to(map_BCHW.dtype)
    return torch.matmul(rows_MH, torch.matmul(map_BCHW, columns_NW.t()))


def _parts(num_cells: int, bins: int, device: torch.device) -> Tensor:
    """Weights ``_MN`` of the cells in each part along an axis, equal within the part."""
    cells_N, parts_M1 = torch.arange(num_cells, device=device), torch.arange(bins, device=device)[:, None]
    is_inside_MN = ((cells_N + 1) * bins > parts_M1 * num_cells) & (cells_N * bins < (parts_M1 + 1) * num_cells)
    weights_MN = is_inside_MN.to(torch.float32)
    return weights_MN / weights_MN.sum(dim=1, keepdim=True)


def _doubled_along(map_BCHW: Tensor, axis: int) -> Tensor:
    """Each new cell lies a quarter of an old one beside the middle of its own, towards a neighbour; an edge has none."""
    last = map_BCHW.shape[axis] - 1
    before = torch.cat([map_BCHW.narrow(axis, 0, 1), map_BCHW.narrow(axis, 0, last)], dim=axis)
    behind = torch.cat([map_BCHW.narrow(axis, 1, last), map_BCHW.narrow(axis, last, 1)], dim=axis)
    own = 0.75 * map_BCHW
    return torch.stack([own + 0.25 * before, own + 0.25 * behind], dim=axis + 1).flatten(axis, axis + 1)
