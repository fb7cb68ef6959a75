"""The training loss. Shapes: B batch, L labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from torch import Tensor, nn

from engine.tasks.shared.classification.options import has_several_labels

MAX_WEIGHT = 20.0
"""Largest weight of a label, however rare it is."""
FOCUS = 2.0
"""Gamma of the focal loss, as its authors recommend."""
LOSSES = ("cross_entropy", "focal")


def label_weights(targets: np.ndarray, num_labels: int) -> np.ndarray:
    """Weights that let rare labels count as much as frequent ones: mean 1 over items, at most ``MAX_WEIGHT``.

    Args:
        targets: of the training items, as in ``data.targets``.
        num_labels: L.
    """
    counts_L = np.bincount(targets, minlength=num_labels) if targets.ndim == 1 else targets.sum(axis=0)
    present = max(int((counts_L > 0).sum()), 1)
    weights_L = counts_L.sum() / (present * np.maximum(counts_L, 1))
    return np.clip(weights_L, 0.0, MAX_WEIGHT).astype(np.float32)


def draw_weights(targets: np.ndarray, num_labels: int) -> np.ndarray:
    """How often each item is drawn, so that rare labels are seen as often as frequent ones: ``label_weights`` of its label.

    Args:
        targets: of the training items, as in ``data.targets``. Of several labels of an item the rarest counts.
        num_labels: L.
    """
    weights_L = label_weights(targets, num_labels).astype(np.float64)
    if targets.ndim == 1:
        return weights_L[targets]
    return np.where(targets.any(axis=1), (targets * weights_L).max(axis=1), 1.0)


def build(
    model: nn.Module,
    options: Mapping[str, str],
    *,
    smoothing: float,
    weights_L: Tensor | None,
    name: str = "cross_entropy",
) -> Callable[[Tensor, Tensor], Tensor]:
    """Makes the loss: mean over the batch of cross entropy (one label) or of binary cross entropies (several).

    Args:
        model: that is trained.
        options: of the task; they decide whether targets are ``_B`` indices or ``_BL`` zeros and ones. Shares ``_BL`` of labels
            count as such in both.
        smoothing: share of the target that is spread over the other answers, 0..1.
        weights_L: weight of each label, or None for equal ones.
        name: ``cross_entropy``, or ``focal``, which counts less what is answered rightly (Lin et al. 2017,
            https://arxiv.org/abs/1708.02002).

    Raises:
        ValueError: there is no such loss.
    """
    if name not in LOSSES:
        raise ValueError(f"there is no loss {name!r}; known: {', '.join(LOSSES)}")
    if has_several_labels(options):
        return partial(_several, smoothing=smoothing, weights_L=weights_L, is_focal=name == "focal")
    if name == "focal":
        return partial(_focal, smoothing=smoothing, weights_L=weights_L)
    return lambda logits_BL, targets: F.cross_entropy(logits_BL.float(), targets, weight=weights_L, label_smoothing=smoothing)


def _several(logits_BL: Tensor, targets_BL: Tensor, *, smoothing: float, weights_L: Tensor | None, is_focal: bool) -> Tensor:
    logits_BL = logits_BL.float()
    soft_BL = targets_BL * (1.0 - smoothing) + 0.5 * smoothing
    if not is_focal:
        return F.binary_cross_entropy_with_logits(logits_BL, soft_BL, pos_weight=weights_L)
    losses_BL = F.binary_cross_entropy_with_logits(logits_BL, soft_BL, pos_weight=weights_L, reduction="none")
    return (losses_BL * (torch.sigmoid(logits_BL) - targets_BL).abs() ** FOCUS).mean()


def _focal(logits_BL: Tensor, targets: Tensor, *, smoothing: float, weights_L: Tensor | None) -> Tensor:
    logits_BL = logits_BL.float()
    num_labels = logits_BL.shape[1]
    shares_BL = F.one_hot(targets, num_labels).float() if targets.ndim == 1 else targets
    weighed_BL = shares_BL * (1.0 - smoothing) + smoothing / num_labels
    if weights_L is not None:
        weighed_BL = weighed_BL * weights_L
    logs_BL = F.log_softmax(logits_BL, dim=1)
    return -(weighed_BL * (1.0 - logs_BL.exp()) ** FOCUS * logs_BL).sum() / weighed_BL.sum()


def answers(model: nn.Module, logits_BL: Tensor, options: Mapping[str, str]) -> Tensor:
    """The graph's answers from the model's logits: scores ``_BL``."""
    return scores(logits_BL, options)


def scores(logits_BL: Tensor, options: Mapping[str, str]) -> Tensor:
    """Logits to scores 0..1, which add up to one if an item has one label."""
    return torch.sigmoid(logits_BL.float()) if has_several_labels(options) else torch.softmax(logits_BL.float(), dim=-1)
