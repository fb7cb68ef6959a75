"""The walk over blocks of labels, which the CPU and CUDA share: two products a block, and what a device does between them.

Nothing of the size of batch times labels is kept: the backward pass multiplies again. Products are torch's own on either
device, which brings no more than what lies between them.

Shapes: B batch, D numbers, L labels, K labels of a block.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import torch
from torch import Tensor

_LEAST_NORM = 1e-12
"""That of ``torch.nn.functional.normalize``."""


class Device(Protocol):
    """What differs between the CPU and CUDA. Targets outside 0..K-1 belong to other blocks."""

    def width(self, batch: int) -> int:
        """Labels of a block."""
        ...

    def log_sums(self, cosines_BK: Tensor, targets_B: Tensor, scale: float, right_B: Tensor) -> Tensor:
        """Logarithms of the sums over some wrong labels each, ``_B`` and one axis more.

        Writes the right labels' cosines where they are among these, and may overwrite all cosines.
        """
        ...

    def shares(self, cosines_BK: Tensor, targets_B: Tensor, scale: float, kept_3B: tuple[Tensor, Tensor, Tensor]) -> Tensor:
        """Gradients of the cosines, ``_BK``; may overwrite them. See ``backward`` for what is kept."""
        ...

    def project(self, grad_KD: Tensor, directions_KD: Tensor, norms_K1: Tensor) -> None:
        """Turns the gradient of directions into that of the centres that they were made of, in place."""
        ...


def forward(
    device: Device, directions_BD: Tensor, centres_LD: Tensor, targets_B: Tensor, scale: float
) -> tuple[Tensor, Tensor]:
    """See ``engine.kernels.margin_softmax.op.compared``."""
    right_B = directions_BD.new_empty(len(directions_BD), dtype=torch.promote_types(directions_BD.dtype, torch.float32))
    parts = [
        device.log_sums(directions_BD @ own_KD.T, targets_B - low, scale, right_B)
        for low, own_KD, _ in _cut(centres_LD, device.width(len(directions_BD)), directions_BD.dtype)
    ]
    return torch.cat(parts, dim=1).logsumexp(dim=1), right_B


def backward(
    device: Device, inputs: tuple[Tensor, Tensor, Tensor], scale: float, kept_3B: tuple[Tensor, Tensor, Tensor]
) -> tuple[Tensor, Tensor]:
    """Gradients of directions ``_BD`` and centres ``_LD``.

    Args:
        device: that of the tensors.
        inputs: directions, centres and targets.
        scale: as of ``forward``.
        kept_3B: the logarithms that ``forward`` returned, and the gradients of both its results.
    """
    directions_BD, centres_LD, targets_B = inputs
    to_directions_BD = torch.zeros_like(directions_BD, dtype=kept_3B[0].dtype)
    to_centres_LD = torch.empty_like(centres_LD)
    for low, own_KD, norms_K1 in _cut(centres_LD, device.width(len(directions_BD)), directions_BD.dtype):
        shares_BK = device.shares(directions_BD @ own_KD.T, targets_B - low, scale, kept_3B)
        to_directions_BD += shares_BK @ own_KD
        to_own_KD = to_centres_LD[low : low + len(own_KD)]
        torch.mm(shares_BK.T, directions_BD, out=to_own_KD)
        device.project(to_own_KD, own_KD, norms_K1)
    return to_directions_BD.to(directions_BD.dtype), to_centres_LD


def _cut(centres_LD: Tensor, width: int, dtype: torch.dtype) -> Iterator[tuple[int, Tensor, Tensor]]:
    """Place of each block's first label, its centres at length one, and the lengths that they had."""
    for low, centres_KD in zip(range(0, len(centres_LD), width), centres_LD.split(width), strict=True):
        norms_K1 = torch.linalg.vector_norm(centres_KD, dim=1, keepdim=True).clamp(min=_LEAST_NORM)
        yield low, (centres_KD / norms_K1).to(dtype), norms_K1
