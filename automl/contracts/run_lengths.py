"""Run lengths of masks: COCO's compressed text, columns first, alternating background and foreground (``maskApi.c``)."""

from __future__ import annotations

from collections.abc import Sequence


class GeometryError(ValueError):
    """The numbers describe no shape."""


def runs_pack(runs: Sequence[int]) -> str:
    """Run lengths as COCO's compressed text."""
    out = bytearray()
    for index, run in enumerate(runs):
        value = int(run) - int(runs[index - 2]) if index > 2 else int(run)
        more = True
        while more:
            char = value & 0x1F
            value >>= 5
            more = value != -1 if char & 0x10 else value != 0
            out.append((char | 0x20 if more else char) + 48)
    return out.decode("ascii")


def runs_unpack(counts: str) -> list[int]:
    """The inverse of ``runs_pack``.

    Raises:
        GeometryError: the text is not COCO's.
    """
    runs: list[int] = []
    value = shift = 0
    for char in counts.encode("utf-8"):
        code = char - 48
        if not 0 <= code < 64 or shift > 60:
            raise GeometryError("not compressed run lengths")
        value |= (code & 0x1F) << shift
        shift += 5
        if not code & 0x20:
            if code & 0x10:
                value |= -1 << shift
            runs.append(value + runs[-2] if len(runs) > 2 else value)
            value = shift = 0
    if shift or any(run < 0 for run in runs):
        raise GeometryError("not compressed run lengths")
    return runs


def runs_bounds(counts: str, *, height: int) -> tuple[int, int, int, int] | None:
    """Left, top, width and height of a mask's foreground in pixels; None when it has none. No pixels are unpacked.

    Raises:
        GeometryError: the text is not COCO's.
    """
    at = 0
    left = right = low = -1
    top = height
    for index, run in enumerate(runs_unpack(counts)):
        if index % 2 and run:
            (first_column, first_row), (last_column, last_row) = divmod(at, height), divmod(at + run - 1, height)
            left = first_column if left < 0 else left
            right = last_column
            is_wrapped = first_column != last_column  # from one column into the next: it touches both edges
            top = min(top, 0 if is_wrapped else first_row)
            low = max(low, height - 1 if is_wrapped else last_row)
        at += run
    return None if left < 0 else (left, top, right - left + 1, low - top + 1)
