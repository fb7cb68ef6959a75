"""What the HTTP endpoints of uploads share."""

from __future__ import annotations

from django.http import HttpRequest

from studio.accounts.access import allow
from studio.accounts.roles import Action
from studio.datasets.items.http import sight_of
from studio.datasets.models import Upload
from studio.datasets.uploads import selectors


def upload_for(request: HttpRequest, action: Action, dataset: str, upload: str) -> Upload:
    """The upload, if the caller may do this to it; raises as ``dataset_for``."""
    found = selectors.upload_get(sight_of(request), dataset, upload)
    allow(request, action, found.dataset.project.workspace_id, project=found.dataset.project_id)
    return found
