"""Whatever stands in cells, columns are guessed and described: nothing there is too odd."""

from __future__ import annotations

import random

import numpy as np
import pyarrow as pa
import pytest

from automl.contracts.table import ColumnKind, ColumnRole, TableProfile, TableSchema
from engine.table.guess import merge, other_readings, table_guess, target_guess
from engine.table.profile import table_profile

CELLS = [
    *[
        "",
        "  ",
        "-",
        "NA",
        "NaT",
        "nan",
        "inf",
        "²",
        "½",
        "Ⅷ",
        "٣",
        "１２",
        "２０２４",
        "0x1F",
        "1_0",
        "(",
        "()",
        "(1)",
        "$",
        "%",
        "12%",
        "+",
        "12 kg",
        "5 lb",
        "-$5",
        "USD 7",
        "€ 3M",
        "% 5",
        "kg",
        "12 m2",
    ],
    *[
        "0",
        "1",
        "-0",
        "12",
        "0012",
        "1.234",
        "1,5",
        "1,234,567.89",
        "1.234.567,89",
        "1e308",
        "-1e308",
        "1e400",
        "-1e-320",
        "9" * 30,
    ],
    *[
        "20240305",
        "2024-03-05",
        "05/03/2024",
        "31/02/2024",
        "2024年3月5日",
        "Mar 5, 2024",
        "24:00",
        "25:61",
        "1700000000",
        "1700000000000",
    ],
    *[
        "0001-01-01",
        "1969-12-31",
        "9999-12-31T23:59:59",
        "13800138000",
        "+1 555 123 4567",
        "true",
        "FALSE",
        "é",
        "中文",
        "😀",
        "a" * 5_000,
    ],
    *["\u2028", "\n", "a\tb", "'", '"', "\\", "{}", "[1]"],
]
NAMES = ["id", "date", "价格", "x", "Unnamed: 0", "ts", "y", "phone", "zip", "name"]


@pytest.mark.parametrize("start", range(0, 240, 40))
def test_any_cells_are_guessed_and_described(start):
    for seed in range(start, start + 40):
        rng = random.Random(seed)
        num = rng.choice([0, 1, 2, 5, 30, 60, 200])
        columns = {}
        for place in range(rng.randint(1, 6)):
            some = rng.sample(CELLS, rng.randint(1, 6))
            columns[f"{rng.choice(NAMES)}{place}"] = [rng.choice(some) for _ in range(num)]
        guessed = table_guess(list(columns), list(columns.values()))
        assert [column.name for column in guessed.columns] == list(columns)
        assert merge(guessed, guessed) == guessed
        assert target_guess(guessed) in {None, *columns}
        assert set(other_readings(guessed, columns)) <= set(columns)
        cells = {name: pa.array([cell.strip() or None for cell in some], pa.string()) for name, some in columns.items()}
        is_held_back_N = np.array([rng.random() < 0.3 for _ in range(num)], dtype=bool)
        profile = table_profile(chosen(guessed, rng), pa.table(cells), is_held_back_N=is_held_back_N)
        assert TableProfile.model_validate_json(profile.model_dump_json()) == profile
        assert all(column.num_rows == num for column in profile.columns)


def chosen(guessed: TableSchema, rng: random.Random) -> TableSchema:
    """What a person may make of the guess: another kind here and there, and a target of any kind."""
    target = rng.choice([None, *guessed.columns])
    columns = []
    for column in guessed.columns:
        kind = rng.choice([column.kind, column.kind, rng.choice(list(ColumnKind))])
        role = ColumnRole.TARGET if column is target else rng.choice([column.role, ColumnRole.FEATURE])
        columns.append(
            column.model_copy(
                update={
                    "kind": kind,
                    "role": role,
                    "decimal": column.decimal if kind is ColumnKind.NUMBER else ".",
                    "units": column.units if kind is ColumnKind.NUMBER else (),
                    "datetime_format": column.datetime_format if kind is ColumnKind.DATETIME else "",
                }
            )
        )
    return TableSchema(columns=tuple(columns))
