"""Rows as forms, sensors and other systems spoil them: empty cells, numbers that are off, categories that nobody knows.

Shapes: N rows, C columns of a kind.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from automl.contracts.base import Text
from automl.contracts.table import ColumnKind
from automl.contracts.words import Words
from engine.robustness.alteration import Alteration, Step
from engine.table.table import Table
from runtime.cells import MISSING_TIME

words = Words(__file__)

_MISSING = {ColumnKind.NUMBER: np.nan, ColumnKind.DATETIME: MISSING_TIME, ColumnKind.CATEGORY: "", ColumnKind.TEXT: ""}
_MISSING_SHARES = (0.05, 0.15, 0.3)
_NOISES = (0.1, 0.25, 0.5)
"""Of the standard deviation of a column."""
_UNSEEN_SHARES = (0.1, 0.3, 0.6)
_UNSEEN = "\u2047"
"""Of no table: a double question mark that nobody types."""

AlterTable = Callable[[Table, np.random.Generator], Table]


def alterations(table: Table) -> Sequence[Alteration]:
    """Those that change something of these rows."""
    found = [_of("missing", words("missing"), _MISSING_SHARES, _emptied)]
    if table.of_kind(ColumnKind.NUMBER):
        found.append(_of("noise", words("noise"), _NOISES, _noisy))
    if table.of_kind(ColumnKind.CATEGORY):
        found.append(_of("unseen", words("unseen"), _UNSEEN_SHARES, _unseen))
    return found


def _of(name: str, title: Text, amounts: Sequence[float], alter: Callable[[float], AlterTable]) -> Alteration:
    return Alteration(name, title, [Step(words(f"{name}.strength", amount=f"{each:.0%}"), alter(each)) for each in amounts])


def _emptied(share: float) -> AlterTable:
    """Empties a share of the cells, whatever their column."""

    def alter(table: Table, generator: np.random.Generator) -> Table:
        for kind, missing in _MISSING.items():
            table = table.with_array(kind, _replaced(table.array(kind), share, missing, generator))
        return table

    return alter


def _noisy(share: float) -> AlterTable:
    """Adds normal noise to all numbers, as wide as a share of the standard deviation of their column."""

    def alter(table: Table, generator: np.random.Generator) -> Table:
        numbers_NC = table.numbers_NA.astype(np.float64)
        known_NC = np.ma.masked_invalid(numbers_NC)
        spread_C = known_NC.std(axis=0).filled(0.0)
        return table.with_array(
            ColumnKind.NUMBER, (numbers_NC + share * spread_C * generator.standard_normal(numbers_NC.shape)).astype(np.float32)
        )

    return alter


def _unseen(share: float) -> AlterTable:
    """Puts a value that no model has learned in a share of the cells of categories."""

    def alter(table: Table, generator: np.random.Generator) -> Table:
        kind = ColumnKind.CATEGORY
        return table.with_array(kind, _replaced(table.array(kind), share, _UNSEEN, generator))

    return alter


def _replaced(cells_NC: NDArray[Any], share: float, value: object, generator: np.random.Generator) -> NDArray[Any]:
    changed_NC = cells_NC.copy()
    changed_NC[generator.random(cells_NC.shape) < share] = value
    return changed_NC
