"""What the accounts room asks of workspaces, by ``settings.WORKSPACE_HOOKS``."""

from __future__ import annotations

from collections.abc import Collection

from studio.projects.models import Project


def workspaces_used(ids: Collection[str]) -> bool:
    """Whether there is a project in one of the workspaces."""
    return Project.objects.filter(workspace_id__in=ids).exists()
