"""Permission of a request for everything that belongs to a project."""

from __future__ import annotations

from django.http import HttpRequest

from studio.accounts.access import allow, principal_of
from studio.accounts.roles import Action
from studio.projects.models import Project
from studio.projects.selectors import project_get


def project_for(request: HttpRequest, project_id: str, action: Action) -> Project:
    """The project, when the caller may do the action in it.

    Raises:
        NotFoundError: unknown, deleted, foreign or restricted to others.
        PermissionDeniedError: the caller's role does not allow it.
    """
    project = project_get(principal_of(request).sight, project_id=project_id)
    allow(request, action, project.workspace_id, project=project.id)
    return project
