"""How good a project's best model is: for cards and the overview."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from studio.projects.glance import FigureOut
from studio.projects.models import Project
from studio.registry.best import best_models


def project_figures(projects: Sequence[Project]) -> Mapping[str, FigureOut]:
    """The value of the model that one would use of each project, where it was measured."""
    first = {project: found.first for project, found in best_models(projects).items()}
    return {
        project: FigureOut(
            artefact=model.id,
            number=model.number,
            metric=model.metric,
            split=model.split,
            value=model.value,
            num_items=model.num_judged,
        )
        for project, model in first.items()
        if model.split
    }
