"""How many bytes batch predictions take: the files that were sent for them, and their results."""

from __future__ import annotations

from collections import Counter

from django.db.models import Sum

from studio.predictions.models import PredictionFile, PredictionPart


def storage_by_project(workspace: str) -> dict[str, int]:
    """Bytes of the runs of each project of a workspace that has any."""
    found: Counter[str] = Counter()
    for each in (PredictionFile, PredictionPart):
        rows = each.objects.filter(run__project__workspace=workspace)
        found.update(dict(rows.values_list("run__project").annotate(sum=Sum("size_bytes"))))
    return dict(found)


def quota_used(workspace: str, quota: str) -> int:
    """Bytes of all runs of a workspace."""
    del quota
    return sum(storage_by_project(workspace).values())
