"""What is asked for, how much of it at most, and how it is refused."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Generator, Sequence
from typing import Annotated, Any, Literal

import httpcore
from ninja import Schema
from pydantic import Field

from studio.datasets.uploads.sources.guard import AddressRefusedError, Network, addresses_judged

CONNECT_S = 10
MAX_QUERY_S = 600.0
"""A query that takes longer is stopped."""
MAX_ROWS = 10_000_000
PORTION = 2_000
"""Rows that the server sends at once."""
PORTS = {"postgresql": 5432, "mysql": 3306}
Rows = Generator[Sequence[Any], None, None]
"""The names of the columns, then the rows."""


class SqlSource(Schema):
    """A query, and the database that answers it. The password is kept encrypted while the job runs and forgotten afterwards."""

    kind: Literal["sql"] = "sql"
    engine: Literal["postgresql", "mysql", "sqlite"]
    """MariaDB is asked as MySQL is."""
    host: Annotated[str, Field(max_length=253)] = ""
    port: Annotated[int | None, Field(ge=1, le=65535)] = None
    """None is the engine's usual one."""
    database: Annotated[str, Field(min_length=1, max_length=4096)]
    """Its name; of SQLite the path of the file."""
    user: Annotated[str, Field(max_length=256)] = ""
    password: Annotated[str, Field(max_length=1024, repr=False)] = ""
    tls: Literal["prefer", "require", "verify"] = "prefer"
    """Whether the connection must be encrypted, and whether the server must prove who it is."""
    query: Annotated[str, Field(min_length=1, max_length=100_000)]


class QueryRefusedError(Exception):
    """No rows come; ``code`` is a key of ``REASONS``."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.detail = detail
        """What the database says of the query."""


def server_reached(source: SqlSource, networks: Sequence[Network]) -> tuple[str, int, socket.socket]:
    """The judged address of a server, its port, and a connection to it: drivers do not tell who is not there from who refuses.

    Raises:
        QueryRefusedError: the address is closed, or nobody answers there.
    """
    port = source.port or PORTS[source.engine]
    try:
        address: ipaddress.IPv4Address | ipaddress.IPv6Address = addresses_judged(source.host, port, networks)[0]
        return str(address), port, socket.create_connection((str(address), port), timeout=CONNECT_S)
    except AddressRefusedError:
        raise QueryRefusedError("address_refused") from None
    except (httpcore.ConnectError, IndexError, OSError):
        raise QueryRefusedError("database_unreachable") from None
