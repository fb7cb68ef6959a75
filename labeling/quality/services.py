"""Writes of the quality app: look at the dataset, do something about findings, undo it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from automl.contracts.items import items_of
from automl.contracts.quality import PAIRED, FindingKind
from automl.contracts.words import Words
from engine.tasks import task_spec
from labeling.quality import changes
from labeling.quality.errors import (
    QualityActionError,
    QualityEmptyError,
    QualityNothingError,
    QualityUndoneError,
    QualityUnfitError,
)
from labeling.quality.models import ActionKind, QualityAction
from labeling.quality.selectors import job_running
from studio.accounts.access import Principal
from studio.accounts.audit import audit_record
from studio.common.events import event_record
from studio.datasets.items.findings import flags_open
from studio.datasets.models import Dataset, Item, ItemFlag
from studio.jobs.models import Job
from studio.jobs.services import job_submit_once

words = Words(__file__)

_FITS = {
    ActionKind.GROUP: frozenset(PAIRED),
    ActionKind.RELABEL: frozenset({FindingKind.WRONG_LABEL}),
}
"""Actions that fit some kinds of findings only."""


def quality_start(*, dataset: Dataset) -> Job:
    """Has the dataset looked at as it stands; while that runs, asking again gives the same job.

    Raises:
        QualityEmptyError: it has no items.
        QualityUnfitError: nothing is looked for among items of its kind.
    """
    if not items_of(task_spec(dataset.project.task).modality).findings:
        raise QualityUnfitError
    running = job_running(dataset)
    if running is not None:
        return running
    if not Item.objects.filter(dataset=dataset, deleted_at=None).exists():
        raise QualityEmptyError
    job, _ = job_submit_once(
        workspace=dataset.project.workspace_id,
        project=dataset.project_id,
        kind="quality",
        title=words("job.quality", name=dataset.name),
        subject=dataset.id,
        payload={},
    )
    return job


def action_take(
    *,
    dataset: Dataset,
    action: ActionKind,
    kind: FindingKind,
    items: Collection[str] | None,
    min_severity: float,
    actor: Principal,
) -> QualityAction:
    """Does something about findings of a kind.

    Args:
        dataset: with its project.
        action: what to do.
        kind: of the findings.
        items: on which items; None means all, but of copies one stays.
        min_severity: leaves out findings that are less sure.
        actor: who does it.

    Raises:
        QualityActionError: the action does not fit the kind.
        QualityNothingError: no such findings are open.
    """
    if kind not in _FITS.get(action, frozenset(FindingKind)):
        raise QualityActionError(f"{action.label} does not fit findings of the kind {kind.value}.")
    with transaction.atomic():
        flags = _flags(dataset, kind, items, min_severity)
        if items is None and kind in PAIRED and action in {ActionKind.QUARANTINE, ActionKind.DELETE}:
            flags = _spare(flags)
        made = QualityAction(dataset=dataset, action=action, finding=kind.value, created_by=actor.id, num_items=0, before={})
        made.before = _do(made, flags, actor) if flags else {}
        if not made.before:
            raise QualityNothingError
        made.num_items = len(made.before)
        made.save(force_insert=True)
        _record(made, actor, "quality.acted")
    return made


def action_undo(*, action: QualityAction, actor: Principal) -> QualityAction:
    """Puts items back as they were; those that somebody has changed meanwhile stay as they are, and are counted.

    Raises:
        QualityUndoneError: it has been undone.
    """
    with transaction.atomic():
        row = QualityAction.objects.select_for_update().get(id=action.id)
        if row.undone_at is not None:
            raise QualityUndoneError
        row.dataset = action.dataset
        row.num_kept = row.num_items - _undo(row, actor)
        row.undone_at, row.undone_by = timezone.now(), actor.id
        row.save(update_fields=["num_kept", "undone_at", "undone_by"])
        _record(row, actor, "quality.undone")
    return row


def _do(made: QualityAction, flags: Sequence[ItemFlag], actor: Principal) -> dict[str, Any]:
    """Changes the items; returns how they were. What the action closes carries its time, by which undoing finds it."""
    at = made.created_at
    match made.action:
        case ActionKind.DISMISS:
            return changes.dismiss(flags, at=at)
        case ActionKind.GROUP:
            return changes.group(made.dataset, flags, at=at)
        case ActionKind.RELABEL:
            return changes.relabel(made.dataset, flags, operation=made.id, actor=actor, at=at)
        case _:
            mark = made.id if made.action == ActionKind.QUARANTINE else ""
            before = changes.remove([flag.item_id for flag in flags], quarantine=mark, at=at)
            changes.settle_single(made.dataset, _clusters_of(before), at=at)
            return before


def _undo(row: QualityAction, actor: Principal) -> int:
    """Changes the items back; returns how many."""
    num_open = changes.reopen(row.dataset, at=row.created_at)
    match row.action:
        case ActionKind.DISMISS:
            return num_open
        case ActionKind.GROUP:
            return changes.ungroup(row.before)
        case ActionKind.RELABEL:
            return changes.relabel_back(row.dataset, row.before, operation=f"{row.id}-undo", actor=actor)
        case _:
            mark = row.id if row.action == ActionKind.QUARANTINE else ""
            return changes.restore_items(row.dataset, row.before, quarantine=mark)


def _clusters_of(items: Collection[str]) -> list[str]:
    """The clusters of copies that items belong to."""
    found: set[str] = set()
    for part in changes.parts(items):
        rows = ItemFlag.objects.filter(item__in=part, kind__in=[kind.value for kind in PAIRED])
        found |= set(rows.values_list("detail__cluster", flat=True))
    return sorted(found)


def _flags(dataset: Dataset, kind: FindingKind, items: Collection[str] | None, min_severity: float) -> list[ItemFlag]:
    rows = flags_open(dataset.id).filter(kind=kind.value, severity__gte=min_severity)
    if items is not None:
        rows = rows.filter(item__in=list(items))
    return list(rows.order_by("item_id"))


def _spare(flags: Sequence[ItemFlag]) -> list[ItemFlag]:
    """Leaves one copy of each picture out: the one that the report keeps, else the surest after it that is still there."""
    clusters: dict[str, list[ItemFlag]] = defaultdict(list)
    for flag in flags:
        clusters[flag.detail["cluster"]].append(flag)
    alive = set(_alive(clusters))
    spare = []
    for keeper, members in clusters.items():
        is_keeper_safe = keeper in alive and all(flag.item_id != keeper for flag in members)
        keeper_flag = None if is_keeper_safe else next((flag for flag in members if flag.item_id == keeper), members[0])
        spare += [flag for flag in members if flag is not keeper_flag]
    return spare


def _alive(items: Collection[str]) -> list[str]:
    return [
        item
        for ids in changes.parts(items)
        for item in Item.objects.filter(id__in=ids, deleted_at=None).values_list("id", flat=True)
    ]


def _record(row: QualityAction, actor: Principal, word: str) -> None:
    project = row.dataset.project
    data = {"action": row.action, "finding": row.finding, "num_items": row.num_items}
    detail = data | {"id": row.id, "items": list(row.before)[:100]}
    audit_record(
        workspace=project.workspace_id, project=project.id, actor=actor, action=word, subject=row.dataset_id, detail=detail
    )
    event_record(workspace=project.workspace_id, project=project.id, type=word, subject=row.dataset_id, data=data)
