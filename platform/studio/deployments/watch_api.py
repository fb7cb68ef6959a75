"""Endpoints that watch a deployment: its calls over time, and whether answers and inputs are still those of the test."""

from __future__ import annotations

from django.http import HttpRequest
from ninja import Query, Router

from studio.deployments import watch_present
from studio.deployments.answer_drift import drifts_of
from studio.deployments.http import deployment_for
from studio.deployments.input_drift import input_drifts_of
from studio.deployments.timeline import TimelineFilter, timeline_of
from studio.deployments.watch_schemas import DriftOut, InputDriftOut, TimelineOut, TimelineQuery

router = Router(tags=["deployments"])


@router.get("/deployments/{deployment_id}/timeline", response=TimelineOut, operation_id="deployment_timeline")
def deployment_timeline(request: HttpRequest, deployment_id: str, query: Query[TimelineQuery]) -> TimelineOut:
    """Calls of the last hours or days in periods: how many, errors, latency, answers, uncertainty, and losses by feedback."""
    deployment = deployment_for(request, deployment_id, "deployment.read")
    criteria = TimelineFilter(key=query.key, artefact=query.artefact, has_try_outs=query.try_outs)
    return watch_present.timeline_out(timeline_of(deployment, query.range, criteria))


@router.get("/deployments/{deployment_id}/drift", response=DriftOut, operation_id="deployment_drift")
def deployment_drift(request: HttpRequest, deployment_id: str) -> DriftOut:
    """Whether the models still answer callers as they answered in their tests, by the calls of the last seven days."""
    return watch_present.drift_out(drifts_of(deployment_for(request, deployment_id, "deployment.read")))


@router.get("/deployments/{deployment_id}/input-drift", response=InputDriftOut, operation_id="deployment_input_drift")
def deployment_input_drift(request: HttpRequest, deployment_id: str) -> InputDriftOut:
    """Whether callers' items are still like those that the models were judged on, by a sample of the last seven days."""
    return watch_present.input_drift_out(input_drifts_of(deployment_for(request, deployment_id, "deployment.read")))
