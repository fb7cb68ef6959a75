"""Writes of the data room, beside uploads, ingest and annotations, which have files of their own."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.db import transaction
from django.utils import timezone

from automl.contracts.dataset import SplitShares, split_of_group
from studio.accounts.access import Principal
from studio.accounts.audit import audit_record
from studio.datasets.annotations import CHUNK, Statement, annotations_write, chunks, labels_in, labels_index, labels_unindex
from studio.datasets.errors import SharesFixedError
from studio.datasets.models import Dataset, DatasetVersion, Item
from studio.projects.models import Project


def dataset_create(*, project: Project) -> Dataset:
    """Makes the dataset that every project has."""
    return Dataset.objects.create(id=project.default_dataset_id, project=project, name=project.name)


def item_delete(*, dataset: Dataset, items: Collection[str], actor: Principal) -> list[str]:
    """Takes items out of a dataset; returns which. Versions that use them keep them, and ``item_restore`` undoes it."""
    with transaction.atomic():
        rows = Item.objects.select_for_update().filter(dataset=dataset, id__in=list(items), deleted_at=None)
        found = list(rows.values_list("id", flat=True))
        Item.objects.filter(id__in=found).update(deleted_at=timezone.now())
        labels_unindex(items=found)
        _audit(dataset, actor, "item.deleted", found)
    return found


def item_restore(*, dataset: Dataset, items: Collection[str], actor: Principal) -> list[str]:
    """Brings deleted and quarantined items back; returns which.

    An item whose label has been removed meanwhile comes back unlabelled.
    """
    known = set(dataset.project.labels.names)
    with transaction.atomic():
        rows = list(Item.objects.select_for_update().filter(dataset=dataset, id__in=list(items), deleted_at__isnull=False))
        stale = [item for item in rows if labels_in(item.annotations) - known]
        annotations_write(statements=[Statement(item, None, "") for item in stale], at=timezone.now())
        Item.objects.filter(id__in=[item.id for item in rows]).update(deleted_at=None, quarantine="")
        labels_index(items=rows)
        _audit(dataset, actor, "item.restored", [item.id for item in rows])
    return [item.id for item in rows]


def shares_set(*, dataset: Dataset, shares: SplitShares) -> None:
    """Changes which fractions of the items validate and test, and moves the items accordingly.

    Raises:
        SharesFixedError: a version exists; moving items now would let a model be tested on what it was trained on.
    """
    if (dataset.validation_fraction, dataset.test_fraction) == (shares.validation_fraction, shares.test_fraction):
        return
    if DatasetVersion.objects.filter(project=dataset.project_id).exists():
        raise SharesFixedError
    with transaction.atomic():
        dataset.validation_fraction, dataset.test_fraction = shares.validation_fraction, shares.test_fraction
        dataset.save(update_fields=["validation_fraction", "test_fraction"])
        for chunk in chunks(Item.objects.filter(dataset=dataset).only("id", "group", "split").iterator(), CHUNK):
            moved = []
            for item in chunk:
                split = split_of_group(item.group, shares).value
                if split != item.split:
                    item.split = split
                    moved.append(item)
            Item.objects.bulk_update(moved, ["split"])


def _audit(dataset: Dataset, actor: Principal, action: str, items: Sequence[str]) -> None:
    if items:
        detail = {"num_items": len(items), "items": list(items[:100])}
        audit_record(workspace=dataset.project.workspace_id, actor=actor, action=action, subject=dataset.id, detail=detail)
