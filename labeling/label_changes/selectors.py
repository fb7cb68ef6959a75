"""Reads of label changes."""

from __future__ import annotations

from collections import Counter

from labeling.label_changes.errors import LabelPlanError
from labeling.label_changes.models import ChangeState, LabelChange
from labeling.label_changes.plan import (
    PLAN,
    Plan,
    annotations_after,
    labels_after,
    plan_complaints,
    plan_sources,
    plan_targets,
)
from labeling.label_changes.schemas import LabelChangeOut, LabelPreviewOut
from studio.accounts.sight import Sight
from studio.common.errors import NotFoundError
from studio.common.paging import Page, page_of
from studio.datasets.items.annotations import labels_in
from studio.datasets.models import Dataset, Item, ItemLabel
from studio.projects.models import Project

PREVIEW_ITEMS = 20_000
"""So many items are tried; of more, the rest is estimated."""
SAMPLE = 12


def label_change_preview(dataset: Dataset, plan: Plan) -> LabelPreviewOut:
    """Tries a change on the items without writing anything.

    Raises:
        LabelPlanError: it does not fit the label set.
    """
    complaints = plan_complaints(plan, dataset.project.labels)
    if complaints:
        raise LabelPlanError(complaints)
    sources = plan_sources(plan)
    parts = sorted({*sources, *plan_targets(plan)})
    marks = ItemLabel.objects.filter(dataset=dataset, label__in=sources)
    ids = list(dict.fromkeys(marks.order_by("item").values_list("item", flat=True)[:PREVIEW_ITEMS]))
    num_marks = marks.count()
    before, after, num, joined = Counter[str](), Counter[str](), 0, 0
    sample: list[str] = []
    for item in Item.objects.filter(id__in=ids).only("id", "annotations", "metadata").order_by("id"):
        changed = annotations_after(plan, item.annotations or (), item=item.id, metadata=item.metadata)
        was, will = labels_in(item.annotations), labels_in(changed)
        before.update(was & set(parts))
        after.update(will & set(parts))
        if changed != item.annotations:
            num += 1
            joined += len(was & set(parts)) > len(will & set(parts))
            sample += [item.id] if len(sample) < SAMPLE else []
    counts = {label: ItemLabel.objects.filter(dataset=dataset, label=label).count() for label in parts}
    scale = num_marks / len(ids) if len(ids) < num_marks and num_marks > PREVIEW_ITEMS else 1.0
    moved = {label: round((after[label] - before[label]) * scale) for label in parts}
    return LabelPreviewOut(
        num_items=round(num * scale),
        counts_before=counts,
        counts_after={label: max(0, counts[label] + moved[label]) for label in parts},
        is_sampled=scale > 1.0,
        num_joined=round(joined * scale),
        label_set=labels_after(plan, dataset.project.labels),
        sample=sample,
    )


def num_carrying(change: LabelChange) -> int:
    """About how many items a change, or its undo, has still to go through."""
    if change.state == ChangeState.UNDOING:
        return change.items.count()
    labels = plan_sources(PLAN.validate_python(change.plan))
    return ItemLabel.objects.filter(dataset__project=change.project_id, label__in=labels).count()


def label_change_get(sight: Sight, change: str) -> LabelChange:
    """Finds a change with its project.

    Raises:
        NotFoundError: there is none within sight.
    """
    rows = LabelChange.objects.select_related("project").filter(sight.of("project"), project__deleted_at=None)
    found = rows.filter(id=change).first()
    if found is None:
        raise NotFoundError("There is no such change of labels.")
    return found


def label_change_page(project: Project, *, cursor: str | None, limit: int) -> Page[LabelChange]:
    """Cuts a page out of a project's changes, newest first."""
    return page_of(LabelChange.objects.filter(project=project), cursor=cursor, limit=limit)


def label_change_out(change: LabelChange) -> LabelChangeOut:
    """A change on the wire."""
    return LabelChangeOut(
        id=change.id,
        plan=PLAN.validate_python(change.plan),
        state=ChangeState(change.state),
        num_items=change.num_items,
        num_kept=change.num_kept,
        by_name=change.actor["name"],
        created_at=change.created_at,
        ended_at=change.ended_at,
    )
