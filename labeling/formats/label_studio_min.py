"""Label Studio's flat exports: JSON_MIN, CSV and TSV, a row a task with a column for each field of its data and each control.

Regions are lists of objects, in tables as JSON within the cell; choices are words, or ``{"choices": [...]}`` where there are
several. A row without an annotation's number is unlabelled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import orjson

from automl.contracts.annotation import Annotation, AnnotationKind, ClassLabel
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from labeling.formats._files import PICTURES, SPLITS, Finder, json_of, looked_into, split_of_folders
from labeling.formats._label_studio_data import TaskTexts, task_picture, task_text
from labeling.formats._label_studio_read import results_read
from labeling.formats._reading import attach_all, complain, complaining, split_note
from labeling.formats._tables import TABLE_DAMAGE, table_rows
from labeling.formats._values import LabelError, label_text, made
from labeling.text_columns import LABEL_HEADS, TEXT_HEADS
from studio.datasets.files.formats import Facet, ParsedLabels

words = Words(__file__)

TITLE = words("label_studio_min")
KINDS: frozenset[AnnotationKind] = frozenset({"class", "box", "rotated_box", "polygon", "mask", "keypoints"})
KEEPS = frozenset({Facet.SPLITS, Facet.NEGATIVES, Facet.OUTLINES, Facet.OVERLAPS})
MEDIA = frozenset({Modality.IMAGE, Modality.TEXT})

_MARKS = ("annotation_id", "annotator", "lead_time")
_FACTS = frozenset({*_MARKS, "id", "created_at", "updated_at", "agreement", "was_cancelled", "annotation"})
_DATA = frozenset({"split", "item", "name", "url", "source", "meta", "meta_info"})
_CHOICES = ("choice", "choices", *LABEL_HEADS)


def is_label_file(name: str) -> bool:
    """JSON and tables."""
    return name.lower().endswith((".json", ".csv", ".tsv"))


def detect(names: Sequence[str], label_files: Mapping[str, bytes]) -> float:
    """The fields that every row of these exports has."""
    del names
    for _, data in looked_into(label_files, ".json", ".csv", ".tsv"):
        head = data[:65_536] if data.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"[") else data[:65_536].partition(b"\n")[0]
        if all(mark.encode() in head for mark in _MARKS) and b'"result"' not in head:
            return 0.93
    return 0.0


def read(names: Sequence[str], label_files: Mapping[str, bytes]) -> ParsedLabels:
    """Reads all rows; a text lies in its row."""
    reading = ParsedLabels()
    finder, texts = Finder(names), TaskTexts()
    for place in sorted(name for name in label_files if is_label_file(name)):
        try:
            rows = list(_rows(place, label_files[place]))
            controls = _controls(rows)
        except LabelError as error:
            complain(reading, place, error.code)
            continue
        except TABLE_DAMAGE:
            complain(reading, place, "label_file_broken")
            continue
        seen: set[str] = set()
        for index, row in enumerate(rows, start=1):
            with complaining(reading, f"{place}: [{index}]"):
                _row_read(row, f"{place}: [{index}]", controls, (finder, texts, seen), reading)
    reading.contents = texts
    return reading


def _rows(place: str, data: bytes) -> Iterator[dict[str, Any]]:
    """The rows by column; a cell that holds JSON is read, an empty one is left out."""
    if place.lower().endswith(".json"):
        found = json_of(data)
        if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
            raise LabelError("label_file_broken")
        yield from ({key: value for key, value in row.items() if value not in (None, "")} for row in found)
        return
    rows = table_rows(place, data)
    head = next(rows, [])
    for row in rows:
        yield {key: _cell(value) for key, value in zip(head, row, strict=False) if value.strip()}


def _cell(value: str) -> Any:  # noqa: ANN401 - it may be JSON
    if value.startswith(("[", "{")):
        try:
            return orjson.loads(value)
        except orjson.JSONDecodeError:
            # A region whose JSON is damaged is none that is left out.
            return value if "labels" not in value and "choices" not in value else [None]
    return value


def _controls(rows: Sequence[Mapping[str, Any]]) -> frozenset[str]:
    """The columns with choices that are words.

    Raises:
        LabelError: several columns may be it, and none has a usual name.
    """
    words = Counter(key for row in rows for key, value in row.items() if isinstance(value, str))
    values = {key: {row[key] for row in rows if isinstance(row.get(key), str)} for key in words}
    others = [key for key in words if key not in _FACTS | _DATA and key.lower() not in TEXT_HEADS]
    found = [key for key in others if not any(_is_address(value) for value in values[key])]
    usual = [key for key in found if key.lower() in _CHOICES]
    if len(found) > 1 and not usual:
        raise LabelError("label_row_invalid")
    return frozenset(usual or found)


def _is_address(value: str) -> bool:
    return value.lower().endswith(PICTURES) or value.startswith("/") or "://" in value


def _row_read(
    row: Mapping[str, Any],
    place: str,
    controls: frozenset[str],
    known: tuple[Finder, TaskTexts, set[str]],
    reading: ParsedLabels,
) -> None:
    finder, texts, seen = known
    task = str(row.get("id", place))
    if task in seen:
        complain(reading, place, "annotation_alternative")
        return
    seen.add(task)
    text = task_text(row)
    name = task_picture(row, finder) if text is None else texts.add(text, row.get("name"), place)
    split_note(reading, name, SPLITS.get(str(row.get("split", "")).lower()), split_of_folders(name))
    if row.get("annotation_id") is None:
        return  # nobody has looked
    annotations: list[Annotation] = []
    for key, value in row.items():
        with complaining(reading, f"{place}.{key}", name):
            if key in controls and isinstance(value, str):
                annotations.append(made(ClassLabel, label=label_text(value)))
            else:
                annotations += _regions(key, value, f"{place}.{key}", reading, name)
    attach_all(reading, name, annotations)


def _regions(key: str, value: object, place: str, reading: ParsedLabels, item: str) -> list[Annotation]:
    """What a column draws or chooses; nothing, when it is a field of the data."""
    entries = value if isinstance(value, list) else [value]
    regions = [one for one in entries if one is None or (isinstance(one, dict) and (_kind(one) or key not in _FACTS | _DATA))]
    if not regions:
        return []
    results = [{"type": _kind(one) or "choices", "value": one, **_size(one)} if one is not None else {} for one in regions]
    return results_read(results, place, reading, item)


def _kind(region: Mapping[str, Any]) -> str:
    return next((key for key in region if key.endswith("labels") or key == "choices"), "")


def _size(region: Mapping[str, Any]) -> dict[str, Any]:
    return {key: region[key] for key in ("original_width", "original_height") if key in region}
