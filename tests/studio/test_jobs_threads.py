"""Jobs share the cores of their host, and each keeps its number of threads to its end."""

from __future__ import annotations

import joblib
import pytest

from automl.contracts.job import JobState
from studio.jobs.hosts import host_name
from studio.jobs.models import Job
from studio.jobs.threads import job_threads

pytestmark = pytest.mark.django_db


@pytest.fixture
def job(project, settings, monkeypatch):
    """Makes a job of a host with twelve cores and four workers."""
    settings.JOB_THREADS, settings.NUM_WORKERS = None, 4
    monkeypatch.setattr(joblib, "cpu_count", lambda: 12)
    count = iter(range(100))

    def made(kind: str = "probe_engine", state: JobState = JobState.RUNNING, *, host: str | None = None, **fields) -> Job:
        owner = f"{host or host_name()}:1:a" if state is JobState.RUNNING else ""
        shared = {"workspace_id": project.workspace_id, "project": project, "title": {"en": "Job"}}
        own = {"kind": kind, "state": state.value, "lease_owner": owner, "idempotency_key": str(next(count))}
        return Job.objects.create(**shared, **own, **fields)

    return made


def test_jobs_share_the_cores(job):
    alone = job()
    job("probe")  # of the platform's own
    job(host="other")
    job(state=JobState.QUEUED, is_paused=True)
    job(state=JobState.SUCCEEDED)
    assert job_threads(alone) == 8  # no more, whatever there is
    second = job()
    job(state=JobState.QUEUED)
    assert job_threads(second) == 4
    assert job_threads(Job.objects.get(id=alone.id)) == 8, "the sums of a training that goes on are rounded as before"
    for _ in range(6):
        job(state=JobState.QUEUED)
    assert job_threads(job()) == 3, "no more run at once than there are workers"
    assert job_threads(job(), num_processes=2) == 1


def test_a_check_takes_what_the_trials_will(job):
    assert job_threads(job(), num_alike=3) == 4


def test_the_configuration_may_give_a_number(job, settings):
    settings.JOB_THREADS = 5
    assert job_threads(job()) == 5
