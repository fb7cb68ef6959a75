"""Writes of datasets and items, beside creation and annotations, which have files of their own."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.db import transaction
from django.utils import timezone

from studio.accounts.access import Principal
from studio.accounts.audit import audit_record
from studio.datasets.items.annotations import AnnotationWrite, annotations_write, labels_in, labels_index, labels_unindex
from studio.datasets.models import Dataset, Item
from studio.projects.models import Project


def dataset_create(*, project: Project) -> Dataset:
    """Makes the dataset that every project has."""
    return Dataset.objects.create(id=project.default_dataset_id, project=project, name=project.name)


def item_delete(*, dataset: Dataset, items: Collection[str], actor: Principal) -> list[str]:
    """Takes items out of a dataset; returns which. Versions that use them keep them, and ``item_restore`` undoes it."""
    return _take_out(dataset, items, actor, action="item.deleted", mark="")


def item_quarantine(*, dataset: Dataset, items: Collection[str], mark: str, actor: Principal) -> list[str]:
    """Puts items aside, out of the dataset; returns which. ``item_restore`` undoes it.

    Args:
        dataset: with its project.
        items: which; those that are out already stay as they are.
        mark: id of the action that does so.
        actor: who does it.
    """
    return _take_out(dataset, items, actor, action="item.quarantined", mark=mark)


def item_restore(*, dataset: Dataset, items: Collection[str], actor: Principal) -> list[str]:
    """Brings deleted and quarantined items back; returns which.

    An item whose label has been removed meanwhile comes back unlabelled.
    """
    known = set(dataset.project.labels.names)
    with transaction.atomic():
        rows = list(Item.objects.select_for_update().filter(dataset=dataset, id__in=list(items), deleted_at__isnull=False))
        stale = [item for item in rows if labels_in(item.annotations) - known]
        annotations_write(writes=[AnnotationWrite(item, None, "") for item in stale], at=timezone.now())
        Item.objects.filter(id__in=[item.id for item in rows]).update(deleted_at=None, quarantine="")
        labels_index(items=rows)
        _audit(dataset, actor, "item.restored", [item.id for item in rows])
    return [item.id for item in rows]


def _take_out(dataset: Dataset, items: Collection[str], actor: Principal, *, action: str, mark: str) -> list[str]:
    with transaction.atomic():
        rows = Item.objects.select_for_update().filter(dataset=dataset, id__in=list(items), deleted_at=None)
        found = list(rows.values_list("id", flat=True))
        Item.objects.filter(id__in=found).update(deleted_at=timezone.now(), quarantine=mark)
        labels_unindex(items=found)
        _audit(dataset, actor, action, found)
    return found


def _audit(dataset: Dataset, actor: Principal, action: str, items: Sequence[str]) -> None:
    if items:
        detail = {"num_items": len(items), "items": list(items[:100])}
        audit_record(
            workspace=dataset.project.workspace_id,
            project=dataset.project_id,
            actor=actor,
            action=action,
            subject=dataset.id,
            detail=detail,
        )
