"""Annotations to numbers. ``targets_N`` int64: the place of each picture's label in the label set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from automl.contracts.dataset import ItemRecord
from engine.tasks.image_classification.data import augmenter, labelled_crops
from engine.tasks.shared.classification.targets import label_names
from engine.tasks.shared.classification.targets import targets as label_places

__all__ = ["augmenter", "label_names", "labelled_crops", "targets"]


def targets(records: Sequence[ItemRecord], labels: Sequence[str], options: Mapping[str, str]) -> np.ndarray:
    """What pictures show, ``_N``.

    Raises:
        DataInvalidError: an item carries a label that is not in ``labels``, or not exactly one.
    """
    del options
    return label_places(records, labels, {})
