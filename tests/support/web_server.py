"""The web server as it is started in life, over a home of its own; without workers."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from studio.config.processes import web_command
from tests.support import services
from tests.support.once import made_once
from tests.support.platform_process import ROOT, free_ports

PASSWORD = "a long pass phrase"
DATABASE = "modelyard.sqlite3"
"""Of the embedded default, in the home."""


def migrated_home() -> Path:
    """A home in which ``manage.py migrate`` ran and nobody was; made once, for nobody to change."""

    def migrate(folder: Path) -> None:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("MODELYARD_")}
        environment |= {"DJANGO_SETTINGS_MODULE": "studio.config.settings", "MODELYARD_HOME": str(folder)}
        command = [sys.executable, "manage.py", "migrate", "-v", "0"]
        subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)

    return made_once("migrated-home", migrate)


class WebServer:
    """Where it listens, and the environment of its processes."""

    def __init__(self, home: Path, port: int, environment: dict[str, str]) -> None:
        self.home = home
        self.port = port
        self.url = f"http://127.0.0.1:{port}"
        self.environment = environment

    def manage(self, *arguments: str) -> str:
        """Runs ``manage.py`` over the same home and returns its output."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments], cwd=ROOT, env=self.environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def log(self) -> str:
        """The end of the server's output."""
        return (self.home / "web.log").read_text(errors="replace")[-4000:]

    def client(self, timeout_s: float = 30) -> httpx.Client:
        """A caller without an account."""
        return httpx.Client(base_url=f"{self.url}/api", timeout=timeout_s)

    def person(self, email: str = "olga@example.org") -> httpx.Client:
        """A browser in which a new person is signed in."""
        http = self.client()
        answer = http.post("/auth/sign-up", json={"email": email, "password": PASSWORD, "name": "Olga"})
        assert answer.status_code == 201, answer.text
        http.headers["X-CSRFToken"] = http.cookies["csrftoken"]
        return http


@contextmanager
def web_server(home: Path, **variables: str) -> Iterator[WebServer]:
    """Makes the database and starts the server; ended with the context."""
    (port,) = free_ports(1)
    names = [name for name in os.environ if name.startswith("MODELYARD_")]
    environment = {
        **os.environ,
        **dict.fromkeys(names, ""),  # as if it were not set
        "DJANGO_SETTINGS_MODULE": "studio.config.settings",
        "PYTHONPATH": os.pathsep.join([str(ROOT / "platform"), str(ROOT)]),
        "MODELYARD_HOME": str(home),
        "MODELYARD_BROKER_URL": "memory://",
        "MODELYARD_PUBLIC_URL": f"http://127.0.0.1:{port}",
        **variables,
    }
    made = WebServer(home, port, environment)
    if "MODELYARD_DATABASE_URL" in variables:
        made.manage("migrate", "-v", "0")
    elif not (home / DATABASE).exists():
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        shutil.copy(migrated_home() / DATABASE, home)
    log = home / "web.log"
    with services.process(
        web_command("127.0.0.1", port),
        is_ready=lambda: httpx.get(f"{made.url}/api/health", timeout=2).status_code == 200,
        log=log,
        env=made.environment,
    ):
        yield made
