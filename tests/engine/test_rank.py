"""Which epoch of a training is the best."""

from __future__ import annotations

from itertools import product

import pytest

from engine.tasks import task_names, task_spec
from engine.training.objective import is_better, rank


def _metrics(task, **own):
    """Every metric half way, but for those given."""
    return {metric.name: 0.5 for metric in task.metrics} | own


def _ways() -> list[tuple[str, dict[str, str]]]:
    """Every task, with every way its options can stand."""
    ways = []
    for name in task_names():
        options = task_spec(name).options
        for values in product(*([choice.value for choice in option.choices] for option in options)):
            ways.append((name, dict(zip((option.name for option in options), values, strict=True))))
    return ways


@pytest.mark.parametrize(("name", "options"), _ways())
def test_every_metric_decides_in_its_direction_where_those_before_tie(name, options):
    task = task_spec(name)
    for metric in task.metrics_of(options):
        better = 0.6 if metric.is_higher_better else 0.4
        assert rank(task, options, _metrics(task, **{metric.name: better})) > rank(task, options, _metrics(task))


@pytest.mark.parametrize(("name", "options"), _ways())
def test_the_objective_outweighs_all_others(name, options):
    task = task_spec(name)
    objective, *others = task.metrics_of(options)
    one_better = {objective.name: 0.51 if objective.is_higher_better else 0.49}
    all_others = {metric.name: 1.0 if metric.is_higher_better else 0.0 for metric in others}
    assert rank(task, options, _metrics(task, **one_better)) > rank(task, options, _metrics(task, **all_others))


def test_boxes_that_fit_better_win_where_all_are_found_and_the_loss_decides_between_equal_accuracies():
    detection, classification = task_spec("object_detection"), task_spec("image_classification")
    tighter, looser = {"ap50": 1.0, "ap": 0.95, "f1": 0.9}, {"ap50": 1.0, "ap": 0.65, "f1": 1.0}
    assert rank(detection, {}, _metrics(detection, **tighter)) > rank(detection, {}, _metrics(detection, **looser))
    surer, balanced = {"log_loss": 0.1, "f1_macro": 0.4}, {"log_loss": 0.2, "f1_macro": 0.6}
    assert rank(classification, {}, _metrics(classification, **surer)) > rank(
        classification, {}, _metrics(classification, **balanced)
    )


@pytest.mark.parametrize(
    ("num_items", "accuracy", "log_loss", "is_kept"),
    [
        (160, 0.83, 0.39, True),  # 2.5 points of 160 items are noise, and the loss is lower
        (160, 0.88, 0.48, False),  # so they are upwards
        (160, 0.80, 0.30, False),
        (160, 0.92, 0.60, True),
        (16_000, 0.83, 0.39, False),  # of many items they are none
        (160, 0.87, 0.44, True),  # the loss ties: the objective decides
    ],
)
def test_within_noise_the_loss_says_which_epoch_is_kept(num_items, accuracy, log_loss, is_kept):
    task = task_spec("text_classification")
    former = _metrics(task, accuracy=0.856, log_loss=0.44)
    now = _metrics(task, accuracy=accuracy, log_loss=log_loss)
    assert is_better(task, {}, now, former, num_items=num_items) is is_kept


def test_an_objective_that_is_no_share_is_compared_as_it_is():
    task, options = task_spec("tabular_prediction"), {"predicts": "number"}
    assert is_better(task, options, _metrics(task, rmse=1.0), _metrics(task, rmse=1.1), num_items=4)
    assert not is_better(task, options, _metrics(task, rmse=1.1), _metrics(task, rmse=1.0), num_items=4)
