"""Goals of a study, for every task there is."""

from __future__ import annotations

import pytest

from automl.planning.goals import Goal, goal_of, goals_of
from engine.models import families_for
from engine.tasks import task_names, task_spec


@pytest.mark.parametrize("task", task_names())
def test_each_goal_tries_more_than_the_one_before(task):
    families = families_for(task_spec(task))
    fast, balanced, accurate = goals_of(families)
    assert fast.max_trials < balanced.max_trials < accurate.max_trials
    assert (
        set(fast.families)
        <= set(balanced.families)
        == set(accurate.families)
        == {family.name for family in families if family.is_searched}
    )


@pytest.mark.parametrize(
    ("task", "families", "max_trials"),
    [
        ("image_classification", {"linear_probe"}, 3),  # the frozen one alone
        # none is frozen, and each trial takes many minutes
        ("semantic_segmentation", {"unet", "deeplabv3_plus", "pspnet", "pp_liteseg"}, 1),
        ("tabular_prediction", {family.name for family in families_for(task_spec("tabular_prediction"))}, 3),
    ],
)
def test_fast_keeps_to_what_takes_seconds(task, families, max_trials):
    fast = goal_of(Goal.FAST, families_for(task_spec(task)))
    assert (set(fast.families), fast.max_trials) == (families, max_trials)
