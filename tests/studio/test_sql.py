"""Statements that are sent together, models out of written statements, and what dialects answer."""

from __future__ import annotations

import json

import pytest
from django.db import DataError, IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from studio.accounts.models import User
from studio.common.models import Event
from studio.common.sql import dialect, postgresql
from studio.common.sql.batch import StatementBatch
from studio.common.sql.models import ModelColumns

COLUMNS = ("workspace", "project", "type", "subject", "data", "at")
pytestmark = [
    pytest.mark.django_db,
    pytest.mark.both_databases(
        "platform/studio/common/sql/__init__.py",
        "platform/studio/common/sql/batch.py",
        "platform/studio/common/sql/models.py",
        "platform/studio/common/sql/postgresql.py",
        "platform/studio/common/sql/sqlite.py",
    ),
]


def event(number: int, text: str = "") -> tuple[object, ...]:
    return ("w", "p", "t", f"s{number}", json.dumps({"%s": text}), timezone.now())


@pytest.mark.parametrize("is_bound_by_server", [False, True])
def test_statements_run_in_order_and_see_each_other(monkeypatch, is_bound_by_server):
    monkeypatch.setitem(connection.settings_dict["OPTIONS"], "server_side_binding", is_bound_by_server)
    batch = StatementBatch()
    with CaptureQueriesContext(connection) as caught:
        batch.insert(Event, COLUMNS, [event(1), event(2)])
        batch.execute("UPDATE common_event SET project = %s WHERE subject = %s", ["q", "s2"])
        batch.insert(Event, COLUMNS, [event(3)])
        batch.execute("DELETE FROM common_event WHERE subject = %s AND at <= %s", ["s1", timezone.now()])
        found = batch.fetch("SELECT subject, project FROM common_event ORDER BY id")
    assert found == [("s2", "q"), ("s3", "p")]
    assert Event.objects.get(subject="s3").data == {"%s": ""}
    assert len(caught) == (1 if dialect().joins_statements and not is_bound_by_server else 5)
    batch.send()  # nothing waits
    assert Event.objects.count() == 2


def test_one_that_fails_takes_the_others_with_it():
    def send() -> None:
        batch = StatementBatch()
        batch.insert(Event, COLUMNS, [event(1)])
        batch.insert(Event, ("id", *COLUMNS), [(7, *event(2)), (7, *event(3))])
        batch.send()

    with pytest.raises(IntegrityError), transaction.atomic():
        send()
    assert not Event.objects.exists()


@pytest.mark.parametrize("num", [1, 2, 150, postgresql.CHUNK + 1])
def test_rows_are_added_changed_and_deleted_by_their_keys(num):
    awkward = "\x1f, \x1e" if num < 200 else ""  # the signs by which many values are sent as one text
    batch = StatementBatch()
    rows = [event(number, awkward) for number in range(num)]
    batch.insert(Event, COLUMNS, rows)
    changed = [(row[3], "p", f"q{awkward}", "[]", row[5]) for row in rows]
    marked = "type = common_event.type || '!'"
    batch.update(Event, ("subject", "project"), ("project", "data", "at"), changed, also=marked)
    batch.delete(Event, ("subject", "project"), [("s0", f"q{awkward}"), ("s1", "p")])
    batch.send()
    events = list(Event.objects.order_by("id").values_list("subject", "project", "type", "data", "at"))
    assert events == [(row[3], f"q{awkward}", "t!", [], row[5]) for row in rows[1:]]


@pytest.mark.parametrize("workspace", ["w\x1f\x1e", "of all"])
def test_a_value_that_all_rows_share_is_sent_once(workspace):
    if not dialect().joins_statements:
        pytest.skip("SQLite takes row by row")
    batch = StatementBatch()
    with CaptureQueriesContext(connection) as caught:
        batch.insert(Event, COLUMNS, [(workspace, *event(number)[1:]) for number in range(150)])
        batch.send()
    assert sum(each["sql"].count(workspace) for each in caught) == 1
    assert Event.objects.filter(workspace=workspace).count() == 150


def test_a_text_that_is_too_long_is_not_cut():
    if not dialect().joins_statements:
        pytest.skip("SQLite knows no lengths")
    batch = StatementBatch()
    batch.insert(Event, COLUMNS, [("w" * 41, *event(1)[1:])])
    with pytest.raises(DataError), transaction.atomic():
        batch.send()


@pytest.mark.parametrize("num", [0, 1, 150])
def test_any_of_many_values(num):
    values = [f"s{number}" for number in range(num)]
    batch = StatementBatch()
    batch.insert(Event, COLUMNS, [event(number) for number in range(200)])
    condition, value = dialect().is_any_of(values)
    found = batch.fetch(f"SELECT subject FROM common_event WHERE subject {condition} ORDER BY id", [value])
    assert [row[0] for row in found] == values


@pytest.mark.parametrize("times", [2, None])
def test_a_statement_is_prepared_once_and_says_the_same(monkeypatch, times):
    Event.objects.create(workspace="w", project="p", type="t", subject="s", data={"a": [1]})
    if dialect().name == "postgresql":
        monkeypatch.setattr(connection.connection, "prepare_threshold", times)
    sql = "SELECT subject, at FROM common_event WHERE workspace = %s AND project IN (%s, %s)"
    expected = list(Event.objects.values_list("subject", "at"))
    with CaptureQueriesContext(connection) as caught:
        for _ in range(4):
            with dialect().prepared_cursor() as cursor:
                cursor.execute(sql, ["w", "p", "q"])
                (row,) = cursor.fetchall()
                assert row[0] == "s"
    assert len(caught) == 4
    if dialect().name == "postgresql":
        assert [row] == expected
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%common_event%'")
            assert cursor.fetchone() == (0 if times is None else 1,)


def test_a_model_out_of_a_written_statement_equals_that_of_a_query(owner):
    before = ModelColumns(Event, "e")
    columns = ModelColumns(User, "u", after=before)
    Event.objects.create(workspace="w", project="p", type="t", subject="s", data={"a": [1]})
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {before.sql}, {columns.sql}, 5 FROM common_event e CROSS JOIN accounts_user u")
        (row,) = cursor.fetchall()
    for model, one in ((before.model(row), Event.objects.get()), (columns.model(row), User.objects.get(id=owner.id))):
        names = [field.attname for field in one._meta.concrete_fields]
        assert [getattr(model, name) for name in names] == [getattr(one, name) for name in names]
        assert not model._state.adding
    assert row[columns.end] == 5
