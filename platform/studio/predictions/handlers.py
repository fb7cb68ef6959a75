"""What batch predictions do when their jobs run and end."""

from __future__ import annotations

from collections.abc import Mapping

from studio.common.events import event_record
from studio.jobs.handlers import Executor, Reporter
from studio.jobs.models import Job
from studio.jobs.threads import job_threads
from studio.predictions.models import PredictionRun
from studio.predictions.suggestions import run_suggestions

EXECUTORS: Mapping[str, Executor] = {"predict": "platform", "suggest": "platform"}


def job_run(job: Job, reporter: Reporter) -> None:
    """Predicts, or makes suggestions of what was predicted."""
    run = PredictionRun.objects.select_related("project", "artefact__project", "version").get(id=job.subject)
    if job.kind == "suggest":
        reporter.log(f"{run_suggestions(run=run, reporter=reporter)} items have suggestions")
        return
    from studio.predictions.run import run_predict  # noqa: PLC0415 - onnxruntime is for the job's own process alone

    run_predict(run=run, reporter=reporter, num_threads=job_threads(job))
    reporter.log(f"{run.num_results} results, {run.num_failed} of them failed")


def job_ended(job: Job) -> None:
    """Notifies viewers of the project."""
    event_record(workspace=job.workspace_id, project=job.project_id, type="prediction.ended", subject=job.subject)
