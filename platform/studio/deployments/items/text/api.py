"""Endpoints of the try-out page that only texts have."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from ninja import Router

from studio.deployments.http import deployment_for, explained_or_passed_on, passed_on
from studio.deployments.items.text.schemas import ExplainTextIn, TryTextsIn
from studio.deployments.items.text.tryout import deployment_explain_text, deployment_try_texts
from studio.deployments.schemas import PredictOut
from studio.registry.schemas import ExplainedOut

router = Router()


@router.post("/deployments/{deployment_id}/try/texts", response=PredictOut, operation_id="deployment_try_texts")
def deployment_try_out_texts(
    request: HttpRequest, deployment_id: str, body: TryTextsIn, top: int | None = None
) -> HttpResponse:
    """Asks the deployment about texts, through the prediction server; its answer is passed on as it is."""
    deployment = deployment_for(request, deployment_id, "deployment.predict")
    return passed_on(deployment_try_texts(deployment=deployment, texts=body.texts, top=top))


@router.post("/deployments/{deployment_id}/explain/texts", response=ExplainedOut, operation_id="deployment_explain_text")
def deployment_explain_a_text(request: HttpRequest, deployment_id: str, body: ExplainTextIn) -> ExplainedOut | HttpResponse:
    """Shows what the model looked at in a text: how far its score falls without each part. Such calls are in no log."""
    deployment = deployment_for(request, deployment_id, "deployment.predict")
    return explained_or_passed_on(deployment_explain_text(deployment=deployment, text=body.text, label=body.label))
