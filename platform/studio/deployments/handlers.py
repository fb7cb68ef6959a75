"""What the delivery room does when a build job runs, when API keys change, and when a project page asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce

from studio.deployments.exports import export_build
from studio.deployments.gateway import keys_publish
from studio.deployments.models import Deployment, PredictionLog
from studio.jobs.handlers import Executor, Reporter
from studio.jobs.models import Job

EXECUTORS: Mapping[str, Executor] = {"export": "platform"}


def job_run(job: Job, reporter: Reporter) -> None:
    """Builds."""
    export_build(job=job, reporter=reporter)


def keys_changed() -> None:
    """A set of API keys has changed: the prediction server's copy follows."""
    keys_publish()


def project_counts(project_ids: Sequence[str]) -> dict[str, dict[str, int]]:
    """Numbers of this room for project pages."""
    calls = PredictionLog.objects.filter(deployment=OuterRef("pk")).order_by().values("deployment").annotate(num=Count("id"))
    rows = Deployment.objects.filter(project__in=project_ids).values_list("project", Coalesce(Subquery(calls.values("num")), 0))
    found = {project: {"deployments": 0, "calls": 0} for project in project_ids}
    for project, num_calls in rows:
        found[project]["deployments"] += 1
        found[project]["calls"] += num_calls
    return found
