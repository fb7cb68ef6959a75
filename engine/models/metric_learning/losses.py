"""Losses that put items of one label close together and others apart. Shapes: B batch, D numbers, L labels."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from torch import Tensor, nn

from engine.kernels.margin_softmax.margins import Margin
from engine.kernels.margin_softmax.op import ALL_UP_TO, margin_softmax, sampled

SCALE = 24.0
"""Of cosines as logits; the papers take 64 for thousands of labels with many items each."""
_EDGE = 1e-6


class MarginSoftmax(nn.Module):
    """A direction for each label, and a softmax over the cosines to them in which the right one is made harder.

    ArcFace (Deng et al. 2019, https://arxiv.org/abs/1801.07698) widens the angle to the right direction by the margin, CosFace
    (Wang et al. 2018, https://arxiv.org/abs/1801.09414) takes the margin off its cosine.
    """

    def __init__(self, num_labels: int, num_dimensions: int, *, margin: float, is_angular: bool):
        super().__init__()
        self.margin = Margin(margin, is_angular)
        self.centres = nn.Parameter(torch.empty(num_labels, num_dimensions))
        nn.init.xavier_uniform_(self.centres)

    def forward(self, directions_BD: Tensor, targets_B: Tensor) -> Tensor:
        """Mean loss of directions of length one; of very many labels, against a share of the wrong ones by lot."""
        centres_LD: Tensor = self.centres
        if len(centres_LD) > ALL_UP_TO:
            labels_S, targets_B = sampled(targets_B, len(centres_LD))
            centres_LD = centres_LD.index_select(0, labels_S)
        return margin_softmax(directions_BD.float(), centres_LD, targets_B, margin=self.margin, scale=SCALE).mean()


class BatchHardTriplet(nn.Module):
    """For each item the farthest of its label and the nearest of another one (Hermans et al. 2017).

    Distances are those of points on the sphere, 0..2.
    """

    def __init__(self, *, margin: float):
        super().__init__()
        self.margin = margin

    def forward(self, directions_BD: Tensor, targets_B: Tensor) -> Tensor:
        """Mean loss of directions of length one; 0 where no item has one of its own label and one of another beside it."""
        apart_BB = (2.0 - 2.0 * directions_BD.float() @ directions_BD.float().T).clamp(min=_EDGE).sqrt()
        is_same_BB = targets_B[:, None] == targets_B[None]
        is_other_BB = ~torch.eye(len(targets_B), dtype=torch.bool, device=targets_B.device)
        has_both_B = (is_same_BB & is_other_BB).any(dim=1) & (~is_same_BB).any(dim=1)
        farthest_B = apart_BB.masked_fill(~(is_same_BB & is_other_BB), -math.inf).amax(dim=1)
        nearest_B = apart_BB.masked_fill(is_same_BB, math.inf).amin(dim=1)
        losses_B = torch.where(has_both_B, F.relu(farthest_B - nearest_B + self.margin), 0.0)
        return losses_B.sum() / has_both_B.sum().clamp(min=1)


def build(name: str, num_labels: int, num_dimensions: int, *, margin: float) -> nn.Module:
    """The loss of that name; directions and targets ``_B`` in, their mean loss out.

    Raises:
        ValueError: there is none of that name.
    """
    if name == "triplet":
        return BatchHardTriplet(margin=margin)
    if name not in {"arcface", "cosface"}:
        raise ValueError(f"there is no loss {name!r}")
    return MarginSoftmax(num_labels, num_dimensions, margin=margin, is_angular=name == "arcface")
