"""How many bytes the pictures of galleries take."""

from __future__ import annotations

from django.db.models import Sum

from studio.galleries.models import GalleryEntry


def storage_by_project(workspace: str) -> dict[str, int]:
    """Bytes of the galleries of each project of a workspace that has any."""
    rows = GalleryEntry.objects.filter(gallery__project__workspace=workspace)
    return dict(rows.values_list("gallery__project").annotate(sum=Sum("size_bytes")))


def quota_used(workspace: str, quota: str) -> int:
    """Bytes of all galleries of a workspace."""
    del quota
    return sum(storage_by_project(workspace).values())
