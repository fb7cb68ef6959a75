"""Fits a linear head on features by L-BFGS and chooses its L2 strength on validation.

The problem is convex and small: it is solved, not trained. Strengths go from strong to weak and each solution starts from the
last, so that the whole path costs little more than its end. Of few items the spread of a feature is not known well, and a
feature that happens to be nearly the same in all of them would be blown up: spreads are shrunk towards the common one.

Shapes: N items, M items of validation, D features, L labels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

L2_STRENGTHS = (10.0, 3.0, 1.0, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001)
"""Weight of half the squared weights beside the mean loss, on standardised features."""
MAX_ITERATIONS = 60
_MIN_SPREAD = 1e-6
_ASSUMED_ITEMS = 10
"""How many items the spread that all features have in common counts for."""


@dataclass(frozen=True)
class LinearHead:
    """One solution, for features as they come."""

    weight_LD: Tensor
    bias_L: Tensor
    l2: float

    def logits(self, features_ND: Tensor) -> Tensor:
        """Applies the head."""
        return features_ND @ self.weight_LD.T + self.bias_L


def solutions(
    features_ND: Tensor, targets: Tensor, num_labels: int, loss: Callable[[Tensor, Tensor], Tensor]
) -> Iterator[LinearHead]:
    """Yields the solution of each strength, strongest first.

    Args:
        features_ND: of the training items, float32.
        targets: as the loss takes them.
        num_labels: L.
        loss: mean loss of logits ``_NL`` against the targets.
    """
    mean_D, spread_D = features_ND.mean(dim=0), _spreads(features_ND)
    standard_ND = (features_ND - mean_D) / spread_D
    weight_LD = torch.zeros((num_labels, features_ND.shape[1]), requires_grad=True)
    bias_L = torch.zeros(num_labels, requires_grad=True)
    for l2 in L2_STRENGTHS:
        solve(weight_LD, bias_L, lambda: loss(standard_ND @ weight_LD.T + bias_L, targets), l2=l2)
        folded_LD = weight_LD.detach() / spread_D
        yield LinearHead(weight_LD=folded_LD, bias_L=bias_L.detach() - folded_LD @ mean_D, l2=l2)


def _spreads(features_ND: Tensor) -> Tensor:
    num_items, variance_D = len(features_ND), features_ND.var(dim=0, correction=0)
    shrunk_D = (num_items * variance_D + _ASSUMED_ITEMS * variance_D.mean()) / (num_items + _ASSUMED_ITEMS)
    return shrunk_D.sqrt().clamp(min=_MIN_SPREAD)


def solve(weight_LD: Tensor, bias_L: Tensor, data_loss: Callable[[], Tensor], *, l2: float) -> None:
    """Brings weights and bias from where they are to the least of the loss and half ``l2`` times the squared weights."""
    optimizer = torch.optim.LBFGS([weight_LD, bias_L], max_iter=MAX_ITERATIONS, line_search_fn="strong_wolfe")

    def closure() -> Tensor:
        optimizer.zero_grad()
        value = data_loss() + 0.5 * l2 * weight_LD.square().sum()
        value.backward()
        return value

    optimizer.step(closure)
