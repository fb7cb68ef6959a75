"""Annotations to numbers. ``targets_N`` int64: the place of each picture's label in the label set."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from torch import Generator, Tensor

from automl.contracts.dataset import ItemRecord
from engine.data.augment import Augmenter, Policy
from engine.tasks.shared.classification.targets import label_names
from engine.tasks.shared.classification.targets import targets as label_places

__all__ = ["augmenter", "label_names", "targets"]


def targets(records: Sequence[ItemRecord], labels: Sequence[str], options: Mapping[str, str]) -> np.ndarray:
    """What pictures are, ``_N``.

    Raises:
        DataInvalidError: an item carries a label that is not in ``labels``, or not exactly one.
    """
    del options
    return label_places(records, labels, {})


def augmenter(policy: Policy, *, is_mirrored: bool = True) -> Callable[[Tensor, Tensor, Generator], tuple[Tensor, Tensor]]:
    """Varies a batch ``_BHWC`` while training; its targets stay as they are."""
    return Augmenter(policy, is_mirrored=is_mirrored).batch
