"""Which trial is kept: what is measured on few items does not tell equals apart, and then something else has to.

A trial within the standard error of the best is no worse as far as anybody knows (the one-standard-error rule, Breiman et al.
1984). Among such equals the family that is known to do better on what it has not seen is kept, not the one that came first; or
the model that answers fastest, where a study prefers that.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

Z95 = 1.959964
"""Standard errors from the middle of a 95% interval to its end, where errors are normal."""


@dataclass(frozen=True)
class Evidence:
    """What is known of one trial that succeeded."""

    number: int
    value: float
    error: float
    """Standard error of the value; 0 where it is not known."""
    judged_on: tuple[str, int] = ("", 0)
    """How, and on how many items: two that agree were judged on the same."""
    preference: float = 0
    """Of equals the one with the largest is kept: ``FamilySpec.preference``, or how fast its model answers."""
    is_whole: bool = True
    """False of one that a time limit or a person cut off: it is never held equal to a whole one."""


def error_of(interval: tuple[float, float]) -> float:
    """The standard error that a 95% interval stands for."""
    return (interval[1] - interval[0]) / (2.0 * Z95)


def equals(trials: Sequence[Evidence], *, is_higher_better: bool) -> tuple[Evidence, ...]:
    """The best trial, and those that the evidence does not tell from it; the one that is kept comes first.

    Args:
        trials: in any order; may be empty.
        is_higher_better: of the value.
    """
    sign = 1.0 if is_higher_better else -1.0
    ordered = sorted(trials, key=lambda trial: (-sign * trial.value, trial.number))
    whole = [trial for trial in ordered if trial.is_whole]
    if not ordered:
        return ()
    top = ordered[0]
    if not top.is_whole:
        if not whole or sign * (top.value - whole[0].value) > _noise(top, whole[0]):
            return (top,)
        top = whole[0]
    same = [trial for trial in whole if sign * (top.value - trial.value) <= _noise(top, trial)]
    return tuple(sorted(same, key=lambda trial: (-trial.preference, -sign * trial.value, trial.number)))


def _noise(one: Evidence, other: Evidence) -> float:
    """Differences up to it are none: on the same items errors go together, on others they add up."""
    if one.judged_on == other.judged_on:
        return max(one.error, other.error)
    return math.hypot(one.error, other.error)
