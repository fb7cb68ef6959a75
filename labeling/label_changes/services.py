"""Writes of label changes.

A change goes through the items in blocks, each block in a transaction of its own. While it is under way the label set has the
old labels and the new ones, so whoever labels meanwhile is not refused; the blocks go on until no item carries an old label.
Stopped at any point it goes on where it was: what is through no longer carries the old label.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from automl.contracts.dataset import LabelSet
from automl.contracts.words import Words
from labeling.campaigns.models import CampaignItem, Opinion
from labeling.label_changes.errors import LabelChangeBusyError, LabelChangeUndoneError, LabelPlanError
from labeling.label_changes.models import ChangeState, LabelChange, LabelChangeItem
from labeling.label_changes.plan import (
    PLAN,
    LabelSplit,
    Plan,
    annotations_after,
    labels_after,
    labels_during,
    labels_union,
    plan_complaints,
    plan_sources,
    plan_targets,
)
from labeling.models import AnnotationRevision, Suggestion
from labeling.services import provenance_of
from studio.accounts.access import Principal
from studio.accounts.audit import audit_record
from studio.common.events import event_record
from studio.datasets.items.annotations import CHUNK, annotations_relabel, chunks
from studio.datasets.models import Dataset, Item, ItemLabel, ItemState
from studio.jobs.models import Job
from studio.jobs.services import job_submit
from studio.projects.models import Project
from studio.projects.services import label_set_replace

words = Words(__file__)

INLINE_ITEMS = 2_000
"""Up to here a change is done while the request waits."""

ReportCount = Callable[[int], None]
"""Called with the number of items that are through; may raise to stop between two blocks."""

Rewrite = Callable[[Item], list[dict[str, Any]] | None]


def label_change_start(*, dataset: Dataset, plan: Plan, actor: Principal) -> tuple[LabelChange, Job | None]:
    """Begins a change: done when it is small, else a job goes through the items.

    Raises:
        LabelPlanError: it does not fit the label set.
        LabelChangeBusyError: another one is under way.
    """
    with transaction.atomic():
        project = Project.objects.select_for_update().get(id=dataset.project_id)
        complaints = plan_complaints(plan, project.labels)
        if complaints:
            raise LabelPlanError(complaints)
        _idle(project)
        change = LabelChange.objects.create(
            project=project,
            actor={"kind": actor.kind, "id": actor.id, "name": actor.name},
            plan=PLAN.dump_python(plan, mode="json"),
            label_set_before=project.label_set,
        )
        label_set_replace(project=project, label_set=labels_during(plan, project.labels))
        _record(change, actor, "label.change")
    return change, _run(change, dataset, plan_sources(plan), undo=False)


def label_change_undo(*, change: LabelChange, actor: Principal) -> tuple[LabelChange, Job | None]:
    """Begins to take a change back. Items that somebody has changed since keep what they carry as far as the old labels allow.

    Raises:
        LabelChangeUndoneError: it is not through, or has been undone.
        LabelChangeBusyError: another one is under way.
    """
    with transaction.atomic():
        project = Project.objects.select_for_update().get(id=change.project_id)
        change = LabelChange.objects.select_for_update().get(id=change.id)
        if change.state != ChangeState.DONE:
            raise LabelChangeUndoneError
        _idle(project)
        change.state = ChangeState.UNDOING
        change.save(update_fields=["state"])
        before = LabelSet.model_validate(change.label_set_before)
        label_set_replace(project=project, label_set=labels_union(project.labels, before))
        _record(change, actor, "label.change_undone")
    dataset = Dataset.objects.select_related("project").get(project=project)
    return change, _run(change, dataset, frozenset(plan_targets(PLAN.validate_python(change.plan))), undo=True)


def _idle(project: Project) -> None:
    if LabelChange.objects.filter(project=project, state__in=[ChangeState.APPLYING, ChangeState.UNDOING]).exists():
        raise LabelChangeBusyError


def _run(change: LabelChange, dataset: Dataset, labels: frozenset[str], *, undo: bool) -> Job | None:
    carrying = ItemLabel.objects.filter(dataset=dataset, label__in=labels)
    if carrying[: INLINE_ITEMS + 1].count() <= INLINE_ITEMS:
        label_change_continue(change=change)
        return None
    return job_submit(
        workspace=dataset.project.workspace_id,
        project=dataset.project_id,
        kind="label_change",
        title=words("job.label_change_undo" if undo else "job.label_change"),
        subject=change.id,
        payload={"change": change.id},
    )


def label_change_continue(*, change: LabelChange, report: ReportCount = lambda num: None) -> LabelChange:
    """Takes a change, or its undo, to the end. Repeating it is harmless."""
    if change.state == ChangeState.APPLYING:
        _apply(change, report)
    elif change.state == ChangeState.UNDOING:
        _undo(change, report)
    return change


def _apply(change: LabelChange, report: ReportCount) -> None:
    plan: Plan = PLAN.validate_python(change.plan)
    dataset = Dataset.objects.select_related("project").get(project=change.project_id)

    def rewrite(item: Item) -> list[dict[str, Any]] | None:
        return annotations_after(plan, item.annotations or (), item=item.id, metadata=item.metadata)

    with transaction.atomic():
        _suggestions(dataset, plan_sources(plan), rewrite)
        _campaigns(dataset, plan)
    _blocks(change, dataset, plan_sources(plan), rewrite, report)
    with transaction.atomic():
        project = Project.objects.select_for_update().get(id=change.project_id)
        if not isinstance(plan, LabelSplit):
            # Whoever saved an old label between the last block and this lock is found here.
            _blocks(change, dataset, plan_sources(plan), rewrite, report)
            label_set_replace(project=project, label_set=labels_after(plan, project.labels))
        _ended(change, ChangeState.DONE)


def _undo(change: LabelChange, report: ReportCount) -> None:
    plan: Plan = PLAN.validate_python(change.plan)
    dataset = Dataset.objects.select_related("project").get(project=change.project_id)
    before = LabelSet.model_validate(change.label_set_before)
    fresh = frozenset(plan_targets(plan)) - set(before.names)
    num_kept, done = 0, 0
    for block in chunks(change.items.order_by("id").iterator(chunk_size=CHUNK), CHUNK):
        num_kept += _give_back(change, block)
        done += len(block)
        report(done)

    def back(item: Item) -> list[dict[str, Any]] | None:
        """What came after the change and carries a label that will go gets the old one."""
        source = min(plan_sources(plan))  # one label, or all of a merge had become this one
        return [one | {"label": source} if one.get("label") in fresh else one for one in item.annotations or ()]

    with transaction.atomic():
        project = Project.objects.select_for_update().get(id=change.project_id)
        _blocks(change, dataset, fresh, back, report, remember=False)
        _suggestions(dataset, fresh, back)
        rest = LabelSet(labels=tuple(one for one in project.labels.labels if one.name not in fresh))
        label_set_replace(project=project, label_set=labels_union(before, rest))
        change.num_kept = num_kept
        _ended(change, ChangeState.UNDONE)


def _give_back(change: LabelChange, block: Sequence[LabelChangeItem]) -> int:
    """Gives items what they carried before; returns how many were left alone, since somebody had changed them."""
    row_of = {row.item_id: row for row in block}
    with transaction.atomic():
        items = list(Item.objects.select_for_update().filter(id__in=list(row_of)).order_by("id"))
        same = [item for item in items if item.revision == row_of[item.id].revision]
        _history(change, annotations_relabel(items=same, change=lambda item: row_of[item.id].before))
    return len(items) - len(same)


def _blocks(
    change: LabelChange,
    dataset: Dataset,
    labels: frozenset[str],
    rewrite: Rewrite,
    report: ReportCount,
    *,
    remember: bool = True,
) -> int:
    """Rewrites all items that carry one of the labels, deleted ones too; returns how many."""
    num = 0
    for ids in _carrying(dataset, labels):
        with transaction.atomic():
            items = list(Item.objects.select_for_update().filter(id__in=ids).order_by("id"))
            before = {item.id: item.annotations for item in items}
            touched = annotations_relabel(items=items, change=rewrite)
            if remember:
                rows = [
                    LabelChangeItem(change=change, item=one, before=before[one.id], revision=one.revision) for one in touched
                ]
                LabelChangeItem.objects.bulk_create(
                    rows, update_conflicts=True, unique_fields=["change", "item"], update_fields=["revision"]
                )
            _history(change, touched)
        num += len(touched)
        report(num)
    return num


def _carrying(dataset: Dataset, labels: frozenset[str]) -> Iterator[list[str]]:
    """Ids of items that may carry one of the labels, a block at a time: living ones by index, deleted ones all."""
    living = ItemLabel.objects.filter(dataset=dataset, label__in=labels).values_list("item", flat=True)
    deleted = Item.objects.filter(dataset=dataset, deleted_at__isnull=False, state=ItemState.ANNOTATED)
    yield from chunks(list(living), CHUNK)
    yield from chunks(list(deleted.values_list("id", flat=True)), CHUNK)


def _history(change: LabelChange, items: list[Item]) -> None:
    actor = Principal(kind=change.actor["kind"], id=change.actor["id"], name=change.actor["name"])
    AnnotationRevision.objects.bulk_create(
        [
            AnnotationRevision(item=item, revision=item.revision, annotations=item.annotations, provenance=provenance_of(actor))
            for item in items
        ],
        ignore_conflicts=True,
    )


def _suggestions(dataset: Dataset, labels: frozenset[str], rewrite: Rewrite) -> None:
    rows = Suggestion.objects.select_related("item").filter(dataset=dataset)
    for block in chunks(rows.iterator(chunk_size=CHUNK), CHUNK):
        touched = [row for row in block if any(one.get("label") in labels for one in row.annotations)]
        for row in touched:
            row.item.annotations = row.annotations
            row.annotations = rewrite(row.item)
        Suggestion.objects.bulk_update(touched, ["annotations"])


def _campaigns(dataset: Dataset, plan: Plan) -> None:
    """Answers and known answers of campaigns follow, so that old and new ones can be compared."""

    def mapped(annotations: Sequence[Mapping[str, Any]] | None, item: str) -> list[dict[str, Any]]:
        return annotations_after(plan, annotations or (), item=item, metadata={})

    sources = plan_sources(plan)
    for row in Opinion.objects.select_related("campaign_item").filter(
        campaign_item__campaign__dataset=dataset, is_current=True
    ):
        if any(one.get("label") in sources for one in row.annotations or ()):
            row.annotations = mapped(row.annotations, row.campaign_item.item_id)
            row.save(update_fields=["annotations"])
    for gold in CampaignItem.objects.filter(campaign__dataset=dataset, gold__isnull=False):
        gold.gold = mapped(gold.gold, gold.item_id)
        gold.save(update_fields=["gold"])


def _ended(change: LabelChange, state: ChangeState) -> None:
    change.state, change.num_items, change.ended_at = state, change.items.count(), timezone.now()
    change.save(update_fields=["state", "num_items", "num_kept", "ended_at"])


def _record(change: LabelChange, actor: Principal, action: str) -> None:
    project = change.project
    detail = {"plan": change.plan}
    audit_record(
        workspace=project.workspace_id, project=project.id, actor=actor, action=action, subject=change.id, detail=detail
    )
    event_record(
        workspace=project.workspace_id, project=project.id, type="project.changed", subject=project.id, data={"action": action}
    )
