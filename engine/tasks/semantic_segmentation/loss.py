"""The loss of a segmenter's logits, and what is answered of them.

Shapes: B batch, C classes (none of the labels, then each label), h and w cells along an axis, H height, W width, N items, K
numbers of an item's run lengths.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from engine.tasks.semantic_segmentation.loss_terms import OVERLAP_TERMS, PIXEL_TERMS, Batch, dice
from engine.tasks.semantic_segmentation.raster import BACKGROUND, pixels_by_label

MAX_WEIGHT = 10.0
"""Of the rarest class against a usual one."""
DEFAULT = "cross_entropy+dice"
Term = Callable[[Batch], Tensor]


def build(
    model: nn.Module, options: Mapping[str, str], *, smoothing: float, weights_L: Tensor | None, name: str = DEFAULT
) -> Callable[[Any, Tensor], Tensor]:
    """The mean loss of logits against indices of labels ``_BHW``, without the pixels that do not count.

    Logits are those of pixels ``_BCHW``, or of cells ``_BChw`` that are enlarged to pixels by doubling.

    Args:
        model: a segmenter; it has no part in the loss.
        options: of the task; it has none.
        smoothing: share of a pixel's target that is spread over all classes.
        weights_L: of the classes, none of the labels first; None weighs them alike.
        name: terms of ``loss_terms`` that are added up, joined by ``+``.

    Raises:
        ValueError: there is no such term.
    """
    known = {**PIXEL_TERMS, **OVERLAP_TERMS}
    unknown = sorted(set(name.split("+")) - known.keys())
    if unknown:
        raise ValueError(f"there is no loss {unknown[0]!r}; known: {', '.join(known)}")
    return partial(_loss, terms=[known[each] for each in name.split("+")], smoothing=smoothing, weights_C=weights_L)


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


def _loss(
    cells_BChw: Tensor, targets_BHW: Tensor, *, terms: Sequence[Term], smoothing: float, weights_C: Tensor | None
) -> Tensor:
    classes_BHW = targets_BHW.long() - BACKGROUND
    batch = Batch(cells_BChw.float(), classes_BHW, weights_C, smoothing, has_overlap=any(term is dice for term in terms))
    return torch.stack([term(batch) for term in terms]).sum()
