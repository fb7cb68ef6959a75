"""What the HTTP endpoints of versions share."""

from __future__ import annotations

from django.http import HttpRequest

from studio.accounts.access import allow
from studio.accounts.roles import Action
from studio.datasets.items.http import sight_of
from studio.datasets.models import DatasetVersion
from studio.datasets.versions import selectors


def version_for(request: HttpRequest, action: Action, version: str) -> DatasetVersion:
    """The version, if the caller may do this to it; raises as ``dataset_for``."""
    found = selectors.version_get(sight_of(request), version)
    allow(request, action, found.project.workspace_id, project=found.project_id)
    return found
