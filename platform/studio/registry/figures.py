"""How good a project's best model is: for cards and the overview."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from studio.projects.glance import FigureOut
from studio.projects.models import Project
from studio.registry.best import best_models


def project_figures(projects: Sequence[Project]) -> Mapping[str, FigureOut]:
    """The value of the model that one would use of each project, where it was measured."""
    return {
        project: FigureOut(artefact=first.id, number=first.number, metric=first.metric, split=first.split, value=first.value)
        for project, first in ((project, found.first) for project, found in best_models(projects).items())
        if first.split
    }
