"""Of MySQL and MariaDB: one reading statement in a read-only transaction, its rows sent by and by.

A read-only transaction does not keep these servers from everything: settings can be changed and files written in it. So the
statement must begin as reading ones do, and must not put its rows into a file or a variable.
"""

from __future__ import annotations

import re
import socket
import ssl
from collections.abc import Sequence
from typing import Any

import pymysql
from pymysql.constants import ER
from pymysql.cursors import SSCursor

from studio.datasets.uploads.sources.guard import Network
from studio.datasets.uploads.sources.sql.source import PORTION, QueryRefusedError, Rows, SqlSource, server_reached

_SILENT = re.compile(
    r"""'(?:[^'\\]|\\(?:.|\Z)|'')*+(?:'|\Z)|"(?:[^"\\]|\\(?:.|\Z)|"")*+(?:"|\Z)|`[^`]*+(?:`|\Z)"""
    r"""|/\*(?!M?!).*?(?:\*/|\Z)|--(?=\s|\Z)[^\n]*+|\#[^\n]*+""",
    re.DOTALL,
)
"""Texts, names and comments of a statement, up to its end where one is never closed."""
_READS = re.compile(r"[\s(]*(select|with|table|values|show|desc|describe|explain)\b", re.IGNORECASE)
_WRITES = re.compile(r"\binto\b|/\*|\banalyze\b", re.IGNORECASE)
"""Of a statement without what is silent in it: what is left of a comment is code that the server runs."""
_SLOW = {3024, 1969, ER.QUERY_INTERRUPTED}
"""MySQL's and MariaDB's numbers of a statement that was stopped by the clock."""
_LATER_S = 30.0
"""The server stops a slow query; that much later the connection is given up."""


def rows(source: SqlSource, networks: Sequence[Network], max_query_s: float) -> Rows:
    """The names of the columns, then the rows.

    Raises:
        QueryRefusedError: the server cannot be reached or does not answer the query.
    """
    _check(source.query)
    connection = _connected(source, networks, max_query_s)
    cursor = connection.cursor(SSCursor)
    try:
        _limit(cursor, max_query_s)
        cursor.execute("START TRANSACTION READ ONLY")
        cursor.execute(source.query.strip().rstrip(";"))
        if cursor.description is None:
            raise QueryRefusedError("query_failed", "no rows")
        yield [column[0] for column in cursor.description]
        while portion := cursor.fetchmany(PORTION):
            yield from portion
    except pymysql.MySQLError as error:
        number, detail = (*error.args, "", "")[:2]
        raise QueryRefusedError("query_too_slow" if number in _SLOW else "query_failed", str(detail)) from None
    finally:
        if left := vars(cursor)["_result"]:
            left.unbuffered_active = False  # else the driver fetches the rows that nobody wants
        connection.close()


def _check(query: str) -> None:
    bare = _SILENT.sub(" ", query)
    if not _READS.match(bare) or _WRITES.search(bare):
        raise QueryRefusedError("query_failed", "only a statement that reads is run")


def _connected(source: SqlSource, networks: Sequence[Network], max_query_s: float) -> pymysql.Connection[Any]:
    _, port, reached = server_reached(source, networks)
    connection: pymysql.Connection[Any] = pymysql.Connection(
        host=source.host,
        port=port,
        user=source.user,
        password=source.password.encode(),  # of a text the driver would make Latin-1
        database=source.database,
        charset="utf8mb4",
        ssl=_tls(source.tls),
        read_timeout=max_query_s + _LATER_S,
        local_infile=False,
        autocommit=True,
        defer_connect=True,
    )
    try:
        reached.recv(1, socket.MSG_PEEK)  # its server speaks first; another's, which waits, is not waited for
        connection.connect(reached)
    except Exception:  # noqa: BLE001 - what answers there may speak anything
        reached.close()
        raise QueryRefusedError("database_refused") from None
    if source.tls != "prefer" and not _is_encrypted(connection):
        connection.close()
        raise QueryRefusedError("database_refused")
    return connection


def _is_encrypted(connection: pymysql.Connection[Any]) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SHOW SESSION STATUS LIKE 'Ssl_cipher'")
        found = cursor.fetchone()
    return bool(found and found[1])


def _tls(mode: str) -> ssl.SSLContext:
    context = ssl.create_default_context()
    if mode != "verify":
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def _limit(cursor: SSCursor, max_query_s: float) -> None:
    """MySQL counts milliseconds, MariaDB seconds, under another name."""
    try:
        cursor.execute("SET SESSION max_execution_time = %s", [round(max_query_s * 1000)])
    except pymysql.MySQLError:
        cursor.execute("SET SESSION max_statement_time = %s", [max_query_s])
