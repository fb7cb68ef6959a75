"""Fits a linear head on sparse counts by L-BFGS; its strength is chosen on validation.

The strength is given as in logistic regression libraries: ``C`` weighs the sum of the losses against half the squared weights.
Features are not standardised: their scale, by rarity, is the point. Shapes: N items, F slots, L labels.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from engine.models.linear_probe.fit import LinearHead, solve

C_STRENGTHS = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0)
L2_STRENGTHS = C_STRENGTHS
"""As many solutions are yielded."""
MOST_SPANNED = 1000
"""Items up to which their span is sought: its axes cost the cube of their number, once."""
_LEAST_SPREAD = 1e-9
"""Of an axis beside the widest; below it there is noise."""
_Path = Iterator[tuple[Tensor, Tensor, float]]
"""Weights, bias and penalty by strength."""


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
    found = (_of_few if num_items <= MOST_SPANNED and num_items < num_slots else _of_many)(
        features_NF, targets, num_labels, loss
    )
    for weight_LF, bias_L, l2 in found:
        yield LinearHead(weight_LD=weight_LF, bias_L=bias_L, l2=l2)


def _of_many(features_NF: Tensor, targets: Tensor, num_labels: int, loss: Callable[[Tensor, Tensor], Tensor]) -> _Path:
    num_items, num_slots = features_NF.shape
    weight_LF = torch.zeros((num_labels, num_slots), requires_grad=True)
    bias_L = torch.zeros(num_labels, requires_grad=True)
    for strength in C_STRENGTHS:
        l2 = 1.0 / (strength * num_items)
        solve(weight_LF, bias_L, lambda: loss(features_NF @ weight_LF.T + bias_L, targets), l2=l2)
        yield weight_LF.detach().clone(), bias_L.detach().clone(), l2


def _of_few(features_NF: Tensor, targets: Tensor, num_labels: int, loss: Callable[[Tensor, Tensor], Tensor]) -> _Path:
    """The same solutions, sought in the space that the items span (Kimeldorf and Wahba, 1971: there they lie): R, not F axes.

    Along orthonormal axes lengths stay, so that the penalty is that of the weights.
    """
    exact_NF = features_NF.to(torch.float64)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch calls its own sparse product young
        likeness_NN = (exact_NF @ exact_NF.T).to_dense()
    values_N, vectors_NN = torch.linalg.eigh(likeness_NN)
    is_spanned_N = values_N > _LEAST_SPREAD * values_N[-1].clamp(min=_LEAST_SPREAD)
    spread_R, vectors_NR = values_N[is_spanned_N].sqrt(), vectors_NN[:, is_spanned_N]
    items_NR = (vectors_NR * spread_R).to(features_NF.dtype)
    weight_LR = torch.zeros((num_labels, len(spread_R)), requires_grad=True)
    bias_L = torch.zeros(num_labels, requires_grad=True)
    for strength in C_STRENGTHS:
        l2 = 1.0 / (strength * len(items_NR))
        solve(weight_LR, bias_L, lambda: loss(items_NR @ weight_LR.T + bias_L, targets), l2=l2)
        weight_FL = exact_NF.T @ ((vectors_NR / spread_R) @ weight_LR.detach().T.to(torch.float64))
        yield weight_FL.T.to(features_NF.dtype).contiguous(), bias_L.detach().clone(), l2
