"""Finds the hosts that do a job together, on behalf of the worker that holds it, and notices when one of them is lost.

The holder writes a ``JobPart`` for each further host and tells all hosts that are up; who is free takes one. A row that is
removed tells its host to end. Of two jobs that gather at once the older one goes first, so that none waits for the other.
"""

from __future__ import annotations

import secrets
import socket
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.utils import timezone

from automl.contracts.job import Failed, HostGroup, JobState
from studio.jobs.hosts import host_address, host_name, hosts_alive, part_offer
from studio.jobs.models import Job, JobPart
from studio.jobs.outcome import JobEnded, JobRequeued, Outcome, error_json
from studio.jobs.states import ACTIVE

LOOK_EVERY_S = 0.5
OFFER_EVERY_S = 10.0
AFTER_S = 5.0
"""How long parts may take to say why they ended, once the holder's process is gone."""
WAY_S = 1.0
"""A job that lets an older one gather first waits so long before it does."""


class Gathering:
    """The hosts of one job."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._run_id = ""
        self._looked_at = 0.0
        self._is_over = False

    def gather(self, num_hosts: int, *, is_again: bool, ended: Callable[[], Outcome | None]) -> HostGroup | Outcome | None:
        """Waits until so many hosts have taken part; None where the job goes on alone.

        Args:
            num_hosts: this one included.
            is_again: whether a host was lost, so that those that are left are enough.
            ended: asked meanwhile whether the job is to end, and how.

        Returns:
            The group as this host sees it, or how the attempt ends instead.
        """
        self.close()
        self._run_id = f"{self._job.id}-{secrets.token_hex(3)}"
        address = host_address()
        meeting = f"{address}:{_free_port(address)}"
        JobPart.objects.bulk_create(
            [JobPart(job_id=self._job.id, run_id=self._run_id, meeting=meeting) for _ in range(num_hosts - 1)]
        )
        deadline, offered_at = time.monotonic() + settings.JOB_GATHER_S, float("-inf")
        while (num_taken := JobPart.objects.filter(run_id=self._run_id).exclude(host="").count()) < num_hosts - 1:
            outcome = ended() or self._way()
            if outcome is not None:
                return outcome
            others = [host.name for host in hosts_alive() if host.name != host_name()]
            is_late = time.monotonic() > deadline
            if is_again and (is_late or num_taken >= len(others)):
                return self._fewer(1 + num_taken, address, meeting)
            if is_late:
                return _missing(1 + num_taken, num_hosts)
            if time.monotonic() - offered_at > OFFER_EVERY_S:
                offered_at = time.monotonic()
                for name in others:
                    part_offer(name, self._job.id)
            time.sleep(LOOK_EVERY_S)
        return self._group(num_hosts, address, meeting)

    def lost(self) -> bool:
        """Whether a host has ended badly or is silent; looks once a second, until ``finish``."""
        if self._is_over or time.monotonic() - self._looked_at < 1.0:
            return False
        self._looked_at = time.monotonic()
        parts = JobPart.objects.filter(run_id=self._run_id)
        silent_since = timezone.now() - timedelta(seconds=settings.JOB_LEASE_S)
        return (
            parts.filter(error__isnull=False).exists() or parts.filter(ended_at__isnull=True, seen_at__lt=silent_since).exists()
        )

    def finish(self) -> None:
        """The holder needs the others no more."""
        if not self._is_over:
            self._is_over = True
            self.close()

    def reason(self) -> Failed | None:
        """Why a part ended that will end so again; waits a little for those that are about to say it."""
        deadline = time.monotonic() + AFTER_S
        while time.monotonic() < deadline:
            parts = list(JobPart.objects.filter(run_id=self._run_id))
            known = [part.error for part in parts if part.error and not part.error["is_retryable"]]
            if known:
                return Failed(at=datetime.now(UTC), **known[0])
            if all(part.ended_at for part in parts):
                break
            time.sleep(LOOK_EVERY_S)
        return None

    def close(self) -> None:
        """Ends the others."""
        JobPart.objects.filter(job_id=self._job.id).delete()

    def _way(self) -> Outcome | None:
        """Lets an older job gather first."""
        older = JobPart.objects.filter(host="", job_id__lt=self._job.id, job__state__in=[state.value for state in ACTIVE])
        if not older.exists():
            return None
        self.close()
        time.sleep(WAY_S)
        return JobRequeued("an older job gathers its hosts", is_attempt=False)

    def _fewer(self, num_hosts: int, address: str, meeting: str) -> HostGroup | None:
        JobPart.objects.filter(run_id=self._run_id, host="").delete()
        return self._group(num_hosts, address, meeting) if num_hosts > 1 else None

    def _group(self, num_hosts: int, address: str, meeting: str) -> HostGroup:
        JobPart.objects.filter(run_id=self._run_id).update(num_hosts=num_hosts)
        return HostGroup(
            num_hosts=num_hosts,
            is_first=True,
            address=address,
            meeting=meeting,
            run_id=self._run_id,
            join_s=settings.JOB_GATHER_S,
        )


def _free_port(address: str) -> int:
    with socket.socket() as probe:
        probe.bind((address, 0))
        return int(probe.getsockname()[1])


def _missing(num_found: int, num_hosts: int) -> JobEnded:
    minutes = settings.JOB_GATHER_S / 60
    message = f"Only {num_found} of {num_hosts} hosts had a free worker within {minutes:.0f} minutes."
    hint = "Start a worker on another host, wait until other trainings have ended, or train on fewer hosts."
    return JobEnded(JobState.FAILED, error=error_json("hosts_missing", message, hint))
