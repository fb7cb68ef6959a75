"""Sessions in the database, read together with the person and the roles: every request begins with it."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from functools import lru_cache
from typing import Any, cast

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.middleware import AuthenticationMiddleware, get_user
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends import db
from django.db import OperationalError, connection
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.functional import SimpleLazyObject

from studio.accounts.models import Session, User
from studio.accounts.project_roles import access_read
from studio.accounts.roles import Role
from studio.common.sql import dialect
from studio.common.sql.models import ModelColumns

_SESSION = ModelColumns(Session, "s")
_PERSON = ModelColumns(User, "u", after=_SESSION)


@lru_cache(maxsize=2)
def _find_sql(database: str) -> str:
    """The statement that begins every request: the session, the person, and by workspace the role and its exceptions."""
    restricted = f"""SELECT {dialect().joined("r.project")} FROM accounts_restrictedproject r
        WHERE r.workspace_id = m.workspace_id AND m.role <> '{Role.OWNER.value}'"""  # noqa: S608 - names
    named = f"""SELECT {dialect().joined("p.project || ':' || p.role")} FROM accounts_projectmember p
        WHERE p.user_id = m.user_id AND p.workspace_id = m.workspace_id"""  # noqa: S608 - names
    return f"""SELECT {_SESSION.sql}, {_PERSON.sql}, m.workspace_id, m.role, ({restricted}), ({named}) FROM accounts_session s
        LEFT JOIN accounts_user u ON u.id = s.user_id LEFT JOIN accounts_membership m ON m.user_id = u.id
        WHERE s.session_key = %s AND s.expire_date > %s"""  # noqa: S608 - columns


class SessionStore(db.SessionStore):
    """Django's session store, which also knows whose session it is."""

    person: User | None = None
    """Who signed in, with the roles, as it was when the session was read; the data say whether it is so still."""
    last_seen_at: datetime | None = None
    """When it was used last, as it was when the session was read."""

    @classmethod
    def get_model_class(cls) -> type[Session]:
        """The table."""
        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        """A row of the table."""
        made = cast("Session", super().create_model_instance(data))
        made.user_id = data.get(SESSION_KEY)
        return made

    def _get_session_from_db(self) -> Session | None:
        with dialect().prepared_cursor() as cursor:
            cursor.execute(
                _find_sql(dialect().name), [self.session_key, connection.ops.adapt_datetimefield_value(timezone.now())]
            )
            rows = cursor.fetchall()
        if not rows:
            self._session_key = None
            return None
        found = _SESSION.model(rows[0])
        if settings.SESSION_IDLE is not None and found.last_seen_at < timezone.now() - settings.SESSION_IDLE:
            self._session_key = None
            return None
        self.last_seen_at = found.last_seen_at
        if found.user_id is not None:
            self.person = _PERSON.model(rows[0])
            self.person.access_read = access_read(row[_PERSON.end :] for row in rows)
        return found


def use_note(request: HttpRequest) -> None:
    """Writes down that a session is in use, every few minutes: a read must not cost a write each time."""
    session = cast("SessionStore", request.session)
    now = timezone.now()
    if session.last_seen_at is None or now - session.last_seen_at < settings.SESSION_USE_NOTED_EACH:
        return
    with suppress(OperationalError):  # somebody else writes for long: it is noted by the next request
        Session.objects.filter(session_key=session.session_key).update(last_seen_at=now)


class PersonMiddleware(AuthenticationMiddleware):
    """Django's own, but that the person came with the session."""

    def process_request(self, request: HttpRequest) -> None:
        """Has the person found when somebody asks."""
        super().process_request(request)
        request.user = SimpleLazyObject(lambda: _person(request))  # type: ignore[assignment]  # as Django does


def _person(request: HttpRequest) -> AbstractBaseUser | AnonymousUser:
    """Whoever is signed in. Where anything is out of order, Django looks at it in its own way."""
    session = cast("SessionStore", request.session)
    known = session.get(SESSION_KEY)
    person = session.person
    if (
        person is not None
        and person.id == known
        and person.is_active
        and session.get(BACKEND_SESSION_KEY) in settings.AUTHENTICATION_BACKENDS
        and constant_time_compare(session.get(HASH_SESSION_KEY, ""), person.get_session_auth_hash())
    ):
        return person
    return cast("AbstractBaseUser | AnonymousUser", get_user(request))
