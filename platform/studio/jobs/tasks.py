"""Celery tasks of jobs. A message carries an id; what is to be done is read from the row.

Whoever sends names the task (``queue``): only workers import this module.
"""

from __future__ import annotations

import logging

from celery import shared_task
from django.conf import settings

from studio.jobs.blob_sweep import blobs_sweep, prefix_due
from studio.jobs.endings import end_handle
from studio.jobs.host_cache import cache_prune
from studio.jobs.part_run import part_execute
from studio.jobs.reaper import jobs_sweep
from studio.jobs.runner import job_execute
from studio.jobs.selectors import job_ids_alive
from studio.jobs.workdir import workdirs_prune

_log = logging.getLogger(__name__)


@shared_task
def job_run_task(job_id: str) -> None:
    """Takes and runs a job; returns at once when its row is taken or finished."""
    job_execute(job_id)


@shared_task
def job_part_task(job_id: str) -> None:
    """Takes part in a job that another host holds; returns at once when it has no open part."""
    part_execute(job_id)


@shared_task
def job_end_task(job_id: str) -> None:
    """Calls the handler of an ended job."""
    end_handle(job_id)


@shared_task
def jobs_sweep_task() -> None:
    """Mends what crashed, got lost or was not understood."""
    jobs_sweep()


@shared_task
def workdirs_prune_task() -> None:
    """Removes old working directories of this host."""
    num_removed = workdirs_prune(is_alive=job_ids_alive())
    if num_removed:
        _log.info("removed %d old working directories below %s", num_removed, settings.JOBS_DIR)


@shared_task
def cache_prune_task() -> None:
    """Keeps the cache of this host within its limit."""
    freed = cache_prune(settings.CACHE_DIR, limit_bytes=settings.CACHE_BYTES)
    if freed:
        _log.info("removed %.1f GiB that nobody had used for longest from %s", freed / 2**30, settings.CACHE_DIR)


@shared_task
def blobs_sweep_task() -> None:
    """Frees the space of blobs that nothing refers to any more, a sixteenth of the store at a time."""
    swept = blobs_sweep(prefix_due())
    if swept.num_erased or swept.num_brought_back:
        _log.info("blobs: %d erased, %d in use again", swept.num_erased, swept.num_brought_back)
