"""Endpoints of a deployment's models: their shares of the calls, how they compare, and rollouts."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest
from ninja import Query, Router, Status
from pydantic import Field

from automl.contracts.words import Words
from studio.accounts.access import principal_of
from studio.deployments import present
from studio.deployments.call_feedback import CallTruth, call_feedback_take
from studio.deployments.comparison import comparison_of
from studio.deployments.errors import TrafficInvalidError
from studio.deployments.http import deployment_for
from studio.deployments.rollouts import RolloutPlan, rollout_start, rollout_stop, rollouts_of
from studio.deployments.schemas import (
    CallFeedbackIn,
    CallFeedbackOut,
    ComparisonOut,
    DeploymentOut,
    RolloutIn,
    RolloutOut,
    TrafficIn,
)
from studio.deployments.traffic import traffic_set
from studio.registry.selectors import artefact_get

words = Words(__file__)
router = Router()


@router.put("/deployments/{deployment_id}/traffic", response=DeploymentOut, operation_id="deployment_traffic_set")
def deployment_traffic_set(request: HttpRequest, deployment_id: str, body: TrafficIn) -> DeploymentOut:
    """Shares the calls among models, and names the shadow. New models answer once they are warm, the old ones until then."""
    deployment = deployment_for(request, deployment_id, "deployment.write")
    actor = principal_of(request)
    shares = {each.artefact: each.share for each in body.models}
    if len(shares) < len(body.models):
        raise TrafficInvalidError(words("traffic.twice"))
    named = [*shares, *([body.shadow] if body.shadow else [])]
    models = [artefact_get(actor.sight, each) for each in named]
    traffic_set(deployment=deployment, shares=shares, shadow=body.shadow or None, models=models, actor=actor)
    return present.deployment_out(deployment_for(request, deployment_id, "deployment.read"))


@router.get("/deployments/{deployment_id}/comparison", response=ComparisonOut, operation_id="deployment_comparison")
def deployment_comparison(
    request: HttpRequest, deployment_id: str, days: Annotated[int, Query(), Field(ge=1, le=365)] = 7
) -> ComparisonOut:
    """The models of a deployment beside each other, by their calls of the last days."""
    return present.comparison_out(comparison_of(deployment_for(request, deployment_id, "deployment.read"), days=days))


@router.post("/deployments/{deployment_id}/feedback", response=CallFeedbackOut, operation_id="call_feedback")
def call_feedback(request: HttpRequest, deployment_id: str, body: CallFeedbackIn) -> CallFeedbackOut:
    """Takes what turned out to be true of answered calls; models are compared by it. A later word corrects an earlier one."""
    deployment = deployment_for(request, deployment_id, "deployment.predict")
    truths = [CallTruth(each.call, each.place, each.label, each.value) for each in body.items]
    unknown = call_feedback_take(deployment=deployment, truths=truths)
    return CallFeedbackOut(taken=sum(truth.call not in unknown for truth in truths), unknown=unknown)


@router.get("/deployments/{deployment_id}/rollouts", response=list[RolloutOut], operation_id="rollouts_list")
def rollouts_list(request: HttpRequest, deployment_id: str) -> list[RolloutOut]:
    """The latest twenty rollouts of a deployment, newest first."""
    return [present.rollout_out(each) for each in rollouts_of(deployment_for(request, deployment_id, "deployment.read"))]


@router.post("/deployments/{deployment_id}/rollouts", response={201: RolloutOut}, operation_id="rollout_start")
def rollout_begin(request: HttpRequest, deployment_id: str, body: RolloutIn) -> Status[RolloutOut]:
    """Gives a candidate a growing share of the calls; it is promoted when better and rolled back when worse, by itself."""
    deployment = deployment_for(request, deployment_id, "deployment.write")
    actor = principal_of(request)
    rollout = rollout_start(
        deployment=deployment,
        candidate=artefact_get(actor.sight, body.candidate),
        plan=RolloutPlan(body.measure, body.margin, body.steps, body.step_minutes),
        actor=actor,
    )
    return Status(201, present.rollout_out(rollout))


@router.post("/deployments/{deployment_id}/rollouts/stop", response=RolloutOut, operation_id="rollout_stop")
def rollout_end(request: HttpRequest, deployment_id: str) -> RolloutOut:
    """Stops the running rollout; all calls go to the model from before it."""
    deployment = deployment_for(request, deployment_id, "deployment.write")
    return present.rollout_out(rollout_stop(deployment=deployment, actor=principal_of(request)))
