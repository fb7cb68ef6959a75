"""Goals of a study, for every task there is."""

from __future__ import annotations

import pytest

from automl.planning.goals import Goal, goal_of, goals_of
from engine.models import families_for
from engine.tasks import task_names, task_spec


@pytest.mark.parametrize("task", task_names())
def test_each_goal_tries_more_than_the_one_before(task):
    families = families_for(task_spec(task))
    fastest, fast, balanced, accurate, most_accurate = goals = goals_of(families)
    assert [goal.name for goal in goals] == list(Goal)
    assert fastest.max_trials <= fast.max_trials < balanced.max_trials < accurate.max_trials < most_accurate.max_trials
    assert fastest.max_answer_ratio < fast.max_answer_ratio <= accurate.max_answer_ratio < most_accurate.max_answer_ratio
    assert (
        set(fastest.families)
        <= set(fast.families)
        <= set(balanced.families)
        == set(accurate.families)
        == set(most_accurate.families)
        == {family.name for family in families if family.is_searched}
    )


@pytest.mark.parametrize("task", task_names())
def test_no_size_that_fast_tries_answers_with_less_than_the_fastest_ones(task):
    families = {family.name: family.searched() for family in families_for(task_spec(task))}
    fastest, fast = goals_of(list(families.values()))[:2]
    tried = [
        size
        for name in fastest.families
        for size in families[name].sizes
        if name not in fastest.ranges or size.name in (fastest.ranges[name]["size"].choices or ())
    ]
    pretrained = [size for name in fast.families for size in families[name].sizes if size.asset]
    assert tried
    assert {size.macs for size in tried} == {min(size.macs for size in (*tried, *pretrained))}
    assert not any(families[name].is_ensemble for name in fastest.families)
    heeded = {param.name for name in fastest.families for param in families[name].params}
    assert set(fastest.at_most) <= heeded, "a limit that none heeds is refused"


@pytest.mark.parametrize(
    ("task", "sizes", "at_most"),
    [
        ("image_classification", {"linear_probe": ("0",)}, {"resolution_px": 168}),
        ("object_detection", {"ssd": ("lite0",)}, {"resolution_px": 168}),
        ("semantic_segmentation", {"pp_liteseg": ("lite0",)}, {}),  # a smaller square would cut large pictures into more parts
        ("ocr", {"pp_ocr": ("small",)}, {}),  # the other one has no pretrained weights
        ("text_classification", {}, {}),  # all sizes of counted n-grams
    ],
)
def test_fastest_takes_what_costs_the_least_to_answer(task, sizes, at_most):
    fastest = goal_of(Goal.FASTEST, families_for(task_spec(task)))
    assert {family: own["size"].choices for family, own in fastest.ranges.items()} == sizes
    assert fastest.at_most == at_most


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
