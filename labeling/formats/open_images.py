"""Open Images: a table of boxes in fractions of the picture's sides, or of labels of pictures, and one with the labels' names.

Of labels of pictures those with confidence 1 are there; 0 says that somebody looked and it is not so. A picture of which no
row speaks stays unlabelled.
"""

from __future__ import annotations

import csv
import io
import posixpath
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from automl.contracts.annotation import Annotation, AnnotationKind, Box, ClassLabel
from automl.contracts.base import Text
from automl.contracts.modality import Modality
from labeling.formats._files import Finder, looked_into, split_named, split_of_folders, text_of
from labeling.formats._reading import attach_all, complain, complaining, split_note
from labeling.formats._values import LabelError, attributes_of, label_text, made, number
from studio.datasets.files.formats import Facet, ParsedLabels

TITLE = Text.same("Open Images CSV")
KINDS: frozenset[AnnotationKind] = frozenset({"class", "box"})
KEEPS = frozenset({Facet.SPLITS, Facet.ATTRIBUTES, Facet.OVERLAPS})
MEDIA = frozenset({Modality.IMAGE})

_HEAD = b"ImageID,"
_FLAGS = ("IsOccluded", "IsTruncated", "IsGroupOf", "IsDepiction", "IsInside")
_CORNERS = ("XMin", "XMax", "YMin", "YMax")


def is_label_file(name: str) -> bool:
    """Tables, and what datumaro keeps beside them."""
    return name.lower().endswith((".csv", "images.meta", "label_hierarchy.json", "labels_600_hierarchy.json"))


def detect(names: Sequence[str], label_files: Mapping[str, bytes]) -> float:
    """A table whose head begins as theirs."""
    del names
    heads = [data[:400] for _, data in looked_into(label_files, ".csv", count=20)]
    return 0.95 if any(head.lstrip(b"\xef\xbb\xbf").startswith(_HEAD) and b"LabelName" in head for head in heads) else 0.0


def read(names: Sequence[str], label_files: Mapping[str, bytes]) -> ParsedLabels:
    """Reads names first, then the tables; coordinates stay fractions."""
    reading = ParsedLabels(is_relative=True)
    finder, titles = Finder(names), _titles(label_files)
    for place in sorted(name for name in label_files if name.lower().endswith(".csv")):
        if posixpath.basename(place).lower().startswith("class-descriptions"):
            continue
        missing: set[str] = set()
        try:
            for line, row in enumerate(_rows(label_files[place]), start=2):
                _row_read(row, f"{place}:{line}", place, finder=finder, titles=titles, reading=reading, missing=missing)
        except csv.Error:
            complain(reading, place, "label_file_broken")
    return reading


def _titles(label_files: Mapping[str, bytes]) -> dict[str, str]:
    """``/m/01g317`` and the like, and what they are called."""
    out: dict[str, str] = {}
    for place in sorted(label_files):
        if posixpath.basename(place).lower().startswith("class-descriptions"):
            for line in text_of(label_files[place]).splitlines():
                code, mark, title = line.partition(",")
                if mark:
                    out.setdefault(code.strip(), title.strip().strip('"'))
    return out


def _rows(data: bytes) -> Iterator[dict[str, str]]:
    reader = csv.DictReader(io.StringIO(text_of(data), newline=""))
    if not reader.fieldnames or "ImageID" not in reader.fieldnames:
        return
    for row in reader:
        yield {key: value for key, value in row.items() if isinstance(key, str) and isinstance(value, str)}


def _row_read(
    row: Mapping[str, str],
    where: str,
    place: str,
    *,
    finder: Finder,
    titles: Mapping[str, str],
    reading: ParsedLabels,
    missing: set[str],
) -> None:
    image = row.get("ImageID", "").strip()
    if image in missing:
        return
    split = split_named(posixpath.basename(place))
    folder = posixpath.join(posixpath.dirname(place), split.value if split else "")
    try:
        name = finder.by_stem(image, folder.rstrip("/"))  # of two pictures of this name the one in the split's folder
    except LabelError as error:
        missing.add(image)
        complain(reading, f"{where} {image}", error.code)
        return
    split_note(reading, name, split_of_folders(name), split)
    with complaining(reading, f"{where} {image}", name):
        annotations = _annotations(row, titles)
        if annotations is not None:
            attach_all(reading, name, annotations)


def _annotations(row: Mapping[str, Any], titles: Mapping[str, str]) -> list[Annotation] | None:
    """The annotations of a row; None for a list of pictures."""
    if "LabelName" not in row:
        return None
    code = row["LabelName"].strip()
    label = label_text(titles.get(code, code))
    if "XMin" not in row:
        return [made(ClassLabel, label=label)] if number(row.get("Confidence") or 1) > 0 else []
    left, right, top, bottom = (number(row[key]) for key in _CORNERS)
    flags = {name: True for name in _FLAGS if row.get(name, "").strip() == "1"}
    fields = {"x": left, "y": top, "width": right - left, "height": bottom - top}
    return [made(Box, label=label, attributes=attributes_of(flags), **fields)]
