"""Networks that see parts of pictures: whether one does, and of how many parts.

A shape that whole pictures would shrink to a few pixels is lost. Where that holds for many shapes of pictures much larger than
what the network sees, tiles are taken, shrunk as far as these shapes stay large enough.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median

import numpy as np

from automl.contracts.family import ParamValue

VIEW = "view"
"""The parameter by which a family offers tiles."""
WHOLE, AUTO = "whole", "auto"
SHRINKS: Mapping[str, int] = {"tiles": 1, "tiles_half": 2, "tiles_quarter": 4}
MUCH_LARGER = 3.0
"""The longer side of the middle picture against what the network sees."""
LOST_PX, SMALL_SHARE = 8.0, 0.25
"""The shorter side below which a shape is lost, and the share of shapes from which on that decides."""
ENOUGH_PX = 24.0
"""The shorter side that a small shape keeps in a tile, where it has as much."""
MOST_DRAWN = 16
"""Parts of a picture that an epoch learns from."""
MOST_JUDGED = 64
"""Parts of a picture by which an epoch is judged."""
STRIDE = 0.75
"""From one window to the next where a picture is answered, at most, in windows: they overlap by a quarter."""


@dataclass(frozen=True)
class PictureFacts:
    """The sides of a picture, and the shorter ones of what is drawn on it, in pixels."""

    width: int
    height: int
    shapes: tuple[float, ...] = ()


@dataclass(frozen=True)
class Parts:
    """Of a picture, in the mean."""

    drawn: float
    """That an epoch learns from."""
    judged: float
    """That an epoch is judged by."""
    answered: float
    """That the finished model reads."""


def view_of(params: Mapping[str, ParamValue], pictures: Sequence[PictureFacts], resolution_px: int) -> str:
    """``whole``, or a name in ``SHRINKS``.

    Args:
        params: of the family; one without ``view`` sees whole pictures.
        pictures: some that it learns from.
        resolution_px: side of what the network sees.
    """
    chosen = str(params.get(VIEW, WHOLE))
    if chosen != AUTO or not pictures:
        return WHOLE if chosen == AUTO else chosen
    if median(max(one.width, one.height) for one in pictures) < MUCH_LARGER * resolution_px:
        return WHOLE
    sides = [(side, side * resolution_px / max(one.width, one.height)) for one in pictures for side in one.shapes]
    if not sides:
        return WHOLE
    own, seen = np.array(sides).T
    if float((seen < LOST_PX).mean()) < SMALL_SHARE:
        return WHOLE
    small = float(np.quantile(own, SMALL_SHARE))
    fitting = [name for name, shrink in SHRINKS.items() if small / shrink >= ENOUGH_PX]
    return fitting[-1] if fitting else next(iter(SHRINKS))


def parts_of(view: str, pictures: Sequence[PictureFacts], window_px: int) -> Parts:
    """Parts of a picture as a view shows them; one of each where pictures are seen whole, or none is known."""
    if view not in SHRINKS or not pictures:
        return Parts(1.0, 1.0, 1.0)
    sizes = [(one.height / SHRINKS[view], one.width / SHRINKS[view]) for one in pictures]
    return Parts(
        drawn=fmean(num_drawn(*size, window_px) for size in sizes),
        judged=fmean(min(MOST_JUDGED, _num_covering(*size, window_px, window_px)) for size in sizes),
        answered=fmean(num_answered(*size, window_px) for size in sizes),
    )


def num_drawn(height: float, width: float, window_px: int) -> int:
    """As many parts as cover a picture, up to a limit, so that an epoch's length follows what there is to see."""
    return int(min(MOST_DRAWN, max(1, height * width / window_px**2)))


def num_answered(height: float, width: float, window_px: int) -> int:
    """Windows that the finished model reads of a picture."""
    return _num_covering(height, width, window_px, STRIDE * window_px)


def _num_covering(height: float, width: float, window_px: int, stride_px: float) -> int:
    """Windows that cover a picture, no further apart than the stride."""
    rows, columns = (1 + math.ceil(max(0.0, side - window_px) / stride_px) for side in (height, width))
    return rows * columns
