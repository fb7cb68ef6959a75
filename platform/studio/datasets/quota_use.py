"""How much data a workspace has: what its items weigh, what is announced and under way, and how many items there are."""

from __future__ import annotations

from collections import Counter

from studio.datasets.items.announced import upload_bytes, upload_items
from studio.datasets.items.counts import Facet, counts_read
from studio.datasets.models import Dataset, Upload


def items_by_project(workspace: str) -> dict[str, int]:
    """Number of the living items of each project of a workspace."""
    return _counted(workspace, Facet.STATE)


def storage_by_project(workspace: str) -> dict[str, int]:
    """Bytes of each project of a workspace; uploads under way count with what was announced."""
    return _counted(workspace, Facet.BYTES) + upload_bytes(Upload.objects.filter(dataset__project__workspace=workspace))


def quota_used(workspace: str, quota: str) -> int:
    """Bytes or number of the living items of a workspace; uploads under way count with what was announced."""
    if quota == "storage_bytes":
        return sum(storage_by_project(workspace).values())
    under_way = upload_items(Upload.objects.filter(dataset__project__workspace=workspace))
    return sum(items_by_project(workspace).values()) + under_way


def _counted(workspace: str, facet: Facet) -> Counter[str]:
    projects = dict(Dataset.objects.filter(project__workspace=workspace).values_list("id", "project"))
    found: Counter[str] = Counter()
    for dataset, counts in counts_read(list(projects), facet).items():
        found[projects[dataset]] += sum(counts.get(facet, {}).values())
    return found
