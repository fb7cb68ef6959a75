"""doccano: one JSON object a line with a ``text`` (or a picture's ``filename``) and its labels.

``label`` holds classes, or spans as ``[start, end, label]``; ``entities`` and ``relations`` hold spans with ids and the arrows
between them. A line without any of the keys is unlabelled.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import orjson

from automl.contracts.annotation import Annotation, AnnotationKind, ClassLabel, Relation, Span
from automl.contracts.base import Text
from automl.contracts.dataset import ItemRecord, LabelSet
from automl.contracts.modality import Modality
from labeling.formats._files import Finder, json_of, looked_into, split_named, split_of_folders
from labeling.formats._reading import attach_all, complaining, split_note
from labeling.formats._texts import Content, Names, record_text, split_spools, spooled
from labeling.formats._values import LabelError, attributes_of, label_text, made, score_of, whole
from labeling.formats._writing import Paths
from studio.datasets.files.formats import ExportedFile, Facet, ParsedLabels, ReadBlob

TITLE = Text.same("doccano JSONL")
KINDS: frozenset[AnnotationKind] = frozenset({"class", "span", "relation"})
KEEPS = frozenset({Facet.SPLITS, Facet.NEGATIVES, Facet.OVERLAPS})
MEDIA = frozenset({Modality.IMAGE, Modality.TEXT})

_KEYS = ("label", "labels", "entities", "relations", "cats")


def is_label_file(name: str) -> bool:
    """JSON lines."""
    return name.lower().endswith((".jsonl", ".ndjson"))


def detect(names: Sequence[str], label_files: Mapping[str, bytes]) -> float:
    """JSON lines with a text or a file name."""
    del names
    for _, data in looked_into(label_files, ".jsonl", ".ndjson"):
        head = data[:65536].partition(b"\n")[0]
        if head.lstrip(b"\xef\xbb\xbf ").startswith(b"{") and (b'"text"' in head or b'"filename"' in head):
            return 0.8
    return 0.0


def read(names: Sequence[str], label_files: Mapping[str, bytes]) -> ParsedLabels:
    """Reads all lines; texts become items of their own, pictures are found by their file name."""
    reading = ParsedLabels()
    finder, free = Finder(names), Names()
    places = sorted(name for name in label_files if is_label_file(name))
    for place in places:
        for index, row in _rows(label_files[place]):
            with complaining(reading, f"{place}:{index + 1}"):
                if not isinstance(row, dict):
                    raise LabelError("label_file_broken")
                name = _name(row, place, index, finder, free)
                if any(key in row for key in _KEYS):
                    attach_all(reading, name, _annotations(row, f"{place}:{index + 1}", reading, name))
                split_note(reading, name, split_named(place), split_of_folders(name) if "filename" in row else None)
    reading.contents = _Texts(places, label_files)
    return reading


class _Texts:
    """The texts in the files, read again when they are wanted."""

    def __init__(self, places: Sequence[str], label_files: Mapping[str, bytes]) -> None:
        self._places, self._files = places, label_files

    def __iter__(self) -> Iterator[Content]:
        free = Names()
        for place in self._places:
            for index, row in _rows(self._files[place]):
                if isinstance(row, dict) and isinstance(row.get("text"), str):
                    yield free.name(row.get("file"), place, index), row["text"].encode("utf-8", "replace")


def _rows(data: bytes) -> Iterator[tuple[int, Any]]:
    """Number and content of each line that is not empty; a broken one is None."""
    for index, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n")):
        if line.strip():
            try:
                yield index, json_of(line)
            except LabelError:
                yield index, None


def _name(row: Mapping[str, Any], place: str, index: int, finder: Finder, free: Names) -> str:
    if isinstance(row.get("text"), str):
        return free.name(row.get("file"), place, index)
    if isinstance(row.get("filename"), str):
        return finder.one(row["filename"], place.rpartition("/")[0])
    raise LabelError("label_row_invalid")


def _annotations(row: Mapping[str, Any], place: str, reading: ParsedLabels, item: str) -> list[Annotation]:
    out: list[Annotation] = []
    for key in _KEYS:
        found = row.get(key) or ()
        if isinstance(found, dict):
            found = [name for name, value in found.items() if value]
        # What is no list is read as the only one, and complained of unless it is a label's name.
        for index, one in enumerate(found if isinstance(found, list | tuple) else [found]):
            with complaining(reading, f"{place} {key}[{index}]", item):
                out.append(_one(key, one, index, len(row.get("text") or "")))
    return out


def _one(key: str, one: Any, index: int, length: int) -> Annotation:  # noqa: ANN401 - it is JSON
    if key == "relations":
        ends = {"source": str(one["from_id"]), "target": str(one["to_id"])}
        return made(Relation, label=label_text(one["type"]), **ends, **_extra(one))
    span = partial(_span, length=length)
    if key == "entities":
        return span(one["label"], one["start_offset"], one["end_offset"], named=str(one["id"]), **_extra(one))
    if isinstance(one, list):
        start, end, label = one
        return span(label, start, end, named=f"span-{index}")
    return made(ClassLabel, label=label_text(one))


def _extra(one: Mapping[str, Any]) -> dict[str, Any]:
    plain = one.get("attributes")
    return {"score": score_of(one.get("score")), "attributes": attributes_of(plain if isinstance(plain, dict) else {})}


def _span(label: object, start: object, end: object, *, named: str, length: int, **extra: Any) -> Annotation:
    first, last = whole(start), whole(end)
    if last > length:
        raise LabelError
    return made(Span, label=label_text(label), start=first, end=last, id=named, **extra)


def write(records: Iterable[ItemRecord], *, labels: LabelSet, blob: ReadBlob) -> Iterator[ExportedFile]:
    """Writes ``<split>.jsonl``; pictures lie beside it, texts within."""
    del labels
    spools, paths = split_spools(), Paths(by_stem=False)
    for key, record in enumerate(records, start=1):
        row: dict[str, Any] = {"id": key}
        if record.media.format == "txt":
            row |= {"text": record_text(record, blob), "file": record.name}
        else:
            path = paths.path(record, record.split.value)
            row |= {"filename": path}
            yield ExportedFile(path=path, blob=record.blob, size_bytes=record.media.size_bytes)
        spools[record.split].add(orjson.dumps(row | _row(record), option=orjson.OPT_APPEND_NEWLINE))
    yield from spooled(spools, ".jsonl")


def _row(record: ItemRecord) -> dict[str, Any]:
    row: dict[str, Any] = {"label": [one.label for one in record.annotations if isinstance(one, ClassLabel)]}
    spans = [one for one in record.annotations if isinstance(one, Span)]
    arrows = [one for one in record.annotations if isinstance(one, Relation)]
    if spans:
        row["entities"] = [
            {"id": one.id, "label": one.label, "start_offset": one.start, "end_offset": one.end} for one in spans
        ]
    if arrows:
        row["relations"] = [
            {"id": index, "from_id": one.source, "to_id": one.target, "type": one.label} for index, one in enumerate(arrows)
        ]
    return row
