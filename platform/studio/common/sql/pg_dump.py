"""A PostgreSQL database as a file, by PostgreSQL's own programs."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.db import connection, transaction

from studio.common.sql.dialect import TableCounts
from studio.common.sql.errors import DatabaseCopyError, ToolMissingError
from studio.common.sql.tables import table_counts


def save(path: Path) -> TableCounts:
    """Writes it as it is at one moment; returns the rows in it."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        cursor.execute("SELECT pg_export_snapshot()")
        snapshot = cursor.fetchone()[0]
        _run("pg_dump", "--format=custom", "--no-owner", f"--snapshot={snapshot}", "--file", str(path), _name())
        return table_counts()


def load(path: Path) -> None:
    """Reads it into an empty one."""
    _run("pg_restore", "--no-owner", "--exit-on-error", "--dbname", _name(), str(path))


def _name() -> str:
    return str(connection.settings_dict["NAME"])


def _run(program: str, *arguments: str) -> None:
    if shutil.which(program) is None:
        raise ToolMissingError(f"{program} was not found.", hint="Install the client programs of PostgreSQL on this host.")
    config: Mapping[str, Any] = connection.settings_dict
    names = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD"}
    given = {variable: str(config[name]) for variable, name in names.items() if config[name]}
    if mode := config["OPTIONS"].get("sslmode"):
        given["PGSSLMODE"] = str(mode)
    done = subprocess.run([program, *arguments], env={**os.environ, **given}, capture_output=True, text=True, check=False)
    if done.returncode:
        raise DatabaseCopyError(f"{program} failed: {done.stderr.strip()[-2000:]}")
