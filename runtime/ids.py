"""Prediction ids: time-ordered, so that a log sorted by id is sorted by time."""

from __future__ import annotations

import random
import time

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's base 32, lower case
PAIRS = tuple(first + second for first in ALPHABET for second in ALPHABET)
RANDOM_BITS = 80
SHIFTS = tuple(range(120, -1, -10))
LOG_ID_BITS = 63


def prediction_number() -> int:
    """A ULID as a number: 48 bits of milliseconds, 80 random bits."""
    # An id must be unlike others, not secret, so the quick generator will do.
    return (int(time.time() * 1000) << RANDOM_BITS) | random.getrandbits(RANDOM_BITS)


def prediction_id(number: int) -> str:
    """The id as callers see it, ``prd_`` and 26 characters."""
    return "prd_" + "".join([PAIRS[(number >> shift) & 1023] for shift in SHIFTS])


def log_id(number: int) -> int:
    """The same prediction as EasyDL's ``log_id``: the number's lower 63 bits."""
    return number & ((1 << LOG_ID_BITS) - 1)
