"""Reads of deployments. Look-ups by id find only what the caller may see."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from typing import Any, Literal

import httpx
from django.conf import settings
from django.db.models import Count, Max, Q, QuerySet

from studio.accounts.sight import Sight
from studio.common.errors import NotFoundError
from studio.common.paging import Page, page_of
from studio.deployments.calls import IS_TRY_OUT, calls_of
from studio.deployments.gateway import status_read
from studio.deployments.models import Deployment, DesiredState, Export, PredictionLog
from studio.deployments.prediction_server import prediction_client
from studio.projects.models import Project
from studio.registry.models import Artefact

LATENCIES_LOOKED_AT = 500
"""Latest successful calls from which the percentiles are taken."""
ALIVE_TTL_S = 2.0
DEAD_TTL_S = 0.3
"""Shorter, since a page waits for the server to come up."""
HEALTH_TIMEOUT_S = 1.0

DeploymentState = Literal["starting", "running", "stopped", "failed"]


@dataclass(frozen=True)
class Health:
    """How a deployment is, by the prediction server's own word."""

    state: DeploymentState
    message: str = ""


@dataclass(frozen=True)
class CallMetrics:
    """Figures of a deployment in the log; try-outs are only counted.

    Latencies are of successful calls, in milliseconds; None without any.
    """

    calls: int = 0
    errors: int = 0
    p50_ms: float | None = None
    p95_ms: float | None = None
    last_call_at: datetime | None = None
    try_outs: int = 0


def deployment_get(sight: Sight, deployment: str) -> Deployment:
    """Finds a deployment with its project and artefact.

    Raises:
        NotFoundError: there is none within sight.
    """
    rows = Deployment.objects.select_related("project", "artefact__project").prefetch_related("variants")
    found = rows.filter(sight.of("project", "workspace"), id=deployment, project__deleted_at=None).first()
    if found is None:
        raise NotFoundError("There is no such deployment.")
    return found


def scope_names(workspace: str, ids: Collection[str]) -> dict[str, str]:
    """Names of the deployments among these ids, for the scopes of API keys."""
    rows = Deployment.objects.filter(workspace=workspace, id__in=ids, project__deleted_at=None)
    return dict(rows.values_list("id", "name"))


def deployment_page(project: Project, *, cursor: str | None, limit: int) -> Page[Deployment]:
    """Cuts a page out of a project's deployments, newest first."""
    rows = Deployment.objects.select_related("project", "artefact__project").prefetch_related("variants")
    return page_of(rows.filter(project=project), cursor=cursor, limit=limit)


def deployment_health(deployment: Deployment) -> Health:
    """How a deployment is. Without an answer of the server nothing counts as running, whatever was last written."""
    if not _SERVER.is_alive():
        if deployment.desired == DesiredState.STOPPED:
            return Health("stopped")
        return Health("starting", "The prediction server does not answer.")
    status = status_read(deployment.id)
    if status is not None and status.get("state") == "failed" and deployment.desired == DesiredState.RUNNING:
        return Health("failed", str(status.get("message") or ""))
    if deployment.desired == DesiredState.STOPPED:
        return Health("stopped")
    is_ready = status is not None and status.get("state") == "ready" and status.get("artefact") == deployment.artefact_id
    return Health("running") if is_ready else Health("starting", "The model is being loaded.")


def model_faults(deployment: Deployment) -> dict[str, str]:
    """Why models of a deployment are not loaded, by artefact, by the prediction server's own word."""
    status = status_read(deployment.id) or {}
    return {str(artefact): str(fault) for artefact, fault in (status.get("models") or {}).items() if fault}


def call_metrics(deployments: Sequence[Deployment]) -> dict[str, CallMetrics]:
    """Numbers of calls, by deployment."""
    rows = PredictionLog.objects.filter(deployment__in=deployments).values("deployment").order_by()
    counted = rows.annotate(
        calls=Count("id", filter=~IS_TRY_OUT),
        errors=Count("id", filter=~IS_TRY_OUT & Q(status__gte=400)),
        last=Max("at", filter=~IS_TRY_OUT),
        try_outs=Count("id", filter=IS_TRY_OUT),
    )
    found = {row["deployment"]: row for row in counted}
    return {each.id: _metrics(each, found[each.id]) if each.id in found else CallMetrics() for each in deployments}


def prediction_page(
    deployment: Deployment, *, min_uncertainty: float | None, has_try_outs: bool, cursor: str | None, limit: int
) -> Page[PredictionLog]:
    """Cuts a page out of a deployment's log, newest first, with or without the calls of the try-out page."""
    rows = PredictionLog.objects.filter(deployment=deployment) if has_try_outs else calls_of(deployment)
    if min_uncertainty is not None:
        rows = rows.filter(uncertainty__gte=min_uncertainty)
    return page_of(rows, cursor=cursor, limit=limit)


def export_get(sight: Sight, export: str) -> Export:
    """Finds an export with its job.

    Raises:
        NotFoundError: there is none within sight.
    """
    rows = _exports().filter(sight.of("project"), project__deleted_at=None)
    found = rows.filter(id=export).first()
    if found is None:
        raise NotFoundError("There is no such export.")
    return found


def export_page(artefact: Artefact, *, cursor: str | None, limit: int) -> Page[Export]:
    """Cuts a page out of an artefact's exports, newest first."""
    return page_of(_exports().filter(artefact=artefact), cursor=cursor, limit=limit)


def deployment_url(deployment: Deployment, action: Literal["predict", "explain", "fields"] = "predict") -> str:
    """Where it is called."""
    return f"{settings.PREDICTION_URL}/v1/deployments/{deployment.slug}/{action}"


def _exports() -> QuerySet[Export]:
    return Export.objects.select_related("project", "job")


def _metrics(deployment: Deployment, counted: Mapping[str, Any]) -> CallMetrics:
    latest = calls_of(deployment).filter(status__lt=400).order_by("-id")
    latencies = sorted(latest.values_list("latency_ms", flat=True)[:LATENCIES_LOOKED_AT])
    return CallMetrics(
        calls=counted["calls"],
        errors=counted["errors"],
        p50_ms=percentile(latencies, 0.5),
        p95_ms=percentile(latencies, 0.95),
        last_call_at=counted["last"],
        try_outs=counted["try_outs"],
    )


def percentile(ordered: Sequence[float], fraction: float) -> float | None:
    """The value below which a fraction of the sorted values lies; None of none."""
    return ordered[min(len(ordered) - 1, int(fraction * len(ordered)))] if ordered else None


class _Server:
    """Whether the prediction server answers. Asked now and then only, so that a list of deployments costs one question."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._url = ""
        self._ask_at = float("-inf")
        self._is_alive = False

    def is_alive(self) -> bool:
        with self._lock:
            if time.monotonic() >= self._ask_at or self._url != settings.PREDICTION_URL:
                self._url = settings.PREDICTION_URL
                self._is_alive = self._ask()
                self._ask_at = time.monotonic() + (ALIVE_TTL_S if self._is_alive else DEAD_TTL_S)
            return self._is_alive

    def _ask(self) -> bool:
        try:
            reply = prediction_client().get(f"{self._url}/health", timeout=HEALTH_TIMEOUT_S)
        except httpx.HTTPError:
            return False
        return reply.status_code == httpx.codes.OK


_SERVER = _Server()
