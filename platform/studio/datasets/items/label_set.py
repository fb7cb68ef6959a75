"""What an import needs of a project's label set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from automl.contracts.dataset import Label
from studio.projects.catalog import annotation_schema
from studio.projects.models import Project
from studio.projects.services import labels_add


def labels_extend(*, project: Project, names: Sequence[str], described: Mapping[str, Label] | None = None) -> None:
    """Adds the labels that are new to the project and brings the object given up to date.

    Most batches of an import bring nothing new: they cost no query. ``described`` is what an import says of its labels:
    colours, attributes, skeletons.
    """
    schema, known = annotation_schema(project), project.labels.names
    names = [name for name in names if not schema.is_ignored(name, known)]
    if not set(names) <= set(known):
        project.label_set = labels_add(project=project, names=names, described=described).label_set


def takes_several(project: Project) -> bool:
    """Whether an item of the project may carry several labels."""
    return bool(project.task_options.get("labels") == "several")
