"""The kernel machine: what is left out is what a solution without the row says, and the graph of many rows answers alike."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.models import family_part
from engine.models.shared.rows import loss
from engine.models.table_kernel import fit as kernel_fit
from engine.models.table_kernel.fit import fit, refit
from engine.models.table_kernel.kernel import Kernel, KernelSolution, sharpened, squared_distances
from engine.models.table_kernel.pairs import SolvedPairs
from tests.engine.models import row_checks
from tests.engine.models.row_tasks import graph_answers, numbers_table, task_of

_PENALTY = 0.2


def _task(family, x_NA, targets_N, num_labels):
    """The last fifth is validation."""
    cut = len(x_NA) * 4 // 5
    train = numbers_table(x_NA[:cut]), targets_N[:cut]
    return task_of(family, train, (numbers_table(x_NA[cut:]), targets_N[cut:]), num_labels=num_labels)


def _rings(num_rows, seed=0):
    """Three rings around one another: no single number tells the label."""
    rng = np.random.default_rng(seed)
    targets_N = rng.integers(0, 3, num_rows)
    angles_N = rng.uniform(0, 2 * np.pi, num_rows)
    radii_N = 1.0 + targets_N + rng.normal(0, 0.12, num_rows)
    return np.stack([radii_N * np.cos(angles_N), radii_N * np.sin(angles_N)], axis=1), targets_N


@pytest.mark.parametrize("shape", ["gaussian", "exponential"])
def test_what_is_left_out_is_what_a_solution_without_the_row_says(shape):
    rng = np.random.default_rng(0)
    x_NF, predicted_NL = rng.normal(size=(25, 3)), rng.normal(size=(25, 2))
    kernel = Kernel(shape, 2.0)
    likeness_NN = kernel.of(squared_distances(x_NF, x_NF))
    left_out_NL = KernelSolution.of(likeness_NN, likeness_NN).left_out(predicted_NL, _PENALTY)
    for row in range(25):
        rest = np.arange(25) != row
        weights = np.linalg.solve(likeness_NN[np.ix_(rest, rest)] + _PENALTY * np.eye(24), predicted_NL[rest])
        np.testing.assert_allclose(left_out_NL[row], likeness_NN[row, rest] @ weights, atol=1e-8)


def test_with_more_rows_than_centres_rows_are_left_out_of_the_least_squares_of_the_centres():
    rng = np.random.default_rng(0)
    x_NF, predicted_NL = rng.normal(size=(40, 2)), rng.normal(size=(40, 1))
    kernel, centres_MF = Kernel("gaussian", 2.0), x_NF[:10]
    rows_NM, centres_MM = kernel.of(squared_distances(x_NF, centres_MF)), kernel.of(squared_distances(centres_MF, centres_MF))
    solution = KernelSolution.of(rows_NM, centres_MM)
    solved_ML = np.linalg.solve(rows_NM.T @ rows_NM + _PENALTY * centres_MM, rows_NM.T @ predicted_NL)
    np.testing.assert_allclose(solution.weights(predicted_NL, _PENALTY), solved_ML, atol=1e-5)
    rest = np.arange(40) != 7
    without_ML = np.linalg.solve(rows_NM[rest].T @ rows_NM[rest] + _PENALTY * centres_MM, rows_NM[rest].T @ predicted_NL[rest])
    np.testing.assert_allclose(solution.left_out(predicted_NL, _PENALTY)[7], rows_NM[7] @ without_ML, atol=1e-6)


@pytest.mark.parametrize("num_labels", [0, 2, 3])
@pytest.mark.parametrize("shape", ["gaussian", "exponential"])
def test_graph_answers_as_the_model(num_labels, shape):
    row_checks.check_graph("table_kernel", num_labels, params={"shape": shape})


def test_rings_are_distinguished_that_no_linear_model_separates():
    x_NA, targets_N = _rings(300)
    accuracies = {}
    for family in ("table_kernel", "table_linear"):
        task = _task(family, x_NA[:200], targets_N[:200], 3)
        model = family_part(family, "fit").fit(task)
        accuracies[family] = float((model.answers(numbers_table(x_NA[200:])).argmax(axis=1) == targets_N[200:]).mean())
    assert accuracies["table_kernel"] > 0.9
    assert accuracies["table_linear"] < 0.6


@pytest.mark.parametrize("num_labels", [0, 3])
def test_the_graph_of_more_rows_than_centres_answers_alike(num_labels, monkeypatch):
    monkeypatch.setattr(kernel_fit, "MOST_CENTRES", 60)
    monkeypatch.setattr(kernel_fit, "_CHOOSING_ROWS", 50)
    x_NA, targets_N = _rings(200)
    task = _task("table_kernel", x_NA, targets_N if num_labels else 10.0 + targets_N, num_labels)
    model = fit(task)
    assert len(model.centres_MF) == 60
    queries = numbers_table(_rings(50, seed=1)[0])
    answers = model.answers(queries)
    np.testing.assert_allclose(graph_answers(model, queries, num_outputs=num_labels or 1), answers, atol=1e-4)
    again = refit(task, (model,))
    assert again is not None
    assert loss(again.answers(task.train), task.targets_N, num_labels) < 0.5


def test_nothing_is_predicted_beyond_the_numbers_that_were_seen():
    x_NA = np.linspace(0, 1, 80)[:, None]
    targets_N = 5.0 * x_NA[:, 0]
    model = fit(_task("table_kernel", x_NA, targets_N, 0))
    far = model.answers(numbers_table(np.array([[50.0], [-50.0], [np.nan]])))
    assert far.min() >= targets_N.min() - 1e-5
    assert far.max() <= targets_N.max() + 1e-5


def test_scores_of_noise_are_drawn_to_the_shares_of_the_labels():
    rng = np.random.default_rng(0)
    targets_N = (rng.random(400) < 0.1).astype(np.int64)
    scores_NL = rng.normal(0, 0.01, size=(400, 2))
    log_priors_L = np.log([0.9, 0.1])
    _steepness, share, found = sharpened(scores_NL, targets_N, log_priors_L, (1.5, 4.0, 40.0))
    assert share == 1.0
    assert found == pytest.approx(0.33, abs=0.03)


def test_of_other_models_settings_the_commonest_are_taken():
    x_NA, targets_N = _rings(120)
    task = _task("table_kernel", x_NA, targets_N, 3)
    model = fit(task)
    odd = replace(model, settings=replace(model.settings, shape="exponential", is_weighing=True, reach=1e6))
    again = refit(task, (odd, model, model))
    assert again is not None
    assert again.settings.shape == model.settings.shape
    assert again.settings.reach == pytest.approx(model.settings.reach)


def test_what_a_pair_says_of_a_row_left_out_is_what_it_says_without_it():
    x_NA, targets_N = _rings(60)
    likeness_NN = Kernel("gaussian", 0.5).of(squared_distances(x_NA, x_NA))
    left_out_NP = SolvedPairs.of(likeness_NN, targets_N).left_out(_PENALTY)
    others = np.delete(np.arange(60), 7)
    weights_NP = SolvedPairs.of(likeness_NN[np.ix_(others, others)], targets_N[others]).weights(_PENALTY)
    np.testing.assert_allclose(left_out_NP[7], likeness_NN[7, others] @ weights_NP, atol=1e-6)


def test_labels_distinguished_by_pairs_answer_alike_in_the_graph(monkeypatch):
    monkeypatch.setattr(kernel_fit, "_PENALTIES", (1e9,))  # one against all others learns nothing
    x_NA, targets_N = _rings(300)
    model = fit(_task("table_kernel", x_NA[:200], targets_N[:200], 3))
    assert model.settings.slope > 0.0
    queries = numbers_table(x_NA[200:])
    answers_NL = model.answers(queries)
    assert (answers_NL.argmax(axis=1) == targets_N[200:]).mean() > 0.9
    np.testing.assert_allclose(graph_answers(model, queries, num_outputs=3), answers_NL, atol=1e-4)
    again = refit(_task("table_kernel", x_NA[:200], targets_N[:200], 3), (model,))
    assert again is not None
    assert loss(again.answers(queries), targets_N[200:], 3) < 0.5
