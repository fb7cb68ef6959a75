"""EasyDL: a JSON file beside each picture with a list of ``labels``.

``name`` alone labels the picture; with ``x1 y1 x2 y2`` it is a box; with ``mask`` (COCO's compressed run lengths over the
picture) it is an instance. An empty list says that nothing is there.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import orjson

from automl.contracts.annotation import Annotation, AnnotationKind, Box, ClassLabel, Mask
from automl.contracts.base import Text
from automl.contracts.dataset import ItemRecord, LabelSet
from automl.contracts.modality import Modality
from labeling.formats._files import Finder, looked_into, split_of_folders
from labeling.formats._reading import attach_all, complaining, documents, object_with, split_note
from labeling.formats._values import LabelError, label_text, made, number, score_of, whole
from labeling.formats._writing import Paths, suffix_of
from labeling.geometry import bounds_of, mask_pixels
from runtime.run_lengths import runs_unpack
from studio.datasets.files.formats import ExportedFile, Facet, ParsedLabels, ReadBlob

TITLE = Text.same("EasyDL JSON")
KINDS: frozenset[AnnotationKind] = frozenset({"class", "box", "mask"})
KEEPS = frozenset({Facet.SPLITS, Facet.NEGATIVES, Facet.SCORES, Facet.OVERLAPS})
MEDIA = frozenset({Modality.IMAGE})


def is_label_file(name: str) -> bool:
    """JSON files."""
    return name.lower().endswith(".json")


def detect(names: Sequence[str], label_files: Mapping[str, bytes]) -> float:
    """A small JSON object that holds ``labels`` beside a picture of the same name."""
    stems = {posixpath.splitext(posixpath.basename(name))[0] for name in names if name not in label_files}
    for name, data in looked_into(label_files, ".json"):
        if posixpath.splitext(posixpath.basename(name))[0] in stems and data[:400].lstrip()[:1] == b"{" and b'"labels"' in data:
            return 0.8
    return 0.0


def read(names: Sequence[str], label_files: Mapping[str, bytes]) -> ParsedLabels:
    """Reads one JSON file a picture; the picture is the file of the same name."""
    reading = ParsedLabels()
    finder = Finder(names)
    for place, found in documents(label_files, is_label_file, partial(object_with, key="labels"), reading):
        with complaining(reading, place):
            name = finder.by_stem(posixpath.splitext(place)[0], posixpath.dirname(place))
            annotations: list[Annotation] = []
            for index, one in enumerate(found["labels"]):
                with complaining(reading, f"{place}: labels[{index}]", name):
                    annotations.append(_label_read(one, found))
            attach_all(reading, name, annotations)
            split_note(reading, name, split_of_folders(place), split_of_folders(name))
    return reading


def _label_read(one: Mapping[str, Any], document: Mapping[str, Any]) -> Annotation:
    common = {"label": label_text(one["name"]), "score": score_of(one.get("score"))}
    if isinstance(one.get("mask"), str):
        size: Mapping[str, Any] = one.get("size") or document.get("size") or {}
        width, height = whole(size["width"]), whole(size["height"])
        if sum(runs_unpack(one["mask"])) != width * height:
            raise LabelError
        return made(Mask, width=width, height=height, counts=one["mask"], **common)
    if "x1" not in one:
        return made(ClassLabel, **common)
    x1, y1, x2, y2 = (number(one[key]) for key in ("x1", "y1", "x2", "y2"))
    return made(Box, x=x1, y=y1, width=x2 - x1, height=y2 - y1, **common)


def write(records: Iterable[ItemRecord], *, labels: LabelSet, blob: ReadBlob) -> Iterator[ExportedFile]:
    """Writes each picture into its split's folder, its JSON file beside it."""
    del labels, blob
    paths = Paths()
    for record in records:
        stem = f"{record.split.value}/{paths.stem(record, record.split)}"
        yield ExportedFile(path=stem + suffix_of(record), blob=record.blob, size_bytes=record.media.size_bytes)
        annotations = [_row(one, record) for one in record.annotations if one.kind in KINDS]
        yield ExportedFile(path=f"{stem}.json", data=orjson.dumps({"labels": annotations}))


def _row(one: Annotation, record: ItemRecord) -> dict[str, Any]:
    row: dict[str, Any] = {"name": getattr(one, "label", "")}
    size = {"height": record.media.height, "width": record.media.width}
    if isinstance(one, Box):
        row |= {"x1": one.x, "y1": one.y, "x2": one.x + one.width, "y2": one.y + one.height, "size": size}
    if isinstance(one, Mask):
        left, top, width, height = bounds_of(mask_pixels(one))
        corners = {"x1": left, "y1": top, "x2": left + width, "y2": top + height}
        row |= corners | {"mask": one.counts, "size": {"height": one.height, "width": one.width}}
    if one.score is not None:
        row["score"] = one.score
    return row
