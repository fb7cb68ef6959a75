"""Goals of a study: which families it tries and how many trials, for whoever chooses neither one by one."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from automl.contracts.base import Contract
from automl.contracts.family import FamilySpec
from automl.planning.items import planned_items


class Goal(StrEnum):
    """What a study is to be."""

    FAST = "fast"
    BALANCED = "balanced"
    ACCURATE = "accurate"


class GoalSpec(Contract):
    """What a goal means for a task."""

    name: Goal
    families: tuple[str, ...]
    max_trials: int


def goals_of(families: Sequence[FamilySpec]) -> tuple[GoalSpec, ...]:
    """The goals, from the fastest to the most accurate, of a task that these families fit.

    Families that a search does not try by itself are in none of them.

    ``fast`` keeps to frozen backbones, whose trials take seconds; the other two may use everything and differ in how long they
    search. Where no family is frozen, trials that take many minutes are one, and those that take seconds are three.
    """
    families = [family for family in families if family.is_searched]
    everything = tuple(family.name for family in families)
    frozen = tuple(family.name for family in families if family.is_frozen)
    are_quick = bool(frozen) or all(planned_items(family.reads).are_trials_quick for family in families)
    return (
        GoalSpec(name=Goal.FAST, families=frozen or everything, max_trials=3 if are_quick else 1),
        GoalSpec(name=Goal.BALANCED, families=everything, max_trials=8),
        GoalSpec(name=Goal.ACCURATE, families=everything, max_trials=24),
    )


def goal_of(goal: Goal, families: Sequence[FamilySpec]) -> GoalSpec:
    """What one goal means for a task that these families fit."""
    return next(spec for spec in goals_of(families) if spec.name is goal)
