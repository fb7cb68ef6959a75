"""The first-time guide: from an empty project to an answered API, each step done or not, counted from what is there."""

from __future__ import annotations

from typing import Literal

from ninja import Schema

from studio.projects.hooks import project_counts
from studio.projects.models import Project

StepKey = Literal["upload", "label", "version", "train", "report", "deploy", "call"]

COUNTED_BY: dict[StepKey, str] = {
    "upload": "items",
    "label": "annotated",
    "version": "versions",
    "train": "studies",
    "report": "artefacts",
    "deploy": "deployments",
    "call": "calls",
}
"""Step -> name among the project's counts."""


class GuideStep(Schema):
    """One step."""

    key: StepKey
    done: bool
    count: int


class GuideOut(Schema):
    """All steps in their order."""

    steps: list[GuideStep]


def guide_out(project: Project) -> GuideOut:
    """Counts."""
    counts = project_counts([project.id])[project.id]
    steps = [(key, counts.get(name, 0)) for key, name in COUNTED_BY.items()]
    return GuideOut(steps=[GuideStep(key=key, done=count > 0, count=count) for key, count in steps])
