"""The stream of a project's events; time is injected."""

from __future__ import annotations

import json
from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from studio.accounts.access import may_still
from studio.accounts.models import Membership
from studio.common import events
from studio.common.errors import UnavailableError
from studio.common.models import Event


class Clock:
    """A clock that only a sleep moves; ``during`` is called in each sleep."""

    def __init__(self, during=lambda: None) -> None:
        self.now = 0.0
        self.during = during

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.during()


def stream(project: str, after=None, clock: Clock | None = None, may_follow=lambda: True) -> list[str]:
    clock = clock or Clock()
    lines = events.event_stream(project, after=after, may_follow=may_follow, clock=clock, sleep=clock.sleep)
    return [line.decode() for line in lines]


def record(project, type_: str, **data) -> Event:
    return events.event_record(workspace=project.workspace_id, project=project.id, type=type_, subject="job_1", data=data)


def events_in(lines: list[str]) -> list[dict]:
    return [json.loads(line.split("data: ", 1)[1]) for line in lines if "data: " in line]


def test_what_was_missed_is_replayed_in_order(project):
    ids = [record(project, "job.progressed", number=number).id for number in range(3)]
    found = events_in(stream(project.id, after=ids[0]))
    assert [event["id"] for event in found] == ids[1:]
    assert found[0]["type"] == "job.progressed"
    assert found[0]["data"] == {"number": 1}


def test_without_a_position_only_new_events_come(project):
    record(project, "job.ended")
    clock = Clock()
    clock.during = lambda: clock.now < 1 and record(project, "item.ingested")
    assert {event["type"] for event in events_in(stream(project.id, clock=clock))} == {"item.ingested"}


def test_other_projects_are_silent(project):
    record(project, "job.ended")
    assert events_in(stream("prj_other", after=0)) == []


@pytest.mark.django_db
def test_silent_stream_beats_and_ends_itself():
    clock = Clock()
    lines = stream("prj_other", after=0, clock=clock)
    assert lines.count(": alive\n\n") == 4
    assert events.STREAM_S <= clock.now < events.STREAM_S + 1


@pytest.mark.django_db
def test_too_many_viewers_are_refused_and_places_come_back(settings):
    open_streams = [
        events.event_stream("prj_other", after=0, may_follow=lambda: True) for _ in range(settings.EVENT_VIEWERS_MAX)
    ]
    with pytest.raises(UnavailableError, match="Too many"):
        events.event_stream("prj_other", after=0, may_follow=lambda: True)
    for opened in open_streams:  # closed by the server, some before they were read
        opened.close()
        opened.close()
    stream("prj_other", after=0)


def test_stream_ends_soon_after_its_reader_may_not_see_the_project(project, owner):
    clock = Clock()
    clock.during = lambda: clock.now > 10 and Membership.objects.filter(user=owner).delete()
    stream(project.id, clock=clock, may_follow=partial(may_still, owner.id, "project.read", project.workspace_id, project.id))
    assert 10 < clock.now < 10 + events.RIGHT_S + 1


def test_stream_is_served(client, project):
    position = record(project, "job.started").id
    record(project, "job.ended", state="succeeded")
    answer = client.get(f"/api/projects/{project.id}/events", headers={"Last-Event-ID": str(position)})
    assert answer["Content-Type"] == "text/event-stream"
    lines = iter(answer.streaming_content)
    assert next(lines).startswith(b"retry:")
    assert b'"job.ended"' in next(lines)
    answer._iterator.close()


def test_old_events_are_pruned(project):
    now = timezone.now()
    old = record(project, "job.ended")
    Event.objects.filter(id=old.id).update(at=now - timedelta(days=2))
    record(project, "job.ended")
    assert events.events_prune(before=now - timedelta(days=1)) == 1
