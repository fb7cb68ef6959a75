"""What projects look like on the wire."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated

from ninja import Field, Schema
from pydantic import StringConstraints

from automl.contracts.dataset import Label, LabelSet
from automl.contracts.family import FamilySpec
from automl.contracts.task import OverlapRule, Problem, TaskSpec
from automl.planning.goals import GoalSpec
from studio.accounts.access import Principal
from studio.accounts.roles import Role
from studio.projects.catalog import overlap_rule
from studio.projects.hooks import project_counts
from studio.projects.models import Project
from studio.projects.restrictions import RESTRICTED

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=120)]
Description = Annotated[str, StringConstraints(max_length=4000)]


class TaskOut(TaskSpec):
    """A task with the families that fit it."""

    families: list[FamilySpec]
    goals: list[GoalSpec]
    """What a study can be asked to be, from the fastest to the most accurate."""


class ProjectIn(Schema):
    """A project to make."""

    workspace: str
    name: Name
    description: Description = ""
    task: str
    task_options: dict[str, str] = Field(default_factory=dict)


class ProjectChangeIn(Schema):
    """What may change of a project; what is absent stays."""

    name: Name | None = None
    description: Description | None = None
    overlap: OverlapRule | None = None
    """Of those that the task offers."""


class CountsOut(Schema):
    """How much there is of each thing."""

    items: int = 0
    annotated: int = 0
    versions: int = 0
    studies: int = 0
    artefacts: int = 0
    deployments: int = 0


class ProjectOut(Schema):
    """A project."""

    id: str
    workspace: str
    name: str
    description: str
    task: str
    task_options: dict[str, str]
    label_set: LabelSet
    overlap: OverlapRule | None
    """What happens where areas meet; null where the task has none."""
    dataset: str
    created_at: datetime
    deleted_at: datetime | None
    is_restricted: bool
    """Whether it is open to the owners of the workspace and to the people named in it only."""
    role: Role
    """The caller's in it."""
    counts: CountsOut


class LabelsIn(Schema):
    """The whole label set in its order."""

    labels: Annotated[list[Label], Field(max_length=10_000)]


class ProblemsOut(Schema):
    """What a person should mend."""

    items: list[Problem]


def project_out(project: Project, actor: Principal) -> ProjectOut:
    """Renders a project for whoever sees it."""
    return projects_out([project], actor)[0]


def projects_out(projects: Sequence[Project], actor: Principal) -> list[ProjectOut]:
    """Renders projects for whoever sees them, with one look at the counts."""
    counts = project_counts([project.id for project in projects]) if projects else {}
    return [_project_out(project, counts[project.id], actor) for project in projects]


def _project_out(project: Project, counts: Mapping[str, int], actor: Principal) -> ProjectOut:
    return ProjectOut(
        id=project.id,
        workspace=project.workspace_id,
        name=project.name,
        description=project.description,
        task=project.task,
        task_options=project.task_options,
        label_set=project.labels,
        overlap=overlap_rule(project),
        dataset=project.default_dataset_id,
        created_at=project.created_at,
        deleted_at=project.deleted_at,
        is_restricted=RESTRICTED in counts,
        role=actor.access.role_in(project.workspace_id, project.id) or Role.GUEST,
        counts=CountsOut(**{name: counts.get(name, 0) for name in CountsOut.model_fields}),
    )
