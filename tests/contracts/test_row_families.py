"""Every family that learns from rows keeps the same promises: any table goes in, and the graph answers as the model does."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import onnxruntime as ort
import pytest

from automl.contracts.family import FeatureKind
from engine.models import family_names, family_part, family_spec
from engine.models.shared.rows import loss, with_validation
from engine.table.encode import graph_for
from engine.table.table import Deadline
from tests.engine.table.rows import row_task

_NAMES = [name for name in family_names() if family_spec(name).yields is FeatureKind.ROWS]


@pytest.fixture(params=_NAMES)
def name(request):
    return request.param


_BUDGETS = {"table_ensemble": {"budget_s": 3}}
"""Of a family that takes as much time as it is given; of two labels it gets enough to do the same again."""
_NUM_ROWS = {"table_ensemble": 60}
"""Of that family, which trains many others; 300 else."""


@cache
def _fitted(name, num_labels):
    """A task and a model of it, which many look at."""
    task = row_task(name, num_labels, num_rows=_NUM_ROWS.get(name, 300), params={} if num_labels == 2 else _BUDGETS.get(name))
    return task, family_part(name, "fit").fit(task)


def _session(model, task):
    graph = graph_for(task.train.columns)
    answers = model.write(graph)
    onnx_model = graph.finish(answers, name="answers", num_columns=task.num_outputs)
    return ort.InferenceSession(onnx_model.SerializeToString(), providers=["CPUExecutionProvider"])


def test_sizes_say_how_many_rows(name):
    assert all(size.max_rows > 0 for size in family_spec(name).sizes)


@pytest.mark.parametrize("num_labels", [0, 2, 3])
def test_graph_answers_as_the_model_and_better_than_no_model(name, num_labels):
    task, model = _fitted(name, num_labels)
    answers = model.answers(task.validation)
    assert answers.dtype == np.float32
    assert answers.shape == (len(task.validation), task.num_outputs)
    assert np.isfinite(answers).all()
    given = _session(model, task).run(None, task.validation.feeds())[0]
    spread = 1.0 if num_labels else float(np.std(task.targets_N))
    np.testing.assert_allclose(given, answers, atol=1e-4 * spread)
    targets_N = task.validation_targets_N
    if num_labels:
        assert np.allclose(answers.sum(axis=1), 1.0, atol=1e-5)
        commonest = np.bincount(task.targets_N).argmax()
        assert (answers.argmax(axis=1) == targets_N).mean() > (targets_N == commonest).mean()
    else:
        assert np.square(answers[:, 0] - targets_N).mean() < np.square(targets_N - task.targets_N.mean()).mean()


@pytest.mark.parametrize("num_labels", [0, 2, 3])
def test_what_was_found_on_validation_is_learned_again_from_all_rows(name, num_labels):
    part = family_part(name, "fit")
    if not hasattr(part, "refit"):
        assert hasattr(_fitted(name, num_labels)[1], "held_back_answers"), "or it does so by itself"
        return
    task, model = _fitted(name, num_labels)
    whole = part.refit(with_validation(task), (model,))
    answers, targets_N = whole.answers(task.validation), task.validation_targets_N
    session = _session(whole, task)
    spread = 1.0 if num_labels else float(np.std(task.targets_N))
    np.testing.assert_allclose(session.run(None, task.validation.feeds())[0], answers, atol=1e-4 * spread)
    blind = np.tile(answers.mean(axis=0), (len(answers), 1))
    assert loss(answers, targets_N, num_labels) < loss(blind, targets_N, num_labels)
    over = replace(with_validation(task), deadline=Deadline.after(0.0))
    assert part.refit(over, (model,)) is None or name in {"gradient_boosting"}


def test_same_seed_same_answers(name):
    task, first = _fitted(name, 2)
    second = family_part(name, "fit").fit(row_task(name, 2, num_rows=len(task.train)))
    np.testing.assert_array_equal(first.answers(task.validation), second.answers(task.validation))


def test_a_stop_comes_out_of_the_report(name):
    class StoppedHereError(Exception):
        pass

    def report(fraction, values):
        raise StoppedHereError

    with pytest.raises(StoppedHereError):
        family_part(name, "fit").fit(row_task(name, 2, num_rows=120, report=report))


def test_a_deadline_that_is_over_leaves_a_model(name):
    task = row_task(name, 2, num_rows=200, deadline=Deadline.after(0.0))
    model = family_part(name, "fit").fit(task)
    np.testing.assert_allclose(model.answers(task.validation).sum(axis=1), 1.0, atol=1e-5)


@pytest.mark.parametrize("num_labels", [0, 2])
def test_a_handful_of_rows_is_learned_from(name, num_labels):
    task = row_task(name, num_labels, num_rows=6, params=_BUDGETS.get(name))
    model = family_part(name, "fit").fit(task)
    answers = model.answers(task.train)
    assert np.isfinite(answers).all()
    given = _session(model, task).run(None, task.train.feeds())[0]
    np.testing.assert_allclose(given, answers, atol=1e-3)
