"""DOTA: a text file a picture in ``labelTxt``, one object a line: four corners in pixels, the label, whether it is difficult.

Lines before the objects (``imagesource:``, ``gsd:``) tell of the picture. Four corners of a rectangle are read as a turned box,
other ones as an outline.
"""

from __future__ import annotations

import math
import posixpath
import re
from collections.abc import Mapping, Sequence

from automl.contracts.annotation import Annotation, AnnotationKind, AttributeValue, Polygon, RotatedBox
from automl.contracts.base import Text
from automl.contracts.modality import Modality
from labeling.formats._files import Finder, looked_into, split_of_folders, text_of
from labeling.formats._reading import attach_all, complain, complaining, split_note
from labeling.formats._values import LabelError, label_text, made, number
from studio.datasets.files.formats import Facet, ParsedLabels

TITLE = Text.same("DOTA")
KINDS: frozenset[AnnotationKind] = frozenset({"rotated_box", "polygon"})
KEEPS = frozenset({Facet.SPLITS, Facet.NEGATIVES, Facet.OUTLINES, Facet.OVERLAPS})
MEDIA = frozenset({Modality.IMAGE})

_LINE = re.compile(r"([-+]?[0-9.]+(e[-+]?\d+)?\s+){8}(?P<label>\S.*?)(\s+(?P<difficult>[0-2]))?")
_HEAD = re.compile(r"(imagesource|gsd|acquisition dates)\s*:.*", re.IGNORECASE)
_NUM_CORNERS = 8
_SQUARE = 0.02
"""How far corners may be from a rectangle's, as a part of its longer side: whole pixels turn it a little."""


def is_label_file(name: str) -> bool:
    """Text files; those of other formats have other lines."""
    return name.lower().endswith(".txt")


def detect(names: Sequence[str], label_files: Mapping[str, bytes]) -> float:
    """Lines of eight numbers and a label."""
    del names
    for _, data in looked_into(label_files, ".txt", count=20):
        lines = [line.strip() for line in text_of(data[:4096]).splitlines()]
        objects = [line for line in lines if line and not _HEAD.fullmatch(line)]
        found = _LINE.fullmatch(objects[0]) if objects else None
        if found and not re.fullmatch(r"[-+0-9.e\s]+", found["label"]):
            return 0.92
    return 0.0


def read(names: Sequence[str], label_files: Mapping[str, bytes]) -> ParsedLabels:
    """Reads one file a picture."""
    reading = ParsedLabels()
    finder = Finder(names)
    for place in sorted(name for name in label_files if is_label_file(name)):
        folder = re.sub(r"(^|/)label[^/]*(/|$)", r"\1images\2", posixpath.dirname(place), flags=re.IGNORECASE)
        lines = text_of(label_files[place]).splitlines()
        try:
            name = finder.by_stem(posixpath.join(folder, posixpath.splitext(posixpath.basename(place))[0]), folder)
        except LabelError as error:
            if any(_LINE.fullmatch(line.strip()) for line in lines):
                complain(reading, place, error.code)
            continue
        annotations: list[Annotation] = []
        for line_number, line in enumerate(lines, start=1):
            with complaining(reading, f"{place}:{line_number}", name):
                if line.strip() and not _HEAD.fullmatch(line.strip()):
                    annotations.append(_object(line.strip()))
        attach_all(reading, name, annotations)
        split_note(reading, name, split_of_folders(place), split_of_folders(name))
    return reading


def _object(line: str) -> Annotation:
    found = _LINE.fullmatch(line)
    if not found:
        raise LabelError
    values = [number(word) for word in line.split()[:_NUM_CORNERS]]
    corners = list(zip(values[::2], values[1::2], strict=True))
    label = label_text(found["label"])
    flags = (AttributeValue(name="difficult", value=True),) if found["difficult"] not in {None, "0"} else ()
    turned = _turned(corners)
    if turned is None:
        return made(Polygon, label=label, points=tuple(corners), attributes=flags)
    return made(RotatedBox, label=label, attributes=flags, **turned)


def _turned(corners: Sequence[tuple[float, float]]) -> dict[str, float] | None:
    """Centre, sides and angle of the rectangle with these corners; None when they are no rectangle's."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners
    width, height = math.dist(corners[0], corners[1]), math.dist(corners[1], corners[2])
    most = _SQUARE * max(width, height)
    # Its diagonals have one middle and one length.
    if math.dist(((ax + cx) / 2, (ay + cy) / 2), ((bx + dx) / 2, (by + dy) / 2)) > most:
        return None
    if abs(math.dist(corners[0], corners[2]) - math.dist(corners[1], corners[3])) > most or not width or not height:
        return None
    angle = math.degrees(math.atan2(by - ay, bx - ax)) % 360
    center = (ax + bx + cx + dx) / 4, (ay + by + cy + dy) / 4
    return {"center_x": center[0], "center_y": center[1], "width": width, "height": height, "angle_deg": angle}
