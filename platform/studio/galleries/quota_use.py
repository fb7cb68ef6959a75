"""How many bytes the pictures of galleries take."""

from __future__ import annotations

from django.db.models import Sum

from studio.galleries.models import GalleryEntry


def quota_used(workspace: str, quota: str) -> int:
    """Bytes of all galleries of a workspace."""
    del quota
    rows = GalleryEntry.objects.filter(gallery__project__workspace=workspace)
    return int(rows.aggregate(sum=Sum("size_bytes"))["sum"] or 0)
