"""How much data a workspace has: what its items weigh, what is announced and under way, and how many items there are."""

from __future__ import annotations

from studio.datasets.items.counts import Facet, counts_read
from studio.datasets.models import Dataset, Upload
from studio.datasets.uploads.announced import upload_bytes, upload_items

_FACETS = {"storage_bytes": Facet.BYTES, "items": Facet.STATE}


def quota_used(workspace: str, quota: str) -> int:
    """Bytes or number of the living items of a workspace; uploads under way count with what was announced."""
    datasets = list(Dataset.objects.filter(project__workspace=workspace).values_list("id", flat=True))
    facet = _FACETS[quota]
    used = sum(sum(counts[facet].values()) for counts in counts_read(datasets, facet).values() if facet in counts)
    uploads = Upload.objects.filter(dataset__in=datasets)
    return used + (upload_bytes(uploads) if facet is Facet.BYTES else upload_items(uploads))
