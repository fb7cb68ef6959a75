"""How many bytes the pictures of templates take."""

from __future__ import annotations

from django.db.models import Sum

from studio.templates.models import Template


def storage_by_project(workspace: str) -> dict[str, int]:
    """Bytes of the templates of each project of a workspace that has any."""
    rows = Template.objects.filter(project__workspace=workspace)
    return dict(rows.values_list("project").annotate(sum=Sum("size_bytes")))


def quota_used(workspace: str, quota: str) -> int:
    """Bytes of all templates of a workspace."""
    del quota
    return sum(storage_by_project(workspace).values())
