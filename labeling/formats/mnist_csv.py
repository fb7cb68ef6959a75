"""Pictures as rows of a table: the number of the class, then the pixels (MNIST and Fashion-MNIST as CSV).

A head (``label,pixel1,pixel2,...``) may come first. Pictures are grey squares. ``classes.txt`` or ``labels.txt``
may name the classes, one per line; ``meta_train.csv`` beside ``mnist_train.csv`` gives names and sizes of pictures, as datumaro
writes it. A class of -1 says that nobody has labelled the picture.
"""

from __future__ import annotations

import csv
import math
import posixpath
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from io import TextIOWrapper

from automl.contracts.annotation import AnnotationKind
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from labeling.formats._class_names import is_class_list, listed_class_names
from labeling.formats._files import PICTURES, opened, split_named
from labeling.formats._pixels import PixelRow, grid, read_rows
from labeling.formats._reading import complain
from labeling.formats._texts import Names
from labeling.formats._values import LabelError, whole
from studio.datasets.files.formats import Facet, ParsedLabels

words = Words(__file__)

TITLE = words("mnist_csv")
KINDS: frozenset[AnnotationKind] = frozenset({"class"})
KEEPS = frozenset({Facet.SPLITS})
MEDIA = frozenset({Modality.IMAGE})

_META = "meta_"
_LABEL = "label"
_MIN_PIXELS = 16
"""Shorter rows are of some other table."""
_NUM_LOOKED_AT = 3
_UNLABELLED = -1


def is_label_file(name: str) -> bool:
    """Tables, and the names of the classes."""
    return name.lower().endswith(".csv") or is_class_list(name)


def detect(names: Sequence[str], label_files: Mapping[str, bytes]) -> float:
    """A table of whole numbers whose rows are a class and a square of bytes, and no pictures beside it."""
    if any(name.lower().endswith(PICTURES) for name in names):
        return 0.0
    for place in _tables(label_files)[:1]:
        with _rows_of(place, label_files) as rows:
            first = [row for row, _ in zip(rows, range(_NUM_LOOKED_AT), strict=False)]
        if first and all(len(row) > _MIN_PIXELS for row in first):
            shown = first[1:] if _is_head(first[0]) else first
            is_square = math.isqrt(len(first[0]) - 1) ** 2 == len(first[0]) - 1
            has_meta = any(posixpath.basename(name).startswith(_META) for name in label_files)
            if shown and (is_square or has_meta) and all(_is_picture(row) for row in shown):
                return 0.9
    return 0.0


def read(names: Sequence[str], label_files: Mapping[str, bytes]) -> ParsedLabels:
    """Reads the classes; the pictures are packed as PNG one by one when they are wanted."""
    del names
    reading = ParsedLabels()
    read_rows(partial(_rows, label_files), listed_class_names(label_files), reading)
    return reading


def _tables(label_files: Mapping[str, bytes]) -> list[str]:
    tables = (name for name in label_files if name.lower().endswith(".csv"))
    return sorted(name for name in tables if not posixpath.basename(name).startswith(_META))


@contextmanager
def _rows_of(place: str, files: Mapping[str, bytes]) -> Iterator[Iterator[list[str]]]:
    """The rows of a file that are not empty."""
    with opened(place, files) as (file, _), TextIOWrapper(file, "utf-8-sig", errors="replace", newline="") as text:
        yield (row for row in csv.reader(text) if row)


def _is_head(row: list[str]) -> bool:
    return row[0].strip().lower() == _LABEL


def _is_picture(row: list[str]) -> bool:
    return all(cell.isdigit() and int(cell) < 256 for cell in row[1:]) and row[0].removeprefix("-").isdigit()


def _rows(files: Mapping[str, bytes], reading: ParsedLabels) -> Iterator[PixelRow]:
    free = Names()
    for place in _tables(files):
        stem = posixpath.splitext(posixpath.basename(place))[0]
        meta = _meta(f"{posixpath.dirname(place)}/{_META}{stem.rpartition('_')[2]}.csv".lstrip("/"), files)
        try:
            with _rows_of(place, files) as rows:
                pictures = (row for row in rows if not _is_head(row))
                for index, (number, *values) in enumerate(pictures):
                    given, size = meta[index] if index < len(meta) else ("", None)
                    pixels = grid(values, size=size) if all(map(str.isdigit, values)) else None
                    name = free.picture_name(f"{given}.png" if given else "", place, index, ".png")
                    label = None if number.strip() == str(_UNLABELLED) else number
                    yield PixelRow(f"{place}:{index + 1}", name, label, pixels, split_named(posixpath.basename(place)))
        except csv.Error:
            complain(reading, place, "label_file_broken")


def _meta(place: str, files: Mapping[str, bytes]) -> list[tuple[str, tuple[int, int] | None]]:
    """Name and size of each picture, where a file beside the table tells them."""
    if place not in files:
        return []
    found: list[tuple[str, tuple[int, int] | None]] = []
    with _rows_of(place, files) as rows:
        for row in rows:
            try:
                size = (whole(row[-2]), whole(row[-1])) if len(row) > 1 else None
            except LabelError:
                size = None
            found.append((row[0] if len(row) != 2 else "", size))
    return found
