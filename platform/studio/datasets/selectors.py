"""Reads of the data room. What is asked for by id is looked for in the caller's workspaces only."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from django.db.models import Count, Q, QuerySet, Sum, Value

from automl.contracts.dataset import Split, VersionManifest
from studio.common.errors import NotFoundError
from studio.common.paging import Page, page_of
from studio.datasets.files.reasons import NOTES
from studio.datasets.items.counts import Facet, counts_of
from studio.datasets.items.lookup import Workspaces, dataset_find, items_lock
from studio.datasets.models import CountChange, Dataset, DatasetVersion, Item, ItemLabel, ItemState, Reject, Upload
from studio.datasets.schemas import SummaryOut
from studio.projects.models import Project


def dataset_get(workspaces: Workspaces, dataset: str) -> Dataset:
    """Finds a dataset with its project.

    Raises:
        NotFoundError: there is none in these workspaces.
    """
    found = dataset_find(workspaces, id=dataset)
    if found is None:
        raise NotFoundError("There is no such dataset.")
    return found


def dataset_of_project(workspaces: Workspaces, project: str) -> Dataset:
    """Finds a project's dataset, with the project.

    Raises:
        NotFoundError: there is no such project in these workspaces.
    """
    found = dataset_find(workspaces, project_id=project)
    if found is None:
        raise NotFoundError("There is no such project.")
    return found


def item_get(workspaces: Workspaces, item: str) -> Item:
    """Finds an item, deleted or not, with its dataset and project.

    Raises:
        NotFoundError: there is none in these workspaces.
    """
    found = next(iter(items_get(workspaces, [item])), None)
    if found is None:
        raise NotFoundError("There is no such item.")
    return found


def item_lock(workspaces: Workspaces, item: str) -> Item:
    """As ``item_get``, and locks the item's row. Needs a transaction."""
    for found, _ in items_lock(workspaces, [item]):
        return found
    raise NotFoundError("There is no such item.")


def items_get(workspaces: Workspaces, items: Collection[str]) -> QuerySet[Item]:
    """The items with these ids, deleted or not, as far as they lie in these workspaces."""
    rows = Item.objects.select_related("dataset__project")
    return rows.filter(id__in=list(items), **_within(workspaces, "dataset__project__"))


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


def project_counts(projects: Collection[str]) -> list[QuerySet[Any, Any]]:
    """Items, annotated items and versions of projects, from the kept counts."""
    states = CountChange.objects.filter(dataset__project__in=projects, facet=Facet.STATE.value).order_by()
    items, annotated = states.filter(value__in=list(ItemState)), states.filter(value=ItemState.ANNOTATED.value)
    versions = DatasetVersion.objects.filter(project__in=projects).order_by()
    return [
        items.values_list("dataset__project", Value("items")).annotate(number=Sum("change")),
        annotated.values_list("dataset__project", Value("annotated")).annotate(number=Sum("change")),
        versions.values_list("project", Value("versions")).annotate(number=Count("id")),
    ]


def upload_get(workspaces: Workspaces, dataset: str, upload: str) -> Upload:
    """Finds an upload with its dataset, project and number of refused files.

    Raises:
        NotFoundError: there is none in these workspaces.
    """
    found = _uploads().filter(id=upload, dataset=dataset, **_within(workspaces, "dataset__project__")).first()
    if found is None:
        raise NotFoundError("There is no such upload.")
    return found


def upload_page(dataset: Dataset, *, cursor: str | None, limit: int) -> Page[Upload]:
    """Cuts a page out of a dataset's uploads, newest first."""
    return page_of(_uploads().filter(dataset=dataset), cursor=cursor, limit=limit)


def _uploads() -> QuerySet[Upload]:
    # A picture whose label was kept is there all the same: it is told among the rejects, but it was not refused.
    noted = Q(rejects__code__in=NOTES)
    return Upload.objects.select_related("dataset__project").annotate(
        num_rejected=Count("rejects", filter=~noted), num_noted=Count("rejects", filter=noted)
    )


def version_get(workspaces: Workspaces, version: str) -> DatasetVersion:
    """Finds a version with its project.

    Raises:
        NotFoundError: there is none in these workspaces.
    """
    found = DatasetVersion.objects.select_related("project").filter(id=version, **_within(workspaces, "project__")).first()
    if found is None:
        raise NotFoundError("There is no such version.")
    return found


def version_page(project: Project, *, cursor: str | None, limit: int) -> Page[DatasetVersion]:
    """Cuts a page out of a project's versions, newest first."""
    return page_of(DatasetVersion.objects.filter(project=project), cursor=cursor, limit=limit, order="-number")


def version_manifest(version: DatasetVersion) -> VersionManifest:
    """The manifest, as it stands in ``version.json``."""
    return VersionManifest.model_validate(version.manifest)


def _within(workspaces: Workspaces, to_project: str) -> dict[str, object]:
    return {f"{to_project}workspace__in": list(workspaces), f"{to_project}deleted_at": None}
