"""Hugging Face's folders of pictures with ``metadata.jsonl``: a JSON object a picture, which ``file_name`` names.

Columns are those of ``_hub``; ``metadata.csv`` and ``metadata.parquet`` are read as tables of labels.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import yaml

from automl.contracts.annotation import AnnotationKind
from automl.contracts.base import Text
from automl.contracts.modality import Modality
from labeling.formats._files import SPLITS, Finder, json_of, split_of_folders, text_of
from labeling.formats._hub import hub_columns, row_annotations
from labeling.formats._reading import attach_all, complain, complaining, split_note
from labeling.formats._values import LabelError
from studio.datasets.files.formats import Facet, ParsedLabels

TITLE = Text.same("Hugging Face metadata.jsonl")
KINDS: frozenset[AnnotationKind] = frozenset({"class", "box"})
KEEPS = frozenset({Facet.SPLITS, Facet.NEGATIVES, Facet.OVERLAPS})
MEDIA = frozenset({Modality.IMAGE})

_FILE = "metadata.jsonl"
_CARD = "readme.md"
_SAMPLE = 200


def is_label_file(name: str) -> bool:
    """The metadata, and the card, whose head may name the classes."""
    return posixpath.basename(name).lower() in {_FILE, _CARD}


def detect(names: Sequence[str], label_files: Mapping[str, bytes]) -> float:
    """A file of this name whose first line names a file."""
    del names
    places = [name for name in label_files if posixpath.basename(name).lower() == _FILE]
    return 0.95 if any(b'"file_name"' in label_files[place][:65_536] for place in places[:3]) else 0.0


def read(names: Sequence[str], label_files: Mapping[str, bytes]) -> ParsedLabels:
    """Reads all files of metadata; a picture is looked for beside the file that names it first."""
    reading = ParsedLabels()
    finder, features = Finder(names), _features(label_files)
    for place in sorted(name for name in label_files if posixpath.basename(name).lower() == _FILE):
        rows = list(_rows(label_files[place]))
        found = [row for _, row in rows if row is not None]
        columns = hub_columns(list(dict.fromkeys(key for row in found for key in row)), features, found[:_SAMPLE])
        if columns.are_corners:
            complain(reading, place, "boxes_as_corners")
        for line, row in rows:
            with complaining(reading, f"{place}:{line}"):
                if row is None or not isinstance(row.get("file_name"), str):
                    raise LabelError("label_row_invalid")
                name = finder.one(row["file_name"], posixpath.dirname(place))
                split = SPLITS.get(str(row.get("split", "")).lower())
                split_note(reading, name, split, split_of_folders(name), split_of_folders(place))
                with complaining(reading, f"{place}:{line} {row['file_name']}", name):
                    annotations = row_annotations(row, columns)
                    if annotations is not None:
                        attach_all(reading, name, annotations)
    return reading


def _rows(data: bytes) -> Iterator[tuple[int, dict[str, Any] | None]]:
    """Number and content of each line; a broken one is None."""
    for line, text in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        if text.strip():
            try:
                found = json_of(text)
            except LabelError:
                found = None
            yield line, found if isinstance(found, dict) else None


def _features(label_files: Mapping[str, bytes]) -> dict[str, object]:
    """What the head of the card tells of the columns, as the schema of a Parquet file would."""
    for place in label_files:
        parts = text_of(label_files[place]).split("---\n", 2) if posixpath.basename(place).lower() == _CARD else []
        if len(parts) < 3:
            continue
        try:
            found = yaml.safe_load(parts[1])
            listed = found["dataset_info"]["features"]
            return {one["name"]: _feature(one) for one in listed}
        except (yaml.YAMLError, ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, RecursionError):
            return {}
    return {}


def _feature(one: Mapping[str, Any]) -> object:
    """``{"class_label": {"names": {"0": "cat"}}}`` and lists of it, as features have them."""
    kind = next((one[key] for key in ("dtype", "sequence", "list", "struct") if key in one), None)
    if isinstance(kind, list):
        return {part["name"]: _feature(part) for part in kind}
    if isinstance(kind, Mapping) and isinstance(kind.get("class_label"), Mapping):
        names = kind["class_label"].get("names", {})
        listed = [str(names[key]) for key in sorted(names, key=int)] if isinstance(names, Mapping) else list(map(str, names))
        return {"names": listed, "_type": "ClassLabel"}
    return _feature(kind) if isinstance(kind, Mapping) and kind is not one else {}
