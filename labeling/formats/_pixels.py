"""What formats share whose label files hold the pictures themselves as rows of pixels."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from automl.contracts.annotation import ClassLabel
from automl.contracts.dataset import Split
from labeling.formats._reading import INVALID, attach_all, complain, complaining, split_note
from labeling.formats._texts import Content
from labeling.formats._values import LabelError, label_text, made, whole
from studio.datasets.files.formats import LabelFileProblem, ParsedLabels


@dataclass(frozen=True)
class PixelRow:
    """One picture within a label file."""

    place: str
    """Where it stands, for complaints."""
    name: str
    """Of the item that it becomes."""
    class_number: Any
    """As the file has it; None: unlabelled."""
    pixels: NDArray[np.uint8] | None
    """(height, width) or (height, width, 3); None: damaged."""
    split: Split | None


Rows = Callable[[ParsedLabels], Iterable[PixelRow]]
"""Walks the pictures from the first on and notes what cannot be read; each walk yields the same."""


def read_rows(rows: Rows, class_names: list[str], reading: ParsedLabels) -> None:
    """Notes class and split of each picture; the pictures become PNG one by one when they are asked for.

    Args:
        rows: the pictures.
        class_names: in the order of the numbers; empty: the numbers are the names.
        reading: where it is noted.
    """
    numbered = None
    for row in rows(reading):
        with complaining(reading, row.place, row.name):
            if row.class_number is not None:
                number = whole(row.class_number)
                if number < 0 or (class_names and number >= len(class_names)):
                    raise LabelError("label_unknown")
                label = label_text(class_names[number] if class_names else number)
                attach_all(reading, row.name, [made(ClassLabel, label=label)])
                numbered = numbered or row.place.rpartition(":")[0]
        split_note(reading, row.name, row.split)
    if numbered and not class_names:
        complain(reading, numbered, "class_numbers")
    reading.contents = _Pictures(rows)


class _Pictures:
    """The pictures as PNG, each time they are walked."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def __iter__(self) -> Iterator[Content]:
        for row in self._rows(ParsedLabels()):
            if row.pixels is None:
                yield LabelFileProblem(row.place, "entry_damaged")
                continue
            out = io.BytesIO()
            Image.fromarray(row.pixels).save(out, "PNG")
            yield row.name, out.getvalue()


def grid(values: Any, *, size: Any = None, num_channels: int = 1) -> NDArray[np.uint8] | None:  # noqa: ANN401 - of a foreign file
    """A picture of a flat row of pixels, None where the row makes none.

    Args:
        values: 0..255, the first row of the first channel first.
        size: height and width; None: the picture is a square.
        num_channels: 1 or 3.
    """
    try:
        row = np.asarray(values)
        if row.dtype != np.uint8:
            wide = row.astype(np.int64)
            if wide.min() < 0 or wide.max() > 255:
                return None
            row = wide.astype(np.uint8)
        side = math.isqrt(row.size // num_channels)
        height, width = (side, side) if size is None else (int(size[0]), int(size[1]))
        planes = row.reshape(num_channels, height, width)
    except INVALID:
        return None
    if not planes.size:
        return None
    return planes[0] if num_channels == 1 else np.ascontiguousarray(planes.transpose(1, 2, 0))
