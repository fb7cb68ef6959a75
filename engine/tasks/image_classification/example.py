"""A small dataset version made by code: coloured shapes, for tests and for a first try without any pictures at hand.

Same arguments, same bytes. The label is the shape; with several labels half of the pictures show a second shape.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from automl.contracts.annotation import ClassLabel
from automl.contracts.dataset import ItemRecord, LabelSet, MediaFacts, Split, VersionManifest
from engine.data.generated import SPLITS, GeneratedItem, Subject, write_version
from engine.tasks.image_classification.spec import TASK
from engine.tasks.shared.classification.options import LABELS_OPTION, ONE, SEVERAL

LABELS = ("circle", "square", "triangle", "cross")


def write(
    folder: Path, *, num_items: int = 60, num_labels: int = 4, labels: str = ONE, side_px: int = 48, seed: int = 0
) -> VersionManifest:
    """Writes a version below ``folder`` and returns its manifest.

    Args:
        folder: becomes the job's ``data/``; made when absent.
        num_items: spread evenly over labels, and three to one to one over train, validation and test.
        num_labels: 2 to 4.
        labels: value of the task's option: ``one`` or ``several``.
        side_px: shorter side of the pictures.
        seed: of the generator.
    """
    names = LABELS[:num_labels]
    generator = np.random.default_rng(seed)
    items = []
    for number in range(num_items):
        shapes = _shapes(number, names, is_several=labels == SEVERAL)
        content, facts = _picture(shapes, side_px, generator)
        name, split = f"{'-'.join(shapes)}-{number:03d}.png", SPLITS[number // len(names) % len(SPLITS)]
        items.append(GeneratedItem(name, content, facts, split, tuple(ClassLabel(label=shape) for shape in shapes)))
    return write_version(folder, items, Subject(TASK, names, {LABELS_OPTION: labels}))


def _shapes(number: int, names: tuple[str, ...], *, is_several: bool) -> list[str]:
    shapes = {names[number % len(names)]}
    if is_several and number % 2:
        shapes.add(names[(number + 1 + number // len(names)) % len(names)])
    return sorted(shapes)


def _picture(shapes: list[str], side_px: int, generator: np.random.Generator) -> tuple[bytes, MediaFacts]:
    width, height = side_px + int(generator.integers(0, side_px // 2)), side_px
    content = _png(shapes, width, height, generator)
    return content, MediaFacts(width=width, height=height, format="png", size_bytes=len(content))


def _png(shapes: list[str], width: int, height: int, generator: np.random.Generator) -> bytes:
    noise_HWC = generator.integers(0, 60, size=(height, width, 3), dtype=np.uint8)
    picture = Image.fromarray(noise_HWC)
    draw = ImageDraw.Draw(picture)
    for position, shape in enumerate(shapes):
        size = int(height * generator.uniform(0.3, 0.45))
        left = position * width // len(shapes) + int(generator.integers(0, max(1, width // len(shapes) - size)))
        top = int(generator.integers(0, height - size))
        color = tuple(int(value) for value in generator.integers(120, 256, size=3))
        _draw(draw, shape, (left, top, left + size, top + size), color)
    buffer = io.BytesIO()
    picture.save(buffer, format="PNG")
    return buffer.getvalue()


def _draw(draw: ImageDraw.ImageDraw, shape: str, box: tuple[int, int, int, int], color: tuple[int, ...]) -> None:
    left, top, right, bottom = box
    middle, third = (left + right) // 2, (right - left) // 3
    if shape == "circle":
        draw.ellipse(box, fill=color)
    elif shape == "square":
        draw.rectangle(box, fill=color)
    elif shape == "triangle":
        draw.polygon(((middle, top), (left, bottom), (right, bottom)), fill=color)
    else:
        draw.rectangle((left + third, top, right - third, bottom), fill=color)
        draw.rectangle((left, top + third, right, bottom - third), fill=color)


def answers(targets: np.ndarray, labels: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Scores ``_NL`` that are right everywhere, and some that are wrong everywhere."""
    right_NL = np.eye(len(labels))[targets]
    return right_NL, np.roll(right_NL, 1, axis=1)


def faults(records: list[ItemRecord], label_set: LabelSet) -> dict[str, tuple[list[ItemRecord], LabelSet]]:
    """The example with one thing wrong at a time, by the code of the problem that the checker must find.

    Args:
        records: of the example with one label an item.
        label_set: of the example.
    """
    first, rest = records[0], records[1:]
    label = label_set.names[0]
    carries = [record for record in records if record.annotations == (ClassLabel(label=label),)]
    others = [record for record in records if record not in carries]
    train = [record for record in carries if record.split == Split.TRAIN]
    tiny = first.media.model_copy(update={"width": 8})
    many = [
        first.model_copy(update={"item": f"itm_{number:026x}", "split": Split.TRAIN}) for number in range(len(records) * 20)
    ]
    return {
        "too_few_labels": (carries, LabelSet(labels=label_set.labels[:1])),
        "label_unknown": ([first.model_copy(update={"annotations": (ClassLabel(label="nobody knows"),)}), *rest], label_set),
        "several_labels": (
            [first.model_copy(update={"annotations": tuple(ClassLabel(label=name) for name in label_set.names)}), *rest],
            label_set,
        ),
        "label_missing": ([first.model_copy(update={"annotations": ()}), *rest], label_set),
        "label_without_items": (others, label_set),
        "label_with_few_items": ([*others, *train[:1]], label_set),
        "imbalance": ([*records, *many], label_set),
        "validation_empty": ([record for record in records if record.split != Split.VALIDATION], label_set),
        "test_empty": ([record for record in records if record.split != Split.TEST], label_set),
        "test_few": (records, label_set),
        "picture_tiny": ([first.model_copy(update={"media": tiny}), *rest], label_set),
    }
