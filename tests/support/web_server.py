"""The web server as it is started in life, over a home of its own; without workers."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from studio.config.processes import answers, web_command
from tests.support import services
from tests.support.migrated import put_migrated
from tests.support.platform_process import ROOT, free_ports

PASSWORD = "a long pass phrase"


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
def web_server(home: Path, *, is_migrated: bool = False, **variables: str) -> Iterator[WebServer]:
    """Makes the database, unless it ``is_migrated``, and starts the server; ended with the context."""
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
    if is_migrated:
        pass
    elif "MODELYARD_DATABASE_URL" in variables:
        made.manage("migrate", "--skip-checks", "-v", "0")
    else:
        put_migrated(home)
    log = home / "web.log"
    with services.process(
        web_command("127.0.0.1", port),
        is_ready=answers(f"{made.url}/api/health"),
        log=log,
        env=made.environment,
    ):
        yield made
