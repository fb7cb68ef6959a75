"""Annotations of rows to numbers. Shapes: N rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from automl.contracts.dataset import ItemRecord, VersionManifest
from engine.errors import DataInvalidError
from engine.tasks.shared.classification.targets import label_names
from engine.tasks.shared.classification.targets import targets as label_targets
from engine.tasks.tabular_prediction.options import predicts_number

__all__ = ["label_names", "labels_of", "targets"]


def labels_of(manifest: VersionManifest) -> tuple[str, ...]:
    """The labels that a model of the version tells apart, in the order of its answers; none where it predicts a number."""
    return () if predicts_number(manifest.task_options) else manifest.label_set.names


def targets(records: Sequence[ItemRecord], labels: Sequence[str], options: Mapping[str, str]) -> np.ndarray:
    """What training should answer: indices of labels (int64), or numbers (float64), ``_N``.

    Raises:
        DataInvalidError: a row carries a label that is not in ``labels``, or not exactly one label or number.
    """
    if not predicts_number(options):
        return label_targets(records, labels, {})
    values = [[each.value for each in record.annotations if each.kind == "value"] for record in records]
    wrong = [record.item for record, own in zip(records, values, strict=True) if len(own) != 1]
    if wrong:
        raise DataInvalidError(f"{len(wrong)} items do not carry exactly one number.", items=tuple(wrong))
    return np.array([own[0] for own in values], dtype=np.float64)
