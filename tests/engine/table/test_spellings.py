"""Spellings of one category are one value, in training as in a service."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from automl.contracts.artefact import RowColumn
from automl.contracts.table import Column, ColumnKind, ColumnRole, TableSchema
from engine.table.columns import MAX_KNOWN, row_columns, spelled, values_of
from engine.table.reader import read_column, table_of

_SCHEMA = TableSchema(columns=(Column(name="city", kind=ColumnKind.CATEGORY, role=ColumnRole.FEATURE),))
_PLAIN = (RowColumn(name="city", kind=ColumnKind.CATEGORY),)


def _table(cells):
    return table_of([{"city": cell} for cell in cells], _PLAIN)


def test_rare_spellings_are_their_commonest_and_booleans_always():
    assert values_of({"Rome": 50, "rome": 3, "ROME": 4, "Oslo": 2}) == ("Rome", "Oslo")
    assert values_of({"M": 50, "m": 40}) == ("M", "m"), "codes that differ by their case"
    assert values_of({"true": 50, "True": 49, "FALSE": 20, "false": 1}) == ("true", "FALSE")


def test_training_and_services_read_the_same():
    cells = ["Rome"] * 20 + ["rome", " ROME", "Oslo", "Oslo", "True"] + ["true"] * 9
    table = _table(cells)
    columns = row_columns(_SCHEMA, table)
    assert columns[0].known == columns[0].choices == ("Rome", "true", "Oslo")
    read = spelled(table, columns).categories_NC[:, 0].tolist()
    assert read == ["Rome"] * 22 + ["Oslo"] * 2 + ["true"] * 10
    assert table_of([{"city": cell} for cell in cells], columns).categories_NC[:, 0].tolist() == read
    assert read_column(pa.chunked_array([cells]), columns[0]).tolist() == read


def test_of_too_many_values_none_are_reported():
    table = _table([f"c{place}" for place in range(MAX_KNOWN + 1)])
    columns = row_columns(_SCHEMA, table)
    assert columns[0].known is None
    np.testing.assert_array_equal(spelled(table, columns).categories_NC, table.categories_NC)
