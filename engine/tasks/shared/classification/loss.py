"""The training loss. Shapes: B batch, L labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from torch import Tensor, nn

from engine.tasks.shared.classification.options import has_several_labels

MAX_WEIGHT = 20.0
"""Largest weight of a label, however rare it is."""


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


def build(
    model: nn.Module,
    options: Mapping[str, str],
    *,
    smoothing: float,
    weights_L: Tensor | None,
) -> Callable[[Tensor, Tensor], Tensor]:
    """Makes the loss: mean over the batch of cross entropy (one label) or of binary cross entropies (several).

    Args:
        model: that is trained.
        options: of the task; they decide whether targets are ``_B`` indices or ``_BL`` zeros and ones.
        smoothing: share of the target that is spread over the other answers, 0..1.
        weights_L: weight of each label, or None for equal ones.
    """
    if not has_several_labels(options):
        return lambda logits_BL, targets_B: F.cross_entropy(
            logits_BL.float(), targets_B, weight=weights_L, label_smoothing=smoothing
        )

    def several(logits_BL: Tensor, targets_BL: Tensor) -> Tensor:
        soft_BL = targets_BL * (1.0 - smoothing) + 0.5 * smoothing
        return F.binary_cross_entropy_with_logits(logits_BL.float(), soft_BL, pos_weight=weights_L)

    return several


def answers(model: nn.Module, logits_BL: Tensor, options: Mapping[str, str]) -> Tensor:
    """The graph's answers from the model's logits: scores ``_BL``."""
    return scores(logits_BL, options)


def scores(logits_BL: Tensor, options: Mapping[str, str]) -> Tensor:
    """Logits to scores 0..1, which add up to one if an item has one label."""
    return torch.sigmoid(logits_BL.float()) if has_several_labels(options) else torch.softmax(logits_BL.float(), dim=-1)
