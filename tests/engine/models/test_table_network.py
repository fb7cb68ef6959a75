"""The network for rows: the same in a graph, good on real rows, kept to its time."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from engine.models.table_network.fit import coslog4, fit
from engine.models.table_network.network import RowNetwork, numbers_among
from engine.table.table import Deadline
from tests.engine.models import row_checks
from tests.engine.models.row_tasks import mixed_task, numbers_table, task_of

_NAME = "table_network"
_QUICK = {"epochs": 24}


@pytest.mark.parametrize("num_labels", [0, 2, 3])
@pytest.mark.parametrize("embedding_size", [1, 4])
def test_graph_answers_as_the_model(num_labels, embedding_size):
    row_checks.check_graph(_NAME, num_labels, params={**_QUICK, "embedding_size": embedding_size})


def test_deadline_is_kept():
    row_checks.check_deadline(_NAME, seconds=2.0)


@pytest.mark.parametrize("after", [1, 30])
def test_stop_comes_out(after):
    row_checks.check_stop(_NAME, after=after)


@pytest.mark.parametrize("num_labels", [0, 2])
def test_poor_rows_are_learned_from(num_labels):
    row_checks.check_poor_rows(_NAME, num_labels)


def test_rare_label_is_drawn():
    row_checks.check_rare_label_is_drawn(_NAME, params=_QUICK)


@pytest.mark.parametrize(("name", "least"), [("digits", 0.97), ("breast_cancer", 0.95), ("diabetes", 0.3)])
def test_real_rows_are_learned(name, least):
    _, share = row_checks.judged(_NAME, name)
    assert share > least


def test_a_deadline_that_is_over_leaves_the_frequencies():
    task = mixed_task(_NAME, 3, deadline=Deadline.after(0.0))
    answers_NL = fit(task).answers(task.validation)
    shares_L = np.bincount(task.targets_N, minlength=3) / len(task.targets_N)
    np.testing.assert_allclose(answers_NL, np.tile(shares_L, (len(answers_NL), 1)), atol=0.01)


def test_no_answer_lies_beyond_what_was_seen():
    rng = np.random.default_rng(0)
    x_NA = rng.normal(size=(300, 3))
    targets_N = x_NA[:, 0] * 10
    task = task_of(_NAME, (numbers_table(x_NA), targets_N), (numbers_table(x_NA), targets_N), num_labels=0, params=_QUICK)
    answers_N1 = fit(task).answers(numbers_table(x_NA * 100))
    assert answers_N1.min() >= np.float32(targets_N.min())
    assert answers_N1.max() <= np.float32(targets_N.max())


def test_balanced_labels_weigh_the_same():
    rng = np.random.default_rng(0)
    targets_N = (np.arange(1000) < 50).astype(np.int64)
    table = numbers_table(np.c_[targets_N + rng.normal(size=1000), rng.normal(size=1000)])
    rows = (table, targets_N)
    plain, balanced = (
        fit(task_of(_NAME, rows, rows, num_labels=2, params={**_QUICK, "is_balanced": is_balanced})).answers(table)[:, 1].mean()
        for is_balanced in (False, True)
    )
    assert plain == pytest.approx(0.05, abs=0.02)
    assert balanced > 0.3


def test_torch_is_left_as_it_was():
    before, threads = torch.random.get_rng_state(), torch.get_num_threads()
    fit(mixed_task(_NAME, 2, params={"epochs": 4}))
    assert torch.equal(torch.random.get_rng_state(), before)
    assert torch.get_num_threads() == threads


def test_the_rate_swings_four_times_and_ends_at_nothing():
    rates = np.array([coslog4(progress) for progress in np.linspace(0, 1, 2001)])
    peaks = np.flatnonzero((rates[1:-1] > rates[:-2]) & (rates[1:-1] > rates[2:]))
    assert len(peaks) == 4
    assert rates[0] == rates[-1] == pytest.approx(0.0, abs=1e-9)
    assert coslog4(1.5) == pytest.approx(coslog4(1.0))


def test_marks_are_not_embedded():
    x_NF = np.array([[0, 0.1, 5], [1, 0.2, 5], [1, 0.7, 5]], dtype=np.float32)
    assert numbers_among(x_NF).tolist() == [1]
    network = RowNetwork(
        3,
        numbers_among(x_NF),
        np.array([0.3, -0.3], dtype=np.float32),
        width=8,
        embedding_size=4,
        dropout=0.0,
        generator=torch.Generator().manual_seed(0),
    )
    np.testing.assert_allclose(network(torch.from_numpy(x_NF)).detach().numpy(), [[0.3, -0.3]] * 3)
    assert len(network.column_weights) == 3 + 3
