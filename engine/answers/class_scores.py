"""Scores of labels that exclude each other: the softmax of logits. Shapes: N items, B batch, L labels."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from engine.answers._scores import TINY, Scores


class Softmax:
    """See ``Averaging``."""

    def tempered(self, scores_NL: NDArray[np.float32], divisor: float) -> NDArray[np.float32]:
        """See ``Averaging``."""
        logits_NL = np.log(np.clip(scores_NL.astype(np.float64), TINY, 1.0 - TINY)) / divisor
        powers_NL = np.exp(logits_NL - logits_NL.max(axis=1, keepdims=True))
        return (powers_NL / powers_NL.sum(axis=1, keepdims=True)).astype(np.float32)

    def tempered_tensor(self, scores_BL: Tensor, divisor: float) -> Tensor:
        """See ``Averaging``."""
        return torch.softmax(scores_BL.clamp(TINY, 1.0 - TINY).log() / divisor, dim=-1)


KIND = Scores(Softmax())
