"""The columns that a model reads: the features of a schema, with facts from the training rows for forms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from automl.contracts.artefact import RowColumn
from automl.contracts.table import ColumnKind, TableSchema
from engine.table.table import Table
from runtime.cells import EPOCH_MS, EPOCH_S, ISO, MISSING_TIME, Spellings, folded, text_of

MAX_CHOICES = 100
MAX_KNOWN = 2_000
"""Values of a category that a service knows, so that it reads other spellings of them and recognises unseen ones."""
_LEAST_OWN, _LEAST_OWN_SHARE = 10, 0.1
"""Rows of a spelling, and their share of the commonest one's, from which on it is a value of its own."""
_BOOLEANS = frozenset({"true", "false"})
_MAX_TYPICAL = 200
"""Characters of a typical text that a form begins with."""


def plain_columns(schema: TableSchema) -> tuple[RowColumn, ...]:
    """The features of a schema, before anything is known of their cells."""
    return tuple(
        RowColumn(name=each.name, kind=each.kind, decimal=each.decimal, units=each.units, datetime_format=each.datetime_format)
        for each in schema.features
    )


def row_columns(schema: TableSchema, table: Table) -> tuple[RowColumn, ...]:
    """The features of a schema with facts from the training rows: values to choose from and a typical cell.

    Args:
        schema: of the version.
        table: training rows, read with ``plain_columns(schema)``.
    """
    found: list[RowColumn] = []
    places = dict.fromkeys(ColumnKind, 0)
    for column in plain_columns(schema):
        read_N = table.array(column.kind)[:, places[column.kind]]
        places[column.kind] += 1
        found.append(column.model_copy(update=_facts(column, read_N)))
    return tuple(found)


def _facts(column: RowColumn, read_N: NDArray[Any]) -> dict[str, Any]:
    if column.kind is ColumnKind.NUMBER:
        known = np.sort(read_N[np.isfinite(read_N)])
        typical = text_of(float(str(known[(len(known) - 1) // 2]))) if len(known) else ""
        return {"typical": typical.replace(".", column.decimal)}
    if column.kind is ColumnKind.DATETIME:
        known = np.sort(read_N[read_N != MISSING_TIME])
        return {"typical": moment_cell(int(known[(len(known) - 1) // 2]), column.datetime_format) if len(known) else ""}
    counts = Counter(value for value in read_N.tolist() if value)
    common = sorted(counts, key=lambda value: (-counts[value], value))[:MAX_CHOICES]
    typical = common[0] if common and len(common[0]) <= _MAX_TYPICAL else ""
    if column.kind is not ColumnKind.CATEGORY:
        return {"typical": typical}
    values = values_of(counts)
    listed = values if len(values) <= MAX_KNOWN else None
    return {"typical": typical, "choices": values[:MAX_CHOICES], "known": listed}


def values_of(counts: Mapping[str, int]) -> tuple[str, ...]:
    """The values of a category, commonest first, without those that are another's spelling.

    Of values that are equal but for case and spaces the commonest stays, and others that are not rare beside it: they may be
    codes that mean something else. ``true`` and ``True`` never do.
    """
    ordered = sorted(counts, key=lambda value: (-counts[value], value))
    most: dict[str, int] = {}
    found = []
    for value in ordered:
        alike = folded(value)
        if alike not in most:
            most[alike] = counts[value]
            found.append(value)
        elif alike not in _BOOLEANS and counts[value] >= max(_LEAST_OWN, _LEAST_OWN_SHARE * most[alike]):
            found.append(value)
    return tuple(found)


def spelled(table: Table, columns: Sequence[RowColumn]) -> Table:
    """The rows with each category as the one of the columns' known values that it is a spelling of."""
    categories_NC = table.categories_NC.copy()
    for place, column in enumerate(column for column in columns if column.kind is ColumnKind.CATEGORY):
        if column.known is not None:
            spellings = Spellings(column.known)
            meant = {value: spellings.of(value) for value in set(categories_NC[:, place].tolist())}
            categories_NC[:, place] = [meant[value] for value in categories_NC[:, place].tolist()]
    return table.with_array(ColumnKind.CATEGORY, categories_NC)


def moment_cell(seconds: int, datetime_format: str) -> str:
    """A cell that ``cells.seconds_of`` reads as this moment by the same format; a coarser format drops the finer parts."""
    if datetime_format in {EPOCH_S, EPOCH_MS}:
        return str(seconds * (1000 if datetime_format == EPOCH_MS else 1))
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
    if datetime_format in {"", ISO}:
        return moment.replace(tzinfo=None).isoformat()
    return moment.strftime(datetime_format)
