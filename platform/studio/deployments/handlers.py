"""What deployments does when a build job runs, when keys or a model's thresholds change, and when a project page asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Count, QuerySet, Value

from studio.deployments.calls import IS_TRY_OUT
from studio.deployments.exports import export_build
from studio.deployments.gateway import artefact_publish, keys_publish
from studio.deployments.models import Deployment, PredictionLog
from studio.jobs.handlers import Executor, Reporter
from studio.jobs.models import Job
from studio.registry.models import Artefact

EXECUTORS: Mapping[str, Executor] = {"export": "platform"}


def job_run(job: Job, reporter: Reporter) -> None:
    """Builds."""
    export_build(job=job, reporter=reporter)


def keys_changed() -> None:
    """A set of API keys has changed: the prediction server's copy follows."""
    keys_publish()


def thresholds_changed(artefact: Artefact) -> None:
    """A model answers from other scores on: its deployments follow."""
    artefact_publish(artefact)


def project_counts(project_ids: Sequence[str]) -> list[QuerySet[Any, Any]]:
    """Numbers of this room for project pages."""
    deployments = Deployment.objects.filter(project__in=project_ids).order_by()
    calls = PredictionLog.objects.filter(~IS_TRY_OUT, deployment__project__in=project_ids).order_by()
    return [
        deployments.values_list("project", Value("deployments")).annotate(number=Count("id")),
        calls.values_list("deployment__project", Value("calls")).annotate(number=Count("id")),
    ]
