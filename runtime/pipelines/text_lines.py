"""Lines of text in a picture: one graph says which pixels lie in the core of a line, another one reads lines.

The first graph takes a picture whose sides are multiples of 32 and gives the map of DB (Liao et al. 2020). Its regions become
rectangles, which are cut out, sorted by length and read in batches. What is read is decoded greedily (CTC, Graves et al. 2006).

``pipeline.json`` has ``recogniser`` (file of the second graph), ``symbols`` (what its outputs behind the blank stand for),
``side_px`` (longer side of the picture that the first graph sees at most), ``threshold`` (of the map), ``least_score`` (mean of
a region), ``unclip`` (how far a rectangle is enlarged: times its area by its circumference), ``wider`` (within a batch no line
is more times as wide as the narrowest: what is added to it is read as well, which takes time and can change unsure symbols).

Shapes: H height, W width, B lines of a batch, T steps along a line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from ..answers.quads import CORNERS, MAX_CHARACTERS, MAX_LINES, ROW_LENGTH
from ._quads import as_read, enlarged, from_upper_left, line_of, reading_order, sides
from ._regions import Floats, regions, smallest_rectangle
from .kind import Opener

DETECTOR_FILE = "model.onnx"
MAP, SYMBOLS = "map", "symbols"
"""Names of the graphs' outputs."""
PICTURE, LINE = "picture", "line"
"""Names of their inputs."""
STRIDE_PX = 32
"""Both sides of a picture are a multiple of it."""
HEIGHT_PX = 48
"""Of a line of text."""
LINE_STRIDE_PX = 8
"""The width of a line is a multiple of it; the model reads one symbol in each of these steps."""
MAX_WIDTH_PX = 2_400
SMALLEST = 3.0
"""Shorter side of a region in pixels of the map."""
BATCH = 8
"""Lines of a batch at most."""
WIDER = 1.25
"""``wider`` of models from before it was written down."""
_GREY = 128


class Line(NamedTuple):
    """What was read."""

    text: str
    score: float
    """Mean probability of its symbols."""


class TextLines:
    """See ``Pipeline``."""

    inputs: ClassVar[tuple[str, ...]] = (PICTURE,)

    def __init__(self, spec: Mapping[str, Any], opened: Opener) -> None:
        self._detector = opened(DETECTOR_FILE, MAP)
        self._recogniser = opened(spec["recogniser"], SYMBOLS)
        self._symbols: Sequence[str] = spec["symbols"]
        self._side_px = int(spec["side_px"])
        self._threshold, self._least_score = float(spec["threshold"]), float(spec["least_score"])
        self._unclip = float(spec["unclip"])
        self._wider = float(spec.get("wider", WIDER))

    def run(self, feeds: Mapping[str, NDArray[Any]]) -> NDArray[np.float32]:
        """See ``Pipeline``: the lines of each picture in the order in which they are read."""
        return np.stack([self._rows(Image.fromarray(pixels_HWC)) for pixels_HWC in feeds[PICTURE]])

    def read(self, lines: Sequence[Image.Image]) -> list[Line]:
        """Reads lines that are ``HEIGHT_PX`` high."""
        found: dict[int, Line] = {}
        order = sorted(range(len(lines)), key=lambda place: lines[place].width)
        while order:
            narrowest = lines[order[0]].width
            widest = max(self._wider * max(narrowest, HEIGHT_PX), _steps_of(narrowest) * LINE_STRIDE_PX)
            batch = [place for place in order[:BATCH] if lines[place].width <= widest]
            order = order[len(batch) :]
            answers = self._recogniser.run({LINE: _stacked([lines[place] for place in batch])})
            for place, steps_T2 in zip(batch, answers, strict=True):  # noqa: N806
                found[place] = self._decoded(steps_T2[: _steps_of(lines[place].width)])
        return [found[place] for place in range(len(lines))]

    def quads(self, picture: Image.Image) -> list[Floats]:
        """Where lines are, as corners in pixels of the picture, in the order in which they are read."""
        width, height = _seen(picture.width, picture.height, self._side_px)
        seen = picture.resize((width, height), Image.Resampling.BILINEAR)
        map_HW = self._detector.run({PICTURE: np.asarray(seen)[None]})[0]  # noqa: N806
        scale = np.array([picture.width / map_HW.shape[1], picture.height / map_HW.shape[0]])
        limits = np.array([picture.width, picture.height], dtype=np.float64)
        found = []
        for region in regions(map_HW, self._threshold):
            if region.mean < self._least_score:
                continue
            corners = from_upper_left(smallest_rectangle(region.points))
            across, down = (side + 1.0 for side in sides(corners))
            if min(across, down) < SMALLEST:
                continue
            distance = 0.5 + across * down * self._unclip / (2 * (across + down))
            # Pixels are counted from their middle.
            found.append(np.clip((enlarged(corners, distance) + 0.5) * scale, 0.0, limits))
        order = reading_order(np.array(found).reshape(-1, 4, 2))
        return [found[place] for place in order][:MAX_LINES]

    def _rows(self, picture: Image.Image) -> NDArray[np.float32]:
        quads = [as_read(corners) for corners in self.quads(picture)]
        lines = self.read([line_of(picture, corners, height_px=HEIGHT_PX, most_px=MAX_WIDTH_PX) for corners in quads])
        rows = np.zeros((MAX_LINES, ROW_LENGTH), dtype=np.float32)
        there = [(corners, line) for corners, line in zip(quads, lines, strict=True) if line.text]
        for row, (corners, line) in zip(rows, there, strict=False):
            row[:CORNERS] = (corners / (picture.width, picture.height)).ravel()
            row[CORNERS] = line.score
            characters = [ord(character) for character in line.text[:MAX_CHARACTERS]]
            row[CORNERS + 1 : CORNERS + 1 + len(characters)] = characters
        return rows

    def _decoded(self, steps_T2: NDArray[np.float32]) -> Line:  # noqa: N803
        symbols_T = steps_T2[:, 0].astype(np.int64)  # noqa: N806
        is_new_T = (symbols_T > 0) & (np.diff(symbols_T, prepend=0) != 0)  # noqa: N806
        text = "".join(self._symbols[place - 1] for place in symbols_T[is_new_T]).strip()
        return Line(text, float(steps_T2[is_new_T, 1].mean()) if is_new_T.any() else 0.0)


def _seen(width: int, height: int, most_px: int) -> tuple[int, int]:
    """The size at which lines are looked for: multiples of 32, the longer side at most ``most_px``."""
    scale = min(1.0, most_px / max(width, height))
    across, down = (max(STRIDE_PX, round(side * scale / STRIDE_PX) * STRIDE_PX) for side in (width, height))
    return across, down


def _steps_of(width_px: int) -> int:
    return -(-width_px // LINE_STRIDE_PX)


def _stacked(lines: Sequence[Image.Image]) -> NDArray[np.uint8]:
    """Lines of one width: what is missing at their end is grey."""
    width = _steps_of(max(line.width for line in lines)) * LINE_STRIDE_PX
    stacked = np.full((len(lines), HEIGHT_PX, width, 3), _GREY, dtype=np.uint8)
    for place, line in enumerate(lines):
        stacked[place, :, : line.width] = np.asarray(line)
    return stacked


KIND = TextLines
