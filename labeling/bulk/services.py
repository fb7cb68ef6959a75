"""One action on many items: named one by one, or all that match a filter, in the request or as a job, and undone as a whole.

The items are walked in the order of ids, a portion a transaction, so a job that crashed goes on behind the last portion and a
cancelled one leaves whole portions that can be undone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from django.db import transaction
from django.db.models import F

from automl.contracts.annotation import Annotations
from automl.contracts.words import Words
from labeling.bulk import each
from labeling.bulk.errors import BulkBusyError, SplitFixedError
from labeling.services import annotations_check
from studio.accounts.access import Principal
from studio.accounts.audit import audit_record
from studio.common.events import event_record
from studio.datasets.items.annotations import chunks
from studio.datasets.items.filters import FilterIndex, ItemFilter, filter_index
from studio.datasets.items.item_pages import item_ids
from studio.datasets.models import BulkChange, BulkItem, BulkKind, BulkState, Dataset, DatasetVersion, Item
from studio.jobs.models import Job
from studio.jobs.services import job_submit

words = Words(__file__)

INLINE_ITEMS = 1000
"""Up to here the items are changed while the request waits."""
PORTION = 1000
WINDOW = 20_000
"""Entries of an index that one step reads."""
MOST_IDS = 200
"""Most items that an event names, so that open pages read these alone."""

Report = Callable[[float], None]


def bulk_start(
    *,
    dataset: Dataset,
    kind: BulkKind,
    values: Mapping[str, Any],
    items: Collection[str],
    criteria: ItemFilter | None,
    excluding: Collection[str],
    actor: Principal,
) -> tuple[BulkChange, Job | None]:
    """Changes items at once when they are few, else queues a job.

    Args:
        dataset: whose items.
        kind: what is done to each.
        values: the values of the kind: ``annotations``, ``split`` or ``metadata``.
        items: which, when ``criteria`` is None.
        criteria: all that match and are there now.
        excluding: but not these.
        actor: who does it.

    Raises:
        AnnotationInvalidError: the annotations do not fit the task or the label set.
        SplitFixedError: splits cannot change any more.
    """
    if kind is BulkKind.LABEL:
        annotations = values["annotations"]
        annotations_check(
            annotations=None if annotations is None else Annotations.validate_python(annotations), project=dataset.project
        )
    if kind is BulkKind.SPLIT and DatasetVersion.objects.filter(project=dataset.project_id).exists():
        raise SplitFixedError
    last = Item.objects.filter(dataset=dataset).order_by("-id").values_list("id", flat=True).first() or ""
    with transaction.atomic():
        change = BulkChange.objects.create(
            dataset=dataset,
            created_by={"kind": actor.kind, "id": actor.id, "name": actor.name},
            kind=kind,
            change=dict(values),
            filter=None if criteria is None else {"wanted": criteria.model_dump(mode="json"), "excluding": list(excluding)},
            until=last,
        )
        detail = {"kind": kind.value, "filter": change.filter, "num_named": len(items)}
        workspace = dataset.project.workspace_id
        audit_record(
            workspace=workspace,
            project=dataset.project_id,
            actor=actor,
            action="items.bulk_changed",
            subject=change.id,
            detail=detail,
        )
        if criteria is not None and not _is_small(filter_index(dataset, criteria)):
            return change, _submit(change, "do")
    named = iter([sorted(items)]) if criteria is None else None
    bulk_run(change=change, report=lambda _: None, portions=named)
    return change, None


def bulk_run(*, change: BulkChange, report: Report, portions: Iterator[list[str]] | None = None) -> None:
    """Changes the items that are still to be changed. ``report`` is called with the fraction done and may end it by raising."""
    actor = Principal(**change.created_by)
    if portions is None and change.job_id is not None and not change.num_expected:
        walk = filter_index(change.dataset, _criteria(change))
        change.num_expected = walk.count(until=change.until)
        change.save(update_fields=["num_expected"])
    for ids in portions or _portions(change):
        with transaction.atomic():
            before = each.do(change, ids, actor)
            BulkItem.objects.bulk_create([BulkItem(change=change, item=item, before=was) for item, was in before.items()])
            change.num_items += len(before)
            change.position = ids[-1] if ids else change.position
            change.save(update_fields=["num_items", "position"])
            _record(change, list(before))
        report(min(change.num_items / max(change.num_expected, 1), 1.0))
    change.state = BulkState.DONE
    change.save(update_fields=["state"])


def bulk_undo(*, change: BulkChange, actor: Principal) -> Job | None:
    """Takes a change back, at once or by a job. Items that somebody changed since stay as they are.

    Raises:
        BulkBusyError: it runs, or was undone.
    """
    with transaction.atomic():
        open_states = [BulkState.DONE, BulkState.STOPPED]
        if not BulkChange.objects.filter(id=change.id, state__in=open_states).update(state=BulkState.UNDOING):
            raise BulkBusyError(change.state)
        change.refresh_from_db(fields=["state"])
        workspace = change.dataset.project.workspace_id
        audit_record(
            workspace=workspace, project=change.dataset.project_id, actor=actor, action="items.bulk_undone", subject=change.id
        )
        if change.num_items > INLINE_ITEMS:
            return _submit(change, "undo")
    bulk_undo_run(change=change, actor=actor, report=lambda _: None)
    return None


def bulk_undo_run(*, change: BulkChange, actor: Principal, report: Report) -> None:
    """Takes back what is still to be taken back, the last portion first."""
    while True:
        with transaction.atomic():
            rows = list(BulkItem.objects.filter(change=change).order_by("-item")[:PORTION])
            if not rows:
                break
            before = {row.item: row.before for row in rows}
            change.num_undone = F("num_undone") + each.undo(change, before, actor)
            BulkItem.objects.filter(id__in=[row.id for row in rows]).delete()
            change.save(update_fields=["num_undone"])
            change.refresh_from_db(fields=["num_undone"])
            _record(change, list(before))
        report(min(change.num_undone / max(change.num_items, 1), 1.0))
    change.state = BulkState.UNDONE
    change.save(update_fields=["state"])


def bulk_ended(*, change: BulkChange) -> None:
    """Opens a change whose job did not come to its end for being undone."""
    unfinished = BulkChange.objects.filter(id=change.id, state__in=[BulkState.RUNNING, BulkState.UNDOING])
    unfinished.update(state=BulkState.STOPPED)


def _submit(change: BulkChange, step: str) -> Job:
    title = words(f"job.{BulkKind(change.kind).value}")
    if step == "undo":
        title = words("undo", title=title)
    change.job = job_submit(
        workspace=change.dataset.project.workspace_id,
        project=change.dataset.project_id,
        kind="bulk",
        title=title,
        subject=change.id,
        payload={"change": change.id, "step": step},
    )
    change.save(update_fields=["job"])
    return change.job


def _criteria(change: BulkChange) -> ItemFilter:
    return ItemFilter.model_validate(change.filter["wanted"] if change.filter else {})


def _is_small(walk: FilterIndex) -> bool:
    """Whether all matches are found in one step and are few."""
    return item_ids(walk, limit=INLINE_ITEMS, window=WINDOW)[1] is None


def _portions(change: BulkChange) -> Iterator[list[str]]:
    """Matching ids behind the change's position; the walk reads on as items leave the filter behind it."""
    excluding = set(change.filter["excluding"] if change.filter else ())
    walk, after = filter_index(change.dataset, _criteria(change)), change.position
    while True:
        ids, next_id = item_ids(walk, after=after, limit=PORTION, window=WINDOW)
        included = [item for item in ids if item not in excluding and item <= change.until]
        yield from chunks(included, PORTION)
        if next_id is None or next_id >= change.until:
            return
        after = next_id


def _record(change: BulkChange, items: list[str]) -> None:
    if not items:
        return
    project = change.dataset.project
    data = {"num_items": len(items), "items": items if len(items) <= MOST_IDS else []}
    event_record(workspace=project.workspace_id, project=project.id, type="item.changed", subject=change.dataset_id, data=data)
