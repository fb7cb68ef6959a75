"""A small dataset version made by code: coloured shapes with their pixels, for tests and for a first try without pictures.

Same arguments, same bytes. Every eighth picture shows nothing: negatives are legal. Squares are polygons, the rest are masks.
Shapes: N items, K numbers of an item's run lengths, H height, W width, C colours.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from automl.contracts.annotation import Mask, Polygon
from automl.contracts.dataset import ItemRecord, LabelSet, Split, VersionManifest
from engine.data import generated
from engine.tasks.semantic_segmentation.raster import BACKGROUND, map_of
from engine.tasks.semantic_segmentation.spec import TASK
from engine.tasks.shared.shapes_example import (
    LABELS,
    example_items,
    first_shape,
    mask_faults,
    only_labels,
    polygon_faults,
)


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
    """Planes ``_N2HW`` that are right everywhere, and some that are wrong everywhere.

    Args:
        targets: ``_NK``, as in ``data.targets``; all pictures have one size.
        labels: of the version.
    """
    truth_NHW = np.stack([map_of(runs_K) for runs_K in targets])
    absent_N = [min({BACKGROUND, *range(len(labels))} - set(np.unique(labels_HW)), default=0) for labels_HW in truth_NHW]
    wrong_NHW = np.broadcast_to(np.array(absent_N, dtype=np.int16)[:, None, None], truth_NHW.shape)
    return _planes(truth_NHW), _planes(wrong_NHW)


def faults(records: list[ItemRecord], label_set: LabelSet) -> dict[str, tuple[list[ItemRecord], LabelSet]]:
    """The example with one thing wrong at a time, by the code of the problem that the checker must find."""
    label, mask = label_set.names[0], first_shape(records, Mask)
    without = [only_labels(record, set(label_set.names) - {label}) for record in records]
    of_label = [at for at, record in enumerate(records) if without[at] != record]
    kept_at = next(at for at in of_label if records[at].split == Split.TRAIN)
    nothing = [record.model_copy(update={"annotations": ()}) for record in records]
    many = [
        mask.record.model_copy(update={"item": f"itm_{number:026x}", "annotations": (mask.shape,)})
        for number in range(100 * len(records))
    ]
    of_shapes = {**mask_faults(records, mask), **polygon_faults(records, first_shape(records, Polygon))}
    return {
        **{code: (with_fault, label_set) for code, with_fault in of_shapes.items()},
        "label_without_pictures": (without, label_set),
        "label_with_few_pictures": (
            [records[at] if at == kept_at else each for at, each in enumerate(without)],
            label_set,
        ),
        "shapes_missing": (nothing, label_set),
        "too_few_labels": (nothing, LabelSet(labels=())),
        "imbalance": ([*records, *many], label_set),
        "validation_empty": ([record for record in records if record.split != Split.VALIDATION], label_set),
        "test_empty": ([record for record in records if record.split != Split.TEST], label_set),
        "test_few": (records, label_set),
    }


def _planes(labels_NHW: NDArray[np.int16]) -> NDArray[np.float32]:
    return np.stack([labels_NHW, np.full_like(labels_NHW, 1)], axis=1).astype(np.float32)
