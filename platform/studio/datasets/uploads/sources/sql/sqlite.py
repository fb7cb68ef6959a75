"""Of a file of SQLite in a folder that the operator has opened: read alone, and no other file reached through it."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path

from studio.datasets.uploads.sources.guard import path_below
from studio.datasets.uploads.sources.sql.source import QueryRefusedError, Rows, SqlSource

_STEPS = 10_000
"""Of SQLite's machine between two looks at the clock."""
_ALLOWED = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}


def sqlite_resolve(path: str, roots: Sequence[Path]) -> Path:
    """The file that a path names, links resolved.

    Raises:
        QueryRefusedError: it is not below an opened place, or is not there.
    """
    file = path_below(path, roots)
    if file is None or not file.is_file():
        raise QueryRefusedError("folder_closed")
    return file


def rows(source: SqlSource, roots: Sequence[Path], max_query_s: float) -> Rows:
    """The names of the columns, then the rows.

    Raises:
        QueryRefusedError: the file is closed, or does not answer the query.
    """
    file = sqlite_resolve(source.database, roots)
    ends = time.monotonic() + max_query_s
    connection = sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)
    try:
        # Neither another file of the server (ATTACH) nor a setting or extension can be reached.
        connection.set_authorizer(_judge)
        connection.set_progress_handler(lambda: time.monotonic() > ends, _STEPS)
        cursor = connection.execute(source.query)
        if cursor.description is None:
            raise QueryRefusedError("query_failed", "no rows")
        yield [column[0] for column in cursor.description]
        yield from cursor
    except sqlite3.OperationalError as error:
        is_slow = str(error) == "interrupted"
        raise QueryRefusedError("query_too_slow" if is_slow else "query_failed", "" if is_slow else str(error)) from None
    except (sqlite3.Error, sqlite3.Warning) as error:
        raise QueryRefusedError("query_failed", str(error)) from None
    finally:
        connection.close()


def _judge(action: int, first: str | None, second: str | None, *_: str | None) -> int:
    is_allowed = action in _ALLOWED and not (action == sqlite3.SQLITE_FUNCTION and (second or first) == "load_extension")
    return sqlite3.SQLITE_OK if is_allowed else sqlite3.SQLITE_DENY
