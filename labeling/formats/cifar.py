"""CIFAR-10 and CIFAR-100 as their Python files: pickled dictionaries of pixels and numbers of classes, names in a file apart.

A pickle may hold any call; what is read here may hold plain values and arrays of numpy, and nothing else. Pictures of other
sizes than 32 x 32 have a list ``image_sizes`` of height and width, as datumaro writes it.
"""

from __future__ import annotations

import io
import pickle
import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from automl.contracts.annotation import AnnotationKind
from automl.contracts.dataset import Split
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from labeling.formats._files import split_named
from labeling.formats._pixels import PixelRow, grid, read_rows
from labeling.formats._reading import INVALID, complain, complaining
from labeling.formats._texts import Names
from labeling.formats._values import LabelError, label_text
from studio.datasets.files.formats import Facet, ParsedLabels

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
    read_rows(partial(_rows, places, label_files), classes, reading)
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


def _rows(places: Sequence[str], files: Mapping[str, bytes], reading: ParsedLabels) -> Iterator[PixelRow]:
    free = Names()
    for place in places:
        try:
            found = _unpacked(files[place])
            numbers = list(next(found[key] for key in _LABELS if key in found))
            names = list(found.get("filenames") or [""] * len(numbers))
            data, sizes = found["data"], list(found.get("image_sizes") or [(_SIDE, _SIDE)] * len(numbers))
            if not len(data) == len(numbers) == len(names) == len(sizes):
                raise LabelError("label_file_broken")
        except (LabelError, StopIteration, *INVALID):
            complain(reading, place, "label_file_broken")
            continue
        split = Split.TRAIN if "data_batch" in place else split_named(posixpath.basename(place))
        for index, (number, given, values, size) in enumerate(zip(numbers, names, data, sizes, strict=True)):
            text = given.decode("utf-8", "replace") if isinstance(given, bytes) else str(given)
            name = free.picture_name(text, place, index, ".png")
            yield PixelRow(f"{place}:{index + 1}", name, number, grid(values, size=size, num_channels=_CHANNELS), split)
