"""What the clock asks for is there: a worker throws away what it does not know."""

from __future__ import annotations

import pytest

from studio.config.celery import app
from studio.config.settings import CELERY_BEAT_SCHEDULE


@pytest.mark.parametrize("entry", sorted(CELERY_BEAT_SCHEDULE))
def test_workers_know_what_the_clock_asks_for(entry):
    app.loader.import_default_modules()
    assert CELERY_BEAT_SCHEDULE[entry]["task"] in app.tasks
