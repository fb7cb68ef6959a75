"""A small dataset version made by code: parts of a workshop, for tests and for a first try without any table at hand.

Same arguments, same bytes. It has columns of all kinds, missing cells, a decimal comma and a column that nobody learns from.
The target is the grade of a part, or what it cost to make.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from automl.contracts.annotation import Annotation, ClassLabel, Value
from automl.contracts.dataset import ItemRecord, Label, LabelSet, MediaFacts, Split, VersionManifest
from automl.contracts.table import Column, ColumnKind, ColumnRole, Row, TableSchema
from engine.data.generated import SPLITS, GeneratedItem, Subject, write_version
from engine.tasks.tabular_prediction.check import MAX_LABELS
from engine.tasks.tabular_prediction.options import CATEGORY, NUMBER, PREDICTS_OPTION
from engine.tasks.tabular_prediction.spec import TASK

LABELS = ("good", "rework", "返修", "scrap")
_SUPPLIERS = ("Graz", "苏州", "Linz", "Porto")
_REMARKS = ("surface is even", "a scratch on the edge", "表面有划痕", "burr at the hole", "尺寸正常")
_FIRST_DAY, _NUM_DAYS = datetime(2024, 1, 1, tzinfo=UTC), 400


def columns_of(predicts: str) -> TableSchema:
    """The schema; the other one of grade and cost, which is known only afterwards, is ignored."""
    is_number = predicts == NUMBER
    role = {True: ColumnRole.TARGET, False: ColumnRole.IGNORED}
    return TableSchema(
        columns=(
            Column(name="serial", kind=ColumnKind.TEXT, role=ColumnRole.IGNORED),
            Column(name="thickness_mm", kind=ColumnKind.NUMBER),
            Column(name="temperature", kind=ColumnKind.NUMBER, decimal=","),
            Column(name="supplier", kind=ColumnKind.CATEGORY),
            Column(name="made_at", kind=ColumnKind.DATETIME),
            Column(name="remark", kind=ColumnKind.TEXT),
            Column(name="grade", kind=ColumnKind.CATEGORY, role=role[not is_number]),
            Column(name="cost", kind=ColumnKind.NUMBER, role=role[is_number]),
        )
    )


def write(
    folder: Path, *, num_items: int = 60, num_labels: int = 4, predicts: str = CATEGORY, seed: int = 0
) -> VersionManifest:
    """Writes a version below ``folder`` and returns its manifest.

    Args:
        folder: becomes the job's ``data/``; made when absent.
        num_items: spread evenly over grades, and three to one to one over train, validation and test.
        num_labels: grades, 2 to 4.
        predicts: value of the task's option: ``category`` or ``number``.
        seed: of the generator.
    """
    names = LABELS[:num_labels]
    generator = np.random.default_rng(seed)
    items = []
    for number in range(num_items):
        cells = _cells(number, number % len(names), names, generator)
        content = Row(cells=cells).canonical().encode()
        facts = MediaFacts(format="row", size_bytes=len(content), num_cells=len(cells))
        annotation: Annotation = Value(value=float(cells["cost"])) if predicts == NUMBER else ClassLabel(label=cells["grade"])
        split = SPLITS[number // len(names) % len(SPLITS)]
        items.append(GeneratedItem(f"parts.csv line {number + 2}", content, facts, split, (annotation,), is_row=True))
    labels = () if predicts == NUMBER else names
    return write_version(folder, items, Subject(TASK, labels, {PREDICTS_OPTION: predicts}, columns_of(predicts)))


def _cells(number: int, grade: int, names: Sequence[str], generator: np.random.Generator) -> dict[str, str]:
    """One part. Thickness and supplier determine most of its grade and cost; one cell in ten is missing."""
    supplier = int(generator.integers(len(_SUPPLIERS))) if generator.random() < 0.5 else grade
    thickness = 4.0 + 0.5 * grade + generator.normal(0, 0.2)
    temperature = 180 + 20 * generator.random()
    cost = 12.0 + 3.0 * thickness + 2.0 * supplier + 0.05 * temperature + generator.normal(0, 0.3)
    moment = _FIRST_DAY + timedelta(minutes=int(generator.integers(_NUM_DAYS * 24 * 60)))
    cells = {
        "thickness_mm": f"{thickness:.3f}",
        "temperature": f"{temperature:.1f}".replace(".", ","),
        "supplier": _SUPPLIERS[supplier],
        "made_at": moment.isoformat(timespec="minutes"),
        "remark": str(generator.choice(_REMARKS)),
    }
    there = {name: cell for name, cell in cells.items() if generator.random() >= 0.1}
    return {"serial": f"P-{number:05d}"} | there | {"grade": names[grade], "cost": f"{cost:.2f}"}


def answers(targets: np.ndarray, labels: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Answers ``_NL`` that are right everywhere, and some that are wrong everywhere; numbers where there are no labels."""
    if not labels:
        return targets[:, None], (2.0 * targets.mean() - targets)[:, None] + 10.0
    right_NL = np.eye(len(labels))[targets]
    return right_NL, (1.0 - right_NL) / (len(labels) - 1)


def faults(records: list[ItemRecord], label_set: LabelSet) -> dict[str, tuple[list[ItemRecord], LabelSet]]:
    """The example with one thing wrong at a time, by the code of the problem that the checker must find.

    Args:
        records: of the example that predicts a category.
        label_set: of the example.
    """
    first, rest = records[0], records[1:]
    label = label_set.names[0]
    carries = [record for record in records if record.annotations == (ClassLabel(label=label),)]
    others = [record for record in records if record not in carries]
    train = [record for record in records if record.split == Split.TRAIN]
    held_back = [record for record in records if record.split != Split.TRAIN]
    own = [record for record in carries if record.split == Split.TRAIN]
    many = [
        first.model_copy(update={"item": f"itm_{number:026x}", "split": Split.TRAIN}) for number in range(len(records) * 20)
    ]
    no_row = first.model_copy(update={"media": MediaFacts(format="txt", size_bytes=2, num_characters=2)})
    crowd = LabelSet(labels=tuple(Label(name=f"class {number}") for number in range(MAX_LABELS + 1)))

    def with_labels(*names: str) -> tuple[list[ItemRecord], LabelSet]:
        annotations = tuple(ClassLabel(label=name) for name in names)
        return [first.model_copy(update={"annotations": annotations}), *rest], label_set

    return {
        "too_few_labels": (carries, LabelSet(labels=label_set.labels[:1])),
        "too_many_labels": (records, crowd),
        "too_few_classes": ([*carries, *held_back], label_set),
        "label_unknown": with_labels("nobody knows"),
        "several_labels": with_labels(*label_set.names),
        "target_missing": with_labels(),
        "label_without_items": (others, label_set),
        "label_with_few_items": ([*others, *own[:1]], label_set),
        "imbalance": ([*records, *many], label_set),
        "too_few_rows": ([*train[:8], *held_back], label_set),
        "few_rows": ([*train[:20], *held_back], label_set),
        "validation_empty": ([record for record in records if record.split != Split.VALIDATION], label_set),
        "test_empty": ([record for record in records if record.split != Split.TEST], label_set),
        "test_few": ([*train, *held_back[:8]], label_set),
        "item_no_row": ([no_row, *rest], label_set),
    }
