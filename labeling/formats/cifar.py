"""CIFAR-10 and CIFAR-100 as their Python files: pickled dictionaries of pixels and numbers of classes, names in a file apart.

A pickle may hold any call; what is read here may hold plain values and arrays of numpy, and nothing else.
"""

from __future__ import annotations

import io
import pickle
import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from PIL import Image

from automl.contracts.annotation import AnnotationKind, ClassLabel
from automl.contracts.dataset import Split
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from labeling.formats._files import split_named
from labeling.formats._reading import INVALID, attach_all, complain, complaining, split_note
from labeling.formats._texts import Content, Names
from labeling.formats._values import LabelError, label_text, made, whole
from studio.datasets.files.formats import Facet, LabelFileProblem, ParsedLabels

words = Words(__file__)

TITLE = words("cifar")
KINDS: frozenset[AnnotationKind] = frozenset({"class"})
KEEPS = frozenset({Facet.SPLITS})
MEDIA = frozenset({Modality.IMAGE})

_NAMES = frozenset({"batches.meta", "meta"})
_BATCH = re.compile(r"data_batch_\d+|test_batch|train|test|val|validation")
_LABELS, _TITLES = ("labels", "fine_labels"), ("label_names", "fine_label_names")
_SIDE, _CHANNELS = 32, 3
_ALLOWED = {
    ("numpy.core.multiarray", "_reconstruct"),
    ("numpy._core.multiarray", "_reconstruct"),
    ("numpy", "ndarray"),
    ("numpy", "dtype"),
    ("_codecs", "encode"),
}
_DAMAGE = (pickle.UnpicklingError, EOFError, MemoryError, RecursionError, UnicodeError, ImportError, *INVALID)


def is_label_file(name: str) -> bool:
    """Files without a suffix of the usual names."""
    base = posixpath.basename(name).lower()
    return base in _NAMES or bool(_BATCH.fullmatch(base))


def detect(names: Sequence[str], label_files: Mapping[str, bytes]) -> float:
    """A file of names beside files of pictures."""
    del names
    metas = [name for name in label_files if posixpath.basename(name).lower() in _NAMES]
    batches = [name for name in label_files if _BATCH.fullmatch(posixpath.basename(name).lower())]
    return 0.9 if metas and batches and label_files[batches[0]][:1] == b"\x80" else 0.0


def read(names: Sequence[str], label_files: Mapping[str, bytes]) -> ParsedLabels:
    """Reads the classes; the pictures are packed as PNG one by one when they are wanted."""
    del names
    reading = ParsedLabels()
    classes = _classes(label_files, reading)
    places = sorted(name for name in label_files if _BATCH.fullmatch(posixpath.basename(name).lower()))
    for picture in _pictures(places, label_files, reading):
        with complaining(reading, picture.place, picture.name):
            number = whole(picture.number)
            if classes and not 0 <= number < len(classes):
                raise LabelError("label_unknown")
            attach_all(reading, picture.name, [made(ClassLabel, label=label_text(classes[number] if classes else number))])
        split_note(reading, picture.name, picture.split)
    reading.contents = _Contents(places, label_files)
    return reading


class _Unpickler(pickle.Unpickler):
    """Reads plain values and numpy's arrays; any other name in a pickle is refused."""

    def find_class(self, module: str, name: str) -> Any:  # noqa: ANN401 - as the library has it
        if (module, name) not in _ALLOWED:
            raise pickle.UnpicklingError(f"{module}.{name}")
        return super().find_class(module, name)


def _unpacked(data: bytes) -> dict[str, Any]:
    """A dictionary of CIFAR; raises ``LabelError``."""
    try:
        found = _Unpickler(io.BytesIO(data), encoding="latin1").load()
    except _DAMAGE:
        raise LabelError("label_file_broken") from None
    if not isinstance(found, dict):
        raise LabelError("label_file_broken")
    return {key.decode("latin1") if isinstance(key, bytes) else str(key): value for key, value in found.items()}


def _classes(files: Mapping[str, bytes], reading: ParsedLabels) -> list[str]:
    names: list[str] = []
    for place in sorted(name for name in files if posixpath.basename(name).lower() in _NAMES):
        with complaining(reading, place):
            found = _unpacked(files[place])
            listed: list[Any] = next((found[key] for key in _TITLES if key in found), [])
            names += [label_text(one.decode("utf-8", "replace") if isinstance(one, bytes) else one) for one in listed]
    return names


@dataclass(frozen=True)
class _Picture:
    """A picture of a batch."""

    place: str
    name: str
    number: Any
    pixels: np.ndarray[Any, Any]
    split: Split | None


def _pictures(places: Sequence[str], files: Mapping[str, bytes], reading: ParsedLabels) -> Iterator[_Picture]:
    free = Names()
    for place in places:
        try:
            found = _unpacked(files[place])
            numbers = list(next(found[key] for key in _LABELS if key in found))
            names = list(found.get("filenames") or [""] * len(numbers))
            data = found["data"]
            if len(data) != len(numbers) or len(names) != len(numbers):
                raise LabelError("label_file_broken")
        except (LabelError, StopIteration, *INVALID):
            complain(reading, place, "label_file_broken")
            continue
        split = Split.TRAIN if "data_batch" in place else split_named(posixpath.basename(place))
        for index, (number, given) in enumerate(zip(numbers, names, strict=True)):
            text = given.decode("utf-8", "replace") if isinstance(given, bytes) else str(given)
            yield _Picture(f"{place}:{index + 1}", free.picture_name(text, place, index, ".png"), number, data[index], split)


class _Contents:
    """The pictures as PNG, made when they are wanted."""

    def __init__(self, places: Sequence[str], label_files: Mapping[str, bytes]) -> None:
        self._places, self._files = places, label_files

    def __iter__(self) -> Iterator[Content]:
        for picture in _pictures(self._places, self._files, ParsedLabels()):
            try:
                pixels = np.asarray(picture.pixels, dtype=np.uint8).reshape(_CHANNELS, _SIDE, _SIDE)
            except INVALID:
                yield LabelFileProblem(picture.place, "entry_damaged")
                continue
            out = io.BytesIO()
            Image.fromarray(np.ascontiguousarray(pixels.transpose(1, 2, 0))).save(out, "PNG")
            yield picture.name, out.getvalue()
