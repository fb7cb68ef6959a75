"""What endpoints about batch predictions share."""

from __future__ import annotations

from django.http import HttpRequest

from studio.accounts.access import allow, principal_of
from studio.accounts.roles import Action
from studio.predictions import selectors
from studio.predictions.models import PredictionRun


def run_for(request: HttpRequest, action: Action, prediction: str) -> PredictionRun:
    """The batch prediction of an address, in which the caller may do an action.

    Raises:
        NotFoundError: there is none within sight.
        PermissionDeniedError: the caller may not.
    """
    run = selectors.run_get(principal_of(request).sight, prediction)
    # Results hold what the project's items are, so whoever may only predict does not get at them.
    for each in dict.fromkeys((action, "data.read")):
        allow(request, each, run.project.workspace_id, project=run.project_id)
    return run
