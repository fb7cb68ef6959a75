"""Masks within boxes: what networks that outline objects answer with, and what they are compared with.

Shapes: N boxes, C columns of a target, P cells of a mask's side, T cells of a true mask's side.
"""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from torch import Tensor

MASK_SIDE = 28
"""P."""
NUM_BOX_COLUMNS = 5
"""Of a target before its mask: box and label."""


@torch.no_grad()
def masks_within(targets_NC: Tensor, regions_N4: Tensor) -> Tensor:
    """What regions show of true objects, ``_NPP``, 0 or 1: a mask lies within its own box, and outside it nothing does.

    Args:
        targets_NC: box, label, then the mask within the box, T x T cells row by row.
        regions_N4: left, top, right, bottom as fractions of the picture.
    """
    side = math.isqrt(targets_NC.shape[1] - NUM_BOX_COLUMNS)
    true_N1TT = targets_NC[:, NUM_BOX_COLUMNS:].unflatten(1, (1, side, side))
    box_N4 = targets_NC[:, :4]
    centres_P = (torch.arange(MASK_SIDE, device=regions_N4.device) + 0.5) / MASK_SIDE
    size_N2 = (box_N4[:, 2:] - box_N4[:, :2]).clamp(min=1e-6)
    span_N2 = regions_N4[:, 2:] - regions_N4[:, :2]
    # Places of the cells' centres within the true box, 0..1 along both axes.
    places_NP2 = (regions_N4[:, None, :2] + centres_P[:, None] * span_N2[:, None] - box_N4[:, None, :2]) / size_N2[:, None]
    grid_NPP2 = torch.stack(
        [
            places_NP2[:, None, :, 0].expand(-1, MASK_SIDE, -1),
            places_NP2[:, :, None, 1].expand(-1, -1, MASK_SIDE),
        ],
        dim=-1,
    )
    found_N1PP = F.grid_sample(true_N1TT, 2 * grid_NPP2 - 1, mode="bilinear", padding_mode="zeros", align_corners=False)
    return (found_N1PP[:, 0] >= 0.5).to(targets_NC.dtype)
