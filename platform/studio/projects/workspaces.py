"""What the accounts app asks of workspaces, by ``studio.accounts.hooks``."""

from __future__ import annotations

from collections.abc import Collection

from studio.projects.models import Project


def workspaces_used(ids: Collection[str]) -> bool:
    """Whether there is a project in one of the workspaces."""
    return Project.objects.filter(workspace_id__in=ids).exists()


def workspaces_living(ids: Collection[str]) -> bool:
    """Whether there is a project that nobody deleted in one of the workspaces."""
    return Project.objects.filter(workspace_id__in=ids, deleted_at=None).exists()
