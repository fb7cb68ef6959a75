"""Simulated annealing over a few whole numbers, of which only those within a cost are considered.

Kirkpatrick, Gelatt and Vecchi 1983 (https://doi.org/10.1126/science.220.4598.671): a change for the worse is taken with a
chance that falls with its size and with time. Rates of layers were searched like this by PaddleSlim and, with other
searchers, since He et al. 2018 (AMC, https://arxiv.org/abs/1802.03494).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

_HOT, _COLD = 0.1, 0.002
"""Temperature at the beginning and at the end, as a share of what the start loses."""
_MOST_SHARE = 0.25
"""Of its number, by which one of them changes at a time."""
_LEAST_SPENT = 0.96
"""Of the cost: what is left over would be given away."""

Numbers = tuple[int, ...]


@dataclass(frozen=True)
class Space:
    """What is searched."""

    least: Sequence[int]
    most: Sequence[int]
    step: int
    """The numbers differ from ``most`` by multiples of it."""
    cost: Callable[[Numbers], float]
    """Grows with each number."""
    limit: float
    """Of the cost."""


def annealed(start: Numbers, loss: Callable[[Numbers], float], space: Space, *, num_tries: int, seed: int) -> Numbers:
    """The numbers with the least loss that were found; the start, where nothing better was.

    Args:
        start: within the limit.
        loss: what is made small; asked once for each of the numbers tried.
        space: what is searched.
        num_tries: how often the loss is asked besides the start.
        seed: of what is drawn.
    """
    generator = np.random.default_rng(seed)
    known = {start: loss(start)}
    best = now = start
    hot = _HOT * max(known[start], 1e-6)
    for number in range(num_tries):
        temperature = hot * (_COLD / _HOT) ** (number / max(1, num_tries - 1))
        tried = _neighbour(now, space, generator)
        if tried not in known:
            known[tried] = loss(tried)
        worse = known[tried] - known[now]
        if worse <= 0 or generator.random() < math.exp(-worse / temperature):
            now = tried
        if known[now] < known[best]:
            best = now
    return best


def _neighbour(numbers: Numbers, space: Space, generator: np.random.Generator) -> Numbers:
    """One becomes smaller, another one larger; then others follow until the cost is spent, and no more than that."""
    found = list(numbers)
    smaller, larger = generator.choice(len(found), size=2, replace=False) if len(found) > 1 else (0, 0)
    for place, sign in ((smaller, -1), (larger, 1)):
        size = generator.integers(1, max(1, int(_MOST_SHARE * found[place]) // space.step) + 1)
        found[place] = _within(found[place] + sign * int(size) * space.step, place, space)
    while space.cost(tuple(found)) > space.limit:
        place = int(generator.integers(len(found)))
        found[place] = _within(found[place] - space.step, place, space)
    for place in generator.permutation(len(found)):
        if space.cost(tuple(found)) >= _LEAST_SPENT * space.limit:
            break
        tried = [*found]
        tried[place] = _within(found[place] + space.step, int(place), space)
        found = tried if space.cost(tuple(tried)) <= space.limit else found
    return tuple(found)


def _within(number: int, place: int, space: Space) -> int:
    return min(space.most[place], max(space.least[place], number))
