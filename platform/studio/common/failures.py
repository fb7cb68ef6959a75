"""Failures of the disk, the database and what is stored there, as errors with a hint for the caller."""

from __future__ import annotations

import sqlite3

from django.db import Error as DatabaseError
from django.db import InterfaceError, OperationalError

from automl.contracts.listing import UnknownNameError
from runtime.listing import UnknownKindError
from studio.common.blob_store import is_disk_full
from studio.common.errors import (
    DatabaseBusyError,
    DatabaseUnavailableError,
    DiskFullError,
    StoredNameUnknownError,
    StudioError,
)

RETRY_S = 2

_OF_SQLITE: dict[int, type[StudioError]] = {
    sqlite3.SQLITE_BUSY: DatabaseBusyError,
    sqlite3.SQLITE_LOCKED: DatabaseBusyError,
    sqlite3.SQLITE_FULL: DiskFullError,
    sqlite3.SQLITE_IOERR: DatabaseUnavailableError,
    sqlite3.SQLITE_CANTOPEN: DatabaseUnavailableError,
}
_OF_SQLSTATES: dict[str, type[StudioError]] = {
    "53100": DiskFullError,
    "53": DatabaseUnavailableError,  # no resources left
    "08": DatabaseUnavailableError,  # connection
    "57P": DatabaseUnavailableError,  # ended by its operator
    "40001": DatabaseBusyError,  # serialization failure
    "40P01": DatabaseBusyError,  # deadlock
    "55P03": DatabaseBusyError,  # lock not available
}
"""Beginnings of PostgreSQL's codes; the first that fits counts."""


def failure_known(error: BaseException) -> StudioError | None:
    """What a caller gets for a failure; the error itself if it is one of ours, None if the failure is a mistake of ours."""
    if isinstance(error, StudioError):
        return error
    if isinstance(error, OSError):
        return DiskFullError(hint=_HINT_DISK) if is_disk_full(error) else None
    if isinstance(error, UnknownNameError | UnknownKindError):
        params = {"name": error.name, "known": ", ".join(error.known)}
        message = f"Stored data names {error.name!r}, which is not installed; known: {params['known']}."
        return StoredNameUnknownError(message, hint=_HINT_NAME, params=params)
    return _of_database(error) if isinstance(error, DatabaseError) else None


def _of_database(error: DatabaseError) -> StudioError | None:
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        kind = _OF_SQLITE.get(getattr(cause, "sqlite_errorcode", 0) & 0xFF)  # the rest of the number says more than is needed
    elif state := getattr(cause, "sqlstate", None):
        kind = next((kind for start, kind in _OF_SQLSTATES.items() if state.startswith(start)), None)
    else:  # PostgreSQL's own library, when the connection breaks or cannot be had
        kind = DatabaseUnavailableError if isinstance(error, OperationalError | InterfaceError) else None
    if kind is DiskFullError:
        return DiskFullError(hint=_HINT_DISK)
    return kind(hint=_HINT_AGAIN, extra={"retry_after_s": RETRY_S}) if kind else None


_HINT_DISK = "Free some space on the server, then send it again."
_HINT_NAME = "Run the release of Modelyard, or install the package, that it comes from; or correct the stored value."
_HINT_AGAIN = "Send it again in a moment."
