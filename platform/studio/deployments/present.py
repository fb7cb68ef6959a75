"""Turns rows into the schemas of the API."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict

from automl.contracts.job import JobState
from automl.contracts.target import Target, options_with_defaults
from exporters.build import target_find, target_names, tools_missing
from exporters.items import known_items
from studio.deployments import selectors
from studio.deployments.calls import is_try_out
from studio.deployments.comparison import ComparedModel, Comparison
from studio.deployments.items import DeployedItems, deployed_items
from studio.deployments.models import (
    CallFeedback,
    Deployment,
    Export,
    KeepInputs,
    Measure,
    PredictionLog,
    Rollout,
    RolloutState,
)
from studio.deployments.rollouts import ALPHA, share_of
from studio.deployments.schemas import (
    CallMetricsOut,
    CallTruthOut,
    ComparedModelOut,
    ComparisonOut,
    DeployedModelOut,
    DeploymentOut,
    ExportOut,
    JudgedModelOut,
    LabelShareOut,
    MissingToolsOut,
    PredictionLogOut,
    RolloutOut,
    SnippetsOut,
    TargetOut,
)
from studio.deployments.sequential import Evidence, strength
from studio.deployments.snippets import snippets_of
from studio.jobs.schemas import job_out
from studio.jobs.states import job_state_public


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
    feedback: dict[str, list[CallTruthOut]] = defaultdict(list)
    for one in CallFeedback.objects.filter(call__in=[row.id for row in rows]).order_by("place"):
        feedback[one.call].append(
            CallTruthOut(place=one.place, label=one.truth.get("label"), value=one.truth.get("value"), loss=one.loss)
        )
    return [_prediction_out(row, kind, feedback[row.id]) for row in rows]


def _prediction_out(row: PredictionLog, kind: DeployedItems, feedback: list[CallTruthOut]) -> PredictionLogOut:
    url = f"/api/deployments/{row.deployment_id}/inputs/{row.input_sha256}" if row.input_sha256 else None
    return PredictionLogOut(
        id=row.id,
        at=row.at,
        artefact=row.artefact,
        key=row.key,
        is_try_out=is_try_out(row.key),
        status=row.status,
        code=row.code,
        fallback_from=row.fallback_from,
        fallback_code=row.fallback_code,
        latency_ms=row.latency_ms,
        num_pictures=row.num_pictures,
        top=[best if best and "label" in best else None for best in row.top],
        uncertainty=row.uncertainty,
        input_sha256=row.input_sha256,
        input_url=url,
        feedback=feedback,
        **{"input_text": None, **kind.log_fields(row)},
    )


def comparison_out(comparison: Comparison) -> ComparisonOut:
    """The models of a deployment beside each other."""
    shadow = comparison.shadow
    return ComparisonOut(
        since=comparison.since,
        models=[_compared_out(model) for model in comparison.models],
        shadow=None if shadow is None else _compared_out(shadow),
        disagreements=comparison.disagreements,
    )


def _compared_out(model: ComparedModel) -> ComparedModelOut:
    fields = asdict(model)
    labels = [LabelShareOut(label=label, fraction=fraction) for label, fraction in model.labels]
    return ComparedModelOut(**fields | {"labels": labels})


def rollout_out(rollout: Rollout) -> RolloutOut:
    """A rollout and what it knows."""
    evidence = Evidence(**rollout.evidence)
    return RolloutOut(
        id=rollout.id,
        baseline=rollout.baseline_id,
        candidate=rollout.candidate_id,
        measure=Measure(rollout.measure),
        margin=rollout.margin,
        steps=rollout.steps,
        step_minutes=rollout.step_minutes,
        share=share_of(rollout),
        state=RolloutState(rollout.state),
        evidence_worse=strength(evidence.log_worse, alpha=ALPHA),
        evidence_better=strength(evidence.log_better, alpha=ALPHA),
        baseline_judged=_judged_out(rollout, "baseline"),
        candidate_judged=_judged_out(rollout, "candidate"),
        history=rollout.history,
        created_at=rollout.created_at,
        created_by=rollout.created_by,
        ended_at=rollout.ended_at,
        ended_by=rollout.ended_by,
    )


def _judged_out(rollout: Rollout, name: str) -> JudgedModelOut:
    number, total = rollout.calls.get(name, (0, 0.0))
    return JudgedModelOut(calls=number, loss=total / number if number else None)


def target_out(target: Target) -> TargetOut:
    """A target, and what its builds lack here."""
    spec, missing = target.spec, tools_missing(target)
    lacking = MissingToolsOut(names=list(missing.names), extra=missing.extra or None, variable=missing.variable or None)
    return TargetOut(
        name=spec.name,
        title=spec.title,
        summary=spec.summary,
        group=spec.group,
        accepts=sorted(spec.accepts),
        reads=sorted(spec.items & known_items()),
        pipelines=sorted(spec.pipelines),
        reads_forms=spec.reads_forms,
        options=list(spec.options),
        tools=list(spec.tools),
        missing=lacking if missing.names else None,
        backends=list(spec.backends),
    )


def export_out(export: Export) -> ExportOut:
    """A build with its job."""
    return ExportOut(
        id=export.id,
        project=export.project_id,
        artefact=export.artefact_id,
        target=export.target,
        options=export.options,
        gallery=export.gallery,
        state=export_state(export),
        job=job_out(export.job) if export.job else None,
        report=export.report,
        download_url=f"/api/exports/{export.id}/download" if export.blob else None,
        commands=_commands(export),
        created_at=export.created_at,
    )


def _commands(export: Export) -> list[str]:
    if export.report is None or export.target not in target_names():
        return []
    spec = target_find(export.target).spec
    file = str(export.report["file"]).rsplit("/", 1)[-1]
    return [line.format_map({**options_with_defaults(spec, export.options), "file": file}) for line in spec.commands]


def export_state(export: Export) -> JobState:
    """The state of its job; a build whose job is gone is judged by its file."""
    if export.job is not None:
        return job_state_public(export.job)
    return JobState.SUCCEEDED if export.blob else JobState.FAILED


def _deployment_out(deployment: Deployment, metrics: selectors.CallMetrics) -> DeploymentOut:
    health = selectors.deployment_health(deployment)
    url = selectors.deployment_url(deployment)
    models, shadow = _models_out(deployment)
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
        models=models,
        shadow=shadow,
        snippets=SnippetsOut(**asdict(snippets_of(url, deployment.artefact.facts))),
    )


def _models_out(deployment: Deployment) -> tuple[list[DeployedModelOut], DeployedModelOut | None]:
    faults = selectors.model_faults(deployment)

    def out(artefact: str, share: int) -> DeployedModelOut:
        return DeployedModelOut(artefact=artefact, share=share, message=faults.get(artefact, ""))

    variants = deployment.variants.all()
    shared = [out(each.artefact_id, each.share) for each in variants if not each.is_shadow]
    first = out(deployment.artefact_id, 100 - sum(each.share for each in shared))
    shadow = next((out(each.artefact_id, 0) for each in variants if each.is_shadow), None)
    return [first, *shared], shadow
