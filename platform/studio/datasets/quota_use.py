"""How much data a workspace has: what its items weigh, what is announced and under way, and how many items there are."""

from __future__ import annotations

from django.db.models import Sum

from studio.datasets.items.counts import Facet, counts_read
from studio.datasets.models import Dataset, Upload, UploadState

_FACETS = {"storage_bytes": Facet.BYTES, "items": Facet.STATE}


def quota_used(workspace: str, quota: str) -> int:
    """Bytes or number of the living items of a workspace; uploads under way count with the size that was announced."""
    datasets = list(Dataset.objects.filter(project__workspace=workspace).values_list("id", flat=True))
    facet = _FACETS[quota]
    used = sum(sum(counts[facet].values()) for counts in counts_read(datasets, facet).values() if facet in counts)
    if facet is not Facet.BYTES:
        return used
    waiting = Upload.objects.filter(dataset__in=datasets, state__in=[UploadState.RECEIVING, UploadState.INGESTING])
    return used + int(waiting.aggregate(sum=Sum("size_bytes"))["sum"] or 0)
