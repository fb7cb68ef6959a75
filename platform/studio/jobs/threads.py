"""How many threads a job takes: its share of the host's cores, unless ``MODELYARD_JOB_THREADS`` gives a number."""

from __future__ import annotations

from django.conf import settings
from django.db.models import Q

from automl.contracts.job import JobState
from studio.jobs.handlers import executor_of, job_kinds
from studio.jobs.hosts import host_name
from studio.jobs.models import Job
from studio.jobs.states import ACTIVE

MOST = 8
"""In one process: beyond it the threads of small batches mostly wait for each other."""


def job_threads(job: Job, *, num_processes: int = 1, num_alike: int = 1) -> int:
    """Threads for each process of a job that this host holds.

    A job that is alone takes all cores (those that a container may use), and of several each takes as many as the others. The
    number is the same in every attempt: with another one sums would be rounded differently, and a training that goes on would
    come to other weights.

    Args:
        job: held by this host.
        num_processes: of the job, at least 1.
        num_alike: jobs of which this one is to say how long they take when they run at once.
    """
    if settings.JOB_THREADS is not None:
        return int(settings.JOB_THREADS)
    if job.num_threads is None:
        import joblib  # noqa: PLC0415 - half a second that workers alone need

        num_jobs = min(settings.NUM_WORKERS, max(num_alike, 1 + _num_others(job)))
        job.num_threads = max(1, min(MOST, joblib.cpu_count() // (num_jobs * num_processes)))
        Job.objects.filter(id=job.id).update(num_threads=job.num_threads)
    return int(job.num_threads)


def _num_others(job: Job) -> int:
    """Engine jobs that run on this host, and those that wait for a worker."""
    kinds = [kind for kind in job_kinds() if executor_of(kind) == "engine"]
    runs_here = Q(state__in=[state.value for state in ACTIVE], lease_owner__startswith=f"{host_name()}:")
    waits = Q(state=JobState.QUEUED.value, is_paused=False)
    return Job.objects.filter(runs_here | waits, kind__in=kinds).exclude(id=job.id).count()
