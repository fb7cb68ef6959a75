"""Which epoch of a training is the best."""

from __future__ import annotations

import pytest

from engine.tasks import task_names, task_spec
from engine.training.train import rank


def _metrics(task, **own):
    """Every metric half way, but for those given."""
    return {metric.name: 0.5 for metric in task.metrics} | own


@pytest.mark.parametrize("name", task_names())
def test_every_metric_decides_in_its_direction_where_those_before_tie(name):
    task = task_spec(name)
    for metric in task.metrics:
        better = 0.6 if metric.is_higher_better else 0.4
        assert rank(task, _metrics(task, **{metric.name: better})) > rank(task, _metrics(task))


@pytest.mark.parametrize("name", task_names())
def test_the_objective_outweighs_all_others(name):
    task = task_spec(name)
    one_better = {task.objective.name: 0.51 if task.objective.is_higher_better else 0.49}
    all_others = {metric.name: 1.0 if metric.is_higher_better else 0.0 for metric in task.metrics if metric != task.objective}
    assert rank(task, _metrics(task, **one_better)) > rank(task, _metrics(task, **all_others))


def test_boxes_that_fit_better_win_where_all_are_found_and_the_loss_decides_between_equal_accuracies():
    detection, classification = task_spec("object_detection"), task_spec("image_classification")
    tighter, looser = {"ap50": 1.0, "ap": 0.95, "f1": 0.9}, {"ap50": 1.0, "ap": 0.65, "f1": 1.0}
    assert rank(detection, _metrics(detection, **tighter)) > rank(detection, _metrics(detection, **looser))
    surer, balanced = {"log_loss": 0.1, "f1_macro": 0.4}, {"log_loss": 0.2, "f1_macro": 0.6}
    assert rank(classification, _metrics(classification, **surer)) > rank(classification, _metrics(classification, **balanced))
