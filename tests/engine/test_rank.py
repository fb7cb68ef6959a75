"""Which epoch of a training is the best."""

from __future__ import annotations

from itertools import product

import pytest

from engine.tasks import task_names, task_spec
from engine.training.train import rank


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
