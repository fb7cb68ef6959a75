"""Databases in which all migrations ran and nobody was: made once for a run, and copied for whoever begins with one.

To migrate an empty database takes five seconds of a core, to copy a migrated one a few hundredths.
"""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from tests.support.once import made_once

ROOT = Path(__file__).resolve().parents[2]
DATABASE = "modelyard.sqlite3"
"""Of the embedded default, in the home."""


def migrated_home() -> Path:
    """A home in which ``manage.py migrate`` ran and nobody was, for nobody to change."""
    return made_once("migrated-home", _migrate)


def put_migrated(home: Path) -> None:
    """Gives a home that has no database yet a migrated one."""
    if not (home / DATABASE).exists():
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        shutil.copy(migrated_home() / DATABASE, home)


def migrated_postgres(server: str) -> str:
    """Name of a migrated database of this server, to be given as TEMPLATE.

    Args:
        server: address of a server that goes with the run; what is made on it is not taken away.
    """
    name = "modelyard_migrated"

    def make(folder: Path) -> None:
        with psycopg.connect(server, autocommit=True) as admin:
            admin.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
            admin.execute(f'CREATE DATABASE "{name}"')
        _migrate(folder, MODELYARD_DATABASE_URL=f"{server.rpartition('/')[0]}/{name}")

    made_once(f"migrated-postgres-{urlsplit(server).port}", make)
    return name


@contextmanager
def postgres_databases(server: str, count: int = 1, *, is_migrated: bool = False) -> Iterator[list[str]]:
    """Addresses of new databases, which go with the context."""
    template = f' TEMPLATE "{migrated_postgres(server)}"' if is_migrated else ""
    names = [f"modelyard_{secrets.token_hex(6)}" for _ in range(count)]
    with psycopg.connect(server, autocommit=True) as admin:
        for name in names:
            admin.execute(f'CREATE DATABASE "{name}"{template}')
        try:
            yield [f"{server.rpartition('/')[0]}/{name}" for name in names]
        finally:
            for name in names:
                admin.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def _migrate(folder: Path, **variables: str) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MODELYARD_")}
    environment |= {"DJANGO_SETTINGS_MODULE": "studio.config.settings", "MODELYARD_HOME": str(folder), **variables}
    command = [sys.executable, "manage.py", "migrate", "--skip-checks", "-v", "0"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
