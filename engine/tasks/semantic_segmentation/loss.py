"""The loss of a segmenter's logits, and what is answered of them.

Cross-entropy of each pixel, and Dice of each label (Milletari et al. 2016, https://arxiv.org/abs/1606.04797), which counts a
label alike however few pixels it has. Shapes: B batch, C classes (none of the labels, then each label), H height, W width, N
items, K numbers of an item's run lengths.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from torch import Tensor, nn

from engine.tasks.semantic_segmentation.raster import BACKGROUND, pixels_by_label

MAX_WEIGHT = 10.0
"""Of the rarest class against a usual one."""


def build(
    model: nn.Module, options: Mapping[str, str], *, smoothing: float, weights_L: Tensor | None
) -> Callable[[Any, Tensor], Tensor]:
    """The mean loss of logits ``_BCHW`` against indices of labels ``_BHW``.

    Args:
        model: a segmenter; it has no part in the loss.
        options: of the task; it has none.
        smoothing: share of a pixel's target that is spread over all classes.
        weights_L: of the classes, none of the labels first; None weighs them alike.
    """
    return partial(_loss, smoothing=smoothing, weights_C=weights_L)


def answers(model: nn.Module, raw: Any, options: Mapping[str, str]) -> Tensor:
    """Planes ``_B2HW`` of logits ``_BCHW``: the index of the likeliest label (-1: none of them), and how likely it is.

    Args:
        model: a segmenter; it has no part in it.
        raw: what its ``forward`` returned.
        options: of the task; it has none.
    """
    logits_BCHW = raw.float()
    labels_BHW = logits_BCHW.argmax(dim=1).float() + BACKGROUND
    return torch.stack([labels_BHW, logits_BCHW.softmax(dim=1).amax(dim=1)], dim=1)


def label_weights(targets_NK: np.ndarray, num_labels: int) -> np.ndarray:
    """Weights of the classes, ``_C``: by the inverse root of their pixels, 1 where a class has as many as the middle one."""
    counts_C = pixels_by_label(targets_NK, num_labels).sum(axis=0)
    is_there_C = counts_C > 0
    middle = float(np.median(counts_C[is_there_C])) if is_there_C.any() else 1.0
    weights_C = np.sqrt(middle / np.maximum(counts_C, 1))
    return np.where(is_there_C, np.minimum(weights_C, MAX_WEIGHT), 1.0).astype(np.float32)


def _loss(logits_BCHW: Tensor, targets_BHW: Tensor, *, smoothing: float, weights_C: Tensor | None) -> Tensor:
    logits_BCHW, classes_BHW = logits_BCHW.float(), targets_BHW.long() - BACKGROUND
    entropy = F.cross_entropy(logits_BCHW, classes_BHW, weights_C, label_smoothing=smoothing)
    return entropy + _dice_loss(logits_BCHW.softmax(dim=1), classes_BHW)


def _dice_loss(scores_BCHW: Tensor, classes_BHW: Tensor) -> Tensor:
    """One less the mean soft Dice of the labels that the batch shows; 0 where it shows none."""
    is_class_BCHW = F.one_hot(classes_BHW, scores_BCHW.shape[1]).permute(0, 3, 1, 2).to(scores_BCHW.dtype)
    shared_C, predicted_C, there_C = (
        each.sum(dim=(0, 2, 3))[1:] for each in (scores_BCHW * is_class_BCHW, scores_BCHW, is_class_BCHW)
    )
    is_there_C = (there_C > 0).to(scores_BCHW.dtype)
    dice_C = 2 * shared_C / (predicted_C + there_C).clamp(min=1.0)
    return ((1 - dice_C) * is_there_C).sum() / is_there_C.sum().clamp(min=1.0)
