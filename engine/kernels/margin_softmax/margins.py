"""How much harder the right label is made."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

_EDGE = 1e-6


@dataclass(frozen=True)
class Margin:
    """What the right label has to be better by."""

    size: float
    """Radians of the angle, or of the cosine."""
    is_angular: bool
    """ArcFace's, which widens the angle; else CosFace's, which takes it off the cosine."""


def harder(cosines: Tensor, margin: Margin) -> Tensor:
    """The cosines of right labels less the margin."""
    if not margin.is_angular:
        return cosines - margin.size
    sines = (1.0 - cosines.square()).clamp(min=_EDGE).sqrt()
    wider = cosines * math.cos(margin.size) - sines * math.sin(margin.size)
    # Beyond a half turn the cosine would rise again.
    return torch.where(cosines > -math.cos(margin.size), wider, cosines - margin.size * math.sin(margin.size))
