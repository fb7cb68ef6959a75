"""Reads of projects. The first argument is the workspaces that the caller may see."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import QuerySet

from studio.common.errors import NotFoundError
from studio.projects.models import Project


def project_get(workspaces: Collection[str], *, project_id: str) -> Project:
    """One project.

    Raises:
        NotFoundError: there is none in these workspaces, or it was deleted.
    """
    project = project_list(workspaces).filter(id=project_id).first()
    if project is None:
        raise NotFoundError(f"There is no project {project_id}.")
    return project


def project_list(workspaces: Collection[str]) -> QuerySet[Project]:
    """Projects that were not deleted."""
    return Project.objects.filter(workspace_id__in=workspaces, deleted_at__isnull=True)


def project_list_deleted(workspaces: Collection[str]) -> QuerySet[Project]:
    """Deleted projects that can be restored."""
    return Project.objects.filter(workspace_id__in=workspaces, deleted_at__isnull=False, is_restorable=True)


def project_get_any(workspaces: Collection[str], *, project_id: str) -> Project:
    """One project, there or restorable.

    Raises:
        NotFoundError: there is none in these workspaces.
    """
    found = (project_list(workspaces) | project_list_deleted(workspaces)).filter(id=project_id).first()
    if found is None:
        raise NotFoundError(f"There is no project {project_id}.")
    return found


def scope_names(workspace: str, ids: Collection[str]) -> dict[str, str]:
    """Names of the projects among these ids, for the scopes of API keys."""
    return dict(project_list([workspace]).filter(id__in=ids).values_list("id", "name"))
