"""How cells are enlarged to pixels: doubled again and again, each pixel a quarter of a cell beside its cell's middle.

As ``engine.models.shared.enlarge`` has it, which a network's graph is made of; here as weights along an axis.

Shapes: B batch, C classes, h and w cells along an axis, H height, W width, N cells along any axis, M pixels.
"""

from __future__ import annotations

import torch
from torch import Tensor


def enlarged(cells_BChw: Tensor, factor: int) -> Tensor:
    """Values of all pixels, ``_BCHW``.

    Args:
        cells_BChw: values of cells.
        factor: a power of two.
    """
    height, width = cells_BChw.shape[-2:]
    return weights(height, factor, cells_BChw) @ (cells_BChw @ weights(width, factor, cells_BChw).T)


def weights(num_cells: int, factor: int, like: Tensor) -> Tensor:
    """Weights ``_MN`` of the cells before in each pixel after, along an axis: M is N times the factor.

    Args:
        num_cells: N.
        factor: a power of two.
        like: whose format and device they get.
    """
    weights_MN = torch.eye(num_cells, dtype=like.dtype, device=like.device)
    while factor > 1:
        before_MN = torch.cat([weights_MN[:1], weights_MN[:-1]])
        behind_MN = torch.cat([weights_MN[1:], weights_MN[-1:]])
        pair = [0.75 * weights_MN + 0.25 * before_MN, 0.75 * weights_MN + 0.25 * behind_MN]
        weights_MN, factor = torch.stack(pair, dim=1).flatten(0, 1), factor // 2
    return weights_MN
