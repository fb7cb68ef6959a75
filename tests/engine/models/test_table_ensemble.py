"""The ensemble: the same in a graph, its members never saw what they are judged by, and what fails is left out."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from automl.contracts.job import TrainConfig
from engine.errors import EngineError
from engine.models import family_names, family_part, family_spec
from engine.models.table_ensemble import fit as ensemble_fit
from engine.models.table_ensemble.cost import seconds_per_row
from engine.models.table_ensemble.fit import fit
from engine.models.table_ensemble.folds import fold_of_rows
from engine.models.table_ensemble.layers import second_layer_of, shipped
from engine.models.table_ensemble.mix import JudgedMembers, NothingTrainedError, mixed, objective
from engine.models.table_ensemble.model import Mean, StackedModel, mean_of, widened
from engine.models.table_ensemble.portfolio import Member, portfolio, second_layer
from engine.models.table_ensemble.speed_up import speed_up
from engine.models.table_ensemble.time_plan import TimePlan
from engine.models.table_ensemble.trainer import TrainedMember, Trainer
from engine.models.table_linear.fit import fit as fit_linear
from engine.table.encode import graph_for
from engine.table.table import Deadline
from engine.training.config import checked_params
from tests.engine.models import row_checks
from tests.engine.models.row_tasks import graph_answers, mixed_task, numbers_table, task_of

_NAME = "table_ensemble"
_BUDGET_S = 4
_BRIEF = {"budget_s": _BUDGET_S}
_LINEAR = Member("linear", "table_linear", 0.4)


def _nothing():
    """Told of a step."""


def _trainer(task, **given):
    return Trainer(task, Deadline.after(None), TimePlan(1e9), **({"report": _nothing} | given))


def test_members_are_families_with_values_that_they_take():
    for num_rows, num_columns, num_labels in itertools.product((100, 30_000), (5, 900), (0, 2, 60)):
        members = portfolio(num_rows, num_columns, num_labels)
        assert len({member.name for member in members}) == len(members)
        for member in (*members, *second_layer(num_labels)):
            assert member.family in family_names()
            spec, config = _config(member)
            assert set(checked_params(spec, config)) >= set(member.params)


def _config(member):
    spec = family_spec(member.family)
    return spec, TrainConfig(family=member.family, size=spec.sizes[0].name, params=member.params)


# Models together


def test_mean_and_layers_answer_in_the_graph_as_here():
    for num_labels in (0, 2, 3):
        task = mixed_task("table_linear", num_labels, num_rows=300)
        first, second = (fit_linear(replace(task, seed=seed, params={**task.params, "num_knots": seed})) for seed in (0, 4))
        mean = Mean((first, second), (0.25, 0.75))
        np.testing.assert_allclose(
            mean.answers(task.validation),
            0.25 * first.answers(task.validation) + 0.75 * second.answers(task.validation),
            rtol=1e-5,
        )
        report = widened(task.train, [mean.answers(task.train)])
        assert report.numbers_NA.shape[1] == task.train.numbers_NA.shape[1] + max(1, num_labels - 1)
        above = fit_linear(replace(task, train=report, validation=widened(task.validation, [mean.answers(task.validation)])))
        stacked = StackedModel((mean,), above, task.num_outputs)
        unit = 1.0 if num_labels else task.targets_N.std()
        in_graph = graph_answers(stacked, task.validation, num_outputs=task.num_outputs)
        np.testing.assert_allclose(in_graph / unit, stacked.answers(task.validation) / unit, atol=1e-4)


def test_layers_work_on_tables_without_numbers():
    task = mixed_task("table_linear", 2)
    columns = tuple(column for column in task.train.columns if column.kind != "number")

    def bare(table):
        return replace(table, columns=columns, numbers_NA=table.numbers_NA[:, :0])

    task = replace(task, train=bare(task.train), validation=bare(task.validation))
    below = fit_linear(task)
    report = replace(
        task,
        train=widened(task.train, [below.answers(task.train)]),
        validation=widened(task.validation, [below.answers(task.validation)]),
    )
    stacked = StackedModel((below,), fit_linear(report), 2)
    np.testing.assert_allclose(
        graph_answers(stacked, task.validation, num_outputs=2), stacked.answers(task.validation), atol=1e-4
    )


def test_a_model_twice_is_written_once():
    task = mixed_task("table_linear", 2)
    model = fit_linear(task)
    sizes = []
    for whole in (model, mean_of([model, model, model])):
        graph = graph_for(task.train.columns)
        whole.write(graph)
        sizes.append(len(graph.nodes))
    assert sizes[1] <= sizes[0] + 2


def test_cost_grows_with_trees_and_stored_rows():
    costs = {}
    for family, params in (
        ("table_linear", {}),
        ("random_forest", {"num_trees": 50}),
        ("random_forest", {"num_trees": 200}),
        ("table_knn", {}),
    ):
        task = mixed_task(family, 2, num_rows=400, params=params)
        graph = graph_for(task.train.columns)
        family_part(family, "fit").fit(task).write(graph)
        costs[family, len(params) and params["num_trees"]] = seconds_per_row(graph)
    assert costs["table_linear", 0] < costs["random_forest", 50]
    assert 3 * costs["random_forest", 50] < costs["random_forest", 200]
    assert costs["table_linear", 0] < costs["table_knn", 0]


# Training


def test_held_answers_come_from_models_that_did_not_see_the_rows():
    """Numbers that no column says anything of: whoever saw a row would answer it better."""
    rng = np.random.default_rng(0)
    x_NA = rng.normal(size=(60, 30))
    targets_N = rng.normal(size=60)
    table = numbers_table(x_NA)
    task = task_of("table_linear", (table, targets_N), (table.take(slice(0)), targets_N[:0]), num_labels=0)
    trainer = _trainer(task)
    trainer.cut(fold_of_rows(targets_N, 0, 5, seed=0))
    assert trainer.train(Member("forest", "random_forest", 1.0, {"num_trees": 50}), table.columns)
    (trained,) = trainer.trained
    held_back, seen = trained.held_back_HO[:, 0], trained.model.answers(table)[:, 0]
    assert np.corrcoef(seen, targets_N)[0, 1] > 0.8
    assert abs(np.corrcoef(held_back, targets_N)[0, 1]) < 0.4


def test_what_says_when_a_network_stops_does_not_judge_it():
    x_NA = np.arange(90.0)[:, None]
    table = numbers_table(x_NA)
    few = numbers_table(np.array([[-1.0]])), np.zeros(1, np.int64)
    targets_N = np.arange(90) % 2
    trainer = _trainer(task_of("table_network", (table, targets_N), few, num_labels=2))
    trainer.cut(np.arange(90) % 3)
    for part in trainer.parts:
        learned, stops, judges = (
            {*rows.numbers_NA[:, 0].tolist()} for rows in (part.apart.train, part.apart.validation, part.held_back)
        )
        assert not learned & stops | learned & judges | stops & judges
        assert learned | stops | judges == {-1.0, *range(90)}
    trainer.cut(np.arange(90) % 2)
    assert [part.apart for part in trainer.parts] == [None, None]


def _noise(*, num_validation, **params):
    """Numbers that no column says anything of."""
    rng = np.random.default_rng(0)
    table, targets_N = numbers_table(rng.normal(size=(120, 8))), rng.normal(size=120)
    cut = len(table) - num_validation
    return task_of(
        _NAME,
        (table.take(slice(0, cut)), targets_N[:cut]),
        (table.take(slice(cut, None)), targets_N[cut:]),
        num_labels=0,
        params={"budget_s": 2, "num_folds": 3} | params,
    )


def test_validation_that_is_learned_is_judged_by_models_that_did_not_see_it():
    task = _noise(num_validation=60, learns_validation=True)
    model = fit(task)
    assert model.held_back_answers.shape == (60, 1)
    held_back, seen = (
        np.square(answers_N1[:, 0] - task.validation_targets_N).mean()
        for answers_N1 in (model.held_back_answers, model.answers(task.validation))
    )
    # A little less than the variance: the rows that are held also say when to stop.
    assert held_back > 0.8 * task.validation_targets_N.var()
    assert seen < held_back
    assert fit(_noise(num_validation=60, learns_validation=False)).held_back_answers is None


@pytest.mark.parametrize("num_folds", [3, 5])
def test_a_lean_bag_is_one_model_of_all_rows_that_answers_much_the_same(num_folds):
    task = mixed_task("gradient_boosting", 2)
    trainer = _trainer(task)
    trainer.cut(fold_of_rows(task.targets_N, 2, num_folds, seed=0))
    assert trainer.train(Member("boosting", "gradient_boosting", 1.0), task.train.columns)
    assert trainer.train(_LINEAR, task.train.columns)
    whole = speed_up(trainer.trained, np.array([0.7, 0.3]), trainer, rows_per_s=1.0)
    assert [each.model for each in whole] == [each.model for each in trainer.trained], "fast enough"
    boosting, linear = speed_up(trainer.trained, np.array([0.7, 0.3]), trainer, rows_per_s=1e9)
    assert len(boosting.models) == len(linear.models) == 1
    assert linear.models == trainer.trained[1].models[:1]
    assert boosting.model not in trainer.trained[0].models
    assert boosting.seconds_per_row < trainer.trained[0].seconds_per_row / (num_folds - 1)
    bag = trainer.trained[0].model.answers(task.validation)
    assert np.corrcoef(boosting.model.answers(task.validation)[:, 1], bag[:, 1])[0, 1] > 0.9
    trainer.deadline = Deadline.after(0.0)
    boosting, _ = speed_up(trainer.trained, np.array([0.7, 0.3]), trainer, rows_per_s=1e9)
    assert boosting.models == trainer.trained[0].models[:1], "no time to learn once more"


def test_a_member_that_fails_is_left_out_with_a_warning():
    class FullError(EngineError):
        code = "full"

    calls = itertools.count()

    def report():
        if next(calls) == 0:
            raise FullError("The disk is full.")

    heard = []
    task = replace(mixed_task("table_linear", 2), warn=lambda *warning: heard.append(warning))
    trainer = _trainer(task, report=report)
    assert not trainer.train(_LINEAR, task.train.columns)
    assert heard == [("full", "The model linear is left out: The disk is full.")]
    assert trainer.warnings == [("full", "linear: The disk is full.")]
    assert trainer.train(_LINEAR, task.train.columns)
    assert [each.member for each in trainer.trained] == [_LINEAR]


def test_members_that_all_fail_are_an_error():
    with pytest.raises(NothingTrainedError, match="linear: no"):
        mixed(JudgedMembers((), np.zeros(0)), np.zeros(0), mixed_task(_NAME, 2), (("full", "linear: no"),))


def test_time_that_is_up_leaves_a_bag_undone():
    """With something to give there already, half a bag is worth nothing."""
    task = mixed_task("table_linear", 2, num_rows=300)
    stops = itertools.chain([False] * 8, itertools.repeat(True))
    trainer = _trainer(task)
    trainer.cut(fold_of_rows(task.targets_N, 2, 5, seed=0))
    assert trainer.train(_LINEAR, task.train.columns)
    trainer.deadline = Deadline(math.inf, lambda: next(stops))
    assert not trainer.train(replace(_LINEAR, name="again"), task.train.columns)
    assert len(trainer.trained) == 1


def test_graph_answers_as_the_model():
    row_checks.check_graph(_NAME, 3, params=_BRIEF)


def test_second_layer_answers_in_the_graph_too(monkeypatch):
    monkeypatch.setattr(ensemble_fit, "_PATIENCE", 100.0)  # a busy machine takes longer on the clock
    task = mixed_task(_NAME, 2, num_rows=200, params={"budget_s": 6, "num_folds": 3, "is_stacked": True})
    model = fit(task)
    names = {score.name for score in model.models}
    assert names & {member.name for member in second_layer(2)}
    in_graph = graph_answers(model, task.validation, num_outputs=2)
    np.testing.assert_allclose(in_graph, model.answers(task.validation), atol=1e-4)


def test_a_second_layer_sees_the_fast_models_of_the_first():
    task = mixed_task("gradient_boosting", 2, num_rows=400)
    folds_N = fold_of_rows(task.targets_N, 2, 3, seed=0)
    trainer = _trainer(task)
    trainer.cut(folds_N)
    assert trainer.train(Member("boosting", "gradient_boosting", 1.0), task.train.columns)
    assert trainer.train(_LINEAR, task.train.columns)
    layer = second_layer_of(trainer, JudgedMembers(tuple(trainer.trained), trainer.targets_H), folds_N, _nothing)
    whole = (*trainer.trained, *layer.trainer.trained)
    weights_M = np.array([0.0, 0.2, *[0.8 / len(layer.trainer.trained)] * len(layer.trainer.trained)])
    shipped_members = shipped(whole, weights_M, trainer, layer, rows_per_s=1e9)
    assert [len(each.models) for each, weight in zip(shipped_members, weights_M, strict=True) if weight] == [1] * (
        len(shipped_members) - 1
    )
    below = tuple(shipped_members[place].model for place in layer.below)
    for each in shipped_members[2:]:
        assert isinstance(each.model, StackedModel)
        assert each.model.below == below
        assert each.model.model == each.models[0]
    in_graph = graph_answers(shipped_members[2].model, task.validation, num_outputs=2)
    np.testing.assert_allclose(in_graph, shipped_members[2].model.answers(task.validation), atol=1e-4)


def test_leaderboard_tells_of_all_members():
    task = mixed_task(_NAME, 2, num_rows=300, params={"budget_s": 2})
    model = fit(task)
    whole, *members = model.models
    assert whole.family == _NAME
    assert whole.weight == 1.0
    assert sum(score.weight for score in members) == pytest.approx(1.0)
    assert [score.value for score in members] == sorted((score.value for score in members), reverse=True)
    assert whole.value >= members[-1].value
    # How many there are is a matter of how busy the machine is.
    assert "gradient_boosting" in {score.family for score in members} <= set(family_names())


@pytest.mark.parametrize("after", [1, 40])
def test_stop_comes_out(after):
    row_checks.check_stop(_NAME, after=after)


def test_somebody_who_wants_to_finish_gets_what_there_is():
    calls = itertools.count()
    task = mixed_task(_NAME, 2, deadline=Deadline(math.inf, lambda: next(calls) > 60))
    model = fit(task)
    assert len(model.models) >= 2
    spent_s = sum(score.fit_seconds for score in model.models[1:])
    assert spent_s < model.needs.cpu_s, "the members that were left out, in folds"
    assert {"table_network", "table_linear"} & model.needs.others.keys()
    np.testing.assert_allclose(model.answers(task.validation).sum(axis=1), 1.0, atol=1e-5)


@pytest.mark.parametrize("num_labels", [0, 2])
def test_two_rows_without_validation_are_enough(num_labels):
    targets_N = np.array([0, 1]) if num_labels else np.array([0.0, 1.0])
    table = numbers_table(np.array([[0.0], [1.0]]))
    task = task_of(
        _NAME, (table, targets_N), (table.take(slice(0)), targets_N[:0]), num_labels=num_labels, params={"budget_s": 2}
    )
    answers = fit(task).answers(table)
    assert answers.shape == (2, num_labels or 1)
    assert np.isfinite(answers).all()


def test_objective_is_the_area_or_the_error():
    rng = np.random.default_rng(0)
    targets_N = rng.integers(3, size=200)
    answers_NL = rng.dirichlet(np.ones(3), size=200).astype(np.float32).round(1)
    expected = np.mean([roc_auc_score(targets_N == label, answers_NL[:, label]) for label in range(3)])
    assert objective(answers_NL, targets_N) == pytest.approx(expected)
    assert objective(np.array([[1.0], [3.0]], np.float32), np.array([1.0, 1.0])) == pytest.approx(math.sqrt(2))


def test_time_is_kept_to_train_whichever_booster_is_chosen_once_more():
    trainer = _trainer(_noise(num_validation=60, learns_validation=True))
    model = fit_linear(mixed_task("table_linear", 0))
    for family, fit_s in (("gradient_boosting", 1.0), ("gradient_boosting", 3.0), ("table_linear", 9.0)):
        member = Member(family, family, 1.0)
        trainer.trained.append(TrainedMember(member, model, (model,), np.zeros((60, 1), np.float32), fit_s, 1e-6, fit_s))
    assert trainer.again_s() > 3.0
    assert trainer.again_s(("gradient_boosting", 4.0)) > 4.0
