"""MNIST and its relatives as their makers publish them: ``train-images-idx3-ubyte`` beside ``train-labels-idx1-ubyte``.

Each file begins with two zero bytes, the type of its values (8: bytes) and the number of sides, then the sides as four bytes
each, the highest byte first. ``classes.txt`` or ``labels.txt`` may name the classes, one per line.
"""

from __future__ import annotations

import posixpath
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from automl.contracts.annotation import AnnotationKind
from automl.contracts.dataset import Split
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from labeling.formats._class_names import is_class_list, listed_class_names
from labeling.formats._files import split_named
from labeling.formats._pixels import PixelRow, read_rows
from labeling.formats._reading import complain, complaining
from labeling.formats._texts import Names
from labeling.formats._values import LabelError
from studio.datasets.files.formats import Facet, ParsedLabels

words = Words(__file__)

TITLE = words("mnist_idx")
KINDS: frozenset[AnnotationKind] = frozenset({"class"})
KEEPS = frozenset({Facet.SPLITS})
MEDIA = frozenset({Modality.IMAGE})

_NAME = re.compile(r"(.*)(images|labels)[-.]idx[13]-ubyte")
_TEST = "t10k"
"""What MNIST calls its test."""
_BYTES = 8
_NUM_SIDES = {"images": 3, "labels": 1}


def is_label_file(name: str) -> bool:
    """Files with the usual ending, and the names of the classes."""
    base = posixpath.basename(name).lower()
    return bool(_NAME.fullmatch(base)) or is_class_list(name)


def detect(names: Sequence[str], label_files: Mapping[str, bytes]) -> float:
    """A file of pictures."""
    del names
    return 0.95 if any(_NAME.fullmatch(posixpath.basename(name).lower()) for name in label_files) else 0.0


def read(names: Sequence[str], label_files: Mapping[str, bytes]) -> ParsedLabels:
    """Reads the classes; the pictures are packed as PNG one by one when they are wanted."""
    del names
    reading = ParsedLabels()
    read_rows(partial(_rows, label_files), listed_class_names(label_files), reading)
    return reading


def _rows(files: Mapping[str, bytes], reading: ParsedLabels) -> Iterator[PixelRow]:
    free = Names()
    for place, labels in _pairs(files).items():
        try:
            pictures = _values(files[place], "images")
        except LabelError as error:
            complain(reading, place, error.code)
            continue
        numbers: list[int | None] = [None] * len(pictures)
        with complaining(reading, labels or place):
            if labels is None:
                raise LabelError("label_file_missing")
            found = _values(files[labels], "labels")
            if len(found) != len(pictures):
                raise LabelError("label_file_broken")
            numbers = found.tolist()
        split = Split.TEST if _TEST in posixpath.basename(place).lower() else split_named(posixpath.basename(place))
        for index, (number, pixels) in enumerate(zip(numbers, pictures, strict=True)):
            yield PixelRow(f"{place}:{index + 1}", free.picture_name("", place, index, ".png"), number, pixels, split)


def _pairs(files: Mapping[str, bytes]) -> dict[str, str | None]:
    """Each file of pictures and that of their classes."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for name in files:
        if part := _NAME.fullmatch(posixpath.basename(name).lower()):
            found.setdefault((posixpath.dirname(name), part[1]), {})[part[2]] = name
    return {one["images"]: one.get("labels") for _, one in sorted(found.items()) if "images" in one}


def _values(data: bytes, of: str) -> NDArray[np.uint8]:
    """The values in the shape that the file tells; raises ``LabelError``."""
    num_sides = _NUM_SIDES[of]
    start = 4 * (1 + num_sides)
    if len(data) < start or data[:4] != bytes((0, 0, _BYTES, num_sides)):
        raise LabelError("label_file_broken")
    sides = struct.unpack(f">{num_sides}I", data[4:start])
    if len(data) - start != int(np.prod(sides, dtype=object)):
        raise LabelError("label_file_broken")
    return np.frombuffer(data, np.uint8, offset=start).reshape(sides)
