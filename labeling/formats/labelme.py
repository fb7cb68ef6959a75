"""LabelMe: a JSON file beside each picture with its shapes.

Rectangles, polygons, lines, circles and pixel masks are shapes; labels of the whole picture are its ``flags``. LabelMe keeps
keys that it does not know, so ids, scores and attributes stand beside its own. Parts of one object share their ``group_id``.
"""

from __future__ import annotations

import base64
import io
import math
import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import orjson
from PIL import Image

from automl.contracts.annotation import Annotation, AnnotationKind, Box, ClassLabel, Mask, Polygon, Polyline
from automl.contracts.base import Text
from automl.contracts.dataset import ItemRecord, LabelSet
from automl.contracts.modality import Modality
from labeling.formats._files import Finder, looked_into, png_of, split_of_folders
from labeling.formats._reading import attach_all, complaining, documents, object_with, split_note
from labeling.formats._values import LabelError, attributes_of, label_text, made, number, score_of, whole
from labeling.formats._writing import Paths, suffix_of
from labeling.geometry import bounds_of, mask_pixels, pixels_place
from runtime.run_lengths import counts_of
from studio.datasets.files.formats import ExportedFile, Facet, ParsedLabels, ReadBlob

TITLE = Text.same("LabelMe JSON")
KINDS: frozenset[AnnotationKind] = frozenset({"class", "box", "polygon", "polyline", "mask"})
KEEPS = frozenset(Facet) - {Facet.HOLES, Facet.COLORS, Facet.SKELETONS, Facet.TEXTS}
MEDIA = frozenset({Modality.IMAGE})

_CIRCLE_POINTS = 32


def is_label_file(name: str) -> bool:
    """JSON files."""
    return name.lower().endswith(".json")


def detect(names: Sequence[str], label_files: Mapping[str, bytes]) -> float:
    """A JSON object with ``shapes``."""
    del names
    return 0.9 if any(b'"shapes"' in data and b'"imagePath"' in data for _, data in looked_into(label_files, ".json")) else 0.0


def read(names: Sequence[str], label_files: Mapping[str, bytes]) -> ParsedLabels:
    """Reads one JSON file a picture; the picture is found beside it, else by ``imagePath``."""
    reading = ParsedLabels()
    finder = Finder(names)
    for place, found in documents(label_files, is_label_file, partial(object_with, key="shapes"), reading):
        with complaining(reading, place):
            name = _picture(found, place, finder)
            attach_all(reading, name, [*_flags_read(found, place, reading, name), *_shapes_read(found, place, reading, name)])
            split_note(reading, name, split_of_folders(place), split_of_folders(name))
    return reading


def _picture(document: Mapping[str, Any], place: str, finder: Finder) -> str:
    folder = posixpath.dirname(place)
    try:
        return finder.by_stem(posixpath.splitext(place)[0], folder)
    except LabelError:
        if not isinstance(document.get("imagePath"), str):
            raise
        return finder.one(posixpath.basename(document["imagePath"].replace("\\", "/")), folder)


def _flags_read(document: Mapping[str, Any], place: str, reading: ParsedLabels, item: str) -> list[Annotation]:
    flags, details = document.get("flags"), document.get("flag_details")
    out: list[Annotation] = []
    for name, is_set in flags.items() if isinstance(flags, dict) else ():
        if is_set is not True:
            continue
        more = details.get(name) if isinstance(details, dict) else None
        with complaining(reading, f"{place}: flags", item):
            out.append(made(ClassLabel, label=label_text(name), **_common(more if isinstance(more, dict) else {})))
    return out


def _shapes_read(document: Mapping[str, Any], place: str, reading: ParsedLabels, item: str) -> list[Annotation]:
    out: list[Annotation] = []
    for index, shape in enumerate(document["shapes"]):
        with complaining(reading, f"{place}: shapes[{index}]", item):
            out.append(_shape(shape, document))
    return out


def _common(shape: Mapping[str, Any]) -> dict[str, Any]:
    plain = dict(shape["attributes"]) if isinstance(shape.get("attributes"), dict) else {}
    if isinstance(shape.get("flags"), dict):
        plain |= {name: value for name, value in shape["flags"].items() if value is True}
    if isinstance(shape.get("description"), str) and shape["description"]:
        plain.setdefault("description", shape["description"])
    group = shape.get("group_id")
    return {
        "id": shape.get("id") or (None if group is None else f"group-{group}"),
        "score": score_of(shape.get("score")),
        "attributes": attributes_of(plain),
    }


def _shape(shape: Mapping[str, Any], document: Mapping[str, Any]) -> Annotation:
    common = _common(shape) | {"label": label_text(shape.get("label"))}
    points = [(number(x), number(y)) for x, y in shape["points"]]
    kind = shape.get("shape_type") or "polygon"
    if kind == "rectangle" and len(points) == 2:
        (x0, y0), (x1, y1) = points
        return made(Box, x=min(x0, x1), y=min(y0, y1), width=abs(x1 - x0), height=abs(y1 - y0), **common)
    if kind == "circle" and len(points) == 2:
        (x, y), radius = points[0], math.dist(*points)
        turns = [2 * math.pi * step / _CIRCLE_POINTS for step in range(_CIRCLE_POINTS)]
        return made(Polygon, points=tuple((x + radius * math.cos(t), y + radius * math.sin(t)) for t in turns), **common)
    if kind == "polygon":
        return made(Polygon, points=tuple(points), **common)
    if kind in {"line", "linestrip"}:
        return made(Polyline, points=tuple(points), **common)
    if kind == "mask" and points:
        return _mask(shape, document, points, common)
    raise LabelError("shape_unknown")


def _mask(
    shape: Mapping[str, Any], document: Mapping[str, Any], points: Sequence[tuple[float, float]], common: dict[str, Any]
) -> Annotation:
    width, height = whole(document["imageWidth"]), whole(document["imageHeight"])
    picture = png_of(base64.b64decode(shape["mask"], validate=True), code="annotation_invalid")
    part = (np.asarray(picture.convert("L")) > 0).astype(np.uint8)
    pixels = pixels_place(part, left=round(points[0][0]), top=round(points[0][1]), width=width, height=height)
    return made(Mask, width=width, height=height, counts=counts_of(pixels), **common)


def write(records: Iterable[ItemRecord], *, labels: LabelSet, blob: ReadBlob) -> Iterator[ExportedFile]:
    """Writes each picture into its split's folder, its JSON file beside it."""
    del labels, blob
    paths = Paths()
    for record in records:
        stem = paths.stem(record, record.split)
        file = stem + suffix_of(record)
        yield ExportedFile(path=f"{record.split.value}/{file}", blob=record.blob, size_bytes=record.media.size_bytes)
        yield ExportedFile(path=f"{record.split.value}/{stem}.json", data=_document(record, posixpath.basename(file)))


def _document(record: ItemRecord, file: str) -> bytes:
    groups = {
        key: index for index, key in enumerate(dict.fromkeys(_group(one) for one in record.annotations)) if key is not None
    }
    classes = [one for one in record.annotations if isinstance(one, ClassLabel)]
    shapes = [
        _drawn(one, groups.get(_group(one) or "")) for one in record.annotations if one.kind in KINDS and one.kind != "class"
    ]
    return orjson.dumps(
        {
            "version": "5.5.0",
            "flags": {one.label: True for one in classes},
            "flag_details": {one.label: _extra(one) for one in classes if _extra(one)},
            "shapes": shapes,
            "imagePath": file,
            **({} if file == record.name else {"original_name": record.name}),
            "imageData": None,
            "imageHeight": record.media.height,
            "imageWidth": record.media.width,
        },
        option=orjson.OPT_INDENT_2,
    )


def _group(one: Annotation) -> str | None:
    return one.id if isinstance(one, Polygon) else None


def _extra(one: Annotation) -> dict[str, Any]:
    extra: dict[str, Any] = {"id": one.id, "score": one.score}
    extra["attributes"] = {value.name: value.value for value in one.attributes} or None
    return {key: value for key, value in extra.items() if value is not None}


def _drawn(one: Annotation, group: int | None) -> dict[str, Any]:
    shape: dict[str, Any] = {
        "label": getattr(one, "label", ""),
        "points": [],
        "group_id": group,
        "description": "",
        "flags": {},
    }
    if isinstance(one, Box):
        shape |= {"shape_type": "rectangle", "points": [[one.x, one.y], [one.x + one.width, one.y + one.height]]}
    elif isinstance(one, (Polygon, Polyline)):
        shape |= {"shape_type": "polygon" if isinstance(one, Polygon) else "linestrip", "points": one.points}
    elif isinstance(one, Mask):
        pixels = mask_pixels(one)
        left, top, width, height = bounds_of(pixels)
        out = io.BytesIO()
        part = pixels[top : top + max(height, 1), left : left + max(width, 1)]
        Image.fromarray(part * 255).convert("1").save(out, "PNG")
        corners = [[left, top], [left + max(width, 1) - 1, top + max(height, 1) - 1]]
        shape |= {"shape_type": "mask", "points": corners, "mask": base64.b64encode(out.getvalue()).decode()}
    return shape | _extra(one)
