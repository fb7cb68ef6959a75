"""Datumaro's own JSON: a document a split in ``annotations``, pictures in ``images``; labels by place in ``categories``."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import orjson

from automl.contracts.annotation import Annotation, AnnotationKind, Box, ClassLabel, Mask, Polygon, Polyline, RotatedBox
from automl.contracts.base import Text
from automl.contracts.dataset import ItemRecord, Label, LabelSet, Split
from automl.contracts.modality import Modality
from labeling.formats._files import Finder, looked_into, split_named
from labeling.formats._reading import attach_all, complaining, documents, label_note, object_with, split_note
from labeling.formats._values import LabelError, attributes_of, label_text, made, number, score_of, whole
from labeling.formats._writing import Paths, Spool, suffix_of
from runtime.run_lengths import counts_of, pixels_of
from studio.datasets.files.formats import ExportedFile, Facet, ParsedLabels, ReadBlob

TITLE = Text.same("Datumaro JSON")
KINDS: frozenset[AnnotationKind] = frozenset({"class", "box", "rotated_box", "polygon", "polyline"})
KEEPS = frozenset({Facet.SPLITS, Facet.NEGATIVES, Facet.ATTRIBUTES, Facet.OUTLINES, Facet.OVERLAPS, Facet.SCORES})
MEDIA = frozenset({Modality.IMAGE})

_SUBSETS = {Split.TRAIN: "train", Split.VALIDATION: "val", Split.TEST: "test"}
_OWN = frozenset({"score"})
"""Attributes that stand for something of ours."""
_IMAGE = 2
"""A kind of media."""


def is_label_file(name: str) -> bool:
    """JSON files."""
    return name.lower().endswith(".json")


def detect(names: Sequence[str], label_files: Mapping[str, bytes]) -> float:
    """A JSON object with categories of labels and items."""
    del names
    for _, data in looked_into(label_files, ".json"):
        if b'"items"' in data and b'"categories"' in data and (b'"dm_format_version"' in data or b'"infos"' in data[:65_536]):
            return 0.95
    return 0.0


def read(names: Sequence[str], label_files: Mapping[str, bytes]) -> ParsedLabels:
    """Reads one document a split; an item is found by its picture's path, else by its id."""
    reading = ParsedLabels()
    finder = Finder(names)
    for place, document in documents(label_files, is_label_file, lambda data: object_with(data, "items"), reading):
        classes = _classes(document, place, reading)
        split = split_named(posixpath.splitext(posixpath.basename(place))[0])
        for index, entry in enumerate(document["items"]):
            with complaining(reading, f"{place}: items[{index}]"):
                name = _picture(entry, place, finder)
                split_note(reading, name, split)
                annotations: list[Annotation] = []
                for at, one in enumerate(entry["annotations"]):
                    with complaining(reading, f"{place}: items[{index}].annotations[{at}]", name):
                        annotations.append(_object(one, classes))
                attach_all(reading, name, annotations)
    return reading


def _classes(document: Mapping[str, Any], place: str, reading: ParsedLabels) -> dict[int, str]:
    out: dict[int, str] = {}
    with complaining(reading, f"{place}: categories"):
        for index, one in enumerate(document["categories"].get("label", {}).get("labels", ())):
            with complaining(reading, f"{place}: categories.label.labels[{index}]"):
                out[index] = label_text(one["name"])
                label_note(reading, Label(name=out[index]))
    return out


def _picture(entry: Mapping[str, Any], place: str, finder: Finder) -> str:
    folder = posixpath.join(
        posixpath.dirname(posixpath.dirname(place)), "images", posixpath.splitext(posixpath.basename(place))[0]
    )
    path = (entry.get("image") or {}).get("path")
    try:
        return finder.one(path if isinstance(path, str) and path else "?", folder)
    except LabelError:
        return finder.by_stem(posixpath.join(folder, str(entry["id"])), folder)


def _object(one: Mapping[str, Any], classes: Mapping[int, str]) -> Annotation:
    if one["label_id"] not in classes:
        raise LabelError("label_unknown")
    plain = dict(one.get("attributes") or {})
    common: dict[str, Any] = {"label": classes[one["label_id"]], "score": score_of(plain.pop("score", None))}
    common["attributes"] = attributes_of(plain)
    kind = one["type"]
    if kind == "label":
        return made(ClassLabel, **common)
    if kind == "bbox":
        x, y, width, height = map(number, one["bbox"])
        return made(Box, x=x, y=y, width=width, height=height, **common)
    if kind == "rotated_bbox":
        center_x, center_y, width, height, turn = map(number, one["rbbox"] if "rbbox" in one else one["bbox"])
        return made(
            RotatedBox, center_x=center_x, center_y=center_y, width=width, height=height, angle_deg=turn % 360, **common
        )
    if kind == "polygon":
        return made(Polygon, points=_points(one), **common)
    if kind == "polyline":
        return made(Polyline, points=_points(one), **common)
    if kind == "mask":
        return _mask(one["rle"], common)
    raise LabelError("shape_unknown")


def _points(one: Mapping[str, Any]) -> tuple[tuple[float, float], ...]:
    values = [number(value) for value in one["points"]]
    return tuple(zip(values[::2], values[1::2], strict=True))


def _mask(runs: Mapping[str, Any], common: Mapping[str, Any]) -> Annotation:
    height, width = map(whole, runs["size"])
    if isinstance(runs["counts"], list):
        return made(
            Mask, width=width, height=height, counts=counts_of(pixels_of(runs["counts"], width=width, height=height)), **common
        )
    return made(Mask, width=width, height=height, counts=str(runs["counts"]), **common)


def write(records: Iterable[ItemRecord], *, labels: LabelSet, blob: ReadBlob) -> Iterator[ExportedFile]:
    """Writes ``images/<split>`` and ``annotations/<split>.json``."""
    del blob
    numbers = {name: number for number, name in enumerate(labels.names)}
    spools: dict[Split, Spool] = {}
    paths = Paths()
    for record in records:
        folder = _SUBSETS[record.split]
        stem = paths.stem(record, record.split)
        file = stem + suffix_of(record)
        yield ExportedFile(path=f"images/{folder}/{file}", blob=record.blob, size_bytes=record.media.size_bytes)
        annotations = [_row(number, one, numbers) for number, one in enumerate(record.annotations) if one.kind in KINDS]
        size = [record.media.height, record.media.width]
        entry = {
            "id": stem,
            "annotations": annotations,
            "image": {"path": file, "size": size},
            "attr": {"original_name": record.name},
        }
        spools.setdefault(record.split, Spool()).add(orjson.dumps(entry), separator=b",\n")
    for split, spool in spools.items():
        yield ExportedFile(path=f"annotations/{_SUBSETS[split]}.json", chunks=_document(spool, list(numbers)))


def _document(spool: Spool, classes: Sequence[str]) -> Iterator[bytes]:
    listed = [{"name": name, "parent": "", "attributes": []} for name in classes]
    categories = {"label": {"labels": listed, "label_groups": [], "attributes": []}}
    head = {"dm_format_version": "1.0", "media_type": _IMAGE, "infos": {}, "categories": categories}
    yield orjson.dumps(head)[:-1] + b',"items":['
    yield from spool.chunks()
    yield b"]}\n"


def _row(number_: int, one: Annotation, numbers: dict[str, int]) -> dict[str, Any]:
    if not isinstance(one, (ClassLabel, Box, RotatedBox, Polygon, Polyline)):
        raise TypeError(f"{one.kind} is not among KINDS")
    plain: dict[str, Any] = {value.name: value.value for value in one.attributes if value.name not in _OWN}
    if one.score is not None:
        plain["score"] = one.score
    label = numbers.setdefault(one.label, len(numbers))
    row: dict[str, Any] = {"id": number_, "attributes": plain, "group": 0, "label_id": label, "z_order": 0}
    if isinstance(one, ClassLabel):
        return row | {"type": "label"}
    if isinstance(one, Box):
        return row | {"type": "bbox", "bbox": [one.x, one.y, one.width, one.height]}
    if isinstance(one, RotatedBox):
        place = [one.center_x, one.center_y, one.width, one.height, one.angle_deg]
        return row | {"type": "rotated_bbox", "rbbox": place}
    return row | {"type": one.kind, "points": [value for point in one.points for value in point]}
