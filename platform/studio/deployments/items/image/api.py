"""Endpoints of the try-out page that only pictures have."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from ninja import File, Router, UploadedFile

from automl.contracts.artefact import ImageDecode
from studio.deployments.errors import ExplainedModelError
from studio.deployments.http import deployment_for, explained_or_passed_on
from studio.deployments.tryout import server_explain
from studio.registry.schemas import ExplainedOut

router = Router()


@router.post("/deployments/{deployment_id}/explain/pictures", response=ExplainedOut, operation_id="deployment_explain_picture")
def deployment_explain_a_picture(
    request: HttpRequest, deployment_id: str, file: File[UploadedFile], label: str | None = None
) -> ExplainedOut | HttpResponse:
    """Shows what the model looked at in a picture: how far its score falls when a part is covered. Such calls are in no log."""
    deployment = deployment_for(request, deployment_id, "deployment.predict")
    if not isinstance(deployment.artefact.facts.decode, ImageDecode):
        raise ExplainedModelError(reads="pictures")
    return explained_or_passed_on(server_explain(deployment, label, files=[("file", (file.name or "file", file.read()))]))
