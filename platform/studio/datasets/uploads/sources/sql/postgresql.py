"""Of PostgreSQL: one statement in a read-only transaction, by a cursor on the server."""

from __future__ import annotations

from collections.abc import Sequence

import psycopg
from psycopg import errors

from studio.datasets.uploads.sources.guard import Network
from studio.datasets.uploads.sources.sql.source import CONNECT_S, PORTION, QueryRefusedError, Rows, SqlSource, server_reached

_SSL_MODES = {"prefer": "prefer", "require": "require", "verify": "verify-full"}


def rows(source: SqlSource, networks: Sequence[Network], max_query_s: float) -> Rows:
    """The names of the columns, then the rows.

    Raises:
        QueryRefusedError: the server cannot be reached or does not answer the query.
    """
    address, port, reached = server_reached(source, networks)
    reached.close()
    try:
        connection = psycopg.connect(
            host=source.host,
            hostaddr=address,
            port=port,
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
                cursor.itersize = PORTION
                cursor.execute(source.query.strip().rstrip(";").encode())
                yield [column.name for column in cursor.description or ()]
                yield from cursor
        except errors.QueryCanceled:
            raise QueryRefusedError("query_too_slow") from None
        except psycopg.Error as error:
            raise QueryRefusedError("query_failed", error.diag.message_primary or "") from None
        finally:
            connection.rollback()
