"""The loss as the papers write it, with all logits at once; so few labels are computed, too.

Shapes: B batch, D numbers, L labels.
"""

from __future__ import annotations

import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from torch import Tensor

from engine.kernels.margin_softmax.margins import Margin, harder


def margin_softmax(directions_BD: Tensor, centres_LD: Tensor, targets_B: Tensor, *, margin: Margin, scale: float) -> Tensor:
    """Loss of each item, ``_B``; see ``engine.kernels.margin_softmax.op.margin_softmax``."""
    cosines_BL = directions_BD @ F.normalize(centres_LD, dim=1).T
    right_B1 = harder(cosines_BL.gather(1, targets_B[:, None]), margin)
    return F.cross_entropy(scale * cosines_BL.scatter(1, targets_B[:, None], right_B1), targets_B, reduction="none")
