"""What is asked of single families that learn from rows, beyond the promises that ``tests/contracts`` holds all to."""

from __future__ import annotations

import time

import numpy as np
import pytest

from engine.models import family_part
from engine.models.shared.rows import measured
from engine.table.table import Deadline
from tests.engine.models.row_tasks import (
    graph_answers,
    mixed_rows,
    mixed_task,
    numbers_table,
    real_task,
    task_of,
    without_cells,
)


class StoppedHereError(Exception):
    """Somebody asked the job to stop."""


def check_graph(family, num_labels, **given):
    """The graph answers as the model does, of 1,000 rows with missing and unseen values and cells beyond all bounds."""
    model = _fit(family, mixed_task(family, num_labels, **({"num_rows": 700} | given)))
    table, targets_N = mixed_rows(1000, num_labels=num_labels, seed=3, with_unseen=True)
    answers_NL = model.answers(table)
    assert answers_NL.shape == (1000, num_labels or 1)
    assert answers_NL.dtype == np.float32
    assert np.isfinite(answers_NL).all()
    unit = 1.0 if num_labels else targets_N.std()
    _is_the_same_in_graph(model, table, num_labels, unit)
    _is_the_same_in_graph(model, without_cells(table.take(slice(3))), num_labels, unit)
    table, targets_N = mixed_rows(1000, num_labels=num_labels, seed=4)
    found, blind = measured(model.answers(table), targets_N, num_labels), _blind(targets_N, num_labels)
    assert all(found[name] < 0.75 * blind[name] for name in blind)


def check_deadline(family, *, seconds, **given):
    """A fit that would take long ends soon after its deadline, with a model."""
    rng = np.random.default_rng(0)
    x_NA, weights_AL = rng.normal(size=(40_000, 60)), rng.normal(size=(60, 5))
    targets_N = (x_NA @ weights_AL + rng.normal(size=(40_000, 5))).argmax(axis=1)
    rows, held_back = (numbers_table(x_NA), targets_N), (numbers_table(x_NA[:5000]), targets_N[:5000])
    fractions = []
    task = task_of(
        family,
        rows,
        held_back,
        num_labels=5,
        deadline=Deadline.after(seconds),
        report=lambda fraction, values: fractions.append(fraction),
        **given,
    )
    began_s = time.process_time()  # what others do on the machine is not the fit's fault
    model = _fit(family, task)
    assert time.process_time() - began_s < seconds + 3.0
    assert fractions == sorted(fractions)
    assert all(0.0 <= fraction <= 1.0 for fraction in fractions)
    np.testing.assert_allclose(model.answers(held_back[0].take(slice(9))).sum(axis=1), 1.0, atol=1e-5)
    return model


def check_stop(family, *, after):
    """What ``report`` raises in the midst of the work comes out."""
    calls = []

    def report(fraction, values):
        calls.append(fraction)
        if len(calls) == after:
            raise StoppedHereError

    with pytest.raises(StoppedHereError):
        _fit(family, mixed_task(family, 3, report=report))
    assert len(calls) == after
    assert calls[-1] < 1.0


def check_poor_rows(family, num_labels, **given):
    """Columns that say nothing or too much, labels with two rows or none, hardly any rows: the model and its graph agree."""
    constant_NA = np.full((40, 3), 7.0)
    constant_NA[:, 1] = np.nan
    constant_NA[:2, 2] = np.inf, -np.inf
    rng = np.random.default_rng(0)
    targets_N = np.r_[[1, 1], np.zeros(38)].astype(np.int64) if num_labels else rng.normal(1e6, 1.0, 40)
    for x_NA in (constant_NA, np.c_[constant_NA, np.arange(40)]):
        for part in (slice(None), slice(2), slice(1)):
            for held_back in (slice(5), slice(0)):
                table = numbers_table(x_NA)
                rows, judged = (table.take(part), targets_N[part]), (table.take(held_back), targets_N[held_back])
                model = _fit(family, task_of(family, rows, judged, num_labels=num_labels, **given))
                assert np.isfinite(model.answers(table)).all()
                _is_the_same_in_graph(model, table, num_labels, 1.0 if num_labels else 1e4)
    everything = task_of(family, (table, np.full_like(targets_N, 1)), (table, targets_N), num_labels=num_labels, **given)
    assert _fit(family, everything).answers(table)[:, 1 if num_labels else 0].min() > 0.5


def check_rare_label_is_drawn(family, **given):
    """Of more rows than the size allows a rare label is not lost."""
    rng = np.random.default_rng(0)
    targets_N = (np.arange(5000) < 12).astype(np.int64)
    table = numbers_table(np.c_[targets_N * 4 + rng.normal(size=5000), rng.normal(size=5000)])
    task = task_of(family, (table, targets_N), (table, targets_N), num_labels=2, max_rows=200, **given)
    answers_NL = _fit(family, task).answers(table)
    assert answers_NL[:12, 1].mean() > 10 * answers_NL[12:, 1].mean()


def judged(family, name, **given):
    """Log loss or RMSE on held-back rows of a real data set, and accuracy or R2."""
    task, table, targets_N = real_task(family, name, **given)
    answers_NL = _fit(family, task).answers(table)
    (value,) = measured(answers_NL, targets_N, task.num_labels).values()
    if task.num_labels:
        return value, float((answers_NL.argmax(axis=1) == targets_N).mean())
    return value, 1.0 - value**2 / float(targets_N.var())


def _fit(family, task):
    return family_part(family, "fit").fit(task)


def _is_the_same_in_graph(model, table, num_labels, unit):
    in_graph_NL = graph_answers(model, table, num_outputs=num_labels or 1)
    np.testing.assert_allclose(in_graph_NL / unit, model.answers(table) / unit, atol=1e-4)


def _blind(targets_N, num_labels):
    """How one fares who knows no columns."""
    constant = np.bincount(targets_N, minlength=num_labels) / len(targets_N) if num_labels else [targets_N.mean()]
    return measured(np.tile(constant, (len(targets_N), 1)), targets_N, num_labels)
