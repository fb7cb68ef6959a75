"""Rows of which hardly anything is known get an answer near the mean, here and in the graph; whole rows the model's own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from automl.contracts.table import ColumnKind
from engine.models import family_part
from engine.table.missing_rows import CautiousModel, cautious
from engine.training.rows.fit import learn
from runtime.cells import MISSING_TIME
from tests.engine.models.row_tasks import graph_answers, mixed_rows, mixed_task, numbers_table, task_of

_FAMILIES = ("gradient_boosting", "table_linear", "table_kernel")


def _nothing(table):
    """The same rows without a cell."""
    return replace(
        table,
        numbers_NA=np.full_like(table.numbers_NA, np.nan),
        datetimes_ND=np.full_like(table.datetimes_ND, MISSING_TIME),
        categories_NC=np.full_like(table.categories_NC, ""),
        texts_NT=np.full_like(table.texts_NT, ""),
    )


@pytest.mark.parametrize("family", _FAMILIES)
@pytest.mark.parametrize("num_labels", [0, 3])
def test_a_row_without_cells_gets_the_mean_and_the_graph_agrees(family, num_labels):
    task = mixed_task(family, num_labels, num_rows=100)
    model = learn(task, family).model
    table, _ = mixed_rows(50, num_labels=num_labels, seed=9, with_unseen=True)
    unit = 1.0 if num_labels else float(task.targets_N.std())
    for queries in (table, _nothing(table)):
        answers = model.answers(queries)
        in_graph = graph_answers(model, queries, num_outputs=num_labels or 1)
        np.testing.assert_allclose(in_graph / unit, answers / unit, atol=1e-4)
    np.testing.assert_allclose(answers / unit, np.tile(model.mean_K, (50, 1)) / unit, atol=1e-5)
    truth = np.bincount(task.targets_N) / len(task.targets_N) if num_labels else task.targets_N.mean()
    np.testing.assert_allclose(model.mean_K / unit, truth / unit, atol=0.15)


def test_rows_as_whole_as_those_that_were_learned_from_are_answered_as_ever():
    rng = np.random.default_rng(0)
    x_NA = rng.normal(size=(120, 4))
    targets_N = (x_NA[:, 0] > 0).astype(np.int64)
    x_NA[3, 1:3] = np.nan  # half the cells of one row
    table = numbers_table(x_NA)
    model = family_part("table_linear", "fit").fit(
        task_of("table_linear", (table, targets_N), (table, targets_N), num_labels=2)
    )
    held_back = cautious(model, table)
    assert isinstance(held_back, CautiousModel)
    np.testing.assert_array_equal(held_back.answers(table), model.answers(table))
    fewer = table.with_array(ColumnKind.NUMBER, np.where(np.arange(4) < 3, np.nan, table.numbers_NA).astype(np.float32))
    moved = np.abs(held_back.answers(fewer) - model.answers(fewer)).max()
    assert 0.0 < moved < 0.13 + 1e-6


def test_who_learned_from_a_row_without_cells_knows_what_to_say_of_it():
    table = numbers_table(np.array([[1.0, 2.0], [np.nan, np.nan], [2.0, 1.0]]))
    assert cautious("the model", table) == "the model"
