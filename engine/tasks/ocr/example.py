"""A small dataset version made by code: plates and displays with their lines of text. Same arguments, same bytes."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image

from automl.contracts.annotation import AttributeValue, Polygon
from automl.contracts.dataset import ItemRecord, Label, LabelSet, MediaFacts, Split, VersionManifest
from engine.data.generated import SPLITS, GeneratedItem, Subject, write_version
from engine.tasks.ocr.scenes import SceneLine, scene
from engine.tasks.ocr.spec import TASK
from runtime.answers.quads import CORNERS, MAX_CHARACTERS, TEXT

LABEL = "text"


def write(folder: Path, *, num_items: int = 20, side_px: int = 192, seed: int = 0) -> VersionManifest:
    """Writes a version below ``folder`` and returns its manifest.

    Args:
        folder: becomes the job's ``data/``; made when absent.
        num_items: spread over the splits.
        side_px: the longer side of the pictures.
        seed: of the generator.
    """
    generator = np.random.default_rng(seed)
    items = []
    for number in range(num_items):
        picture, lines = scene(generator, width=side_px, height=side_px // 2)
        content = png(picture)
        facts = MediaFacts(width=picture.width, height=picture.height, format="png", size_bytes=len(content))
        split = SPLITS[number % len(SPLITS)]
        items.append(GeneratedItem(f"plate-{number}.png", content, facts, split, tuple(map(polygon, lines))))
    return write_version(folder, items, Subject(TASK, (LABEL,)))


def polygon(line: SceneLine) -> Polygon:
    """A line as people draw it."""
    return Polygon(label=LABEL, points=line.corners, attributes=(AttributeValue(name=TEXT, value=line.text),))


def png(picture: Image.Image) -> bytes:
    """A picture's file."""
    buffer = io.BytesIO()
    picture.save(buffer, format="PNG")
    return buffer.getvalue()


def answers(targets_NRD: np.ndarray, labels: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """The truth itself, and lines that are elsewhere and have another text."""
    del labels
    wrong = targets_NRD.copy()
    wrong[..., :CORNERS] = np.where(wrong[..., :CORNERS] > 0.5, 0.0, wrong[..., :CORNERS])
    wrong[..., :CORNERS:2] = 0.01 * np.arange(4)
    wrong[..., CORNERS + 1 :] = 0.0
    wrong[..., CORNERS + 1 : CORNERS + 1 + MAX_CHARACTERS // 4] = np.where(targets_NRD[..., CORNERS, None] > 0, ord("?"), 0.0)
    return targets_NRD, wrong


def faults(records: list[ItemRecord], label_set: LabelSet) -> dict[str, tuple[list[ItemRecord], LabelSet]]:
    """The example with one thing wrong at a time, by the code of the problem that the checker must find.

    Args:
        records: of the example.
        label_set: of the example.
    """
    first, rest = records[0], records[1:]
    line = next(each for each in first.annotations if isinstance(each, Polygon))
    two = LabelSet(labels=(*label_set.labels, Label(name="stamp")))

    def with_lines(*lines: Polygon) -> list[ItemRecord]:
        return [first.model_copy(update={"annotations": lines}), *rest]

    long = line.model_copy(update={"attributes": (AttributeValue(name=TEXT, value="1" * (MAX_CHARACTERS + 1)),)})
    silent = [
        record.model_copy(
            update={"annotations": tuple(each.model_copy(update={"attributes": ()}) for each in record.annotations)}
        )
        for record in records
    ]
    return {
        "too_few_labels": (records, LabelSet()),
        "labels_many": (records, two),
        "label_unknown": (with_lines(line.model_copy(update={"label": "nobody knows"})), label_set),
        "text_missing": (with_lines(line.model_copy(update={"attributes": ()})), label_set),
        "text_long": (with_lines(long), label_set),
        "lines_too_many": (with_lines(*[line] * 300), label_set),
        "lines_missing": (silent, label_set),
        "validation_empty": ([record for record in records if record.split != Split.VALIDATION], label_set),
        "test_empty": ([record for record in records if record.split != Split.TEST], label_set),
        "test_few": (records, label_set),
    }
