"""The job ``profile``, run as the platform runs it."""

from __future__ import annotations

import json
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from automl.contracts.job import JobSpec
from automl.contracts.table import (
    COLUMNS_FILE,
    PROFILE_FILE,
    ROWS_FILE,
    ColumnRole,
    Row,
    TableProfile,
    TableSchema,
    WarningCode,
)
from engine.table.guess import table_guess
from engine.table.profile import RowTargets, table_profile
from tests.engine.jobs import events, run_here, start
from tests.engine.table.test_profile import clean

SPLITS = ("train", "train", "train", "validation", "test")


def make_job(
    workdir, columns: dict[str, list[str]], *, target: str | None = "good", annotations=None, schema=None
) -> TableSchema:
    """Lays a table as the platform does."""
    num = len(next(iter(columns.values())))
    data = workdir / "data"
    data.mkdir(parents=True)
    guessed = table_guess(list(columns), list(columns.values()))
    made = schema or TableSchema(
        columns=tuple(
            one.model_copy(update={"role": ColumnRole.TARGET}) if one.name == target else one for one in guessed.columns
        )
    )
    made.write(data / COLUMNS_FILE)
    rows = [
        Row(
            cells={name: cells[place] for name, cells in columns.items() if cells[place]}, copy_number=1 + place % 2
        ).canonical()
        for place in range(num)
    ]
    table = {"row": rows, "split": [SPLITS[place % 5] for place in range(num)], "annotations": annotations or [""] * num}
    pq.write_table(pa.table(table, schema=pa.schema([(name, pa.string()) for name in table])), data / ROWS_FILE)
    JobSpec(
        id="job_profile",
        kind="profile",
        task="tabular_prediction",
        cache_dir=str(workdir / "cache"),
        assets_dir=str(workdir / "assets"),
    ).write(workdir / "job.json")
    return made


def result(workdir) -> TableProfile:
    return TableProfile.read(workdir / "artefact" / PROFILE_FILE)


def cells_table(columns: dict[str, list[str]]) -> pa.Table:
    return pa.table({name: pa.array([cell or None for cell in cells], pa.string()) for name, cells in columns.items()})


def test_the_job_says_what_the_function_says(tmp_path):
    columns = clean(900) | {
        'odd "name", 中文': [f'line\n{place % 7} "quoted" \\ 中文' if place % 3 else "" for place in range(900)]
    }
    columns["twin"] = columns["colour"]
    schema = make_job(tmp_path, columns)
    assert run_here(tmp_path) == 0, events(tmp_path)[-1]
    is_held_back_N = np.array([SPLITS[place % 5] != "train" for place in range(900)])
    assert result(tmp_path) == table_profile(schema, cells_table(columns), is_held_back_N=is_held_back_N)
    finished = events(tmp_path)[-1]
    assert finished.metrics["num_rows"] == 900
    assert finished.metrics["num_columns"] == 7
    fractions = [event.fraction for event in events(tmp_path, "progress")]
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1.0
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == ["events.jsonl", "job.json"]


def test_labels_of_people_count_and_not_the_targets_cells(tmp_path):
    columns = clean(600)
    labels = ["cat" if place % 3 else "dog" for place in range(600)]
    columns["colour"] = [f"the {label}" for label in labels]
    annotations = [json.dumps([{"kind": "class", "label": label}]) if place % 5 else "" for place, label in enumerate(labels)]
    schema = make_job(tmp_path, columns, annotations=annotations)
    assert run_here(tmp_path) == 0, events(tmp_path)[-1]
    targets = RowTargets(pa.array([label if place % 5 else None for place, label in enumerate(labels)]), None)
    is_held_back_N = np.array([SPLITS[place % 5] != "train" for place in range(600)])
    profile = result(tmp_path)
    assert profile == table_profile(schema, cells_table(columns), is_held_back_N=is_held_back_N, targets=targets)
    assert [one.column for one in profile.warnings if one.code is WarningCode.LEAKS_TARGET] == ["colour"]


def test_numbers_of_people_count_too(tmp_path):
    columns = clean(600)
    annotations = [json.dumps([{"kind": "value", "value": float(cell) * 3}]) for cell in columns["size"]]
    make_job(tmp_path, columns, annotations=annotations, target=None)
    assert run_here(tmp_path) == 0, events(tmp_path)[-1]
    assert [one.column for one in result(tmp_path).warnings if one.code is WarningCode.LEAKS_TARGET] == ["size"]


def test_a_table_larger_than_one_part_keeps_the_order_of_its_rows(tmp_path):
    num = 45_000
    columns = {"n": [str(place) for place in range(num)], "x": [f"{place % 977}.25" for place in range(num)]}
    make_job(tmp_path, columns, target=None)
    assert run_here(tmp_path) == 0, events(tmp_path)[-1]
    profile = result(tmp_path)
    assert (profile.num_rows, profile.num_sampled) == (num, 20_000)
    assert profile.columns[0].role is ColumnRole.IGNORED
    assert (profile.columns[0].minimum, profile.columns[0].maximum) == (0, num - 1)
    assert profile.columns[1].num_distinct == 977


def test_a_column_that_no_row_has_is_all_missing_and_an_unknown_one_is_left_out(tmp_path):
    columns = clean(60)
    guessed = table_guess([*columns, "later"], [*columns.values(), [""] * 60])
    schema = TableSchema(columns=tuple(one for one in guessed.columns if one.name != "size"))
    make_job(tmp_path, columns, schema=schema)
    assert run_here(tmp_path) == 0, events(tmp_path)[-1]
    found = {one.name: one.num_missing for one in result(tmp_path).columns}
    assert found == {"weight": 0, "colour": 0, "seen": 0, "good": 0, "later": 60}


@pytest.mark.parametrize("broken", ["no rows", "no json", "no cells", "number", "no columns", "no file"])
def test_rows_that_are_none_fail_with_a_code(tmp_path, broken):
    make_job(tmp_path, clean(30))
    data = tmp_path / "data"
    rows = {"no json": "{", "no cells": '{"copy_number":1}', "number": '{"cells":{"size":3}}', "no rows": None}
    if broken in rows:
        table = {"row": [rows[broken]] * 3, "split": ["train"] * 3, "annotations": [""] * 3}
        pq.write_table(pa.table(table, schema=pa.schema([(name, pa.string()) for name in table])), data / ROWS_FILE)
    elif broken == "no columns":
        TableSchema().write(data / COLUMNS_FILE)
    else:
        (data / ROWS_FILE).unlink()
    assert run_here(tmp_path) == 1
    assert events(tmp_path)[-1].code == "data_invalid"


@pytest.mark.timeout(120)
def test_a_job_that_is_asked_to_stop_ends_soon_and_without_a_result(tmp_path):
    make_job(tmp_path, clean(60_000))
    process = start(tmp_path)
    while not events(tmp_path, "progress"):
        assert process.poll() is None
        time.sleep(0.01)
    (tmp_path / "control").mkdir()
    (tmp_path / "control" / "stop").write_text("cancelled")
    assert process.wait(timeout=60) == 0
    assert events(tmp_path)[-1].stopped == "cancelled"
    assert not (tmp_path / "artefact").exists()
