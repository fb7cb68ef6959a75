"""Pictures of coloured shapes whose pixels are known, for tests and for a first try without pictures, and what may be wrong.

Same arguments, same bytes. Every eighth picture shows nothing: negatives are legal. Squares are polygons, the rest are masks.
Shapes: H height, W width, C colours.
"""

from __future__ import annotations

import io
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

from automl.contracts.annotation import Mask, Polygon
from automl.contracts.dataset import ItemRecord, MediaFacts, Split
from engine.data import generated
from engine.data.image import Pixels
from engine.tasks.shared.coco_zip import ShownPicture, mask_shown
from engine.tasks.shared.raster import shapes_of
from runtime.run_lengths import counts_of

LABELS = ("circle", "square", "triangle")
_NEGATIVE_EVERY = 8


@dataclass(frozen=True)
class GeneratedPicture:
    """A picture whose shapes are known."""

    picture_HWC: Pixels
    shapes: tuple[Mask | Polygon, ...]


def item_of(name: str, split: Split, drawn: GeneratedPicture) -> generated.GeneratedItem:
    """A picture with its shapes as an item of a version."""
    buffer = io.BytesIO()
    Image.fromarray(drawn.picture_HWC).save(buffer, "PNG")
    content = buffer.getvalue()
    height, width = drawn.picture_HWC.shape[:2]
    facts = MediaFacts(width=width, height=height, format="png", size_bytes=len(content))
    return generated.GeneratedItem(f"{name}.png", content, facts, split, drawn.shapes)


def shown_of(drawn: GeneratedPicture, split: Split | None = None) -> ShownPicture:
    """A picture whose shapes are masks, as an upload has it."""
    return ShownPicture(drawn.picture_HWC, [mask_shown(shape) for shape in drawn.shapes if isinstance(shape, Mask)], split)


def drawn_shapes(number: int, names: tuple[str, ...], side_px: int, generator: np.random.Generator) -> GeneratedPicture:
    """One or two shapes beside one another on noise.

    Args:
        number: of the picture in its set.
        names: labels that occur.
        side_px: shorter side of the picture.
        generator: of everything that is not given.
    """
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


def example_items(num_items: int, names: tuple[str, ...], *, side_px: int, seed: int) -> list[generated.GeneratedItem]:
    """The items of an example: three to one to one over train, validation and test.

    Args:
        num_items: of all splits.
        names: labels that occur.
        side_px: shorter side of the pictures.
        seed: of the generator.
    """
    generator = np.random.default_rng(seed)
    items = []
    for number in range(num_items):
        split = generated.SPLITS[number % len(generated.SPLITS)]
        items.append(item_of(f"{number:05d}", split, drawn_shapes(number, names, side_px, generator)))
    return items


def _shape(picture: Image.Image, label: str, box: tuple[int, int, int, int], color: tuple[int, ...]) -> Mask | Polygon:
    """Draws a shape, and returns its pixels as an annotation."""
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


@dataclass(frozen=True)
class ShapeInItem:
    """A shape of a training item, and where that stands."""

    at: int
    record: ItemRecord
    shape: Mask | Polygon

    def changed(self, records: list[ItemRecord], **values: object) -> list[ItemRecord]:
        """The records with other values of the shape."""
        shape = self.shape.model_copy(update=values)
        shapes = tuple(shape if each == self.shape else each for each in self.record.annotations)
        return [*records[: self.at], self.record.model_copy(update={"annotations": shapes}), *records[self.at + 1 :]]


def mask_faults(records: list[ItemRecord], mask: ShapeInItem) -> dict[str, list[ItemRecord]]:
    """The records with one thing wrong with a mask, by the code of the problem."""
    media = mask.record.media
    nothing = counts_of(np.zeros((media.height, media.width)))
    return {
        "label_unknown": mask.changed(records, label="nobody knows"),
        "mask_damaged": mask.changed(records, counts="~"),
        "mask_size": mask.changed(records, width=media.height, height=media.width),
        "mask_empty": mask.changed(records, counts=nothing),
    }


def polygon_faults(records: list[ItemRecord], polygon: ShapeInItem) -> dict[str, list[ItemRecord]]:
    """The records with one thing wrong with a polygon, by the code of the problem."""
    assert isinstance(polygon.shape, Polygon)
    points, side_px = polygon.shape.points, polygon.record.media.width
    left = min(points)[0]
    return {
        "polygon_outside": polygon.changed(records, points=tuple((x + 2 * side_px, y) for x, y in points)),
        "polygon_over_edge": polygon.changed(records, points=tuple((x - side_px if x == left else x, y) for x, y in points)),
        "shape_tiny": polygon.changed(records, points=((1.0, 1.0), (2.0, 1.0), (2.0, 2.0))),
    }


def first_shape(records: list[ItemRecord], kind: type) -> ShapeInItem:
    """The first mask, or polygon, of a training item."""
    return next(
        ShapeInItem(at, record, shape)
        for at, record in enumerate(records)
        for shape in shapes_of(record.annotations)
        if record.split == Split.TRAIN and isinstance(shape, kind)
    )


def only_labels(record: ItemRecord, labels: set[str]) -> ItemRecord:
    """The item with the shapes of these labels alone."""
    shapes = tuple(shape for shape in shapes_of(record.annotations) if shape.label in labels)
    return record.model_copy(update={"annotations": shapes})
