"""How good a project's best model is: for cards and the overview."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from automl.contracts.dataset import Split
from automl.contracts.task import MetricSpec
from engine.tasks import task_spec
from studio.projects.glance import FigureOut
from studio.projects.models import Project
from studio.registry.models import Artefact, Stage

Values = Mapping[str, Mapping[str, Any]]

_CHOSEN_BY = (Split.VALIDATION, Split.TEST)
"""Choosing by the test items would spoil them, so they are used only where nothing else was held back."""
_SHOWN = (Split.TEST, Split.VALIDATION)


def project_figures(projects: Sequence[Project]) -> Mapping[str, FigureOut]:
    """The model in production of each project, or the one that is best for sure, with its value on the test items."""
    objectives = {each.id: task_spec(each.task).objective(each.task_options) for each in projects}
    found: dict[str, tuple[tuple[bool, float, int], FigureOut]] = {}
    rows = Artefact.objects.filter(project__in=list(objectives)).exclude(stage=Stage.ARCHIVED)
    for project, number, artefact, stage, metrics, intervals in rows.values_list(
        "project", "number", "id", "stage", "manifest__metrics", "manifest__intervals"
    ):
        objective = objectives[project]
        shown = next((split for split in _SHOWN if objective.name in (metrics.get(split) or {})), None)
        if shown is None:
            continue
        # Of equals the earliest: studies begin with proven settings, and a later model that is no better replaces none.
        rank = (stage == Stage.PRODUCTION, _worth(objective, metrics, intervals or {}), -number)
        if project not in found or rank > found[project][0]:
            value = float(metrics[shown][objective.name])
            figure = FigureOut(artefact=artefact, number=number, metric=objective.name, split=shown, value=value)
            found[project] = (rank, figure)
    return {project: figure for project, (_, figure) in found.items()}


def _worth(objective: MetricSpec, metrics: Values, intervals: Values) -> float:
    """The bad end of what the model's value may be: a hundred per cent of seven items is not much."""
    sign = 1.0 if objective.is_higher_better else -1.0
    split = next((split for split in _CHOSEN_BY if objective.name in (metrics.get(split) or {})), None)
    if split is None:
        return float("-inf")
    ends = (intervals.get(split) or {}).get(objective.name) or [metrics[split][objective.name]]
    return min(sign * float(end) for end in ends)
