"""How many bytes the pictures of templates take."""

from __future__ import annotations

from django.db.models import Sum

from studio.templates.models import Template


def quota_used(workspace: str, quota: str) -> int:
    """Bytes of all templates of a workspace."""
    del quota
    rows = Template.objects.filter(project__workspace=workspace)
    return int(rows.aggregate(sum=Sum("size_bytes"))["sum"] or 0)
