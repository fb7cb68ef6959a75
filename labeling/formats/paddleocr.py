"""PaddleOCR and PPOCRLabel: ``Label.txt`` with a picture a line: its path, a tab, and its lines of text as JSON.

A line of text has its corners as ``points`` and what it says as ``transcription``, which is ``###`` where nobody can read it.
``key_cls`` is a label other than ``text``. Readers of the format pass over keys that they do not know, so ids, scores and other
attributes stand beside its own.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import orjson

from automl.contracts.annotation import Annotation, AnnotationKind, Polygon
from automl.contracts.base import Text
from automl.contracts.dataset import ItemRecord, LabelSet
from automl.contracts.modality import Modality
from labeling.formats._files import Finder, looked_into, split_named, split_of_folders, text_of
from labeling.formats._reading import attach_all, complain, complaining, split_note
from labeling.formats._values import LabelError, attributes_of, label_text, made, number, score_of
from labeling.formats._writing import SPLIT_FOLDERS, Paths, Spool, of_kinds
from studio.datasets.files.formats import ExportedFile, Facet, ParsedLabels, ReadBlob

TITLE = Text.same("PaddleOCR Label.txt")
KINDS: frozenset[AnnotationKind] = frozenset({"polygon"})
KEEPS = frozenset(
    {Facet.SPLITS, Facet.NEGATIVES, Facet.SCORES, Facet.IDS, Facet.ATTRIBUTES, Facet.PARTS, Facet.OUTLINES, Facet.OVERLAPS}
)
MEDIA = frozenset({Modality.IMAGE})

_TEXT = "text"
"""The usual label, and the attribute that holds what a line says."""
_NO_LABEL = "None"
_ILLEGIBLE = "###"


def is_label_file(name: str) -> bool:
    """Text files."""
    return name.lower().endswith(".txt")


def detect(names: Sequence[str], label_files: Mapping[str, bytes]) -> float:
    """A line with a path, a tab and a JSON list."""
    del names
    heads = [text_of(data[:4096]).partition("\n")[0] for _, data in looked_into(label_files, ".txt", count=20)]
    return (
        0.95 if any("\t[" in head and ('"transcription"' in head or head.rstrip().endswith("\t[]")) for head in heads) else 0.0
    )


def read(names: Sequence[str], label_files: Mapping[str, bytes]) -> ParsedLabels:
    """Reads every label file; a picture without lines of text is annotated as empty."""
    reading = ParsedLabels()
    finder = Finder(names)
    for name in names:
        split_note(reading, name, split_of_folders(name))
    for place in sorted(filter(is_label_file, label_files)):
        rows = [line.partition("\t") for line in text_of(label_files[place]).splitlines()]
        if not any(document.lstrip().startswith("[") for _, _, document in rows):
            continue  # another text file
        for row, (path, _, document) in enumerate(rows, start=1):
            if document:
                with complaining(reading, f"{place}:{row}"):
                    name = finder.one(path.strip().replace("\\", "/"), posixpath.dirname(place))
                    _picture_read(name, place, row, document, reading)
            elif path.strip():
                complain(reading, f"{place}:{row}", "annotation_invalid")
    return reading


def _picture_read(name: str, place: str, row: int, document: str, reading: ParsedLabels) -> None:
    try:
        lines = orjson.loads(document)
    except orjson.JSONDecodeError:
        lines = None
    if not isinstance(lines, list):
        complain(reading, f"{place}:{row}", "annotation_invalid", name)
        return
    found: list[Annotation] = []
    for index, line in enumerate(lines):
        with complaining(reading, f"{place}:{row}[{index}]", name):
            found.append(_line(line))
    attach_all(reading, name, found)
    split_note(reading, name, split_of_folders(name), split_named(place))


def _line(line: Mapping[str, Any]) -> Annotation:
    text, label = line["transcription"], line.get("key_cls")
    if not isinstance(text, str):
        raise LabelError
    more = line["attributes"] if isinstance(line.get("attributes"), dict) else {}
    difficult = {"difficult": True} if line.get("difficult") is True and text != _ILLEGIBLE else {}
    return made(
        Polygon,
        id=line.get("id"),
        label=_TEXT if label in {None, "", _NO_LABEL} else label_text(label),
        points=tuple((number(x), number(y)) for x, y in line["points"]),
        score=score_of(line.get("score")),
        attributes=attributes_of({**({_TEXT: text} if text else {}), **difficult, **more}),
    )


def write(records: Iterable[ItemRecord], *, labels: LabelSet, blob: ReadBlob) -> Iterator[ExportedFile]:
    """Writes each picture into its split's folder, and ``Label.txt`` of all behind them."""
    del labels, blob
    paths, spool = Paths(by_stem=False), Spool()
    for record in records:
        path = paths.path(record, SPLIT_FOLDERS[record.split])
        yield ExportedFile(path=path, blob=record.blob, size_bytes=record.media.size_bytes)
        lines = [_written(one) for one in of_kinds(record, KINDS) if isinstance(one, Polygon)]
        spool.add(path.encode() + b"\t" + orjson.dumps(lines) + b"\n")
    yield ExportedFile(path="Label.txt", chunks=spool.chunks())


def _written(line: Polygon) -> dict[str, Any]:
    values = {each.name: each.value for each in line.attributes}
    text = values.pop(_TEXT, "")
    difficult = values.pop("difficult", None)
    if difficult not in {None, True}:
        values["difficult"] = difficult
    own = {"key_cls": line.label} if line.label != _TEXT else {}
    more = {"id": line.id, "score": line.score, "attributes": values or None}
    return {
        "transcription": text if isinstance(text, str) else str(text),
        "points": line.points,
        "difficult": difficult is True or text == _ILLEGIBLE,
        **own,
        **{key: value for key, value in more.items() if value is not None},
    }
