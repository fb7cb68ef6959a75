"""Celery doors of comments."""

from __future__ import annotations

from celery import shared_task
from django.conf import settings
from django.utils import timezone


@shared_task
def comments_prune_task() -> None:
    """Forgets comments that were taken back long ago."""
    from labeling.comments.services import comments_prune  # noqa: PLC0415 - the models import what imports this module

    comments_prune(before=timezone.now() - settings.COMMENT_KEEP)
