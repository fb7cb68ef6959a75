"""How much data a workspace has: what its items weigh, what is announced and under way, and how many items there are."""

from __future__ import annotations

from collections import Counter

from django.db.models import Sum

from studio.datasets.items.counts import Facet, counts_read
from studio.datasets.models import Dataset, Upload, UploadState


def items_by_project(workspace: str) -> dict[str, int]:
    """Number of the living items of each project of a workspace."""
    return _counted(workspace, Facet.STATE)


def storage_by_project(workspace: str) -> dict[str, int]:
    """Bytes of each project of a workspace; uploads under way count with the size that was announced."""
    found = Counter(_counted(workspace, Facet.BYTES))
    waiting = Upload.objects.filter(
        dataset__project__workspace=workspace, state__in=[UploadState.RECEIVING, UploadState.INGESTING]
    )
    found.update(
        {project: size or 0 for project, size in waiting.values_list("dataset__project").annotate(sum=Sum("size_bytes"))}
    )
    return dict(found)


def quota_used(workspace: str, quota: str) -> int:
    """Bytes or number of the living items of a workspace, by ``storage_by_project`` and ``items_by_project``."""
    by_project = {"storage_bytes": storage_by_project, "items": items_by_project}[quota]
    return sum(by_project(workspace).values())


def _counted(workspace: str, facet: Facet) -> dict[str, int]:
    projects = dict(Dataset.objects.filter(project__workspace=workspace).values_list("id", "project"))
    found: Counter[str] = Counter()
    for dataset, counts in counts_read(list(projects), facet).items():
        found[projects[dataset]] += sum(counts.get(facet, {}).values())
    return dict(found)
