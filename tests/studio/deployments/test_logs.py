"""Each line of the prediction log becomes one row, whatever crashes; what is too old is forgotten."""

import json
import os
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from studio.common.models import Event
from studio.deployments import logs
from studio.deployments.logs import log_collect, log_prune
from studio.deployments.models import LogOffset, PredictionLog
from studio.deployments.services import deployment_delete

pytestmark = pytest.mark.both_databases

SHA256 = "ab" * 32


def prediction_id(number):
    return f"prd_{number:026d}"


def line(number, **fields):
    values = {
        "id": prediction_id(number),
        "at": datetime(2026, 1, 1, 12, 0, number % 60, tzinfo=UTC).isoformat(),
        "artefact": "art_1",
        "key": "key_1",
        "status": 200,
        "latency_ms": 1.5,
        "num_pictures": 1,
        "top": [{"label": "cat", "score": 0.9}],
        "uncertainty": 0.1,
        **fields,
    }
    return json.dumps(values).encode() + b"\n"


@pytest.fixture
def journal(home, deployment):
    """The file that the server appends to."""
    path = home / "serving" / "log" / deployment.id / "2026010112.77.jsonl"
    path.parent.mkdir(parents=True)
    path.touch()
    return path


def append(path, data):
    with path.open("ab") as file:
        file.write(data)


def at_noon():
    return datetime(2026, 1, 1, 12, 30, tzinfo=UTC)


def rows():
    return list(PredictionLog.objects.order_by("id"))


def test_lines_become_rows_as_they_come(deployment, journal):
    append(journal, line(1) + line(2, status=400, top=[], uncertainty=None, code="picture_unreadable", num_pictures=0))
    assert log_collect(clock=at_noon) == 2
    append(journal, line(3, input=SHA256, uncertainty=0.8))
    assert log_collect(clock=at_noon) == 1
    assert log_collect(clock=at_noon) == 0
    first, second, third = rows()
    assert (first.artefact, first.key, first.top) == ("art_1", "key_1", [{"label": "cat", "score": 0.9}])
    assert (second.status, second.code, second.uncertainty, second.input_sha256) == (400, "picture_unreadable", None, None)
    assert (third.uncertainty, third.input_sha256) == (0.8, SHA256)
    assert third.deployment_id == deployment.id
    events = Event.objects.filter(type="prediction.logged", subject=deployment.id).values_list("data", flat=True)
    assert list(events) == [{"calls": 2}, {"calls": 1}]


def test_a_half_written_line_waits_for_its_end(journal):
    whole = line(1)
    append(journal, whole[:20])
    assert log_collect(clock=at_noon) == 0
    append(journal, whole[20:])
    assert log_collect(clock=at_noon) == 1


def test_a_crash_between_rows_and_offset_repeats_and_skips_nothing(journal, monkeypatch):
    append(journal, line(1) + line(2))

    class Killed(BaseException):
        pass

    def crash(**_):
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(logs, "event_record", crash)  # the last step of the transaction never returns
        with pytest.raises(Killed):
            log_collect(clock=at_noon)
    assert rows() == []
    assert log_collect(clock=at_noon) == 2
    assert len(rows()) == 2


def test_an_offset_that_was_lost_makes_no_second_row(journal):
    append(journal, line(1) + line(2))
    log_collect(clock=at_noon)
    LogOffset.objects.all().delete()
    append(journal, line(3))
    log_collect(clock=at_noon)
    assert [row.id for row in rows()] == [prediction_id(number) for number in (1, 2, 3)]


def test_a_broken_line_is_skipped_and_the_next_one_read(journal):
    append(journal, line(1) + b'{"id": "prd_' + b"\n" + b"\xff\xfe\n" + line(2, uncertainty=7) + line(3))
    log_collect(clock=at_noon)
    assert [row.id for row in rows()] == [prediction_id(1), prediction_id(3)]


def test_a_file_larger_than_a_chunk_is_read_whole(journal, monkeypatch):
    monkeypatch.setattr(logs, "CHUNK_BYTES", 1000)
    append(journal, b"".join(line(number) for number in range(50)))
    assert log_collect(clock=at_noon) == 50
    assert len(rows()) == 50


def test_a_file_goes_when_its_hour_is_over_and_all_of_it_was_read(journal):
    append(journal, line(1))
    log_collect(clock=at_noon)
    assert journal.exists()
    append(journal, line(2)[:10])
    log_collect(clock=lambda: at_noon() + timedelta(hours=9))
    assert journal.exists()  # something in it has not been read
    append(journal, line(2)[10:])
    log_collect(clock=lambda: at_noon() + timedelta(hours=9))
    assert not journal.exists()
    assert len(rows()) == 2
    assert not LogOffset.objects.exists()


def test_the_log_of_a_deployment_that_is_gone_is_cleared_away(setup, deployment, journal):
    append(journal, line(1))
    log_collect(clock=at_noon)
    deployment_delete(deployment=deployment, actor=setup.actor)
    log_collect(clock=at_noon)
    assert not journal.parent.exists()
    assert not LogOffset.objects.exists()


def keep(home, name):
    path = home / "serving" / "inputs" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"picture")
    return path


def test_retention_forgets_rows_and_inputs_but_not_what_a_newer_call_names(home, deployment, journal):
    old, shared = keep(home, "11" * 32), keep(home, "22" * 32)
    fresh = timezone.now().isoformat()
    append(journal, line(1, input=old.name) + line(2, input=shared.name) + line(3, input=shared.name, at=fresh))
    log_collect(clock=at_noon)
    assert log_prune() == 2
    assert [row.id for row in rows()] == [prediction_id(3)]
    assert not old.exists()
    assert shared.exists()


def test_inputs_that_no_row_names_go_after_the_longest_retention(home, deployment):
    stray, young = keep(home, "33" * 32), keep(home, "44" * 32)
    long_ago = (timezone.now() - timedelta(days=deployment.retention_days + 1)).timestamp()
    os.utime(stray, (long_ago, long_ago))
    log_prune()
    assert not stray.exists()
    assert young.exists()


def test_a_deleted_deployment_takes_its_inputs_along(home, setup, deployment, journal, django_capture_on_commit_callbacks):
    path = keep(home, SHA256)
    append(journal, line(1, input=SHA256))
    log_collect(clock=at_noon)
    with django_capture_on_commit_callbacks(execute=True):
        deployment_delete(deployment=deployment, actor=setup.actor)
    assert not path.exists()
