"""Writes of projects and their label sets."""

from __future__ import annotations

import colorsys
from collections.abc import Mapping, Sequence

import pydantic
from django.db import transaction
from django.utils import timezone

from automl.contracts.dataset import Label, LabelSet
from automl.contracts.task import OverlapRule, TaskSpec
from studio.accounts.access import Principal
from studio.accounts.audit import audit_record
from studio.accounts.models import Workspace
from studio.common.errors import InvalidInputError, NotFoundError
from studio.common.events import event_record
from studio.jobs.background import background_pause, background_resume
from studio.projects import hooks
from studio.projects.catalog import annotation_schema, task_get
from studio.projects.errors import LabelInUseError, ProjectInUseError, TaskOptionError
from studio.projects.models import Project


def project_create(
    *,
    workspace: Workspace,
    name: str,
    task: str,
    actor: Principal,
    description: str = "",
    task_options: Mapping[str, str] | None = None,
) -> Project:
    """Makes a project with the labels that its task begins with, mostly none, and what the apps above give it (its dataset).

    Raises:
        TaskUnknownError: there is no such task.
        TaskOptionError: an option is unknown or cannot have its value.
    """
    spec = task_get(task)
    options = _options(spec, task_options or {})
    labels = [Label(name=name) for name in spec.annotation_of(options).first_labels]
    with transaction.atomic():
        project = Project.objects.create(
            workspace=workspace,
            name=name.strip(),
            description=description.strip(),
            task=task,
            task_options=options,
            label_set=LabelSet(labels=tuple(labels)).model_dump(mode="json"),
        )
        hooks.project_created(project)
        detail = {"name": project.name, "task": task}
        audit_record(
            workspace=workspace.id, project=project.id, actor=actor, action="project.create", subject=project.id, detail=detail
        )
    return project


def project_update(
    *,
    project: Project,
    actor: Principal,
    name: str | None = None,
    description: str | None = None,
    overlap: OverlapRule | None = None,
) -> Project:
    """Changes name, description or the rule for areas that meet; None leaves a value as it is.

    Raises:
        InvalidInputError: the task does not know the rule.
    """
    if overlap is not None and overlap not in (rules := annotation_schema(project).overlap_rules):
        message = f"The rule for areas that meet is one of: {', '.join(rules) or 'none'}."
        raise InvalidInputError(message, fields={"overlap": ["unknown value"]})
    with transaction.atomic():
        if name is not None:
            project.name = name.strip()
        if description is not None:
            project.description = description.strip()
        if overlap is not None:
            project.overlap = overlap
        project.save(update_fields=["name", "description", "overlap"])
        detail: dict[str, object] = {"name": project.name}
        if overlap is not None:
            detail["overlap"] = overlap
        _changed(project, actor, "project.update", detail)
    return project


def project_delete(*, project: Project, actor: Principal, is_restorable: bool = True) -> None:
    """Takes a project out of sight; its rows stay, so that it can be restored and what was made of it be traced.

    Jobs that the platform started for it by itself wait from then on; its trainings are paused, or cancelled where it cannot be
    restored.

    Args:
        project: which one.
        actor: who does it.
        is_restorable: whether it is listed among the deleted ones.

    Raises:
        ProjectInUseError: services of it answer callers, whom nobody could see any more.
    """
    with transaction.atomic():
        num_services = hooks.project_counts([project.id])[project.id].get("deployments", 0)
        if num_services:
            raise ProjectInUseError(num_services)
        project.deleted_at, project.is_restorable = timezone.now(), is_restorable
        project.save(update_fields=["deleted_at", "is_restorable"])
        background_pause(project.id)
        hooks.project_deleted(project, actor)
        audit_record(
            workspace=project.workspace_id,
            project=project.id,
            actor=actor,
            action="project.delete",
            subject=project.id,
            detail={"name": project.name},
        )


def project_restore(*, project: Project, actor: Principal) -> Project:
    """Brings a deleted project back as it was; one that is there stays as it is."""
    with transaction.atomic():
        if project.deleted_at is not None:
            project.deleted_at = None
            project.save(update_fields=["deleted_at"])
            background_resume(project.id)
            _changed(project, actor, "project.restore", {"name": project.name})
    return project


def labels_set(*, project: Project, labels: Sequence[Label], actor: Principal) -> Project:
    """Adds, recolours, reorders or removes labels.

    Raises:
        InvalidInputError: two labels have one name.
        LabelInUseError: annotations carry a label that would go.
    """
    try:
        label_set = LabelSet(labels=tuple(_coloured(label, index) for index, label in enumerate(labels)))
    except pydantic.ValidationError as error:
        raise InvalidInputError("Label names must be unique.", fields={"labels": ["names must be unique"]}) from error
    with transaction.atomic():
        project = _locked(project)
        gone = sorted(set(project.labels.names) - set(label_set.names))
        used = sorted(hooks.labels_used(project, gone)) if gone else []
        if used:
            raise LabelInUseError(
                f"Annotations carry {', '.join(used)}.",
                hint="Relabel these items first, or rename the label.",
                extra={"labels": used},
            )
        _labels_write(project, label_set)
        _changed(project, actor, "project.labels_set", {"labels": list(label_set.names)})
    return project


def _coloured(label: Label, index: int) -> Label:
    """A label whose colour nobody chose gets one of its own."""
    return label if "color" in label.model_fields_set else label.model_copy(update={"color": label_color(index)})


def labels_add(*, project: Project, names: Sequence[str], described: Mapping[str, Label] | None = None) -> Project:
    """Adds labels that are missing, in the order given; for imports that bring labels with them.

    Args:
        project: where to.
        names: the labels that are used.
        described: what the import says of them; colours that it leaves out are chosen.
    """
    with transaction.atomic():
        project = _locked(project)
        known = set(project.labels.names)
        added = [
            _label_new(name, len(known) + index, (described or {}).get(name))
            for index, name in enumerate(dict.fromkeys(name for name in names if name not in known))
        ]
        if added:
            _labels_write(project, LabelSet(labels=(*project.labels.labels, *added)))
            _record(project, "project.labels_set")
    return project


def _label_new(name: str, index: int, described: Label | None) -> Label:
    """A label of an import; its parent is left out, since it may not be among the labels."""
    chosen = Label(name=name, color=label_color(index))
    if described is None:
        return chosen
    described_fields = {"attributes": described.attributes, "skeleton": described.skeleton}
    return chosen.model_copy(
        update=described_fields | ({"color": described.color} if described.color != Label(name=name).color else {})
    )


def label_set_replace(*, project: Project, label_set: LabelSet) -> Project:
    """Writes another label set as it is; whoever calls has seen to the annotations and holds the row."""
    _labels_write(project, label_set)
    return project


_FIRST_COLORS = (
    "#3b76f6",
    "#e8590c",
    "#2b8a3e",
    "#9c36b5",
    "#e03131",
    "#0c8599",
    "#f08c00",
    "#5c7cfa",
    "#c2255c",
    "#66a80f",
    "#845ef7",
    "#846358",
)
"""The same as in ``frontend/src/lib/labels/label-colors.ts``. Two labels are not red and green, which mean right and wrong."""


def label_color(index: int) -> str:
    """A colour for the label at a place; behind the first, hues at the golden angle differ well whatever their number."""
    if index < len(_FIRST_COLORS):
        return _FIRST_COLORS[index]
    hue = (index * 137.508) % 360.0
    red, green, blue = colorsys.hls_to_rgb(hue / 360.0, 0.52, 0.62)
    return f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}"


def _options(task: TaskSpec, given: Mapping[str, str]) -> dict[str, str]:
    """Completes the task's options with their defaults."""
    known = {option.name: option for option in task.options}
    for name, value in given.items():
        if name not in known:
            raise TaskOptionError(f"{task.name} has no option {name!r}; known: {', '.join(known) or 'none'}.")
        values = [choice.value for choice in known[name].choices]
        if value not in values:
            raise TaskOptionError(f"{name} is one of {', '.join(values)}.", fields={f"task_options.{name}": ["unknown value"]})
    return {name: given.get(name, option.default) for name, option in known.items()}


def _locked(project: Project) -> Project:
    """The row as it is now, held until the transaction ends: two people may change labels at once."""
    found = Project.objects.select_for_update().filter(id=project.id, deleted_at__isnull=True).first()
    if found is None:
        raise NotFoundError(f"There is no project {project.id}.")
    return found


def _labels_write(project: Project, label_set: LabelSet) -> None:
    project.label_set = label_set.model_dump(mode="json")
    project.save(update_fields=["label_set"])


def _changed(project: Project, actor: Principal, action: str, detail: dict[str, object]) -> None:
    audit_record(
        workspace=project.workspace_id, project=project.id, actor=actor, action=action, subject=project.id, detail=detail
    )
    _record(project, action)


def _record(project: Project, action: str) -> None:
    event_record(
        workspace=project.workspace_id, project=project.id, type="project.changed", subject=project.id, data={"action": action}
    )
