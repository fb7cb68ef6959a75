"""Label Studio's run lengths for brush masks: the bit stream of ``rle-pack`` over RGBA bytes, row by row.

A stream is the number of values (32 bits), the bits of a value less one (5), four run widths less one (4 each), then segments:
one bit that tells a run from plain values, two that choose the width, the length less one, and the value or values.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runtime.run_lengths import MAX_PIXELS, GeometryError, Pixels

_WIDTHS = (3, 4, 8, 16)
_LONGEST = 1 << _WIDTHS[-1]


def brush_pack(mask_HW: Pixels) -> list[int]:  # noqa: N803 - the shape is in the name
    """The bytes of a mask; foreground is opaque white."""
    flat = mask_HW.reshape(-1) != 0
    bounds = np.concatenate(([0], np.flatnonzero(flat[1:] != flat[:-1]) + 1, [flat.size]))
    parts = [f"{flat.size * 4:032b}{7:05b}", *(f"{width - 1:04b}" for width in _WIDTHS)]
    for start, end in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        value, left = (255 if flat[start] else 0), (end - start) * 4
        while left:
            run = min(left, _LONGEST)
            which = next(index for index, width in enumerate(_WIDTHS) if run <= 1 << width)
            parts.append(f"1{which:02b}{run - 1:0{_WIDTHS[which]}b}{value:08b}")
            left -= run
    bits = "".join(parts)
    bits += "0" * (-len(bits) % 8)
    return list(int(bits, 2).to_bytes(len(bits) // 8, "big"))


def brush_unpack(coded: Sequence[int], *, width: int, height: int) -> Pixels:
    """The inverse of ``brush_pack``, for whatever wrote the bytes: what is not transparent is foreground.

    Raises:
        GeometryError: the bytes are no mask of this size.
    """
    if width < 1 or height < 1 or width * height > MAX_PIXELS:
        raise GeometryError("the picture is too large")
    try:
        stream = _Bits(bytes(iter(coded)))  # of a number, ``bytes`` would make that many
    except (ValueError, TypeError):
        raise GeometryError("not bytes") from None
    if stream.take(32) != width * height * 4:
        raise GeometryError("the mask is of another size than the picture")
    word = stream.take(5) + 1
    widths = [stream.take(4) + 1 for _ in range(4)]
    values = np.zeros(width * height * 4, dtype=np.uint8)
    at = 0
    while at < values.size:
        is_run = stream.take(1)
        end = at + 1 + stream.take(widths[stream.take(2)])
        if is_run:
            values[at:end] = min(stream.take(word), 255)
        else:
            plain = [min(stream.take(word), 255) for _ in range(min(end, values.size) - at)]
            values[at:end] = plain
        at = end
    return (values.reshape((height, width, 4))[:, :, 3] > 0).astype(np.uint8)


class _Bits:
    """Takes bits from the left."""

    def __init__(self, data: bytes) -> None:
        self._bits = np.unpackbits(np.frombuffer(data, dtype=np.uint8)).tobytes().translate(_DIGITS)
        self._at = 0

    def take(self, count: int) -> int:
        self._at += count
        if self._at > len(self._bits):
            raise GeometryError("the mask breaks off")
        return int(self._bits[self._at - count : self._at], 2)


_DIGITS = bytes([48, 49]) + bytes(range(2, 256))
