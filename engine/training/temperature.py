"""Calibrates scores by one number that logits are divided by (Guo et al. 2017, https://arxiv.org/abs/1706.04599).

It is found on answers to items that the model did not learn from, and folded into the linear head, so that the graph costs
nothing more. Scores are enough to find and to apply it: logits are known from them but for a number that changes nothing.
Shapes: N items, L labels.
"""

from __future__ import annotations

import math

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from engine.answers import Averaging
from engine.tasks.shared.classification.metrics import Answers

LEAST_ITEMS = 20
"""Items below which no temperature is fitted."""
_SPREAD = 0.5
"""Of the logarithm, as expected beforehand: a few items do not make a model very sure or very unsure."""
_LOG_REACH, _STEPS = 2.0, 60
_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0


def best_temperature(scores_NL: NDArray[np.float32], targets: NDArray[np.generic], averaging: Averaging) -> float:
    """The divisor of the logits with the least log loss, drawn a little towards 1; 1 of fewer than 20 items.

    Args:
        scores_NL: 0..1, of items that the model did not learn from.
        targets: ``_N`` indices (one label) or ``_NL`` zeros and ones (several).
        averaging: of the kind of answers.
    """
    if len(scores_NL) < LEAST_ITEMS:
        return 1.0

    def cost(log_temperature: float) -> float:
        answers = Answers.of(averaging.tempered(scores_NL, math.exp(log_temperature)), targets)
        return float(answers.item_losses().mean()) + 0.5 * (log_temperature / _SPREAD) ** 2 / len(scores_NL)

    low, high = -_LOG_REACH, _LOG_REACH
    for _ in range(_STEPS):
        left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
        if cost(left) < cost(right):
            high = right
        else:
            low = left
        if high - low < 1e-3:
            break
    return math.exp((low + high) / 2.0)


def fold_in(head: nn.Linear, temperature: float) -> None:
    """Divides the weights of the head by the temperature, so that its logits are divided by it."""
    with torch.no_grad():
        head.weight.div_(temperature)
        head.bias.div_(temperature)
