"""Target leakage: columns that are filled in only once the target is known, or that repeat it in another form.

Shapes: S rows of the sample.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from automl.contracts.table import ColumnRole, ColumnWarning, WarningCode
from engine.table.associations import LEAST_ROWS, SampledColumn, Target

LEAK_CLASS, LEAK_NUMBER = 0.95, 0.97
"""Association with the target from which on a column is reported as a leak. The strongest honest columns stay below: the petals
of irises, the weight of diamonds, and the smell of mushrooms, which explains 0.91 of the entropy."""
_LEAK_PRESENCE = 0.9
"""Share of the error of always predicting the commonest class that the presence of cells must remove."""
_PURE = 0.99


def leak(name: str, column: SampledColumn, target: Target | None, association: float | None) -> Iterator[ColumnWarning]:
    """Warns of a column that gives the target away, or that is filled in only once the target is known.

    Args:
        name: of the column.
        column: in the rows of the sample.
        target: in the same rows; None where nothing is predicted yet.
        association: of the column (``associations.target_association``).
    """
    if target is None:
        return
    strength = association or 0.0
    limit = LEAK_NUMBER if target.classes_S is None else LEAK_CLASS
    if strength < limit and target.classes_S is not None:
        strength = max(strength, _presence(column, target.classes_S))
        limit = _LEAK_PRESENCE
    if strength >= limit:
        yield ColumnWarning(code=WarningCode.LEAKS_TARGET, column=name, share=strength, suggested_role=ColumnRole.IGNORED)


def _presence(column: SampledColumn, classes_S: NDArray[np.int64]) -> float:
    """How well it predicts the class that a cell is there, or is not the commonest number: 0, or at least ``_LEAK_PRESENCE``.

    Above 0 only if the class is all but certain on one side at least, in too many rows for chance: such as a date of
    cancellation, which only those have who cancelled.
    """
    known_S = classes_S >= 0
    missing_S = column.missing[known_S]
    sides = [missing_S]
    if column.is_numeric and known_S.any():
        numbers_S = column.numbers_S[known_S]
        found, counts = np.unique(numbers_S[~missing_S], return_counts=True)
        if len(found) > 2 and counts.max() >= 0.2 * len(numbers_S):
            sides.append(numbers_S == found[counts.argmax()])
    certainties = (_certainty(one_S, classes_S[known_S], is_missing=place == 0) for place, one_S in enumerate(sides))
    return max(certainties, default=0.0)


def _certainty(side_S: NDArray[np.bool_], classes_S: NDArray[np.int64], *, is_missing: bool) -> float:
    num = len(classes_S)
    if num < LEAST_ROWS or not 0 < int(side_S.sum()) < num:
        return 0.0
    most = float(np.bincount(classes_S).max()) / num
    if most > 0.97:
        return 0.0
    insides = [np.bincount(classes_S[side]) for side in (side_S, ~side_S)]
    gain = (sum(int(inside.max()) for inside in insides) / num - most) / (1 - most)
    if gain >= _LEAK_PRESENCE:
        return gain
    rare = insides[1]  # a cell is there, or is not the commonest number
    size, purity = int(rare.sum()), float(rare.max()) / max(1, int(rare.sum()))
    least, pure = (0.01, _PURE) if is_missing else (0.05, 0.998)
    base = float(np.bincount(classes_S, minlength=len(rare))[rare.argmax()]) / num
    is_chance = size * np.log(max(base, 1e-9)) > np.log(1e-6)
    return purity if size >= max(LEAST_ROWS, least * num) and purity >= pure and base <= 0.8 and not is_chance else 0.0
