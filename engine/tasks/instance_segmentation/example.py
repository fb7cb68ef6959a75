"""A small dataset version made by code: coloured shapes with their pixels, for tests and for a first try without pictures.

Shapes: N items, K numbers of an item's truth, C columns of an answer's row, P cells of a mask's side.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from automl.contracts.annotation import Mask, Polygon
from automl.contracts.dataset import ItemRecord, LabelSet, Split, VersionManifest
from engine.data import generated
from engine.tasks.instance_segmentation.check import MAX_OBJECTS
from engine.tasks.instance_segmentation.loss import MASK_SIDE, MAX_INSTANCES, NUM_INSTANCE_COLUMNS
from engine.tasks.instance_segmentation.spec import TASK
from engine.tasks.instance_segmentation.truth import TrueObject, Truth, unpacked
from engine.tasks.shared.shapes_example import (
    LABELS,
    example_items,
    first_shape,
    mask_faults,
    only_labels,
    polygon_faults,
)
from engine.tasks.shared.suppression import NUM_COLUMNS


def write(folder: Path, *, num_items: int = 60, num_labels: int = 3, side_px: int = 64, seed: int = 0) -> VersionManifest:
    """Writes a version below ``folder`` and returns its manifest.

    Args:
        folder: becomes the job's ``data/``; made when absent.
        num_items: three to one to one over train, validation and test.
        num_labels: 1 to 3.
        side_px: shorter side of the pictures.
        seed: of the generator.
    """
    names = LABELS[:num_labels]
    items = example_items(num_items, names, side_px=side_px, seed=seed)
    return generated.write_version(folder, items, generated.Subject(TASK, names))


def answers(targets: np.ndarray, labels: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Objects that are right everywhere, and some that are wrong everywhere, ``_NDC`` each.

    Args:
        targets: ``_NK``, as in ``data.targets``.
        labels: of the version.
    """
    right_NDC = np.zeros((len(targets), MAX_INSTANCES, NUM_INSTANCE_COLUMNS), dtype=np.float32)
    right_NDC[..., NUM_COLUMNS - 1] = -1
    for rows_DC, runs_K in zip(right_NDC, targets, strict=True):
        truth = unpacked(runs_K)
        for row_C, one in zip(rows_DC, truth.objects, strict=False):
            row_C[:] = _row(one, truth)
    wrong_NDC = right_NDC.copy()
    wrong_NDC[right_NDC[..., NUM_COLUMNS - 1] >= 0, :4] = (0.0, 0.0, 0.01, 0.01)
    return right_NDC, wrong_NDC


def faults(records: list[ItemRecord], label_set: LabelSet) -> dict[str, tuple[list[ItemRecord], LabelSet]]:
    """The example with one thing wrong at a time, by the code of the problem that the checker must find."""
    label, mask = label_set.names[0], first_shape(records, Mask)
    without = [only_labels(record, set(label_set.names) - {label}) for record in records]
    of_label = [at for at, record in enumerate(records) if without[at] != record]
    kept_at = next(at for at in of_label if records[at].split == Split.TRAIN)
    one_left = [*without[:kept_at], records[kept_at], *without[kept_at + 1 :]]
    nothing = [record.model_copy(update={"annotations": ()}) for record in records]
    crowd = mask.record.model_copy(update={"annotations": (mask.shape,) * (MAX_OBJECTS + 1)})
    many = [crowd.model_copy(update={"item": f"itm_{number:026x}"}) for number in range(len(records))]
    of_shapes = {**mask_faults(records, mask), **polygon_faults(records, first_shape(records, Polygon))}
    return {
        **{code: (with_fault, label_set) for code, with_fault in of_shapes.items()},
        "objects_too_many": ([crowd, *records], label_set),
        "label_without_objects": (without, label_set),
        "label_with_few_objects": (one_left, label_set),
        "shapes_missing": (nothing, label_set),
        "too_few_labels": (nothing, LabelSet(labels=())),
        "imbalance": ([*records, *many], label_set),
        "validation_empty": ([record for record in records if record.split != Split.VALIDATION], label_set),
        "test_empty": ([record for record in records if record.split != Split.TEST], label_set),
        "test_few": (records, label_set),
    }


def _row(one: TrueObject, truth: Truth) -> NDArray[np.float32]:
    """The answer that fits an object as well as a mask of so few cells can."""
    high, wide = one.is_inside_HW.shape
    size = np.array([truth.width, truth.height, truth.width, truth.height])
    mask_PP = cv2.resize(one.is_inside_HW.astype(np.float32), (MASK_SIDE, MASK_SIDE), interpolation=cv2.INTER_AREA)
    box = np.array([one.left, one.top, wide, high]) / size
    row_C: NDArray[np.float32] = np.concatenate([box, [0.9, one.label], mask_PP.reshape(-1)]).astype(np.float32)
    return row_C
