"""Boosted trees on real tables, on made ones with every kind of column, against the clock and when asked to stop."""

from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import onnxruntime as ort
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.metrics import roc_auc_score

from automl.contracts.artefact import RowColumn
from automl.contracts.table import ColumnKind
from engine.models import family_spec
from engine.models.gradient_boosting.fit import fit
from engine.models.gradient_boosting.links import LogLink, NumberLink
from engine.table.encode import graph_for
from engine.table.table import Deadline, RowTask, Table
from tests.engine.jobs import REPOSITORY
from tests.engine.table.rows import row_task

_FAMILY = "gradient_boosting"


def _real_task(load, num_labels, **changes):
    x_NF, targets_N = load(return_X_y=True)
    columns = tuple(RowColumn(name=f"x{place}", kind=ColumnKind.NUMBER) for place in range(x_NF.shape[1]))
    none = np.empty((len(x_NF), 0))
    table = Table(columns, x_NF.astype(np.float32), none.astype(np.int64), none.astype(object), none.astype(object))
    order = np.random.default_rng(0).permutation(len(x_NF))
    cut = len(order) * 7 // 10
    train, held_back = order[:cut], order[cut:]
    task = RowTask(
        train=table.take(train),
        targets_N=targets_N[train],
        validation=table.take(held_back),
        validation_targets_N=targets_N[held_back],
        num_labels=num_labels,
        params={param.name: param.default for param in family_spec(_FAMILY).params},
        max_rows=10_000,
        deadline=Deadline.after(None),
        seed=0,
        num_threads=1,
        report=lambda fraction, values: None,
    )
    return replace(task, **changes)


def _in_graph(model, task, table):
    graph = graph_for(table.columns)
    made = graph.finish(model.write(graph), name="answers", num_columns=task.num_outputs)
    session = ort.InferenceSession(made.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(None, table.feeds())[0]


def test_two_labels():
    task = _real_task(load_breast_cancer, 2)
    model = fit(task)
    answers = model.answers(task.validation)
    assert roc_auc_score(task.validation_targets_N, answers[:, 1]) > 0.98
    np.testing.assert_allclose(_in_graph(model, task, task.validation), answers, atol=1e-5)


def test_three_labels():
    task = _real_task(load_wine, 3)
    model = fit(task)
    answers = model.answers(task.validation)
    assert (answers.argmax(axis=1) == task.validation_targets_N).mean() > 0.95
    np.testing.assert_allclose(_in_graph(model, task, task.validation), answers, atol=1e-5)


def test_numbers():
    task = _real_task(load_diabetes, 0)
    model = fit(task)
    answers = model.answers(task.validation)
    errors = np.square(answers[:, 0] - task.validation_targets_N).mean()
    assert errors < 0.65 * task.validation_targets_N.var()
    np.testing.assert_allclose(_in_graph(model, task, task.validation), answers, rtol=1e-5)


@pytest.mark.parametrize("num_labels", [0, 2, 5])
def test_every_kind_of_column_counts(num_labels):
    task = row_task(_FAMILY, num_labels, num_rows=800)
    model = fit(task)
    answers = model.answers(task.validation)
    np.testing.assert_allclose(_in_graph(model, task, task.validation), answers, atol=1e-5)
    for kind in ColumnKind:
        array = task.validation.array(kind)
        shuffled = task.validation.with_array(kind, array[np.random.default_rng(0).permutation(len(array))])
        assert np.abs(model.answers(shuffled) - answers).mean() > 1e-3, kind


def test_long_tails_are_learned_as_logarithms_where_that_is_better():
    task = row_task(_FAMILY, 0, num_rows=500)
    targets_N, validation_N = np.exp(task.targets_N), np.exp(task.validation_targets_N)
    task = replace(task, targets_N=targets_N, validation_targets_N=validation_N)
    errors: list[float] = []
    model = fit(replace(task, report=lambda fraction, values: errors.append(fraction)))
    assert errors == sorted(errors), "two fits in a row are one piece of work"
    np.testing.assert_allclose(_in_graph(model, task, task.validation), model.answers(task.validation), rtol=1e-4)
    assert isinstance(model.link, LogLink)
    plain = fit(replace(task, targets_N=targets_N - 1000, validation_targets_N=validation_N - 1000))
    assert isinstance(plain.link, NumberLink)

    def error(answers, truth):
        return np.sqrt(np.square(answers[:, 0] - truth).mean())

    assert error(model.answers(task.validation), validation_N) <= error(plain.answers(task.validation), validation_N - 1000)


def test_the_log_link_keeps_the_sum_of_validation():
    targets_N = np.exp(np.random.default_rng(0).normal(size=500))
    link = LogLink.of(targets_N)
    raw_N1 = (link.transformed(targets_N) / 2)[:, None].astype(np.float32)
    fitted = link.fitted(raw_N1, targets_N)
    assert fitted.answers(raw_N1).sum() == pytest.approx(targets_N.sum(), rel=1e-4)


def test_no_validation_rows():
    task = row_task(_FAMILY, 2, num_rows=200)
    nothing = replace(task, validation=task.validation.take(slice(0)), validation_targets_N=np.empty(0, dtype=np.int64))
    model = fit(nothing)
    assert model.num_rounds == 200, "ten over the learning rate"
    assert (model.answers(task.validation).argmax(axis=1) == task.validation_targets_N).mean() > 0.6


def test_a_label_that_nobody_has():
    task = row_task(_FAMILY, 3, num_rows=200)
    model = fit(replace(task, targets_N=np.minimum(task.targets_N, 1)))
    answers = model.answers(task.validation)
    assert np.isfinite(answers).all()
    assert (answers[:, 2] < 0.01).all()


@pytest.mark.parametrize(("num_labels", "target"), [(0, 5.5), (0, 1e9), (2, 0), (2, 1), (3, 2)])
def test_targets_that_do_not_differ(num_labels, target):
    task = row_task(_FAMILY, num_labels, num_rows=100)
    model = fit(replace(task, targets_N=np.full(100, target)))
    answers = model.answers(task.validation)
    np.testing.assert_allclose(answers if num_labels == 0 else answers[:, target], 1.0 if num_labels else target, rtol=1e-6)
    np.testing.assert_allclose(_in_graph(model, task, task.validation), answers, atol=1e-6)


@pytest.mark.parametrize("growth", ["leafwise", "symmetric"])
def test_rare_labels_weigh_more_when_balanced(growth):
    task = row_task(_FAMILY, 2, num_rows=1000, params={"growth": growth})
    rare = task.targets_N.copy()
    rare[np.flatnonzero(rare == 1)[60:]] = 0
    plain = fit(replace(task, targets_N=rare, params={**task.params, "max_rounds": 60}))
    balanced = fit(replace(task, targets_N=rare, params={**task.params, "max_rounds": 60, "is_balanced": True}))
    assert balanced.answers(task.validation)[:, 1].mean() > 2 * plain.answers(task.validation)[:, 1].mean()


def test_it_ends_when_validation_no_longer_gains():
    reported: list[dict[str, float]] = []
    task = row_task(_FAMILY, 2, num_rows=400, report=lambda fraction, values: reported.append(dict(values)))
    model = fit(task)
    assert model.num_rounds < task.params["max_rounds"]
    losses = [values["log_loss"] for values in reported if values]
    assert losses[-1] == min(losses)


def test_the_deadline_is_kept_and_leaves_a_model():
    task = row_task(_FAMILY, 5, num_rows=6000, params={"learning_rate": 0.005, "max_rounds": 5000, "num_leaves": 63})
    begun = time.monotonic()
    model = fit(replace(task, deadline=Deadline.after(3.0)))
    assert time.monotonic() - begun < 6.0
    accuracy = (model.answers(task.validation).argmax(axis=1) == task.validation_targets_N).mean()
    assert accuracy > 0.4, "the learning rate grew: at 0.005 so few rounds say next to nothing"


@pytest.mark.parametrize("growth", ["leafwise", "symmetric"])
@pytest.mark.parametrize("num_labels", [2, 40])
def test_not_a_round_more_is_begun_when_the_time_is_over(num_labels, growth):
    """A round of many labels has as many trees, and may take seconds."""
    task = row_task(_FAMILY, num_labels, num_rows=400, params={"growth": growth})
    model = fit(replace(task, deadline=Deadline.after(0.0)))
    assert model.num_rounds == 1
    np.testing.assert_allclose(model.answers(task.validation).sum(axis=1), 1.0, atol=1e-5)


def test_a_stop_leaves_from_the_midst():
    class StopHereError(Exception):
        pass

    seen: list[float] = []

    def report(fraction, values):
        seen.append(fraction)
        if len(seen) == 3:
            raise StopHereError

    with pytest.raises(StopHereError):
        fit(row_task(_FAMILY, 2, num_rows=1000, report=report))
    assert len(seen) == 3


def test_only_so_many_rows_are_drawn():
    task = row_task(_FAMILY, 2, num_rows=1000)
    few = fit(replace(task, max_rows=100))
    trees = few.booster.booster.dump_model()["tree_info"]
    grown = [tree["tree_structure"] for tree in trees if "internal_count" in tree["tree_structure"]]
    assert 50 < max(tree["internal_count"] for tree in grown) <= 100


def test_a_missing_library_is_reported_with_a_remedy():
    """In a process of its own, in which the library cannot be loaded, as where ``libgomp.so.1`` is missing."""
    program = """
import sys, types
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name == "lightgbm":
            raise OSError("libgomp.so.1: cannot open shared object file: No such file or directory")
sys.meta_path.insert(0, Missing())
from engine.models.gradient_boosting.fit import fit
from engine.models.gradient_boosting.leafwise import LibraryMissingError
from tests.engine.table.rows import row_task
try:
    fit(row_task("gradient_boosting", 2, num_rows=20))
except LibraryMissingError as error:
    print(error.code, "libgomp.so.1" in error.message, "libgomp1" in error.hint)
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["library_missing", "True", "True"]
