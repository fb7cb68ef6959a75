"""The database as one file, as it was at one moment while others go on writing; and back."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.db import connection, transaction

from studio.common.errors import StudioError

Counts = dict[str, int]
"""Rows by table."""


class ToolMissingError(StudioError):
    """PostgreSQL's own programs are not installed here."""

    code = "tool_missing"
    title = "A program is missing"


class DatabaseCopyError(StudioError):
    """The database could not be written to a file or read from one."""

    code = "database_copy_failed"
    title = "The database could not be copied"


def database_kind() -> str:
    """``sqlite`` or ``postgresql``."""
    return str(connection.vendor)


def tables() -> list[str]:
    """Tables of the database at hand."""
    return sorted(connection.introspection.table_names())


def counts() -> Counts:
    """Rows of each table."""
    with connection.cursor() as cursor:
        made = {}
        for table in tables():
            cursor.execute(f"SELECT count(*) FROM {connection.ops.quote_name(table)}")  # noqa: S608 - our own tables
            made[table] = int(cursor.fetchone()[0])
    return made


def database_save(path: Path) -> Counts:
    """Writes the database to a file; returns the rows that are in it."""
    return _sqlite_save(path) if database_kind() == "sqlite" else _postgres_save(path)


def database_load(path: Path) -> Counts:
    """Reads the database from a file into an empty one; returns the rows that it has then."""
    if database_kind() == "sqlite":
        name = str(connection.settings_dict["NAME"])
        connection.close()
        for ending in ("-wal", "-shm"):
            Path(f"{name}{ending}").unlink(missing_ok=True)
        shutil.copyfile(path, name)
    else:
        _run("pg_restore", "--no-owner", "--exit-on-error", "--dbname", _name(), str(path))
    return counts()


def _sqlite_save(path: Path) -> Counts:
    name = str(connection.settings_dict["NAME"])
    with sqlite3.connect(f"file:{name}?mode=ro", uri=True) as source, sqlite3.connect(path) as target:
        source.backup(target)  # all pages at once: a copy in steps begins again with every write of another process
        target.execute("PRAGMA journal_mode = DELETE")
        if target.execute("PRAGMA integrity_check").fetchone()[0] != "ok":
            raise DatabaseCopyError("The copy of the database is damaged.", hint="Check the disk, then try again.")
        names = [row[0] for row in target.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        made = {}
        for table in names:
            if not table.startswith("sqlite_"):
                made[table] = int(target.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0])  # noqa: S608
    return made


def _postgres_save(path: Path) -> Counts:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        cursor.execute("SELECT pg_export_snapshot()")
        snapshot = cursor.fetchone()[0]
        _run("pg_dump", "--format=custom", "--no-owner", f"--snapshot={snapshot}", "--file", str(path), _name())
        return counts()


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
