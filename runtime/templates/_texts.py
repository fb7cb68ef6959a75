"""How alike two texts are, and where in a line a text stands."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import NamedTuple

_NARROW = frozenset("iljI1.,:;'|!()[]{}ft-` ")
_WIDE = frozenset("mwMW@%")


class Span(NamedTuple):
    """A part of a text, end exclusive."""

    begin: int
    end: int
    likeness: float
    """0..1."""


@lru_cache(maxsize=1024)
def plain(text: str) -> tuple[str, tuple[int, ...]]:
    """Letters and digits alone, in one form and in lower case, and the place in ``text`` of each."""
    found: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        for each in unicodedata.normalize("NFKC", character).casefold():
            if each.isalnum():
                found.append(each)
                places.append(place)
    return "".join(found), tuple(places)


def likeness(one: str, other: str, least: float = 0.0) -> float:
    """The share of characters that two texts have in common, in order; below ``least`` it is 0.

    By the longest common subsequence, a row of the table at a time as the bits of one number (Hyyro 2004): a picture may hold
    hundreds of long lines, and matching blocks takes a thousand times longer where texts repeat themselves.
    """
    length = len(one) + len(other)
    if one == other or not length:
        return 1.0
    if 2 * min(len(one), len(other)) < least * length:
        return 0.0
    places: dict[str, int] = {}
    for place, character in enumerate(one):
        places[character] = places.get(character, 0) | 1 << place
    every = (1 << len(one)) - 1
    row = every
    for character in other:
        common = row & places.get(character, 0)
        row = (row + common | row - common) & every
    ratio = 2 * (len(one) - row.bit_count()) / length
    return ratio if ratio >= least else 0.0


def found_in(line: str, target: str, least: float) -> Span | None:
    """Where in a line a text stands: all of the line, or its beginning or end; None where it does not.

    Args:
        line: what was read.
        target: what is looked for.
        least: likeness.
    """
    (there, places), (sought, _) = plain(line), plain(target)
    if not sought or not there:
        there, sought, places = line.strip(), target.strip(), tuple(range(len(line)))
    if not sought or not there:
        return None
    whole = likeness(there, sought, least)
    more = len(there) - len(sought)
    best = Span(0, len(line), whole)
    if more >= 1 and len(sought) > 1 and whole < 1.0:
        for begin, end in ((0, len(sought)), (more, len(there))):
            own = likeness(there[begin:end], sought, least)
            if own > best.likeness:
                best = Span(_from(places, begin), _until(line, places, end), own)
    return best if best.likeness > 0 else None


def _from(places: tuple[int, ...], begin: int) -> int:
    return 0 if begin == 0 else places[begin]


def _until(line: str, places: tuple[int, ...], end: int) -> int:
    """Behind the character, and what stands there that is no letter or digit: a colon belongs to its text."""
    if end >= len(places):
        return len(line)
    stop = places[end - 1] + 1
    while stop < places[end] and line[stop] in ":：.)）、 ":
        stop += 1
    return stop


def shares(text: str) -> list[float]:
    """Where each character of a line begins, as a fraction of its length, and the end: one more than there are characters."""
    widths = [_width(character) for character in text]
    total = sum(widths) or 1.0
    reached, found = 0.0, [0.0]
    for width in widths:
        reached += width
        found.append(reached / total)
    return found


def _width(character: str) -> float:
    if unicodedata.east_asian_width(character) in "WF":
        return 1.8
    if character in _NARROW:
        return 0.55
    return 1.45 if character in _WIDE else 1.0
