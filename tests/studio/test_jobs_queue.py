"""Messages name a task that a worker knows, and carry an id."""

from __future__ import annotations

import pytest
from celery import current_app
from django.utils.module_loading import import_string
from kombu.exceptions import OperationalError

from labeling.assist.queue import REFRESH_TASK
from studio.jobs import queue
from studio.jobs.queue import END_TASK, RUN_TASK, task_send

pytestmark = pytest.mark.filterwarnings("ignore::celery.exceptions.AlwaysEagerIgnored")


@pytest.fixture
def broker(settings):
    """Celery's broker in memory, with what has been sent to it before taken out."""
    settings.CELERY_TASK_ALWAYS_EAGER = False
    with current_app.connection_for_read() as connection:
        for name in queue.QUEUES.values():
            connection.SimpleQueue(name).clear()
        yield connection


@pytest.mark.parametrize("name", [RUN_TASK, END_TASK, REFRESH_TASK])
def test_a_named_task_is_there(name):
    assert import_string(name).name == name


@pytest.mark.parametrize("name", ["control", "jobs"])
def test_a_message_carries_the_id_to_the_queue(broker, name):
    assert task_send(RUN_TASK, "job_1", queue=name)
    message = broker.SimpleQueue(name).get(block=False)
    assert message.headers["task"] == RUN_TASK
    assert message.payload[0] == ["job_1"]
    message.ack()


def test_a_broker_that_is_away_is_no_failure(settings, monkeypatch):
    settings.CELERY_TASK_ALWAYS_EAGER = False

    def refuse(*_args, **_options):
        raise OperationalError("connection refused")

    monkeypatch.setattr(current_app.amqp, "send_task_message", refuse)
    assert not task_send(RUN_TASK, "job_1")
