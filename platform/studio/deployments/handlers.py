"""What deployments does when a build job runs, when keys or thresholds change, and when pages ask."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db.models import Count, Q, QuerySet, Value

from studio.deployments.calls import IS_TRY_OUT
from studio.deployments.exports import export_build
from studio.deployments.gateway import artefact_publish, keys_publish
from studio.deployments.hooks import export_not_built
from studio.deployments.models import Deployment, DesiredState, Export, PredictionLog
from studio.jobs.handlers import Executor, Reporter
from studio.jobs.models import Job
from studio.registry.hooks import Use
from studio.registry.models import Artefact

EXECUTORS: Mapping[str, Executor] = {"export": "platform"}


def job_run(job: Job, reporter: Reporter) -> None:
    """Builds."""
    export_build(job=job, reporter=reporter)


def job_ended(job: Job) -> None:
    """Tells what waits for a build that there is none."""
    export = Export.objects.select_related("project").filter(id=job.subject, blob="").first()
    if export is not None:
        export_not_built(export)


def keys_changed() -> None:
    """A set of API keys has changed: the prediction server's copy follows."""
    keys_publish()


def thresholds_changed(artefact: Artefact) -> None:
    """A model answers otherwise: its deployments follow."""
    artefact_publish(artefact)


def artefact_uses(artefact: Artefact) -> Iterator[Use]:
    """The deployments that answer with a model, as their first, as one of several or as shadow, and its finished exports."""
    answers = Q(artefact=artefact) | Q(variants__artefact=artefact)
    for deployment in Deployment.objects.filter(answers).distinct().order_by("id"):
        yield Use("deployment", deployment.id, deployment.name, deployment.created_at, deployment.created_by)
    for export in Export.objects.filter(artefact=artefact).exclude(blob="").order_by("id"):
        yield Use("export", export.id, export.target, export.created_at, export.created_by)


def models_served(project_ids: Sequence[str]) -> set[str]:
    """The first models of the deployments that are not stopped."""
    running = Deployment.objects.filter(project__in=project_ids, desired=DesiredState.RUNNING)
    return set(running.values_list("artefact", flat=True))


def project_counts(project_ids: Sequence[str]) -> list[QuerySet[Any, Any]]:
    """Figures of this app for project pages."""
    deployments = Deployment.objects.filter(project__in=project_ids).order_by()
    calls = PredictionLog.objects.filter(~IS_TRY_OUT, deployment__project__in=project_ids).order_by()
    return [
        deployments.values_list("project", Value("deployments")).annotate(number=Count("id")),
        calls.values_list("deployment__project", Value("calls")).annotate(number=Count("id")),
    ]
