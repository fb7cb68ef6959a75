"""Statements that are sent together, and models out of written statements."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from studio.accounts.models import User
from studio.common.models import Event
from studio.common.writes import CHUNK, Writes, time_value
from studio.common.written import Columns, kept_cursor

HEAD = "INSERT INTO common_event (workspace, project, type, subject, data, at)"
TYPES = ("text", "text", "text", "text", "jsonb", "timestamptz")
pytestmark = [
    pytest.mark.django_db,
    pytest.mark.both_databases("platform/studio/common/writes.py", "platform/studio/common/written.py"),
]


def event(number: int) -> tuple[object, ...]:
    return ("w", "p", "t", f"s{number}", '{"%s": 1}', time_value(timezone.now()))


@pytest.mark.parametrize("is_bound_by_server", [False, True])
def test_statements_run_in_order_and_see_each_other(monkeypatch, is_bound_by_server):
    monkeypatch.setitem(connection.settings_dict["OPTIONS"], "server_side_binding", is_bound_by_server)
    writes = Writes()
    with CaptureQueriesContext(connection) as caught:
        writes.insert(HEAD, [event(1), event(2)], types=TYPES)
        writes.add("UPDATE common_event SET project = %s WHERE subject = %s", ["q", "s2"])
        writes.insert(HEAD, [event(3)], types=TYPES)
        writes.add("DELETE FROM common_event WHERE subject = %s", ["s1"])
        found = writes.ask("SELECT subject, project FROM common_event ORDER BY id")
    assert found == [("s2", "q"), ("s3", "p")]
    assert Event.objects.get(subject="s3").data == {"%s": 1}
    assert len(caught) == (1 if connection.vendor == "postgresql" and not is_bound_by_server else 5)
    writes.send()  # nothing waits
    assert Event.objects.count() == 2


def test_one_that_fails_takes_the_others_with_it():
    def send() -> None:
        writes = Writes()
        writes.insert(HEAD, [event(1)], types=TYPES)
        writes.insert(HEAD.replace("workspace", "id, workspace"), [(7, *event(2)), (7, *event(3))], types=("bigint", *TYPES))
        writes.send()

    with pytest.raises(IntegrityError), transaction.atomic():
        send()
    assert not Event.objects.exists()


def test_more_rows_than_a_statement_takes_all_come():
    writes = Writes()
    writes.insert(HEAD, [event(number) for number in range(CHUNK + 1)], types=TYPES)
    writes.send()
    assert Event.objects.count() == CHUNK + 1


@pytest.mark.parametrize("times", [2, None])
def test_a_kept_statement_is_prepared_once_and_says_the_same(monkeypatch, times):
    Event.objects.create(workspace="w", project="p", type="t", subject="s", data={"a": [1]})
    if connection.vendor == "postgresql":
        monkeypatch.setattr(connection.connection, "prepare_threshold", times)
    sql = "SELECT subject, at FROM common_event WHERE workspace = %s AND project IN (%s, %s)"
    expected = list(Event.objects.values_list("subject", "at"))
    with CaptureQueriesContext(connection) as caught:
        for _ in range(4):
            with kept_cursor() as cursor:
                cursor.execute(sql, ["w", "p", "q"])
                (row,) = cursor.fetchall()
                assert row[0] == "s"
    assert len(caught) == 4
    if connection.vendor == "postgresql":
        assert [row] == expected
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%common_event%'")
            assert cursor.fetchone() == (0 if times is None else 1,)


def test_a_model_out_of_a_written_statement_equals_that_of_a_query(owner):
    before = Columns(Event, "e")
    columns = Columns(User, "u", after=before)
    Event.objects.create(workspace="w", project="p", type="t", subject="s", data={"a": [1]})
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {before.sql}, {columns.sql}, 5 FROM common_event e CROSS JOIN accounts_user u")
        (row,) = cursor.fetchall()
    for model, one in ((before.model(row), Event.objects.get()), (columns.model(row), User.objects.get(id=owner.id))):
        names = [field.attname for field in one._meta.concrete_fields]
        assert [getattr(model, name) for name in names] == [getattr(one, name) for name in names]
        assert not model._state.adding
    assert row[columns.end] == 5
