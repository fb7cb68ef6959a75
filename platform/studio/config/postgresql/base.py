"""Django's PostgreSQL, but for two things that each request would pay for.

Whether a kept connection still stands, its socket says without a question. A server that ends a connection, or ends itself,
closes the socket, and a closed socket can be read. Only where there is something to read, which is hardly ever, is the server
asked. A network that drops connections without a word would go unnoticed; ``CONN_MAX_AGE`` bounds that to a minute.

And statements that come with every request may be asked by a cursor whose statements the server keeps, parsed and planned:
for a statement that finds a few rows by their keys that is more work than finding them.
"""

from __future__ import annotations

import select
from typing import cast

import psycopg
from django.db.backends.postgresql import base
from django.db.backends.utils import CursorWrapper


class DatabaseWrapper(base.DatabaseWrapper):
    """Asks less of the server."""

    def kept_cursor(self) -> CursorWrapper:
        """A cursor whose statements the server keeps from the time on that ``prepare_threshold`` says; none without it."""
        self.ensure_connection()
        with self.wrap_database_errors:
            made = self._prepare_cursor(psycopg.Cursor(self.connection))  # type: ignore[attr-defined]  # as cursor() does
            return cast("CursorWrapper", made)

    def is_usable(self) -> bool:
        """Whether the connection can be asked."""
        return not (self.errors_occurred or self._is_readable()) or super().is_usable()

    def _is_readable(self) -> bool:
        if self.connection is None or self.connection.closed or not hasattr(select, "poll"):  # Windows has no poll
            return True
        poll = select.poll()
        poll.register(self.connection.fileno(), select.POLLIN)
        return bool(poll.poll(0))
