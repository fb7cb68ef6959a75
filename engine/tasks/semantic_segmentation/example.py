"""A small dataset version made by code: coloured shapes with their pixels, for tests and for a first try without pictures.

Same arguments, same bytes. Every eighth picture shows nothing: negatives are legal. Squares are polygons, the rest are masks.
Shapes: N items, K numbers of an item's run lengths, H height, W width, C colours.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from automl.contracts.annotation import Mask, Polygon
from automl.contracts.dataset import ItemRecord, LabelSet, MediaFacts, Split, VersionManifest
from engine.data import generated
from engine.data.image import Pixels
from engine.tasks.semantic_segmentation.raster import BACKGROUND, map_of, shapes_of
from engine.tasks.semantic_segmentation.spec import TASK
from runtime.run_lengths import counts_of

LABELS = ("circle", "square", "triangle")
_NEGATIVE_EVERY = 8


@dataclass(frozen=True)
class GeneratedPicture:
    """A picture whose shapes are known."""

    picture_HWC: Pixels
    shapes: tuple[Mask | Polygon, ...]


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
    items = []
    for number in range(num_items):
        split = generated.SPLITS[number % len(generated.SPLITS)]
        items.append(item_of(f"{number:05d}", split, _drawn(number, names, side_px, generator)))
    return generated.write_version(folder, items, generated.Subject(TASK, names))


def item_of(name: str, split: Split, drawn: GeneratedPicture) -> generated.GeneratedItem:
    """A picture with its shapes as an item of a version."""
    buffer = io.BytesIO()
    Image.fromarray(drawn.picture_HWC).save(buffer, "PNG")
    content = buffer.getvalue()
    height, width = drawn.picture_HWC.shape[:2]
    facts = MediaFacts(width=width, height=height, format="png", size_bytes=len(content))
    return generated.GeneratedItem(f"{name}.png", content, facts, split, drawn.shapes)


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
    label, mask = label_set.names[0], _first(records, Mask)
    without = [_only(record, set(label_set.names) - {label}) for record in records]
    of_label = [at for at, record in enumerate(records) if without[at] != record]
    kept_at = next(at for at in of_label if records[at].split == Split.TRAIN)
    nothing = [record.model_copy(update={"annotations": ()}) for record in records]
    many = [
        mask.record.model_copy(update={"item": f"itm_{number:026x}", "annotations": (mask.shape,)})
        for number in range(100 * len(records))
    ]
    of_shapes = {**_mask_faults(records, mask), **_polygon_faults(records, _first(records, Polygon))}
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


@dataclass(frozen=True)
class _ShapeInItem:
    """A shape of a training item, and where that stands."""

    at: int
    record: ItemRecord
    shape: Mask | Polygon

    def changed(self, records: list[ItemRecord], **values: object) -> list[ItemRecord]:
        """The records with other values of the shape."""
        shape = self.shape.model_copy(update=values)
        shapes = tuple(shape if each == self.shape else each for each in self.record.annotations)
        return [*records[: self.at], self.record.model_copy(update={"annotations": shapes}), *records[self.at + 1 :]]


def _mask_faults(records: list[ItemRecord], mask: _ShapeInItem) -> dict[str, list[ItemRecord]]:
    media = mask.record.media
    nothing = counts_of(np.zeros((media.height, media.width)))
    return {
        "label_unknown": mask.changed(records, label="nobody knows"),
        "mask_damaged": mask.changed(records, counts="~"),
        "mask_size": mask.changed(records, width=media.height, height=media.width),
        "mask_empty": mask.changed(records, counts=nothing),
    }


def _polygon_faults(records: list[ItemRecord], polygon: _ShapeInItem) -> dict[str, list[ItemRecord]]:
    assert isinstance(polygon.shape, Polygon)
    points, side_px = polygon.shape.points, polygon.record.media.width
    left = min(points)[0]
    return {
        "polygon_outside": polygon.changed(records, points=tuple((x + 2 * side_px, y) for x, y in points)),
        "polygon_over_edge": polygon.changed(records, points=tuple((x - side_px if x == left else x, y) for x, y in points)),
        "shape_tiny": polygon.changed(records, points=((1.0, 1.0), (2.0, 1.0), (2.0, 2.0))),
    }


def _first(records: list[ItemRecord], kind: type) -> _ShapeInItem:
    return next(
        _ShapeInItem(at, record, shape)
        for at, record in enumerate(records)
        for shape in shapes_of(record.annotations)
        if record.split == Split.TRAIN and isinstance(shape, kind)
    )


def _only(record: ItemRecord, labels: set[str]) -> ItemRecord:
    shapes = tuple(shape for shape in shapes_of(record.annotations) if shape.label in labels)
    return record.model_copy(update={"annotations": shapes})


def _planes(labels_NHW: NDArray[np.int16]) -> NDArray[np.float32]:
    return np.stack([labels_NHW, np.full_like(labels_NHW, 1)], axis=1).astype(np.float32)


def _drawn(number: int, names: tuple[str, ...], side_px: int, generator: np.random.Generator) -> GeneratedPicture:
    width, height = side_px * 5 // 4, side_px
    picture = Image.fromarray(generator.integers(0, 60, size=(height, width, 3), dtype=np.uint8))
    shapes: list[Mask | Polygon] = []
    num_shapes = 0 if number % _NEGATIVE_EVERY == _NEGATIVE_EVERY - 1 else 1 + int(generator.integers(0, 2))
    for position in range(num_shapes):
        most = min(height, width // num_shapes)
        size = int(most * generator.uniform(0.75, 0.95))
        left = position * width // num_shapes + int(generator.integers(0, max(1, width // num_shapes - size)))
        top = int(generator.integers(0, height - size + 1))
        color = tuple(int(value) for value in generator.integers(120, 256, size=3))
        shapes.append(_shape(picture, names[(number + position) % len(names)], (left, top, left + size, top + size), color))
    return GeneratedPicture(picture_HWC=np.asarray(picture), shapes=tuple(shapes))


def _shape(picture: Image.Image, label: str, box: tuple[int, int, int, int], color: tuple[int, ...]) -> Mask | Polygon:
    """Draws a shape, and says which pixels it has."""
    left, top, right, bottom = box
    stencil = Image.new("1", picture.size)
    draw, inside = ImageDraw.Draw(stencil), (left, top, right - 1, bottom - 1)
    if label == "circle":
        draw.ellipse(inside, fill=1)
    elif label == "square":
        draw.rectangle(inside, fill=1)
    else:
        draw.polygon((((left + right) // 2, top), (left, bottom - 1), (right - 1, bottom - 1)), fill=1)
    picture.paste(color, mask=stencil)
    if label == "square":
        return Polygon(label=label, points=((left, top), (right, top), (right, bottom), (left, bottom)))
    return Mask(label=label, width=picture.width, height=picture.height, counts=counts_of(np.asarray(stencil)))
