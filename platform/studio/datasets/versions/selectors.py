"""Reads of versions. Look-ups by id find only what the caller may see."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.db.models import Count, QuerySet, Sum, Value

from automl.contracts.dataset import VersionManifest
from studio.accounts.sight import Sight
from studio.common.errors import NotFoundError
from studio.common.paging import Page, page_of
from studio.common.stored import read_stored
from studio.datasets.items.counts import Facet
from studio.datasets.items.selectors import within
from studio.datasets.models import CountChange, DatasetVersion, ItemState
from studio.projects.models import Project


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


def version_get(sight: Sight, version: str) -> DatasetVersion:
    """Finds a version with its project.

    Raises:
        NotFoundError: there is none within sight.
    """
    found = DatasetVersion.objects.select_related("project").filter(within(sight, "project"), id=version).first()
    if found is None:
        raise NotFoundError("There is no such version.")
    return found


def version_page(project: Project, *, cursor: str | None, limit: int) -> Page[DatasetVersion]:
    """Cuts a page out of a project's versions, newest first."""
    return page_of(DatasetVersion.objects.filter(project=project), cursor=cursor, limit=limit, order="-number")


def version_manifest(version: DatasetVersion) -> VersionManifest:
    """The manifest, as it stands in ``version.json``."""
    return read_stored(VersionManifest, version.manifest, subject=version.id)
