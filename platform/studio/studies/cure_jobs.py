"""Leaves items out of data sets so large that the version without them is cut by a job, and starts the study again on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from automl.contracts.base import Text
from automl.contracts.words import Words
from studio.accounts.access import Principal
from studio.datasets.models import Dataset
from studio.datasets.versions.manifest import version_is_small
from studio.jobs.handlers import Executor, Reporter
from studio.jobs.models import Job
from studio.jobs.services import job_submit_once
from studio.projects.models import Project
from studio.studies.curing import study_cure, version_without
from studio.studies.models import Study

EXECUTORS: Mapping[str, Executor] = {"cure": "platform"}
words = Words(__file__)


def cure_submit(*, study: Study, name: str, left_out: int, actor: Principal, trial: str | None = None) -> Job | None:
    """Queues ``study_cure``, whose study the job names when it ends; None where it takes no longer than a request may.

    While such a job waits or runs, asking again returns it.
    """
    payload = {"study": study.id, "trial": trial}
    return _submit(study.project, subject=study.id, name=name, left_out=left_out, actor=actor, payload=payload)


def version_submit(
    *, project: Project, subject: str, name: str, left_out: tuple[str, ...], note: Text, actor: Principal
) -> Job | None:
    """Queues ``version_without`` likewise, for a check (``subject``) before a study."""
    payload = {"items": list(left_out), "note": note.model_dump()}
    return _submit(project, subject=subject, name=name, left_out=len(left_out), actor=actor, payload=payload)


def cure_job_of(study: Study) -> Job | None:
    """The latest job that tries a study again."""
    return Job.objects.filter(project=study.project_id, kind="cure", subject=study.id).order_by("-id").first()


def _submit(
    project: Project, *, subject: str, name: str, left_out: int, actor: Principal, payload: Mapping[str, Any]
) -> Job | None:
    if not left_out or version_is_small(Dataset.objects.get(id=project.default_dataset_id)):
        return None
    by = {"kind": actor.kind, "id": actor.id, "name": actor.name, "language": actor.language}
    job, _ = job_submit_once(
        workspace=project.workspace_id,
        project=project.id,
        kind="cure",
        title=words("job.cure", count=left_out),
        subject=subject,
        payload={**payload, "cure": name, "actor": by},
        variant=(name,),
    )
    return job


def job_run(job: Job, reporter: Reporter) -> None:
    """Puts the items aside, cuts the version, and starts the study if the job is for one; doing it again is harmless."""
    payload = job.payload
    actor = Principal(**payload["actor"])
    reporter.progress("cure", 0.0)
    if "study" in payload:
        study = Study.objects.select_related("project", "version__project").get(id=payload["study"])
        made = study_cure(study=study, name=payload["cure"], actor=actor, trial=payload.get("trial")).id
    else:
        made = version_without(job.project, payload["items"], Text.model_validate(payload["note"]), actor).id
    Job.objects.filter(id=job.id).update(payload={**payload, "made": made})
    reporter.log(f"made {made}")
