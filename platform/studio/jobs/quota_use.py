"""How many jobs of a workspace wait and run."""

from __future__ import annotations

from studio.jobs.models import Job


def quota_used(workspace: str, quota: str) -> int:
    """Jobs that have not ended."""
    del quota
    return Job.objects.filter(workspace_id=workspace, ended_at__isnull=True).count()
