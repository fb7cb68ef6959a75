"""A small dataset version made by code: parts of one material, some with a planted defect, for tests and a first try.

Same arguments, same bytes.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image

from automl.contracts.annotation import ClassLabel
from automl.contracts.dataset import ItemRecord, LabelSet, MediaFacts, Split, VersionManifest
from engine.data.generated import SPLITS, GeneratedItem, Subject, write_version
from engine.tasks.anomaly_detection.options import DEFECTS_OPTION, FALSE_ALARMS_OPTION, SOME
from engine.tasks.anomaly_detection.parts import DEFECTS, part
from engine.tasks.anomaly_detection.spec import TASK

NORMAL, DEFECT = "normal", "defect"
LABELS = (NORMAL, DEFECT)
DEFECT_EVERY = 4
"""Of the parts that are held back, so many are there for one defect; training has none."""


def write(
    folder: Path,
    *,
    num_items: int = 60,
    material: str = "metal",
    defects: str = SOME,
    false_alarms: str = "0.1",
    side_px: int = 96,
    seed: int = 0,
) -> VersionManifest:
    """Writes a version below ``folder`` and returns its manifest.

    Args:
        folder: becomes the job's ``data/``; made when absent.
        num_items: spread three to one to one over train, validation and test.
        material: a key of ``parts.MATERIALS``.
        defects: value of the task's option: ``some`` or ``none``.
        false_alarms: value of the task's option.
        side_px: of the pictures.
        seed: of the generator.
    """
    generator = np.random.default_rng(seed)
    items, num_held_back = [], 0
    for number in range(num_items):
        split = SPLITS[number % len(SPLITS)]
        num_held_back += split is not Split.TRAIN
        is_defect = defects == SOME and split is not Split.TRAIN and (num_held_back + 1) // 2 % DEFECT_EVERY == 0
        kind = DEFECTS[number // len(SPLITS) % len(DEFECTS)] if is_defect else None
        content = png(part(material, generator, side_px=side_px, defect=kind).picture_HWC)
        facts = MediaFacts(width=side_px, height=side_px, format="png", size_bytes=len(content))
        label = ClassLabel(label=DEFECT if is_defect else NORMAL)
        items.append(GeneratedItem(f"{kind or NORMAL}-{number:03d}.png", content, facts, split, (label,)))
    return write_version(folder, items, Subject(TASK, LABELS, {FALSE_ALARMS_OPTION: false_alarms, DEFECTS_OPTION: defects}))


def png(picture_HWC: np.ndarray) -> bytes:
    """A picture's file."""
    buffer = io.BytesIO()
    Image.fromarray(picture_HWC).save(buffer, format="PNG")
    return buffer.getvalue()


def answers(targets: np.ndarray, labels: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Maps ``_NHW`` that are right everywhere, and some that are wrong everywhere."""
    right_N = (targets != labels.index(NORMAL)).astype(np.float32)
    right_NHW = right_N[:, None, None] * np.array([[0.2, 1.0], [0.0, 0.5]], dtype=np.float32)
    return right_NHW, (1 - right_N)[:, None, None] * np.ones((1, 2, 2), dtype=np.float32)


def faults(records: list[ItemRecord], label_set: LabelSet) -> dict[str, tuple[list[ItemRecord], LabelSet]]:
    """The example with one thing wrong at a time, by the code of the problem that the checker must find.

    Args:
        records: of the example with defects.
        label_set: of the example.
    """
    normal, defect = (ClassLabel(label=label) for label in LABELS)
    first, rest = records[0], records[1:]
    defects = [record for record in records if record.annotations == (defect,)]
    normals = [record for record in records if record.annotations == (normal,)]
    train = [record for record in normals if record.split == Split.TRAIN]
    validation = next(record for record in normals if record.split == Split.VALIDATION)
    held_back = [record for record in records if record.split != Split.TRAIN]
    renamed = LabelSet(labels=tuple(label.model_copy(update={"name": f"part {label.name}"}) for label in label_set.labels))
    more = LabelSet(labels=(*label_set.labels, label_set.labels[0].model_copy(update={"name": "scratch"})))
    return {
        "too_few_labels": (normals, LabelSet(labels=label_set.labels[:1])),
        "too_many_labels": (records, more),
        "normal_label_unknown": (records, renamed),
        "label_unknown": ([first.model_copy(update={"annotations": (ClassLabel(label="nobody knows"),)}), *rest], label_set),
        "several_labels": ([first.model_copy(update={"annotations": (normal, defect)}), *rest], label_set),
        "label_missing": ([first.model_copy(update={"annotations": ()}), *rest], label_set),
        "all_defects": (defects, label_set),
        "normal_few": ([*held_back, *train[:3]], label_set),
        "normal_validation_missing": (
            [each for each in records if each.split != Split.VALIDATION or each in defects],
            label_set,
        ),
        "normal_validation_few": ([each for each in records if each != validation], label_set),
        "defects_missing": (normals, label_set),
        "test_empty": ([record for record in records if record.split != Split.TEST], label_set),
        "test_few": (records, label_set),
    }
