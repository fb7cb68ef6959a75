"""Celery tasks of comments."""

from __future__ import annotations

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from labeling.comments.services import comments_prune


@shared_task
def comments_prune_task() -> None:
    """Forgets comments that were taken back long ago."""
    comments_prune(before=timezone.now() - settings.COMMENT_KEEP)
