"""Apple's Create ML: a JSON list of pictures; boxes are told by their centre and sides in pixels, classes by ``label``."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import orjson

from automl.contracts.annotation import Annotation, AnnotationKind, Box, ClassLabel
from automl.contracts.base import Text
from automl.contracts.dataset import ItemRecord, LabelSet, Split
from automl.contracts.modality import Modality
from labeling.formats._files import Finder, json_of, looked_into, split_of_folders
from labeling.formats._reading import attach_all, complaining, documents, split_note
from labeling.formats._values import LabelError, label_text, made, number, score_of
from labeling.formats._writing import Paths, Spool
from studio.datasets.files.formats import ExportedFile, Facet, ParsedLabels, ReadBlob

TITLE = Text.same("Create ML JSON")
KINDS: frozenset[AnnotationKind] = frozenset({"class", "box"})
KEEPS = frozenset({Facet.SPLITS, Facet.NEGATIVES, Facet.OVERLAPS})
MEDIA = frozenset({Modality.IMAGE})

_FILES = ("image", "imagefilename", "filename")
_OTHERS = (b'"result"', b'"data":', b'"annotation_id"', b'"text"')
"""What other lists of pictures have."""


def is_label_file(name: str) -> bool:
    """JSON files."""
    return name.lower().endswith(".json")


def detect(names: Sequence[str], label_files: Mapping[str, bytes]) -> float:
    """A JSON list of objects with ``image`` and ``annotations`` of coordinates."""
    del names
    for _, data in looked_into(label_files, ".json"):
        head = data[:65_536]
        is_list = head.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"[")
        has_file = any(f'"{key}"'.encode() in head for key in _FILES)
        has_objects = b'"annotations"' in head or b'"annotation"' in head
        if is_list and has_file and has_objects and not any(mark in head for mark in _OTHERS):
            return 0.85
    return 0.0


def read(names: Sequence[str], label_files: Mapping[str, bytes]) -> ParsedLabels:
    """Reads all lists; pictures are found by their names, beside the list first."""
    reading = ParsedLabels()
    finder = Finder(names)
    for place, document in documents(label_files, is_label_file, _listed, reading):
        for index, entry in enumerate(document):
            with complaining(reading, f"{place}: [{index}]"):
                name = finder.one(_file_of(entry), posixpath.dirname(place))
                found = entry.get("annotations", entry.get("annotation"))
                split_note(reading, name, split_of_folders(place), split_of_folders(name))
                if found is None:
                    continue  # nobody has looked
                annotations: list[Annotation] = []
                for at, one in enumerate(found):
                    with complaining(reading, f"{place}: [{index}].annotations[{at}]", name):
                        annotations.append(_object(one))
                attach_all(reading, name, annotations)
    return reading


def _listed(data: bytes) -> list[Any]:
    found = json_of(data)
    if not isinstance(found, list):
        raise LabelError("label_file_broken")
    return found


def _file_of(entry: Mapping[str, Any]) -> str:
    found = next((entry[key] for key in _FILES if isinstance(entry.get(key), str)), None)
    if found is None:
        raise LabelError
    return str(found)


def _object(one: Mapping[str, Any]) -> Annotation:
    label, score = label_text(one["label"]), score_of(one.get("confidence"))
    if "coordinates" not in one:
        return made(ClassLabel, label=label, score=score)
    place = one["coordinates"]
    x, y, width, height = (number(place[key]) for key in ("x", "y", "width", "height"))
    return made(Box, label=label, x=x - width / 2, y=y - height / 2, width=width, height=height, score=score)


def write(records: Iterable[ItemRecord], *, labels: LabelSet, blob: ReadBlob) -> Iterator[ExportedFile]:
    """Writes a folder a split with its pictures and ``_annotations.createml.json``."""
    del labels, blob
    spools: dict[Split, Spool] = {}
    paths = Paths(by_stem=False)
    for record in records:
        folder = record.split.value
        path = paths.path(record, folder)
        yield ExportedFile(path=path, blob=record.blob, size_bytes=record.media.size_bytes)
        entry = {
            "image": path.removeprefix(f"{folder}/"),
            "annotations": [_row(one) for one in record.annotations if one.kind in KINDS],
        }
        spools.setdefault(record.split, Spool()).add(orjson.dumps(entry), separator=b",\n")
    for split, spool in spools.items():
        yield ExportedFile(path=f"{split.value}/_annotations.createml.json", chunks=_whole(spool))


def _row(one: Annotation) -> dict[str, Any]:
    if isinstance(one, Box):
        place = {"x": one.x + one.width / 2, "y": one.y + one.height / 2, "width": one.width, "height": one.height}
        return {"label": one.label, "coordinates": place}
    if isinstance(one, ClassLabel):
        return {"label": one.label}
    raise TypeError(f"{one.kind} is not among KINDS")


def _whole(spool: Spool) -> Iterator[bytes]:
    yield b"["
    yield from spool.chunks()
    yield b"]\n"
