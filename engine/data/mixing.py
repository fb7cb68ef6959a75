"""Pictures mixed in pairs, and their labels with them, so that a network answers evenly between them.

``mixup`` blends two pictures (Zhang et al. 2018, https://arxiv.org/abs/1710.09412), ``cutmix`` pastes a part of one into the
other (Yun et al. 2019, https://arxiv.org/abs/1905.04899). Shapes: B batch, H height, W width, C colour channels, L labels.
"""

from __future__ import annotations

import math
from typing import Literal, get_args

import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from torch import Tensor

from engine.data.loader import Augment, Batch, OnDevice

Mix = Literal["mixup", "cutmix"]
Mixing = Literal["none"] | Mix
_MIXUP_ALPHA, _CUTMIX_ALPHA = 0.2, 1.0
"""Of the symmetric beta distribution from which a batch's share is drawn: as in the papers' fine settings."""


def mixed(augment: Augment, mixing: Mix, num_labels: int) -> Augment:
    """An augmentation, and a mix after it, where pictures lie when they are varied. Arguments as of ``Mixed``."""
    if isinstance(augment, OnDevice):
        return OnDevice(Mixed(augment.augment, mixing, num_labels))
    return Mixed(augment, mixing, num_labels)


class Mixed:
    """An augmentation, and after it a mix of each picture with another of its batch."""

    def __init__(self, augment: Augment, mixing: Mix, num_labels: int):
        """Prepares.

        Args:
            augment: what comes before.
            mixing: how two pictures become one.
            num_labels: L.

        Raises:
            ValueError: there is no such mix.
        """
        if mixing not in get_args(Mix):
            raise ValueError(f"there is no mixing {mixing!r}; known: {', '.join(get_args(Mix))}")
        self._augment = augment
        self._mixing = mixing
        self._num_labels = num_labels

    def __call__(self, pictures_BHWC: Tensor, targets: Tensor, generator: torch.Generator) -> Batch:
        """Gives pictures of the same shape, and the share of each label ``_BL`` in place of an index.

        Args:
            pictures_BHWC: uint8 RGB.
            targets: indices ``_B``, or zeros and ones ``_BL``.
            generator: of the CPU; the same state gives the same result.
        """
        pictures_BHWC, targets = self._augment(pictures_BHWC, targets, generator)
        shares_BL = F.one_hot(targets, self._num_labels).float() if targets.ndim == 1 else targets.float()
        other_B = torch.randperm(len(pictures_BHWC), generator=generator).to(pictures_BHWC.device)
        kept = _beta(_MIXUP_ALPHA if self._mixing == "mixup" else _CUTMIX_ALPHA, generator)
        if self._mixing == "mixup":
            blended_BHWC = torch.lerp(pictures_BHWC[other_B].float(), pictures_BHWC.float(), kept)
            mixed_BHWC = blended_BHWC.round_().to(torch.uint8)
        else:
            mixed_BHWC, kept = _pasted(pictures_BHWC, other_B, kept, generator)
        return mixed_BHWC, torch.lerp(shares_BL[other_B], shares_BL, kept)


def _pasted(pictures_BHWC: Tensor, other_B: Tensor, kept: float, generator: torch.Generator) -> tuple[Tensor, float]:
    """The pictures with a rectangle of others, and the share of each picture that is its own."""
    height, width = pictures_BHWC.shape[1:3]
    side = math.sqrt(1.0 - kept)
    middle_y, middle_x = torch.rand(2, generator=generator).tolist()
    top, bottom = (_clipped(middle_y * height + sign * side * height / 2, height) for sign in (-1, 1))
    left, right = (_clipped(middle_x * width + sign * side * width / 2, width) for sign in (-1, 1))
    mixed_BHWC = pictures_BHWC.clone()
    mixed_BHWC[:, top:bottom, left:right] = pictures_BHWC[other_B, top:bottom, left:right]
    return mixed_BHWC, 1.0 - (bottom - top) * (right - left) / (height * width)


def _clipped(place: float, length: int) -> int:
    return min(length, max(0, round(place)))


def _beta(alpha: float, generator: torch.Generator) -> float:
    """Of the symmetric distribution, by Jöhnk's method (1964), which needs uniform numbers only."""
    while True:
        x, y = (torch.rand(2, generator=generator, dtype=torch.float64) ** (1.0 / alpha)).tolist()
        if 0.0 < x + y <= 1.0:
            return float(x / (x + y))
