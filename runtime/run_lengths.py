"""Run lengths of masks: COCO's compressed text, columns first, alternating background and foreground (``maskApi.c``).

A mask as pixels is an array ``mask_HW`` of 0 and 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
from numpy.typing import NDArray

MAX_PIXELS = 100_000_000
"""A mask that claims more is not unpacked."""
MOST_CHARS = 7
"""Of one number: more than any run of ``MAX_PIXELS`` needs."""
Pixels = NDArray[np.uint8]
Runs = Sequence[int] | NDArray[np.int64]


class GeometryError(ValueError):
    """The numbers describe no shape."""


def runs_pack(runs: Runs) -> str:
    """Run lengths as COCO's compressed text.

    Raises:
        GeometryError: a run is longer than any picture.
    """
    try:
        runs_R = np.asarray(runs, dtype=np.int64)  # noqa: N806 - the suffix is the shape
    except OverflowError:
        raise GeometryError("a run is longer than any picture") from None
    values_R = runs_R.copy()  # noqa: N806 - as above
    values_R[3:] -= runs_R[1:-2]  # from the third on, what differs from the last of its colour
    chars, is_used = [], []
    is_open_R = np.ones(len(values_R), dtype=bool)  # noqa: N806 - as above
    while is_open_R.any():
        low_R = values_R & 0x1F  # noqa: N806 - as above
        values_R = values_R >> 5  # noqa: N806 - as above
        is_used.append(is_open_R)
        is_open_R = is_open_R & np.where(low_R & 0x10, values_R != -1, values_R != 0)  # noqa: N806 - as above
        chars.append((low_R | np.where(is_open_R, 0x20, 0)) + 48)
    if not chars:
        return ""
    whole: Pixels = np.stack(chars, axis=1)[np.stack(is_used, axis=1)].astype(np.uint8)
    return whole.tobytes().decode("ascii")


def runs_unpack(counts: str) -> list[int]:
    """The inverse of ``runs_pack``.

    Raises:
        GeometryError: the text is not COCO's.
    """
    codes = np.frombuffer(counts.encode("utf-8"), dtype=np.uint8).astype(np.int64) - 48
    if not codes.size:
        return []
    lasts = np.flatnonzero((codes & 0x20) == 0)
    if codes.min() < 0 or codes.max() >= 64 or not lasts.size or lasts[-1] != codes.size - 1:
        raise GeometryError("not compressed run lengths")
    firsts = np.concatenate(([0], lasts[:-1] + 1))
    lengths = lasts - firsts + 1
    if lengths.max() > MOST_CHARS:
        raise GeometryError("not compressed run lengths")
    places = np.arange(codes.size) - np.repeat(firsts, lengths)
    runs = np.add.reduceat((codes & 0x1F) << (5 * places), firsts)
    runs -= np.where(codes[lasts] & 0x10, np.int64(1) << (5 * lengths), 0)
    for first in (1, 2):
        runs[first::2] = np.cumsum(runs[first::2])
    if runs.min() < 0:
        raise GeometryError("not compressed run lengths")
    return cast("list[int]", runs.tolist())


def runs_bounds(counts: str, *, height: int) -> tuple[int, int, int, int] | None:
    """Left, top, width and height of a mask's foreground in pixels; None when it has none. No pixels are unpacked.

    Raises:
        GeometryError: the text is not COCO's.
    """
    runs = np.asarray(runs_unpack(counts), dtype=np.int64)
    ends = np.cumsum(runs)[1::2]
    starts = ends - runs[1::2]
    starts, ends = starts[ends > starts], ends[ends > starts]
    if not starts.size:
        return None
    (first_columns, first_rows), (last_columns, last_rows) = np.divmod(starts, height), np.divmod(ends - 1, height)
    is_wrapped = first_columns != last_columns  # from one column into the next: it touches both edges
    left, top = int(first_columns[0]), int(np.where(is_wrapped, 0, first_rows).min())
    low = int(np.where(is_wrapped, height - 1, last_rows).max())
    return left, top, int(last_columns[-1]) - left + 1, low - top + 1


def runs_of(mask_HW: NDArray[np.generic]) -> list[int]:  # noqa: N803 - the shape is in the name
    """Run lengths of pixels, column by column, background first."""
    flat = mask_HW.reshape(-1, order="F") != 0
    edges = np.flatnonzero(flat[1:] != flat[:-1]) + 1
    bounds = np.concatenate(([0], edges, [flat.size]))
    runs = cast("list[int]", np.diff(bounds).tolist())
    return [0, *runs] if flat.size and flat[0] else runs


def pixels_of(runs: Runs, *, width: int, height: int) -> Pixels:
    """Pixels of run lengths.

    Raises:
        GeometryError: the runs do not fill the picture, or it is too large.
    """
    if width < 1 or height < 1 or width * height > MAX_PIXELS or sum(runs) != width * height:
        raise GeometryError("the run lengths do not fill the picture")
    values = np.arange(len(runs), dtype=np.uint8) & 1
    return np.repeat(values, np.asarray(runs, dtype=np.int64)).reshape((height, width), order="F")


def counts_of(mask_HW: NDArray[np.generic]) -> str:  # noqa: N803 - as above
    """A mask's compressed text from its pixels."""
    return runs_pack(runs_of(mask_HW))


def counts_within(part_HW: NDArray[np.generic], *, left: int, top: int, width: int, height: int) -> str:  # noqa: N803 - as above
    """Compressed text of a mask of which a part is given; the rest of the picture is background.

    Args:
        part_HW: 0 is background.
        left: of the part in the picture, in pixels.
        top: likewise.
        width: of the picture.
        height: likewise.
    """
    high, wide = part_HW.shape
    columns_WH = np.zeros((wide, high + 2), dtype=bool)  # noqa: N806 - as above
    columns_WH[:, 1:-1] = part_HW.T != 0
    columns, rows = np.divmod(np.flatnonzero(columns_WH[:, 1:] != columns_WH[:, :-1]), high + 1)
    places = (left + columns) * height + top + rows
    starts, ends = places[0::2], places[1::2]
    return stretches_pack(starts, ends, width * height)


def stretches_pack(starts: NDArray[np.int64], ends: NDArray[np.int64], num_pixels: int) -> str:
    """Compressed text of the pixels between starts and ends, which are sorted and do not overlap.

    Args:
        starts: places of first pixels, counted down the columns.
        ends: places behind the last ones.
        num_pixels: of the picture.
    """
    if not starts.size:
        return runs_pack([num_pixels])
    is_apart = starts[1:] != ends[:-1]  # else it goes on at the top of the next column
    edges = np.stack((starts[np.append(True, is_apart)], ends[np.append(is_apart, True)]), axis=1).reshape(-1)
    runs = np.diff(edges, prepend=0, append=num_pixels)
    return runs_pack(runs[:-1] if runs[-1] == 0 else runs)


def runs_overlap(one: str, other: str) -> float:
    """Intersection over union of two masks of one picture by their compressed texts; 0 where both are empty."""
    (starts, ends), (other_starts, other_ends) = stretches_of(one), stretches_of(other)
    lengths = np.concatenate(([0], np.cumsum(other_ends - other_starts)))

    def before(places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Pixels of the other mask before each place."""
        at = np.searchsorted(other_starts, places)
        within = np.minimum(places, np.append(0, other_ends)[at]) - np.append(0, other_starts)[at]
        counted: NDArray[np.int64] = lengths[np.maximum(at - 1, 0)] + np.maximum(within, 0)
        return counted

    shared = int((before(ends) - before(starts)).sum())
    either = int((ends - starts).sum()) + int(lengths[-1]) - shared
    return shared / either if either else 0.0


def stretches_of(counts: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where the runs of a mask's pixels start and end."""
    edges = np.cumsum(runs_unpack(counts), dtype=np.int64)
    ends = edges[1::2]
    return edges[0::2][: len(ends)], ends
