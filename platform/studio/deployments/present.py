"""From rows to what goes over the wire."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from automl.contracts.job import JobState
from automl.contracts.target import TargetSpec
from studio.deployments import selectors
from studio.deployments.items import DeployedItems, deployed_items
from studio.deployments.models import Deployment, Export, KeepInputs, PredictionLog
from studio.deployments.schemas import (
    CallMetricsOut,
    DeploymentOut,
    ExportOut,
    PredictionLogOut,
    SnippetsOut,
    TargetOut,
)
from studio.deployments.snippets import snippets_of
from studio.jobs.schemas import job_out


def deployments_out(deployments: Sequence[Deployment]) -> list[DeploymentOut]:
    """Deployments with their state and numbers."""
    metrics = selectors.call_metrics(deployments)
    return [_deployment_out(each, metrics[each.id]) for each in deployments]


def deployment_out(deployment: Deployment) -> DeploymentOut:
    """One deployment with its state and numbers."""
    return deployments_out([deployment])[0]


def predictions_out(deployment: Deployment, rows: Sequence[PredictionLog]) -> list[PredictionLogOut]:
    """Calls of a deployment, kept texts and rows with their beginnings."""
    kind = deployed_items(deployment.artefact.facts)
    return [_prediction_out(row, kind) for row in rows]


def _prediction_out(row: PredictionLog, kind: DeployedItems) -> PredictionLogOut:
    url = f"/api/deployments/{row.deployment_id}/inputs/{row.input_sha256}" if row.input_sha256 else None
    return PredictionLogOut(
        id=row.id,
        at=row.at,
        artefact=row.artefact,
        key=row.key,
        status=row.status,
        code=row.code,
        latency_ms=row.latency_ms,
        num_pictures=row.num_pictures,
        top=[best if best and "label" in best else None for best in row.top],
        uncertainty=row.uncertainty,
        input_sha256=row.input_sha256,
        input_url=url,
        **{"input_text": None, **kind.log_fields(row)},
    )


def target_out(spec: TargetSpec) -> TargetOut:
    """A target."""
    return TargetOut(
        name=spec.name,
        title=spec.title,
        summary=spec.summary,
        accepts=sorted(spec.accepts),
        options=list(spec.options),
        tools=list(spec.tools),
    )


def export_out(export: Export) -> ExportOut:
    """A build with its job."""
    return ExportOut(
        id=export.id,
        project=export.project_id,
        artefact=export.artefact_id,
        target=export.target,
        options=export.options,
        state=export_state(export),
        job=job_out(export.job) if export.job else None,
        report=export.report,
        download_url=f"/api/exports/{export.id}/download" if export.blob else None,
        created_at=export.created_at,
    )


def export_state(export: Export) -> JobState:
    """The state of its job; a build whose job is gone is judged by its file."""
    if export.job is not None:
        return JobState(export.job.state)
    return JobState.SUCCEEDED if export.blob else JobState.FAILED


def _deployment_out(deployment: Deployment, metrics: selectors.CallMetrics) -> DeploymentOut:
    health = selectors.deployment_health(deployment)
    url = selectors.deployment_url(deployment)
    return DeploymentOut(
        id=deployment.id,
        project=deployment.project_id,
        artefact=deployment.artefact_id,
        name=deployment.name,
        slug=deployment.slug,
        url=url,
        state=health.state,
        message=health.message,
        created_at=deployment.created_at,
        thresholds={**deployment.artefact.facts.thresholds, **deployment.thresholds},
        keep_inputs=KeepInputs(deployment.keep_inputs),
        min_uncertainty=deployment.min_uncertainty,
        retention_days=deployment.retention_days,
        metrics=CallMetricsOut(**asdict(metrics)),
        snippets=SnippetsOut(**asdict(snippets_of(url, deployment.artefact.facts))),
    )
