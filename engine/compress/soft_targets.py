"""Targets and loss of distillation: labels where there are some, and a teacher's softened scores everywhere.

Hinton, Vinyals and Dean 2015 (https://arxiv.org/abs/1503.02531): both sides' logits are divided by a temperature; the loss on
the softened scores is multiplied by its square, so that its gradients weigh the same at every temperature. With several labels
an item each label is softened by itself. Nothing here knows what an item is.

The table of targets ``_N(2L+1)`` holds the truth ``_NL`` (zeros where an item has no label), the softened scores ``_NL``, and
in its last column whether the truth is known. Shapes: N items, B batch, L labels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from numpy.typing import NDArray
from torch import Tensor

from engine.tasks.shared.classification.options import has_several_labels

_TINY = 1e-7
"""Scores nearer to 0 or 1 than fp32 tells apart."""


@dataclass(frozen=True)
class Recipe:
    """Temperature of the teacher's scores, and how much these and the labels weigh."""

    temperature: float = 2.0
    """Above 1 the teacher's doubts show; 1 leaves its scores as they are."""
    hard_fraction: float = 0.3
    """Weight of the labels' loss, 0..1, where there are labels; the teacher's scores have the rest."""

    def __post_init__(self) -> None:
        """Checks the ranges.

        Raises:
            ValueError: a value is out of its range.
        """
        if not self.temperature > 0.0:
            raise ValueError(f"the temperature is above 0, not {self.temperature}")
        if not 0.0 <= self.hard_fraction <= 1.0:
            raise ValueError(f"the labels' share is 0 to 1, not {self.hard_fraction}")


def softened(scores_NL: NDArray[np.float32], options: Mapping[str, str], *, temperature: float) -> NDArray[np.float32]:
    """Scores as the model would give them with its logits divided by the temperature.

    Args:
        scores_NL: 0..1, of a softmax (one label) or of sigmoids (several).
        options: the task's.
        temperature: above 0.
    """
    clipped_NL = np.clip(scores_NL.astype(np.float64), _TINY, 1.0 - _TINY)
    if has_several_labels(options):
        logits_NL = np.log(clipped_NL) - np.log1p(-clipped_NL)
        return (1.0 / (1.0 + np.exp(-logits_NL / temperature))).astype(np.float32)
    raised_NL = clipped_NL ** (1.0 / temperature)  # softmax(log(p) / T)
    return (raised_NL / raised_NL.sum(axis=1, keepdims=True)).astype(np.float32)


def distillation_targets(targets: NDArray, soft_NL: NDArray[np.float32]) -> NDArray[np.float32]:
    """The table of targets: labelled items first, then those that only the teacher has scored.

    Args:
        targets: of the labelled items, as in ``engine.tasks.shared.classification.targets``.
        soft_NL: of all items, the labelled ones first.
    """
    num_items, num_labels = soft_NL.shape
    truth_NL = np.zeros((num_items, num_labels), dtype=np.float32)
    truth_NL[: len(targets)] = targets if targets.ndim == 2 else np.eye(num_labels, dtype=np.float32)[targets]
    is_known_N1 = (np.arange(num_items) < len(targets)).astype(np.float32)[:, None]
    return np.concatenate([truth_NL, soft_NL, is_known_N1], axis=1)


def criterion(options: Mapping[str, str], recipe: Recipe) -> Callable[[Tensor, Tensor], Tensor]:
    """Makes the loss of logits ``_BL`` against rows of the table: the mean over the batch.

    A labelled item weighs labels against scores as the recipe says; of an item without labels the scores alone count.

    Args:
        options: the task's.
        recipe: temperature and shares.
    """
    cross_entropy = _of_several if has_several_labels(options) else _of_one

    def loss(logits_BL: Tensor, table: Tensor) -> Tensor:
        logits_BL, num_labels = logits_BL.float(), logits_BL.shape[1]
        truth_BL, soft_BL, is_known_B = table[:, :num_labels], table[:, num_labels:-1], table[:, -1]
        share_B = recipe.hard_fraction * is_known_B
        hard_B = cross_entropy(logits_BL, truth_BL)
        soft_B = cross_entropy(logits_BL / recipe.temperature, soft_BL) * recipe.temperature**2
        return (share_B * hard_B + (1.0 - share_B) * soft_B).mean()

    return loss


def _of_one(logits_BL: Tensor, truth_BL: Tensor) -> Tensor:
    return -(truth_BL * F.log_softmax(logits_BL, dim=1)).sum(dim=1)


def _of_several(logits_BL: Tensor, truth_BL: Tensor) -> Tensor:
    return F.binary_cross_entropy_with_logits(logits_BL, truth_BL, reduction="none").mean(dim=1)
