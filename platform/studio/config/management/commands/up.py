"""``manage.py up``: the whole platform on this machine, as one process tree that ends with Ctrl-C."""

from __future__ import annotations

import argparse
import fcntl
import os
import signal
import sys
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from studio.config import processes
from studio.config.env import REPOSITORY, env_read
from studio.config.supervisor import ServiceFailedError, Supervisor, short_process
from studio.deployments.gateway import serving_rebuild

if TYPE_CHECKING:
    from collections.abc import Iterator

DEFAULT_PORT = 8000
DEFAULT_PREDICTION_PORT = 8010
_ENDINGS = (signal.SIGTERM, signal.SIGINT)


class Command(BaseCommand):
    """Starts broker, web, workers and prediction server, and keeps them running."""

    help = "Starts the platform on this machine: broker, web, workers, prediction server. Ctrl-C ends everything."
    # They import the API, which only the web server's process needs; `make lint` and the tests run them.
    requires_system_checks = ()

    _is_ending = False

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Addresses, and whether to walk the demo."""
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (0.0.0.0 for all)")
        parser.add_argument("--port", type=int, help=f"port of the web app (default {DEFAULT_PORT} or a free one)")
        parser.add_argument(
            "--prediction-port", type=int, help=f"port of the API of models (default {DEFAULT_PREDICTION_PORT})"
        )
        parser.add_argument("--demo", action="store_true", help="walk from real pictures to an answered API first")
        parser.add_argument("--exit-after-demo", action="store_true", help="end after the walk, with its exit status")

    def handle(self, *args: Any, **options: Any) -> None:
        """Starts everything, says where, and waits."""
        for ending in _ENDINGS:  # a shell starts background processes with Ctrl-C ignored
            signal.signal(ending, self._interrupt)
        with _only_one(settings.HOME):
            self._set_addresses(options)
            supervisor = Supervisor(folder=REPOSITORY, logs=settings.HOME / "logs", report=self.stderr.write)
            supervisor.adopt_orphans()
            status = 0
            try:
                self._start(supervisor, options)
                status = self._run(supervisor, options)
            except ServiceFailedError as error:
                raise CommandError(
                    f"{error}\nThe logs are in {settings.HOME / 'logs'}; `manage.py doctor` may know why."
                ) from error
            except KeyboardInterrupt:
                self.stdout.write("")
            finally:
                self._is_ending = True
                self.stdout.write("Ending ...")
                supervisor.stop()
        sys.exit(status)

    def _interrupt(self, signum: int, frame: object) -> None:
        """Ends the wait; a second Ctrl-C must not break off the ending and leave children behind."""
        if not self._is_ending:
            self._is_ending = True  # looked at besides: an exception from a signal can get lost, in a destructor for one
            raise KeyboardInterrupt

    def _set_addresses(self, options: dict[str, Any]) -> None:
        """Chooses ports and hands the addresses to all children through the environment."""
        host = options["host"]
        for name in ("port", "prediction_port"):
            if options[name] and not processes.is_free(host, options[name]):
                option = f"--{name.replace('_', '-')}"
                raise CommandError(
                    f"Port {options[name]} is in use. Choose another by {option}, or leave it out for a free one."
                )
        self._port = options["port"] or processes.free_port(host, DEFAULT_PORT)
        self._prediction_port = options["prediction_port"] or processes.free_port(host, DEFAULT_PREDICTION_PORT)
        shown = "127.0.0.1" if host in {"0.0.0.0", "::"} else host  # noqa: S104 - compared, not bound
        os.environ.setdefault("MODELYARD_PUBLIC_URL", f"http://{shown}:{self._port}")
        os.environ.setdefault("MODELYARD_PREDICTION_URL", f"http://{shown}:{self._prediction_port}")
        self._is_embedded = "MODELYARD_BROKER_URL" not in os.environ
        self._socket = processes.broker_socket(settings.HOME)
        if self._is_embedded:
            os.environ["MODELYARD_BROKER_URL"] = f"redis+socket://{self._socket}"

    def _start(self, supervisor: Supervisor, options: dict[str, Any]) -> None:
        call_command("migrate", verbosity=0, interactive=False)
        serving_rebuild()
        if self._is_embedded:
            supervisor.start(processes.broker_service(settings.HOME, self._socket))
        env = env_read()
        serving, host = settings.SERVING_DIR, options["host"]
        supervisor.start(
            processes.prediction_service(serving, host, self._prediction_port, are_metrics_open=env.are_metrics_open)
        )
        for worker in processes.worker_services(env):
            supervisor.start(worker)
        supervisor.start(processes.web_service(options["host"], self._port))

    def _run(self, supervisor: Supervisor, options: dict[str, Any]) -> int:
        """Watches until interrupted, or until the demo ended when asked to."""
        url = os.environ["MODELYARD_PUBLIC_URL"]
        is_walking = options["demo"] or options["exit_after_demo"]
        with ExitStack() as stack:
            log = stack.enter_context((settings.HOME / "logs" / "assets.log").open("ab"))
            errands = {
                "assets": stack.enter_context(short_process(processes.assets_command(settings.ASSETS_DIR), REPOSITORY, log))
            }
            if is_walking:
                walk = [sys.executable, "manage.py", "demo", "--url", url]
                errands["demo"] = stack.enter_context(short_process(walk, REPOSITORY))
            else:
                self.stdout.write(f"\n  Modelyard is up: {self.style.SUCCESS(url)}   (Ctrl-C ends it)\n")
            while not self._is_ending:
                supervisor.watch()
                for name in [name for name, process in errands.items() if process.poll() is not None]:
                    status = errands.pop(name).returncode
                    if name == "demo" and options["exit_after_demo"]:
                        return status
                    self._report_ended(name, status)
                time.sleep(0.2)
        return 0

    def _report_ended(self, name: str, status: int) -> None:
        if name == "demo":
            self.stdout.write("  The platform stays up; Ctrl-C ends it.")
        elif status:
            self.stderr.write(
                "  Pretrained weights could not be fetched, so models that start from them cannot be trained yet.\n"
                f"  Why stands in {settings.HOME / 'logs' / 'assets.log'}; `manage.py assets` tries again."
            )


@contextmanager
def _only_one(home: Path) -> Iterator[IO[str]]:
    """Holds the home's lock, so that two platforms never share one database file and one broker folder."""
    home.mkdir(parents=True, exist_ok=True)
    with (home / "up.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise CommandError(
                f"Modelyard runs already in {home}. End it first, or set MODELYARD_HOME to another folder."
            ) from error
        yield lock
