"""Celery tasks of the shared code."""

from __future__ import annotations

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from studio.common.events import events_prune


@shared_task
def events_prune_task() -> None:
    """Deletes old events."""
    events_prune(before=timezone.now() - settings.EVENT_KEEP)
