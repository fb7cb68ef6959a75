"""What stands in the columns of a row that the model reads.

Numbers and categories are facts as they are, of a text its length is one. Moments always move on, so of them only counts
whether there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...cells import MISSING_TIME
from ...facts import Fact, FactKind
from .rows import CATEGORY, DATETIME, INPUTS, NUMBER, TEXT, RowColumn, Rows

MAX_COLUMNS = 200
"""The first: the more one looks at, the less can be said of any."""
GIVEN = "given"
_FACTS: Mapping[str, tuple[str, FactKind, Callable[[Any], float | str | None]]] = {
    NUMBER: ("column", "numeric", lambda cell: None if np.isnan(cell) else float(cell)),
    DATETIME: (GIVEN, "category", lambda cell: None if cell == MISSING_TIME else GIVEN),
    CATEGORY: ("column", "category", lambda cell: cell or None),
    TEXT: ("length", "numeric", lambda cell: float(len(cell)) if cell else None),
}
"""By kind of column: what begins the fact's name, its kind, and the fact of a cell as the graph takes it."""


def row_facts(rows: Rows, columns: Sequence[RowColumn]) -> list[Fact]:
    """A fact a column of the first row: ``column:<name>``, ``given:<name>`` or ``length:<name>``."""
    places = dict.fromkeys(INPUTS, 0)
    facts = []
    for column in columns[:MAX_COLUMNS]:
        cell = rows.feeds[INPUTS[column.kind]][0, places[column.kind]]
        places[column.kind] += 1
        prefix, kind, value_of = _FACTS[column.kind]
        facts.append(Fact(f"{prefix}:{column.name}", kind, value_of(cell)))
    return facts
