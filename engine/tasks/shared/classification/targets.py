"""Class labels to numbers. Shapes: N items, L labels.

One label: ``targets_N`` int64, the label's index. Several labels: ``targets_NL`` float32 of zeros and ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from automl.contracts.annotation import ClassLabel
from automl.contracts.dataset import ItemRecord
from engine.errors import DataInvalidError
from engine.tasks.shared.classification.options import has_several_labels


def label_names(record: ItemRecord) -> tuple[str, ...]:
    """The labels that an item carries, each once."""
    names = (annotation.label for annotation in record.annotations if isinstance(annotation, ClassLabel))
    return tuple(dict.fromkeys(names))


def targets(records: Sequence[ItemRecord], labels: Sequence[str], options: Mapping[str, str]) -> np.ndarray:
    """What training should answer, one row an item.

    Raises:
        DataInvalidError: an item carries a label that is not in ``labels``, or not exactly one where items have one.
    """
    index = {name: position for position, name in enumerate(labels)}
    carried = [label_names(record) for record in records]
    unknown = [record.item for record, names in zip(records, carried, strict=True) if not index.keys() >= set(names)]
    if unknown:
        raise DataInvalidError(f"{len(unknown)} items carry a label that the label set does not know.", items=tuple(unknown))
    if has_several_labels(options):
        targets_NL = np.zeros((len(records), len(labels)), dtype=np.float32)
        for row, names in enumerate(carried):
            targets_NL[row, [index[name] for name in names]] = 1.0
        return targets_NL
    wrong = [record.item for record, names in zip(records, carried, strict=True) if len(names) != 1]
    if wrong:
        raise DataInvalidError(f"{len(wrong)} items do not carry exactly one label.", items=tuple(wrong))
    return np.array([index[names[0]] for names in carried], dtype=np.int64)
