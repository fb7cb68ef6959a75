"""Rows of a query of somebody's database: PostgreSQL, or a SQLite file in a folder that the operator has opened.

Nothing can be changed by it: the transaction is read-only, one statement is run and no other, by a cursor on the server, within
a time. The address of a server is judged as that of any other source, and the connection goes to the judged address. What the
database says of a failed query is told; names and passwords are neither told nor logged.
"""

from __future__ import annotations

import contextlib
import socket
import sqlite3
import time
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import httpcore
import orjson
import psycopg
from ninja import Schema
from psycopg import errors as pg_errors
from pydantic import Field

from studio.datasets.rows import column_names
from studio.datasets.sources.guard import AddressRefusedError, Network, addresses_judged

CONNECT_S = 10
MAX_QUERY_S = 600.0
"""A query that takes longer is stopped."""
MAX_ROWS = 10_000_000
_PORTION = 2_000
"""Rows that the server sends at once."""
_SQLITE_STEPS = 10_000
"""Steps of SQLite's machine between two looks at the clock."""
_ALLOWED = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
_SSL_MODES = {"prefer": "prefer", "require": "require", "verify": "verify-full"}
_Rows = Generator[Sequence[Any], None, None]
"""The names of the columns, then the rows."""


class SqlSource(Schema):
    """A query, and the database that answers it. The password is kept encrypted while the job runs and forgotten afterwards."""

    kind: Literal["sql"] = "sql"
    engine: Literal["postgresql", "sqlite"]
    host: Annotated[str, Field(max_length=253)] = ""
    port: Annotated[int, Field(ge=1, le=65535)] = 5432
    database: Annotated[str, Field(min_length=1, max_length=4096)]
    """Its name; of SQLite the path of the file."""
    user: Annotated[str, Field(max_length=256)] = ""
    password: Annotated[str, Field(max_length=1024, repr=False)] = ""
    tls: Literal["prefer", "require", "verify"] = "prefer"
    """Whether the connection must be encrypted, and whether the server must prove who it is."""
    query: Annotated[str, Field(min_length=1, max_length=100_000)]


class QueryRefusedError(Exception):
    """No rows come; ``code`` is a key of ``REASONS``."""

    def __init__(self, code: str, told: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.told = told
        """What the database says of the query."""


def rows_write(
    source: SqlSource,
    target: Path,
    *,
    roots: Sequence[Path],
    networks: Sequence[Network],
    tell: Callable[[int], None],
    max_query_s: float = MAX_QUERY_S,
) -> int:
    """Writes the rows of a query as JSON, one a line; returns how many.

    Args:
        source: the query and its database.
        target: the file to write.
        roots: folders of the server that the operator has opened.
        networks: those that he has opened.
        tell: told the number of rows so far, now and then; may raise to stop.
        max_query_s: as long the query may take.

    Raises:
        QueryRefusedError: the database cannot be reached or does not answer the query.
    """
    read = (
        _postgres_rows(source, networks, max_query_s)
        if source.engine == "postgresql"
        else _sqlite_rows(source, roots, max_query_s)
    )
    num_rows = 0
    with contextlib.closing(read), target.open("wb") as file:
        names = column_names(next(read))
        for row in read:
            file.write(orjson.dumps(dict(zip(names, row, strict=True)), default=_shown, option=orjson.OPT_APPEND_NEWLINE))
            num_rows += 1
            if num_rows % _PORTION == 0:
                tell(num_rows)
            if num_rows > MAX_ROWS:
                raise QueryRefusedError("query_too_long")
    return num_rows


def sqlite_resolve(path: str, roots: Sequence[Path]) -> Path:
    """The file that a path names, links resolved.

    Raises:
        QueryRefusedError: it is not below an opened place, or is not there; the two look alike, so nothing can be probed.
    """
    try:
        file = Path(path).resolve(strict=True)
    except (OSError, ValueError, RuntimeError):
        raise QueryRefusedError("folder_closed") from None
    if not file.is_file() or not any(file.is_relative_to(root.resolve()) for root in roots):
        raise QueryRefusedError("folder_closed")
    return file


def _shown(value: Any) -> object:  # noqa: ANN401 - whatever a database has
    """What JSON has no place for: exact numbers as they are written, the rest as its own text; bytes say nothing to a model."""
    return None if isinstance(value, bytes | bytearray | memoryview) else str(value)


def _postgres_rows(source: SqlSource, networks: Sequence[Network], max_query_s: float) -> _Rows:
    try:
        address = addresses_judged(source.host, source.port, networks)[0]
        # The driver does not tell a server that is not there from one that refuses.
        socket.create_connection((str(address), source.port), timeout=CONNECT_S).close()
    except AddressRefusedError:
        raise QueryRefusedError("address_refused") from None
    except (httpcore.ConnectError, IndexError, OSError):
        raise QueryRefusedError("database_unreachable") from None
    try:
        connection = psycopg.connect(
            host=source.host,
            hostaddr=str(address),
            port=source.port,
            dbname=source.database,
            user=source.user,
            password=source.password,
            passfile="/dev/null",  # neither a password nor a key of this machine's own user is sent
            sslcert="/dev/null",
            sslmode=_SSL_MODES[source.tls],
            sslrootcert="system" if source.tls == "verify" else "/dev/null",
            gssencmode="disable",
            connect_timeout=CONNECT_S,
            options=f"-c statement_timeout={round(max_query_s * 1000)} -c default_transaction_read_only=on",
        )
    except psycopg.Error:
        raise QueryRefusedError("database_refused") from None
    with connection:
        connection.read_only = True
        try:
            with connection.cursor(name="modelyard_rows") as cursor:
                cursor.itersize = _PORTION
                cursor.execute(source.query.strip().rstrip(";").encode())
                yield [column.name for column in cursor.description or ()]
                yield from cursor
        except pg_errors.QueryCanceled:
            raise QueryRefusedError("query_too_slow") from None
        except psycopg.Error as error:
            raise QueryRefusedError("query_failed", error.diag.message_primary or "") from None
        finally:
            connection.rollback()


def _sqlite_rows(source: SqlSource, roots: Sequence[Path], max_query_s: float) -> _Rows:
    file = sqlite_resolve(source.database, roots)
    ends = time.monotonic() + max_query_s
    connection = sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)
    try:
        # Neither another file of the server (ATTACH) nor a setting or extension can be reached.
        connection.set_authorizer(_sqlite_judge)
        connection.set_progress_handler(lambda: time.monotonic() > ends, _SQLITE_STEPS)
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


def _sqlite_judge(action: int, first: str | None, second: str | None, *_: str | None) -> int:
    is_allowed = action in _ALLOWED and not (action == sqlite3.SQLITE_FUNCTION and (second or first) == "load_extension")
    return sqlite3.SQLITE_OK if is_allowed else sqlite3.SQLITE_DENY
