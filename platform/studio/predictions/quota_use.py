"""How many bytes batch predictions take: the files that were sent for them, and their results."""

from __future__ import annotations

from django.db.models import Sum

from studio.predictions.models import PredictionFile, PredictionPart


def quota_used(workspace: str, quota: str) -> int:
    """Bytes of all runs of a workspace."""
    del quota
    of_workspace = [each.objects.filter(run__project__workspace=workspace) for each in (PredictionFile, PredictionPart)]
    return sum(int(rows.aggregate(sum=Sum("size_bytes"))["sum"] or 0) for rows in of_workspace)
