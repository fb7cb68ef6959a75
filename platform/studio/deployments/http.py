"""What endpoints of deployments share."""

from __future__ import annotations

import json
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse

from studio.accounts.access import principal_of, require
from studio.accounts.roles import Action
from studio.deployments.models import Deployment
from studio.deployments.selectors import deployment_get
from studio.deployments.tryout import Answer
from studio.registry.present import explained_out
from studio.registry.schemas import ExplainedOut


def deployment_for(request: HttpRequest, deployment_id: str, action: Action) -> Deployment:
    """The deployment, if whoever asks may do this with it.

    Raises:
        NotFoundError: there is none, or it is nobody's business of theirs.
        ForbiddenError: their role or key does not allow it.
    """
    deployment = deployment_get(principal_of(request).sight, deployment_id)
    require(request, action, deployment.workspace_id, project=deployment.project_id, deployment=deployment.id)
    return deployment


def explained_or_passed_on(answer: Answer) -> ExplainedOut | HttpResponse:
    """The explanation of an answer, or the prediction server's error."""
    return explained_out(json.loads(answer.body)) if answer.status == HTTPStatus.OK else passed_on(answer)


def passed_on(answer: Answer) -> HttpResponse:
    """The prediction server's response, unchanged."""
    return HttpResponse(answer.body, status=answer.status, content_type=answer.content_type)
