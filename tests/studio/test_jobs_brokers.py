"""Jobs through real workers over each broker: the embedded Valkey, Redis, RabbitMQ. What is killed is still done once."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import psutil
import pytest
from django.conf import settings
from django.db import connection

from studio.config.processes import broker_program
from studio.jobs.models import Job, JobPart, WorkerHost
from tests.studio import probe
from tests.support import services
from tests.support.platform_process import ROOT

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(240)]


@contextmanager
def broker(name: str, folder: Path) -> Iterator[str]:
    if name == "rabbitmq":
        with services.rabbitmq(folder) as url:
            yield url
        return
    program = broker_program() if name == "valkey" else shutil.which("redis-server")
    if program is None:
        raise services.ServiceMissingError("Redis is not installed: `apt-get install redis-server`, then run the tests again.")
    with services.redis_protocol(program, folder) as url:
        yield url


BROKERS = ["redis", "rabbitmq"] if settings.TEST_SERVICES == "production" else ["valkey"]
"""Those that a platform on the run's database would have."""


@pytest.fixture(scope="module", params=BROKERS)
def broker_url(request, tmp_path_factory) -> Iterator[str]:
    with broker(request.param, tmp_path_factory.mktemp(request.param)) as url:
        yield url


@pytest.fixture
def environment(broker_url, home) -> dict[str, str]:
    database = connection.settings_dict
    if connection.vendor == "sqlite":
        address = f"sqlite:///{quote(str(database['NAME']))}"
    else:
        address = f"postgres://{database['USER']}@{database['HOST']}:{database['PORT']}/{database['NAME']}"
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("MODELYARD_")},
        "DJANGO_SETTINGS_MODULE": "tests.worker_settings",
        "MODELYARD_HOME": str(home),
        "MODELYARD_DATABASE_URL": address,
        "MODELYARD_BROKER_URL": broker_url,
        "PYTHONPATH": os.pathsep.join([str(ROOT / "platform"), str(ROOT)]),
    }


class Worker:
    """A Celery worker as ``manage.py up`` starts it."""

    def __init__(self, environment: dict[str, str], home: Path, *arguments: str) -> None:
        (home / "run").mkdir(exist_ok=True)
        command = [
            sys.executable,
            "-m",
            "celery",
            "-A",
            "studio.config.celery",
            "--skip-checks",
            "worker",
            "--without-gossip",
            "--without-mingle",
        ]
        with (home / "worker.log").open("ab") as log:
            self.process = subprocess.Popen(
                [*command, *arguments], cwd=ROOT, env=environment, stdout=log, stderr=log, start_new_session=True
            )

    def kill(self) -> None:
        """As the kernel does it: the main process and all below it, at once."""
        tree = [psutil.Process(self.process.pid), *psutil.Process(self.process.pid).children(recursive=True)]
        for one in tree:
            one.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()


@pytest.fixture
def start(environment, home):
    workers: list[Worker] = []

    def start(*arguments: str, host: str = "", address: str = "") -> Worker:
        """Starts a worker; one on a host of its own has a home of its own, but for the blobs."""
        own, place = dict(environment), home
        if host:
            place = home / host
            place.mkdir()
            (home / "blobs").mkdir(exist_ok=True)
            (place / "blobs").symlink_to(home / "blobs")
            own |= {"MODELYARD_HOME": str(place), "MODELYARD_HOST": host, "MODELYARD_HOST_ADDRESS": address}
        workers.append(Worker(own, place, *arguments))
        return workers[-1]

    yield start
    for worker in workers:
        worker.stop()


@pytest.fixture
def submit(environment, project):
    command = [sys.executable, "-m", "tests.studio.submit"]
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:

        def submit(*kind: str) -> list[str]:
            print(project.id, *kind, file=process.stdin, flush=True)
            submitted = process.stdout.readline().split()
            assert len(submitted) == len(kind), "the process that submits has ended"
            return submitted

        yield submit


def jobs_are(ids: list[str], *states: str) -> bool:
    return sorted(Job.objects.filter(id__in=ids).values_list("state", flat=True)) == sorted(states)


JOBS = ("-Q", "jobs", "-c", "2", "-n", "jobs@%h")
CONTROL = ("-Q", "control", "-P", "threads", "-c", "8", "-B", "-n", "control@%h")


def test_every_job_is_done_once_whatever_is_killed(start, submit, home):
    jobs, _control = start(*JOBS), start(*CONTROL)
    quick = submit("probe:succeed", "probe_engine:succeed", "probe_engine:fail")
    services.wait_until(lambda: jobs_are(quick, "succeeded", "succeeded", "failed"), wait_s=60, log=home / "worker.log")

    (slow,) = submit("probe_engine:wait_once")
    # Running says that the process was started; its first progress that it knows this to be its first attempt.
    begun = Job.objects.filter(id=slow, progress_fraction__gt=0)
    services.wait_until(begun.exists, wait_s=60, log=home / "worker.log")
    jobs.kill()
    start(*JOBS)
    services.wait_until(lambda: jobs_are([slow], "succeeded"), wait_s=60, log=home / "worker.log")
    assert Job.objects.get(id=slow).attempt == 2

    services.wait_until(lambda: not Job.objects.filter(end_handled_at__isnull=True).exists(), log=home / "worker.log")
    for job in Job.objects.all():
        assert probe.read("ended", job.id) == [job.state]


ONE = ("-Q", "jobs", "-c", "1", "-n", "jobs@%h")


def test_what_a_person_waits_for_comes_before_what_the_platform_starts_by_itself(start, submit, home):
    """One worker only: of what waits it takes a person's job first, and gives up one of the platform's for it."""
    start(*CONTROL)
    first, second, requested = submit("probe_idle:succeed", "probe_idle:succeed", "probe_engine:succeed")
    start(*ONE)
    services.wait_until(lambda: jobs_are([first, second, requested], *["succeeded"] * 3), wait_s=120, log=home / "worker.log")
    began = dict(Job.objects.values_list("id", "started_at"))
    assert began[requested] < min(began[first], began[second])

    (idle,) = submit("probe_idle:wait_once")
    begun = Job.objects.filter(id=idle, progress_fraction__gt=0)
    services.wait_until(begun.exists, wait_s=90, log=home / "worker.log")
    (requested,) = submit("probe_engine:succeed")
    services.wait_until(lambda: jobs_are([requested], "succeeded"), wait_s=60, log=home / "worker.log")
    services.wait_until(lambda: jobs_are([idle], "succeeded"), wait_s=90, log=home / "worker.log")
    before, after = Job.objects.get(id=requested), Job.objects.get(id=idle)
    assert before.ended_at < after.ended_at
    assert (before.attempt, after.attempt) == (1, 1), "what went back into the queue loses no attempt"


def test_two_hosts_do_a_job_together_and_one_goes_on_without_the_other(start, submit, home):
    """They share the database, the broker and the blobs. That they train together is tested with the engine."""
    start(*CONTROL)
    addresses = {"a": "127.0.0.1", "b": "127.0.0.2"}
    hosts = {name: start(*ONE[:-1], f"jobs@{name}", host=name, address=address) for name, address in addresses.items()}
    (together,) = submit("probe_engine:meet")

    def met() -> bool:
        return any(warning["code"] == "met" for warning in Job.objects.get(id=together).warnings)

    services.wait_until(met, wait_s=90, log=home / "a" / "worker.log")
    part = JobPart.objects.get(job=together)
    job = Job.objects.get(id=together)
    assert {part.host, job.lease_owner.partition(":")[0]} == {"a", "b"}
    assert {"code": "met", "message": f"{together}-{part.host}"} in job.warnings

    hosts.pop(part.host).kill()
    services.wait_until(lambda: jobs_are([together], "succeeded"), wait_s=90, log=home / "worker.log")
    job.refresh_from_db()
    assert job.attempt == 1
    assert "host_lost" in {warning["code"] for warning in job.warnings}
    assert not JobPart.objects.exists()

    (slow,) = submit("probe_engine:wait_once")
    begun = Job.objects.filter(id=slow, progress_fraction__gt=0)
    services.wait_until(begun.exists, wait_s=60, log=home / "worker.log")
    ((name, ending),) = hosts.items()
    ending.process.terminate()
    services.wait_until(lambda: not WorkerHost.objects.filter(name=name).exists(), wait_s=5, log=home / name / "worker.log")
    assert ending.process.poll() is None, "it works on, but no job counts on its host"
    ending.kill()
