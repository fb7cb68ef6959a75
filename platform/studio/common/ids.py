"""Typed, time-ordered ids: ``prj_`` + a ULID in lower-case Crockford base 32.

Ordering by id is ordering by time, so keyset paging needs no second column. UUIDs were decided against: a person who reads a
log sees from ``trl_...`` what it is.
"""

from __future__ import annotations

import secrets
import threading
import time

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Of Crockford, in lower case."""
_RANDOM_BITS = 80
_PLACED_BITS = 48
"""Of the random ones, those behind a place."""
_LENGTH = 26
_SHORT_BITS = _RANDOM_BITS - 12
"""What a number for programs leaves away of an id: time and twelve random bits stay, below 2**53 until 2039."""

_lock = threading.Lock()
_last = 0


def new_id(prefix: str) -> str:
    """Makes an id that is greater than every id this process made before it."""
    global _last  # noqa: PLW0603 - the last number given out is what makes ids of one millisecond ordered
    with _lock:
        number = ((time.time_ns() // 1_000_000) << _RANDOM_BITS) | secrets.randbits(_RANDOM_BITS)
        _last = number if number > _last else _last + 1
        number = _last
    return f"{prefix}_{_encode(number)}"


def id_in_order(prefix: str, at_ms: int, place: int) -> str:
    """An id that was made at a moment, in milliseconds since the epoch; of one moment the smaller place comes first.

    ``place`` is less than 2**32. Less of the id is left to chance than of ``new_id``, and enough of it.
    """
    number = (at_ms << _RANDOM_BITS) | (place << _PLACED_BITS) | secrets.randbits(_PLACED_BITS)
    return f"{prefix}_{_encode(number)}"


def id_at(prefix: str, at_s: float) -> str:
    """The smallest id that could be made at a time, in seconds since the epoch; for comparing, never for naming."""
    return f"{prefix}_{_encode(int(at_s * 1000) << _RANDOM_BITS)}"


def id_time_s(id_: str) -> float:
    """When an id was made, in seconds since the epoch."""
    return (_decode(id_) >> _RANDOM_BITS) / 1000


def id_number(id_: str) -> int:
    """A number for programs that know things by whole numbers. Later ids have greater ones."""
    return _decode(id_) >> _SHORT_BITS


def ids_of_number(prefix: str, number: int) -> tuple[str, str]:
    """Between which ids, the second left out, the one lies whose ``id_number`` this is."""
    return f"{prefix}_{_encode(number << _SHORT_BITS)}", f"{prefix}_{_encode((number + 1) << _SHORT_BITS)}"


def _decode(id_: str) -> int:
    number = 0
    for digit in id_.rpartition("_")[2]:
        number = number * 32 + ALPHABET.index(digit)
    return number


def _encode(number: int) -> str:
    digits = []
    for _ in range(_LENGTH):
        number, digit = divmod(number, 32)
        digits.append(ALPHABET[digit])
    return "".join(reversed(digits))
