"""A small dataset version made by code: coloured shapes with their boxes, for tests and for a first try without pictures.

Same arguments, same bytes. Every eighth picture shows nothing: negatives are legal. Also writes versions that other
generators drew (``scenes``). Shapes: N items, M boxes, D detections, H height, W width, C colours.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from automl.contracts.annotation import Box
from automl.contracts.dataset import ItemRecord, LabelSet, MediaFacts, Split, VersionManifest
from engine.data import generated
from engine.data.image import Pixels
from engine.tasks.object_detection.spec import TASK

LABELS = ("circle", "square", "triangle")
_NEGATIVE_EVERY = 8
_NUM_DETECTIONS = 100


@dataclass(frozen=True)
class GeneratedPicture:
    """A picture whose boxes are known."""

    picture_HWC: Pixels
    boxes: tuple[Box, ...]


def write(folder: Path, *, num_items: int = 60, num_labels: int = 3, side_px: int = 64, seed: int = 0) -> VersionManifest:
    """Writes a version below ``folder`` and returns its manifest.

    Args:
        folder: becomes the job's ``data/``; made when absent.
        num_items: three to one to one over train, validation and test.
        num_labels: 1 to 3.
        side_px: shorter side of the pictures.
        seed: of the generator.
    """
    generator = np.random.default_rng(seed)
    names = LABELS[:num_labels]
    drawn = []
    for number in range(num_items):
        split = generated.SPLITS[number % len(generated.SPLITS)]
        drawn.append((split, _shapes(number, names, side_px, generator)))
    return write_version(folder, drawn, names)


def write_version(
    folder: Path, drawn: Sequence[tuple[Split, GeneratedPicture]], labels: Sequence[str], *, file_format: str = "PNG"
) -> VersionManifest:
    """Writes pictures with their boxes as a version and returns its manifest.

    Args:
        folder: becomes the job's ``data/``; made when absent.
        drawn: the items in order, each with its split.
        labels: the label set.
        file_format: of the pictures: ``PNG`` or ``JPEG``.
    """
    items = [_item(number, split, one, file_format) for number, (split, one) in enumerate(drawn)]
    return generated.write_version(folder, items, generated.Subject(TASK, labels))


def answers(targets: np.ndarray, labels: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Detections ``_ND6`` that are right everywhere, and some that are wrong everywhere.

    Args:
        targets: ``_NM5``, as in ``data.targets``.
        labels: of the version.
    """
    right_ND6 = np.zeros((len(targets), _NUM_DETECTIONS, 6), dtype=np.float32)
    right_ND6[..., 5] = -1
    num_boxes = targets.shape[1]
    is_box_NM = targets[..., 4] >= 0
    rows_NM6 = np.concatenate(
        [targets[..., :2], targets[..., 2:4] - targets[..., :2], is_box_NM[..., None] * 0.9, targets[..., 4:]], axis=-1
    )
    right_ND6[:, :num_boxes] = np.where(is_box_NM[..., None], rows_NM6, right_ND6[:, :num_boxes])
    wrong_ND6 = right_ND6.copy()
    is_found_ND = wrong_ND6[..., 4] > 0
    wrong_ND6[..., :4] = np.where(is_found_ND[..., None], [0.0, 0.0, 0.01, 0.01], 0.0)
    return right_ND6, wrong_ND6


def faults(records: list[ItemRecord], label_set: LabelSet) -> dict[str, tuple[list[ItemRecord], LabelSet]]:
    """The example with one thing wrong at a time, by the code of the problem that the checker must find."""
    at = next(position for position, record in enumerate(records) if record.annotations and record.split == Split.TRAIN)
    first, rest = records[at], [*records[:at], *records[at + 1 :]]
    box, label = first.annotations[0], label_set.names[0]
    assert isinstance(box, Box)

    def with_boxes(*boxes: Box) -> list[ItemRecord]:
        return [first.model_copy(update={"annotations": boxes}), *rest]

    without = [_only(record, set(label_set.names) - {label}) for record in records]
    of_label = [position for position, record in enumerate(records) if without[position] != record]
    train_position = next(position for position in of_label if records[position].split == Split.TRAIN)
    one_left = [record if position == train_position else without[position] for position, record in enumerate(records)]
    many = [
        first.model_copy(update={"item": f"itm_{number:026x}", "annotations": (box.model_copy(update={"label": label}),) * 40})
        for number in range(len(records))
    ]
    return {
        "label_unknown": (with_boxes(box.model_copy(update={"label": "nobody knows"})), label_set),
        "box_outside": (with_boxes(box.model_copy(update={"x": first.media.width + 5.0})), label_set),
        "box_over_edge": (with_boxes(box.model_copy(update={"x": -9.0, "width": box.width + 9.0})), label_set),
        "box_tiny": (with_boxes(box.model_copy(update={"width": 0.5, "height": 0.5})), label_set),
        "box_twice": (with_boxes(box, box), label_set),
        "label_without_boxes": (without, label_set),
        "label_with_few_boxes": (one_left, label_set),
        "boxes_missing": ([record.model_copy(update={"annotations": ()}) for record in records], label_set),
        "too_few_labels": ([record.model_copy(update={"annotations": ()}) for record in records], LabelSet(labels=())),
        "imbalance": ([*records, *many], label_set),
        "validation_empty": ([record for record in records if record.split != Split.VALIDATION], label_set),
        "test_empty": ([record for record in records if record.split != Split.TEST], label_set),
        "test_few": (records, label_set),
    }


def _only(record: ItemRecord, labels: set[str]) -> ItemRecord:
    boxes = tuple(box for box in record.annotations if isinstance(box, Box) and box.label in labels)
    return record.model_copy(update={"annotations": boxes})


def _shapes(number: int, names: tuple[str, ...], side_px: int, generator: np.random.Generator) -> GeneratedPicture:
    width, height = side_px + int(generator.integers(0, side_px // 3)), side_px
    picture = Image.fromarray(generator.integers(0, 60, size=(height, width, 3), dtype=np.uint8))
    draw = ImageDraw.Draw(picture)
    boxes: list[Box] = []
    num_shapes = 0 if number % _NEGATIVE_EVERY == _NEGATIVE_EVERY - 1 else 1 + int(generator.integers(0, 2))
    for position in range(num_shapes):
        size = int(height * generator.uniform(0.35, 0.5))
        left = position * width // num_shapes + int(generator.integers(0, max(1, width // num_shapes - size)))
        top = int(generator.integers(0, height - size))
        color = tuple(int(value) for value in generator.integers(120, 256, size=3))
        label = names[(number + position) % len(names)]
        size = min(size, width - left)
        _draw(draw, label, (left, top, left + size - 1, top + size - 1), color)
        boxes.append(Box(label=label, x=left, y=top, width=size, height=size))
    return GeneratedPicture(picture_HWC=np.asarray(picture), boxes=tuple(boxes))


def _draw(draw: ImageDraw.ImageDraw, shape: str, box: tuple[int, int, int, int], color: tuple[int, ...]) -> None:
    left, top, right, bottom = box
    if shape == "circle":
        draw.ellipse(box, fill=color)
    elif shape == "square":
        draw.rectangle(box, fill=color)
    else:
        draw.polygon((((left + right) // 2, top), (left, bottom), (right, bottom)), fill=color)


def _item(number: int, split: Split, drawn: GeneratedPicture, file_format: str) -> generated.GeneratedItem:
    buffer = io.BytesIO()
    Image.fromarray(drawn.picture_HWC).save(buffer, file_format, quality=90)
    content = buffer.getvalue()
    height, width = drawn.picture_HWC.shape[:2]
    facts = MediaFacts(width=width, height=height, format=file_format.lower(), size_bytes=len(content))
    suffix = {"PNG": "png", "JPEG": "jpg"}[file_format]
    return generated.GeneratedItem(f"{number:05d}.{suffix}", content, facts, split, drawn.boxes)
