"""Reads of projects. The first argument is what the caller sees."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import QuerySet

from studio.accounts.sight import Sight, whole
from studio.common.errors import NotFoundError
from studio.projects.models import Project


def project_get(sight: Sight, *, project_id: str) -> Project:
    """One project.

    Raises:
        NotFoundError: there is none within sight, or it was deleted.
    """
    project = project_list(sight).filter(id=project_id).first()
    if project is None:
        raise NotFoundError(f"There is no project {project_id}.")
    return project


def project_list(sight: Sight) -> QuerySet[Project]:
    """Projects that were not deleted."""
    return Project.objects.filter(sight.of("id", "workspace"), deleted_at__isnull=True)


def project_list_deleted(sight: Sight) -> QuerySet[Project]:
    """Deleted projects that can be restored."""
    return Project.objects.filter(sight.of("id", "workspace"), deleted_at__isnull=False, is_restorable=True)


def project_get_any(sight: Sight, *, project_id: str) -> Project:
    """One project, there or restorable.

    Raises:
        NotFoundError: there is none within sight.
    """
    found = (project_list(sight) | project_list_deleted(sight)).filter(id=project_id).first()
    if found is None:
        raise NotFoundError(f"There is no project {project_id}.")
    return found


def scope_names(workspace: str, ids: Collection[str]) -> dict[str, str]:
    """Names of the projects among these ids, for the scopes of API keys."""
    return dict(project_list(whole([workspace])).filter(id__in=ids).values_list("id", "name"))
