"""Scores of labels that stand by themselves: the sigmoid of each logit. Shapes: N items, B batch, L labels."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from engine.answers._scores import TINY, Scores


class Sigmoid:
    """See ``Averaging``."""

    def tempered(self, scores_NL: NDArray[np.float32], divisor: float) -> NDArray[np.float32]:
        """See ``Averaging``."""
        clipped_NL = np.clip(scores_NL.astype(np.float64), TINY, 1.0 - TINY)
        return (1.0 / (1.0 + ((1.0 - clipped_NL) / clipped_NL) ** (1.0 / divisor))).astype(np.float32)

    def tempered_tensor(self, scores_BL: Tensor, divisor: float) -> Tensor:
        """See ``Averaging``."""
        clipped_BL = scores_BL.clamp(TINY, 1.0 - TINY)
        return torch.sigmoid((clipped_BL.log() - (1.0 - clipped_BL).log()) / divisor)


KIND = Scores(Sigmoid())
