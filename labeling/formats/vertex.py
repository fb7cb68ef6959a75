"""Google Vertex AI: one JSON object a line with a picture's address, and its class or its boxes in fractions of its sides."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import unquote

from automl.contracts.annotation import Annotation, AnnotationKind, Box, ClassLabel
from automl.contracts.base import Text
from automl.contracts.dataset import Split
from automl.contracts.modality import Modality
from labeling.formats._files import SPLITS, Finder, json_of, looked_into
from labeling.formats._reading import attach_all, complaining, split_note
from labeling.formats._values import LabelError, label_text, made, number
from studio.datasets.files.formats import Facet, ParsedLabels

TITLE = Text.same("Vertex AI JSONL")
KINDS: frozenset[AnnotationKind] = frozenset({"class", "box"})
KEEPS = frozenset({Facet.SPLITS, Facet.NEGATIVES, Facet.OVERLAPS})
MEDIA = frozenset({Modality.IMAGE})

_ADDRESS = "imageGcsUri"
_USES = ("aiplatform.googleapis.com/ml_use", "ml_use")
_CLASSES = ("classificationAnnotation", "classificationAnnotations")
_BOXES = "boundingBoxAnnotations"


def is_label_file(name: str) -> bool:
    """JSON lines."""
    return name.lower().endswith((".jsonl", ".ndjson"))


def detect(names: Sequence[str], label_files: Mapping[str, bytes]) -> float:
    """A line with the address of a picture in Google's store."""
    del names
    return 0.95 if any(b'"imageGcsUri"' in data[:65_536] for _, data in looked_into(label_files, ".jsonl", ".ndjson")) else 0.0


def read(names: Sequence[str], label_files: Mapping[str, bytes]) -> ParsedLabels:
    """Reads all lines; coordinates stay fractions."""
    reading = ParsedLabels(is_relative=True)
    finder = Finder(names)
    for place in sorted(name for name in label_files if is_label_file(name)):
        for line, text in enumerate(label_files[place].removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
            if text.strip():
                with complaining(reading, f"{place}:{line}"):
                    _row_read(json_of(text), f"{place}:{line}", posixpath.dirname(place), finder, reading)
    return reading


def _row_read(row: Mapping[str, Any], where: str, folder: str, finder: Finder, reading: ParsedLabels) -> None:
    address = row[_ADDRESS]
    name = finder.one(unquote(address).removeprefix("gs://"), folder)
    split_note(reading, name, _split(row.get("dataItemResourceLabels") or {}))
    classes = next((row[key] for key in _CLASSES if row.get(key) is not None), None)
    boxes = row.get(_BOXES)
    if classes is None and boxes is None:
        return  # nobody has looked
    annotations: list[Annotation] = []
    for at, one in enumerate(classes if isinstance(classes, list) else [classes] if classes is not None else []):
        with complaining(reading, f"{where} classificationAnnotation[{at}]", name):
            annotations.append(made(ClassLabel, label=label_text(one["displayName"])))
    for at, one in enumerate(boxes or ()):
        with complaining(reading, f"{where} {_BOXES}[{at}]", name):
            annotations.append(_box(one))
    attach_all(reading, name, annotations)


def _split(labels: Mapping[str, Any]) -> Split | None:
    return next((SPLITS[str(labels[key]).lower()] for key in _USES if str(labels.get(key, "")).lower() in SPLITS), None)


def _box(one: Mapping[str, Any]) -> Annotation:
    if not isinstance(one, dict):
        raise LabelError
    left, top, right, bottom = (number(one[key]) for key in ("xMin", "yMin", "xMax", "yMax"))
    return made(Box, label=label_text(one["displayName"]), x=left, y=top, width=right - left, height=bottom - top)
