"""What templates do when their jobs run and end."""

from __future__ import annotations

from collections.abc import Mapping

from studio.common.events import event_record
from studio.jobs.handlers import Executor, Reporter
from studio.jobs.models import Job
from studio.jobs.workdir import ARTEFACT_DIR, job_workdir
from studio.predictions.models import PredictionRun
from studio.templates.batch import FIELDS_FILE, KIND, batch_templates, fields_lines

EXECUTORS: Mapping[str, Executor] = {KIND: "platform"}


def job_run(job: Job, reporter: Reporter) -> None:
    """Reads the fields of all results into a file, which the runner keeps as the job's result.

    Raises:
        StudioError: the templates are gone.
        JobCancelledError: as the reporter says.
    """
    run = PredictionRun.objects.select_related("project", "artefact__project", "version").get(id=job.subject)
    templates = batch_templates(run, job.payload["template"])
    folder = job_workdir(job.id) / ARTEFACT_DIR
    folder.mkdir(parents=True, exist_ok=True)
    num_lines = 0
    with (folder / FIELDS_FILE).open("wb") as file:
        for line in fields_lines(run, templates):
            file.write(line)
            num_lines += 1
            reporter.check_cancelled()
            reporter.progress("fields", min(1.0, num_lines / max(1, run.num_results)))
    reporter.log(f"{num_lines} pictures")


def job_ended(job: Job) -> None:
    """Notifies viewers of the project."""
    event_record(workspace=job.workspace_id, project=job.project_id, type="prediction.ended", subject=job.subject)
