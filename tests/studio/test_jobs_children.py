"""Platform jobs in processes of their own, run by a real worker: bounded in memory, ended when asked, out of the way."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import psutil
import pytest
from django.conf import settings
from django.utils import timezone

from automl.contracts.base import Text
from studio.config.settings_jobs import GIB
from studio.jobs import tasks
from studio.jobs.models import Job
from studio.jobs.services import job_cancel, job_submit
from studio.jobs.workdir import job_workdir
from tests.studio import probe
from tests.studio.test_jobs_brokers import BROKERS, CONTROL, broker, environment, start
from tests.support import services
from tests.support.platform_process import ROOT

__all__ = ["environment", "start"]

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def broker_url(tmp_path_factory) -> Iterator[str]:
    """One of them: what is said here is no broker's matter."""
    with broker(BROKERS[0], tmp_path_factory.mktemp(BROKERS[0])) as url:
        yield url


def test_what_all_jobs_share_is_a_small_part_of_what_one_may_have(environment):
    """A module that makes a single Arrow value while it is imported reserves a GiB, which every job's limit then counts."""
    code = "import studio.jobs.platform_preload; print(open('/proc/self/status').read())"
    status = subprocess.run([sys.executable, "-c", code], env=environment, cwd=ROOT, capture_output=True, text=True, check=True)
    (kib,) = (int(line.split()[1]) for line in status.stdout.splitlines() if line.startswith("VmData:"))
    assert kib * 1024 < GIB / 2


@pytest.fixture
def submit(project, monkeypatch):
    """Queues probes; the messages are sent by the worker's own sweep."""
    monkeypatch.setattr(tasks.job_run_task, "apply_async", lambda *_args, **_options: None)

    def submit(behaviour: str) -> Job:
        return job_submit(
            workspace=project.workspace_id,
            project=project.id,
            kind="probe",
            title=Text(en="A probe", zh="探测"),
            subject="",
            payload={"behaviour": behaviour},
        )

    return submit


@pytest.fixture
def control(start, home):
    """A worker that takes jobs of the platform's own."""
    worker = start(*CONTROL)
    yield worker
    worker.stop()


def ended(job: Job, home, wait_s: float = 150) -> Job:
    services.wait_until(
        lambda: Job.objects.filter(id=job.id, ended_at__isnull=False).exists(), wait_s=wait_s, log=home / "worker.log"
    )
    return Job.objects.get(id=job.id)


def begun(job: Job, home) -> None:
    services.wait_until(lambda: probe.read("process", job.id), wait_s=150, log=home / "worker.log")


def test_the_work_is_done_outside_the_worker_and_ends_are_reported(control, submit, home):
    jobs = {behaviour: submit(behaviour) for behaviour in ("succeed", "fail", "break", "fill", "warn")}
    found = {behaviour: ended(job, home) for behaviour, job in jobs.items()}
    assert {behaviour: job.state for behaviour, job in found.items()} == {
        "succeed": "succeeded",
        "fail": "failed",
        "break": "failed",
        "fill": "failed",
        "warn": "succeeded",
    }
    assert found["fail"].error == {"code": "probe_failed", "message": "No.", "hint": "Do not.", "items": []}
    assert found["break"].error["code"] == "internal_error"
    assert found["fill"].error["code"] == "disk_full"
    assert [one["code"] for one in found["warn"].warnings] == ["odd"]
    worker = {control.process.pid}
    assert not {int(pid) for job in jobs.values() for pid in probe.read("process", job.id)} & worker
    assert probe.read("modules", jobs["succeed"].id) == ["without torch"]


def test_memory_is_bounded_whether_taken_in_pieces_or_at_once(control, submit, home):
    for behaviour in ("swell", "swell_at_once"):
        job = ended(submit(behaviour), home)
        assert (job.state, job.error["code"], job.attempt) == ("failed", "job_memory_exceeded", 1)
    assert psutil.Process(control.process.pid).memory_info().rss < settings.JOB_MEMORY_BYTES / 2
    assert ended(submit("succeed"), home).state == "succeeded"


def test_processor_time_without_a_sign_of_life_is_bounded(control, submit, home):
    """However long the machine takes for it: one that waits goes on, one that computes in silence does not."""
    waits = submit("deaf")
    begun(waits, home)
    job = ended(submit("spin"), home)
    assert (job.state, job.error["code"], job.attempt) == ("failed", "job_time_exceeded", 1)
    assert "processor time" in job.error["message"]
    assert Job.objects.get(id=waits.id).state == "running"


def test_a_job_that_does_not_listen_ends_within_five_seconds_of_being_cancelled(control, submit, home, actor):
    job = submit("deaf")
    begun(job, home)
    (pid,) = map(int, probe.read("process", job.id))
    cancelled_at = time.monotonic()
    job_cancel(job=Job.objects.get(id=job.id), actor=actor)
    assert ended(job, home, wait_s=60).state == "cancelled"
    assert time.monotonic() - cancelled_at < 5
    services.wait_until(lambda: not psutil.pid_exists(pid), wait_s=5)
    assert not (job_workdir(job.id) / "scratch").exists()


def test_the_clock_goes_on_while_every_place_is_taken(control, submit, home, actor):
    """More deaf jobs than there are places: another one still ends by a sweep, and all go on one after the other."""
    slow = [submit("deaf") for _ in range(settings.JOB_PLACES + 1)]
    ids = [job.id for job in slow]  # which of them come first is the broker's matter
    services.wait_until(lambda: Job.objects.filter(id__in=ids, state="running").count() == settings.JOB_PLACES, wait_s=60)
    lost = submit("succeed")
    Job.objects.filter(id=lost.id).update(
        state="running", lease_owner="nobody", lease_until=timezone.now() - timezone.timedelta(seconds=60), attempt=3
    )
    assert ended(lost, home, wait_s=60).error["code"] == "worker_lost"
    assert Job.objects.filter(id__in=ids, state="running").count() == settings.JOB_PLACES
    assert Job.objects.filter(id__in=ids, state__in=("queued", "leased")).count() == 1
    for job in slow:
        job_cancel(job=Job.objects.get(id=job.id), actor=actor)
    for job in slow:
        assert ended(job, home, wait_s=60).state == "cancelled"


def test_a_process_that_dies_is_tried_again_and_one_whose_worker_dies_ends(control, submit, start, home):
    job = submit("die_once")
    assert (ended(job, home).state, Job.objects.get(id=job.id).attempt) == ("succeeded", 2)
    slow = submit("deaf")
    begun(slow, home)
    (pid,) = map(int, probe.read("process", slow.id))
    os.kill(control.process.pid, signal.SIGKILL)
    control.process.wait()
    services.wait_until(lambda: not psutil.pid_exists(pid), wait_s=10)
