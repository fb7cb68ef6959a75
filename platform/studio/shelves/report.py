"""What stands on a shelf, from the boxes of its packs: rows, fronts and shares. No database here.

Pixels, origin top-left. A *front* (facing) is a pack that stands on a board and not on another pack.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

_STACK_GAP = 0.15
"""Between a pack and one that stands on it, of the height of the smaller one, at most."""
_STACK_OVERLAP = 0.5
"""Of the narrower one's width, at least."""
_ROW_GAP = 0.5
"""Between the feet of packs of one row, of the usual height of a pack, at most."""
_STEEPEST = 0.3
"""Of the line on which a row stands: some 17 degrees."""


@dataclass(frozen=True)
class Box:
    """Where a pack lies."""

    x: float
    y: float
    width: float
    height: float

    @property
    def foot(self) -> float:
        """Where it stands."""
        return self.y + self.height

    @property
    def middle(self) -> float:
        """Of its width."""
        return self.x + self.width / 2


@dataclass(frozen=True)
class Place:
    """Where a pack stands."""

    row: int
    """Of the shelf, 1 is the top one."""
    is_facing: bool


@dataclass(frozen=True)
class ProductShare:
    """What is there of a product."""

    name: str
    count: int
    facings: int
    share: float
    """Of the width of all fronts, 0..1."""
    expected: int | None
    """By the plan; None where it says nothing of the product."""

    @property
    def missing(self) -> int:
        """How many packs the plan has beyond those that are there."""
        return max(0, (self.expected or 0) - self.count)


@dataclass(frozen=True)
class ShelfReport:
    """What stands on a shelf."""

    num_rows: int
    num_facings: int
    products: list[ProductShare]
    """Those that are there, those of the gallery, and those of the plan: the largest share first, then by name."""
    unknown: ProductShare
    """All packs without a name."""


def places_of(boxes: Sequence[Box]) -> list[Place]:
    """In which row each pack stands, and whether on the board.

    Packs that stand on another one are of its row. Feet of the others are levelled by the slope that neighbours have in common,
    so a photo may be taken at a slant, and are cut into rows where there is a gap.

    Args:
        boxes: of the packs.
    """
    below = [_below(number, boxes) for number in range(len(boxes))]
    standing = [number for number, under in enumerate(below) if under is None]
    if not standing:
        return []
    slope = _slope([boxes[number] for number in standing])
    feet = {number: boxes[number].foot - slope * boxes[number].middle for number in standing}
    gap = _ROW_GAP * median(boxes[number].height for number in standing)
    ordered = sorted(standing, key=feet.__getitem__)
    rows, row = {ordered[0]: 1}, 1
    for before, number in pairwise(ordered):
        row += feet[number] - feet[before] > gap
        rows[number] = row
    return [Place(rows[_board(number, below)], below[number] is None) for number in range(len(boxes))]


def shelf_report(
    boxes: Sequence[Box], names: Sequence[str | None], *, known: Sequence[str], plan: Mapping[str, int]
) -> tuple[ShelfReport, list[Place]]:
    """Counts what is there.

    Args:
        boxes: of the packs.
        names: of their products; None: unknown.
        known: products of the gallery.
        plan: how many packs of a product should be there.

    Returns:
        The report, and where each pack stands.
    """
    places = places_of(boxes)
    fronts = [(name, box.width) for box, name, place in zip(boxes, names, places, strict=True) if place.is_facing]
    width = sum(each for _, each in fronts)

    def share_of(name: str | None) -> ProductShare:
        own = [each for other, each in fronts if other == name]
        share = sum(own) / width if width else 0.0
        expected = plan.get(name) if name is not None else None
        return ProductShare(name or "", sum(other == name for other in names), len(own), share, expected)

    listed = {*known, *plan, *(name for name in names if name is not None)}
    products = sorted((share_of(name) for name in listed), key=lambda each: (-each.share, -each.count, each.name))
    report = ShelfReport(max((place.row for place in places), default=0), len(fronts), products, share_of(None))
    return report, places


def _below(number: int, boxes: Sequence[Box]) -> int | None:
    """The pack on which a pack stands, if it does on one: the one that is most under it."""
    upper = boxes[number]
    found: tuple[float, int] | None = None
    for other, lower in enumerate(boxes):
        if other == number or lower.foot <= upper.foot:
            continue
        overlap = min(upper.x + upper.width, lower.x + lower.width) - max(upper.x, lower.x)
        is_under = overlap >= _STACK_OVERLAP * min(upper.width, lower.width)
        if is_under and abs(lower.y - upper.foot) <= _STACK_GAP * min(upper.height, lower.height):
            found = max(found or (0.0, other), (overlap, other))
    return found[1] if found else None


def _board(number: int, below: Sequence[int | None]) -> int:
    """The lowest pack of the stack; each pack stands on one whose foot is lower, so this ends."""
    while (under := below[number]) is not None:
        number = under
    return number


def _slope(boxes: Sequence[Box]) -> float:
    """Of the lines on which rows stand: the median between each pack and the next one to its right."""
    slopes = []
    for one in boxes:
        right = [each for each in boxes if each.middle > one.middle and abs(each.foot - one.foot) < _ROW_GAP * one.height]
        if right:
            nearest = min(right, key=lambda each: each.middle)
            slope = (nearest.foot - one.foot) / (nearest.middle - one.middle)
            if abs(slope) <= _STEEPEST:
                slopes.append(slope)
    return median(slopes) if slopes else 0.0
