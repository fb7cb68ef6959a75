"""What an import may do to a project's label set: add to it."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from automl.contracts.dataset import Label, LabelSet
from engine.tasks import task_spec
from studio.projects.models import Project

# Told apart by hue on light and dark ground; after the last the first comes again.
COLORS = ("#4c6ef5", "#f76707", "#2f9e44", "#e03131", "#9c36b5", "#0c8599", "#f59f00", "#d6336c", "#66a80f", "#845ef7")


def labels_extend(*, project: Project, names: Sequence[str]) -> None:
    """Adds the labels that are new to the project, after those it has, and brings the object given up to date."""
    if set(names) <= set(project.labels.names):
        return
    with transaction.atomic():
        current = Project.objects.select_for_update().get(id=project.id).labels
        new = [name for name in dict.fromkeys(names) if name not in current.names]
        added = tuple(
            Label(name=name, color=COLORS[(len(current.labels) + index) % len(COLORS)]) for index, name in enumerate(new)
        )
        project.label_set = LabelSet(labels=current.labels + added).model_dump(mode="json")
        project.save(update_fields=["label_set"])


def takes_several(project: Project) -> bool:
    """Whether an item of the project may carry several labels."""
    option = next(one for one in task_spec(project.task).options if one.name == "labels")
    return project.task_options.get(option.name, option.default) == "several"
