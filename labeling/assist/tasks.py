"""Celery tasks of live suggestions. A message carries an id; what is to be done is read from the row."""

from __future__ import annotations

from celery import shared_task

from labeling.assist.queue import heads_send
from labeling.assist.refresh import head_refresh, heads_lost


@shared_task
def head_refresh_task(dataset_id: str) -> None:
    """Fits the head of a dataset that is behind."""
    head_refresh(dataset_id=dataset_id)


@shared_task
def heads_sweep_task() -> None:
    """Fits the heads whose message got lost."""
    heads_send(heads_lost())
