"""A connection that is kept between requests: looked at without a question, and made anew where the server ended it."""

import psycopg
import pytest
from django.conf import settings
from django.db import DatabaseError, connections

from studio.config.postgresql.base import DatabaseWrapper
from tests.services import postgres


@pytest.fixture(scope="module")
def address():
    with postgres() as address:
        yield address


@pytest.fixture
def kept(db, address):
    """A connection of its own, opened and kept as the web process does; and another to look at it from outside."""
    parts = psycopg.conninfo.conninfo_to_dict(address)
    given = {"NAME": parts["dbname"], "USER": parts["user"], "HOST": parts["host"], "PORT": parts["port"], "OPTIONS": {}}
    asked = {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
    kept = DatabaseWrapper(connections["default"].settings_dict | given | asked)
    ask(kept, "SELECT 1")
    with psycopg.connect(address, autocommit=True) as beside:
        yield kept, beside
    kept.close()


def ask(kept, sql):
    with kept.cursor() as cursor:
        cursor.execute(sql)
        return cursor.fetchone()[0]


def next_request(kept):
    kept.close_if_unusable_or_obsolete()


def test_the_platform_uses_it():
    assert settings.DATABASES["default"]["ENGINE"] in {"studio.config.postgresql", "django.db.backends.sqlite3"}


def test_a_request_asks_nothing_but_its_own(kept):
    kept, beside = kept
    number = ask(kept, "SELECT pg_backend_pid()")
    next_request(kept)
    kept.close_if_health_check_failed()
    last = beside.execute("SELECT query FROM pg_stat_activity WHERE pid = %s", [number]).fetchone()
    assert last == ("SELECT pg_backend_pid()",)
    assert ask(kept, "SELECT pg_backend_pid()") == number


def test_a_connection_that_the_server_ended_is_made_anew(kept):
    kept, beside = kept
    number = ask(kept, "SELECT pg_backend_pid()")
    next_request(kept)
    assert beside.execute("SELECT pg_terminate_backend(%s, 5000)", [number]).fetchone() == (True,)
    assert ask(kept, "SELECT pg_backend_pid()") != number


def test_after_an_error_the_server_is_asked(kept):
    kept, _ = kept
    with pytest.raises(DatabaseError):
        ask(kept, "SELECT nothing FROM nowhere")
    next_request(kept)
    assert ask(kept, "SELECT 7") == 7
