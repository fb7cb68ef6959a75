"""Fits a linear head on sparse counts by L-BFGS; its strength is chosen on validation.

The strength is given as in logistic regression libraries: ``C`` weighs the sum of the losses against half the squared weights.
Features are not standardised: their scale, by rarity, is the point. Shapes: N items, F slots, L labels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from engine.models.linear_probe.fit import LinearHead, solve

C_STRENGTHS = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0)
L2_STRENGTHS = C_STRENGTHS
"""As many solutions are yielded."""


def solutions(
    features_NF: Tensor, targets: Tensor, num_labels: int, loss: Callable[[Tensor, Tensor], Tensor]
) -> Iterator[LinearHead]:
    """Yields the solution of each strength, the most restrained first.

    Args:
        features_NF: of the training items, sparse.
        targets: as the loss takes them.
        num_labels: L.
        loss: mean loss of logits ``_NL`` against the targets.
    """
    num_items, num_slots = features_NF.shape
    weight_LF = torch.zeros((num_labels, num_slots), requires_grad=True)
    bias_L = torch.zeros(num_labels, requires_grad=True)
    for strength in C_STRENGTHS:
        l2 = 1.0 / (strength * num_items)
        solve(weight_LF, bias_L, lambda: loss(features_NF @ weight_LF.T + bias_L, targets), l2=l2)
        yield LinearHead(weight_LD=weight_LF.detach().clone(), bias_L=bias_L.detach().clone(), l2=l2)
