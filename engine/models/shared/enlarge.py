"""Bilinear enlargement of feature maps by operators that every runtime computes alike: they disagree about ONNX's ``Resize``.

Shapes: B batch, C channels, H height, W width.
"""

from __future__ import annotations

import torch
from torch import Tensor


def doubled(map_BCHW: Tensor) -> Tensor:
    """A map of twice the height and width: ``torch.nn.functional.interpolate(scale_factor=2, mode="bilinear")``."""
    return _doubled_along(_doubled_along(map_BCHW, 2), 3)


def _doubled_along(map_BCHW: Tensor, axis: int) -> Tensor:
    """Each new cell lies a quarter of an old one beside the middle of its own, towards a neighbour; an edge has none."""
    last = map_BCHW.shape[axis] - 1
    before = torch.cat([map_BCHW.narrow(axis, 0, 1), map_BCHW.narrow(axis, 0, last)], dim=axis)
    behind = torch.cat([map_BCHW.narrow(axis, 1, last), map_BCHW.narrow(axis, last, 1)], dim=axis)
    own = 0.75 * map_BCHW
    return torch.stack([own + 0.25 * before, own + 0.25 * behind], dim=axis + 1).flatten(axis, axis + 1)
