"""Reads of datasets and items. Look-ups by id find only what the caller may see."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from django.db.models import Q, QuerySet, Sum

from automl.contracts.dataset import Split
from studio.accounts.sight import Sight
from studio.common.errors import NotFoundError
from studio.datasets.files.reasons import NOTES
from studio.datasets.items.counts import Facet, counts_of
from studio.datasets.items.lookup import dataset_find, items_lock
from studio.datasets.items.schemas import SummaryOut
from studio.datasets.models import Dataset, Item, ItemLabel, ItemState, Reject, Upload
from studio.projects.models import Project


def dataset_get(sight: Sight, dataset: str) -> Dataset:
    """Finds a dataset with its project.

    Raises:
        NotFoundError: there is none within sight.
    """
    found = dataset_find(sight, id=dataset)
    if found is None:
        raise NotFoundError("There is no such dataset.")
    return found


def dataset_of_project(sight: Sight, project: str) -> Dataset:
    """Finds a project's dataset, with the project.

    Raises:
        NotFoundError: there is none within sight.
    """
    found = dataset_find(sight, project_id=project)
    if found is None:
        raise NotFoundError("There is no such project.")
    return found


def item_get(sight: Sight, item: str) -> Item:
    """Finds an item, deleted or not, with its dataset and project.

    Raises:
        NotFoundError: there is none within sight.
    """
    found = next(iter(items_get(sight, [item])), None)
    if found is None:
        raise NotFoundError("There is no such item.")
    return found


def item_lock(sight: Sight, item: str) -> Item:
    """As ``item_get``, and locks the item's row. Needs a transaction."""
    for found in items_lock(sight, [item]):
        return found
    raise NotFoundError("There is no such item.")


def items_get(sight: Sight, items: Collection[str]) -> QuerySet[Item]:
    """The items with these ids, deleted or not, as far as they are within sight."""
    rows = Item.objects.select_related("dataset__project")
    return rows.filter(within(sight, "dataset__project"), id__in=list(items))


def items_of(dataset: Dataset, items: Collection[str]) -> list[Item]:
    """The dataset's items with these ids, deleted or not, in the order of ids."""
    return list(Item.objects.filter(dataset=dataset, id__in=list(items)).order_by("id"))


def dataset_summary(dataset: Dataset) -> SummaryOut:
    """The kept counts of a dataset; costs the same for ten items and a million."""
    counts = counts_of(dataset.id)
    states, splits = counts[Facet.STATE], counts[Facet.SPLIT]
    uploads = Upload.objects.filter(dataset=dataset)
    refused = Reject.objects.filter(upload__dataset=dataset).exclude(code__in=NOTES)
    return SummaryOut(
        items=sum(states.values()),
        annotated=states.get(ItemState.ANNOTATED, 0),
        unlabelled=states.get(ItemState.UNLABELLED, 0),
        by_label=_in_order(dataset, counts[Facet.LABEL]),
        by_split={split: splits.get(split.value, 0) for split in Split},
        duplicates=uploads.aggregate(total=Sum("num_duplicates"))["total"] or 0,
        rejected=refused.count(),
        size_bytes=counts[Facet.BYTES].get("", 0),
        deleted=counts[Facet.DELETED].get("", 0),
        quarantined=counts[Facet.QUARANTINE].get("", 0),
    )


def label_counts(dataset: Dataset) -> dict[str, int]:
    """How many items carry each label of the project, in the label set's order; labels without items count zero."""
    return _in_order(dataset, counts_of(dataset.id, Facet.LABEL)[Facet.LABEL])


def _in_order(dataset: Dataset, by_label: Mapping[str, int]) -> dict[str, int]:
    names = [str(label["name"]) for label in dataset.project.label_set.get("labels", ())]
    return dict.fromkeys(names, 0) | dict(by_label)


def labels_used(project: Project, names: Collection[str]) -> set[str]:
    """Which of the labels some living item carries."""
    rows = ItemLabel.objects.filter(dataset__project=project, label__in=list(names))
    return set(rows.values_list("label", flat=True).distinct())


def within(sight: Sight, to_project: str) -> Q:
    """The condition that a row lies in a living project within sight; ``to_project`` is the way to it."""
    return sight.of(to_project) & Q(**{f"{to_project}__deleted_at": None})
