"""Goals of a study: five grades from the fastest model to the most accurate one, for whoever chooses nothing one by one.

A grade says which families and sizes are tried, how many trials there are, whether the mean of several may be shipped, and
which of trials that the evidence does not tell apart is kept. The first two also say what an answer may cost.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

from automl.contracts.base import Contract
from automl.contracts.family import FamilySpec
from automl.planning.items import planned_items
from automl.search.ranges import ParamRange
from automl.search.space import SIZE

USUAL_ANSWER_RATIO = 3.0
"""How many times as long as the slowest of its trials the mean of several may take to answer, where nobody says."""
MOST_ANSWER_RATIO = 10.0


class Goal(StrEnum):
    """What a study is to be, in order."""

    FASTEST = "fastest"
    FAST = "fast"
    BALANCED = "balanced"
    ACCURATE = "accurate"
    MOST_ACCURATE = "most_accurate"


class GoalSpec(Contract):
    """What a goal means for a task: the settings of a study that it fills in."""

    name: Goal
    families: tuple[str, ...]
    max_trials: int
    ranges: Mapping[str, Mapping[str, ParamRange]] = {}
    """What is tried of the families, where it is not all that a search tries by itself."""
    at_most: Mapping[str, float] = {}
    """Limits by name of a parameter."""
    prefers_fast: bool = False
    """Whether of equally good trials the one is kept that answers fastest."""
    max_answer_ratio: float = USUAL_ANSWER_RATIO
    """How many times as long as the slowest of its trials the mean of several may take to answer; 1 ships one."""


def goals_of(families: Sequence[FamilySpec]) -> tuple[GoalSpec, ...]:
    """The goals, from the fastest to the most accurate, of a task that these families fit.

    Families that a search does not try by itself are in none of them.

    ``fast`` keeps to frozen backbones, whose trials take seconds; where no family is frozen, trials that take many minutes are
    one, and those that take seconds are three. ``fastest`` takes of these what costs the least to answer and ships one model
    alone. The other three may use everything and differ in how long they search; what ``most_accurate`` ships may be the mean
    of several at nearly any price.
    """
    families = [family for family in families if family.is_searched]
    everything = tuple(family.name for family in families)
    frozen = [family for family in families if family.is_frozen]
    are_quick = bool(frozen) or all(planned_items(family.reads).are_trials_quick for family in families)
    return (
        _fastest(frozen or families, max_trials=2 if are_quick else 1),
        GoalSpec(
            name=Goal.FAST,
            families=tuple(family.name for family in frozen) or everything,
            max_trials=3 if are_quick else 1,
        ),
        GoalSpec(name=Goal.BALANCED, families=everything, max_trials=8),
        GoalSpec(name=Goal.ACCURATE, families=everything, max_trials=24),
        GoalSpec(name=Goal.MOST_ACCURATE, families=everything, max_trials=48, max_answer_ratio=MOST_ANSWER_RATIO),
    )


def goal_of(goal: Goal, families: Sequence[FamilySpec]) -> GoalSpec:
    """What one goal means for a task that these families fit."""
    return next(spec for spec in goals_of(families) if spec.name is goal)


def _fastest(families: Sequence[FamilySpec], *, max_trials: int) -> GoalSpec:
    """The sizes whose answers take the fewest operations, of families that are no ensembles, on less of each item.

    Of a family with pretrained weights those that have some: without them a network is fast, and of no use with few items.
    """
    alone = [family.searched() for family in families if not family.is_ensemble]
    usual = {family.name: [size for size in family.sizes if size.asset] or family.sizes for family in alone}
    least = min(size.macs for sizes in usual.values() for size in sizes)
    sizes = {name: [size for size in own if size.macs == least] for name, own in usual.items()}
    chosen = [family for family in alone if sizes[family.name]]
    at_most: dict[str, float] = {}
    for family in chosen:
        for name, most in planned_items(family.reads).lighter(family, sizes[family.name]).items():
            if any(param.name == name for param in family.params):
                at_most[name] = max(most, at_most.get(name, 0.0))
    return GoalSpec(
        name=Goal.FASTEST,
        families=tuple(family.name for family in chosen),
        max_trials=max_trials,
        ranges={
            family.name: {SIZE: ParamRange(choices=tuple(size.name for size in sizes[family.name]))}
            for family in chosen
            if len(sizes[family.name]) < len(family.sizes)
        },
        at_most=at_most,
        prefers_fast=True,
        max_answer_ratio=1.0,
    )
