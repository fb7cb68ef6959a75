"""What this app brings to the cards and the overview of projects: some items, the last activity, what waits for a person."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any

from django.db.models import Case, OuterRef, QuerySet, Subquery, TextField, When
from django.db.models.functions import Coalesce, Left

from automl.contracts.quality import FindingKind
from studio.datasets.items.counts import Facet, counts_of
from studio.datasets.items.findings import flags_open
from studio.datasets.items.kind import SHOWN_CHARACTERS
from studio.datasets.items.kinds import NAMES, kind_named
from studio.datasets.items.present import item_preview, thumbnail_url_if_any
from studio.datasets.models import Dataset, DatasetVersion, Item, ItemState, Upload
from studio.jobs.models import Job
from studio.projects.glance import CardItemOut, WaitingOut
from studio.projects.models import Project

ITEMS_SHOWN = 4
COUNTED_MOST = 10_000
"""Labels changed since a version are counted up to here: the page says that it is time to train, not how much."""


def project_items(project_ids: Sequence[str]) -> Mapping[str, list[CardItemOut]]:
    """The first items of each project, each found by the index of its dataset's page."""
    living = Item.objects.filter(dataset=OuterRef("id"), deleted_at=None).order_by("id").values("id")
    places = {f"item_{place}": Subquery(living[place : place + 1]) for place in range(ITEMS_SHOWN)}
    rows = Dataset.objects.filter(project__in=project_ids).annotate(**places).values_list("project", *places)
    owner = {item: project for project, *items in rows for item in items if item is not None}
    found: dict[str, list[CardItemOut]] = defaultdict(list)
    begins = Case(
        When(format__in=_whole_formats(), then="text"), default=Left("text", SHOWN_CHARACTERS), output_field=TextField()
    )
    shown = Item.objects.filter(id__in=list(owner)).defer("text", "annotations").annotate(begins=begins)
    for item in shown.order_by("id"):
        found[owner[item.id]].append(_card_item(item))
    return found


def project_activity(project_ids: Collection[str]) -> Mapping[str, datetime]:
    """The latest job, upload, version or label of each project."""
    of_project = {"project": OuterRef("id")}
    of_dataset = {"dataset__project": OuterRef("id")}
    jobs = Job.objects.filter(**of_project).order_by("-id").annotate(at=Coalesce("ended_at", "started_at", "queued_at"))
    labelled = Item.objects.filter(**of_dataset, deleted_at=None, annotated_at__isnull=False).order_by("-annotated_at")
    latest = {
        "job_at": _first(jobs, "at"),
        "upload_at": _first(Upload.objects.filter(**of_dataset).order_by("-id"), "created_at"),
        "version_at": _first(DatasetVersion.objects.filter(**of_project).order_by("-number"), "created_at"),
        "labelled_at": _first(labelled, "annotated_at"),
    }
    rows = Project.objects.filter(id__in=project_ids).annotate(**latest).values_list("id", *latest)
    return {project: max(at for at in times if at is not None) for project, *times in rows if any(times)}


def project_waiting(project: Project) -> list[WaitingOut]:
    """Items without a label, labels that the quality report doubts, and labels that no version holds yet."""
    counts = counts_of(project.default_dataset_id, Facet.STATE)
    unlabelled = counts.get(Facet.STATE, {}).get(ItemState.UNLABELLED.value, 0)
    doubted = flags_open(project.default_dataset_id).filter(kind=FindingKind.WRONG_LABEL.value).count()
    waiting: list[WaitingOut] = []
    version = DatasetVersion.objects.filter(project=project).order_by("-number").first()
    if version is not None:
        later = Item.objects.filter(dataset=project.default_dataset_id, deleted_at=None, annotated_at__gt=version.created_at)
        num_changed = later.order_by()[:COUNTED_MOST].count()
        waiting.append(WaitingOut(key="labels_changed", count=num_changed, number=version.number))
    waiting += [WaitingOut(key="wrong_labels", count=doubted), WaitingOut(key="unlabelled", count=unlabelled)]
    return [each for each in waiting if each.count > 0]


@cache
def _whole_formats() -> frozenset[str]:
    """Of items that are made of cells: a part of one says nothing."""
    return frozenset(form for kind in map(kind_named, NAMES) if kind.has_columns for form in kind.formats)


def _first(rows: QuerySet[Any, Any], field: str) -> Subquery:
    return Subquery(rows.values(field)[:1])


def _card_item(item: Any) -> CardItemOut:  # noqa: ANN401 - an item with the beginning of its text
    item.text = item.begins
    shown = item_preview(item)
    return CardItemOut(
        text=shown.text,
        row=shown.row,
        thumbnail_url=thumbnail_url_if_any(item.id, item.blob, item.format),
    )
