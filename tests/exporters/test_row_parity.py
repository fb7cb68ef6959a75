"""A cell means the same to the trainer's reader, which works on whole columns, and to a service."""

from __future__ import annotations

import random

import numpy as np

from automl.contracts.artefact import RowColumn, RowDecode
from automl.contracts.table import ColumnKind
from engine.table.reader import table_of
from runtime.items.row.rows import RowReader

COLUMNS = (
    RowColumn(name="point", kind=ColumnKind.NUMBER),
    RowColumn(name="comma", kind=ColumnKind.NUMBER, decimal=","),
    RowColumn(name="iso", kind=ColumnKind.DATETIME, datetime_format="iso"),
    RowColumn(name="german", kind=ColumnKind.DATETIME, datetime_format="%d.%m.%Y"),
    RowColumn(name="epoch", kind=ColumnKind.DATETIME, datetime_format="epoch_s"),
    RowColumn(name="code", kind=ColumnKind.CATEGORY, choices=("1", "true", "上海")),
    RowColumn(name="note", kind=ColumnKind.TEXT),
)
CELLS = (
    *(
        "1",
        "1,5",
        "1.5",
        "(3)",
        "$ 4",
        "5 %",
        "1,234.5",
        "1.234,5",
        "1e39",
        "-1e400",
        "inf",
        "nan",
        "NA",
        "-",
        "--",
        " 7 ",
        "abc",
    ),
    *("", "2021-01-02", "02.01.2021", "1600000000", "2021-01-02T03:04:05+02:00", "上海", "true", "0x10", "１２", "٣", "1_000"),
    *(".5", "5.", "+3", "1e5", "1E+5", "\u22124", "¥ 1 200", "1'000"),
)


def test_trainer_and_service_read_the_same_from_the_same_cells():
    choose = random.Random(3).choice
    rows = [{column.name: choose(CELLS) for column in COLUMNS} for _ in range(4_000)]
    filled = [{name: cell.strip() for name, cell in row.items() if cell.strip()} for row in rows]
    served = RowReader(RowDecode(columns=COLUMNS, target="y").model_dump(mode="json")).read(rows, is_lenient=True).feeds
    trained = table_of(filled, COLUMNS).feeds()
    assert served.keys() == trained.keys()
    for name, tensor in trained.items():
        assert served[name].dtype == tensor.dtype
        assert np.array_equal(served[name], tensor, equal_nan=name == "numbers")
    assert 0.2 < np.isnan(served["numbers"]).mean() < 0.8
