"""What endpoints of galleries share."""

from __future__ import annotations

from django.http import HttpRequest

from studio.accounts.access import allow, principal_of
from studio.accounts.roles import Action
from studio.galleries.models import Gallery
from studio.galleries.selectors import gallery_get


def gallery_for(request: HttpRequest, action: Action, gallery: str) -> Gallery:
    """The gallery, if whoever asks may do this with it.

    Raises:
        NotFoundError: there is none, or it is nobody's business of theirs.
        ForbiddenError: their role or key does not allow it.
    """
    found = gallery_get(principal_of(request).sight, gallery)
    allow(request, action, found.project.workspace_id, project=found.project_id)
    return found
