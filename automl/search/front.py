"""The Pareto front: of points with several values, those that no other point dominates."""

from __future__ import annotations

from collections.abc import Sequence


def front(points: Sequence[Sequence[float]], *, higher_is_better: Sequence[bool]) -> tuple[int, ...]:
    """Finds the points that are not dominated (the Pareto front).

    A point dominates another one if it is as good in every value and better in one. Points with the same values do not
    dominate each other.

    Args:
        points: finite values, in one order for all points.
        higher_is_better: direction of each value.

    Returns:
        Positions in ``points``, from the best in the first value on; equal ones by the values behind it, then by position.

    Raises:
        ValueError: a point has another number of values than there are directions.
    """
    signs = [-1.0 if is_higher else 1.0 for is_higher in higher_is_better]
    costs = [tuple(sign * value for sign, value in zip(signs, point, strict=True)) for point in points]
    chosen: list[int] = []
    # In this order no point is dominated by a later one, and what dominates a dominated one dominates what that one does.
    for position in sorted(range(len(points)), key=lambda each: (costs[each], each)):
        if not any(_dominates(costs[other], costs[position]) for other in chosen):
            chosen.append(position)
    return tuple(chosen)


def _dominates(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one != other and all(mine <= theirs for mine, theirs in zip(one, other, strict=True))
