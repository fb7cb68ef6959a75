"""How many jobs of a workspace wait and run."""

from __future__ import annotations

from automl.contracts.job import JobState
from studio.jobs.models import Job


def quota_used(workspace: str, quota: str) -> int:
    """Jobs that have not ended; paused ones count again once they are resumed, and as long as their process runs."""
    del quota
    open_jobs = Job.objects.filter(workspace_id=workspace, ended_at__isnull=True)
    return open_jobs.exclude(is_paused=True, state=JobState.QUEUED.value).count()
