"""Rows of a query of somebody's database: PostgreSQL, MySQL, or a SQLite file in a folder that the operator has opened.

Nothing can be changed by it: the transaction is read-only, one statement is run and no other, its rows are fetched by and by,
within a time. The address of a server is judged as that of any other source, and the connection goes to the judged address.
The database's message about a failed query is shown; names and passwords are neither shown nor logged.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import orjson

from studio.datasets.files.rows import column_names
from studio.datasets.uploads.sources.guard import Network
from studio.datasets.uploads.sources.sql import mysql, postgresql, sqlite
from studio.datasets.uploads.sources.sql.source import MAX_QUERY_S, MAX_ROWS, PORTION, QueryRefusedError, SqlSource


def rows_write(
    source: SqlSource,
    target: Path,
    *,
    roots: Sequence[Path],
    networks: Sequence[Network],
    report: Callable[[int], None],
    max_query_s: float = MAX_QUERY_S,
) -> int:
    """Writes the rows of a query as JSON, one a line; returns how many.

    Args:
        source: the query and its database.
        target: the file to write.
        roots: folders of the server that the operator has opened.
        networks: those that he has opened.
        report: called with the number of rows so far, now and then; may raise to stop.
        max_query_s: as long the query may take.

    Raises:
        QueryRefusedError: the database cannot be reached or does not answer the query.
    """
    if source.engine == "sqlite":
        read = sqlite.rows(source, roots, max_query_s)
    else:
        server = postgresql if source.engine == "postgresql" else mysql
        read = server.rows(source, networks, max_query_s)
    num_rows = 0
    with contextlib.closing(read), target.open("wb") as file:
        names = column_names(next(read))
        for row in read:
            file.write(orjson.dumps(dict(zip(names, row, strict=True)), default=_json_value, option=orjson.OPT_APPEND_NEWLINE))
            num_rows += 1
            if num_rows % PORTION == 0:
                report(num_rows)
            if num_rows > MAX_ROWS:
                raise QueryRefusedError("query_too_long")
    return num_rows


def _json_value(value: Any) -> object:  # noqa: ANN401 - whatever a database has
    """What JSON has no place for: exact numbers as they are written, the rest as its own text; bytes say nothing to a model."""
    return None if isinstance(value, bytes | bytearray | memoryview) else str(value)
