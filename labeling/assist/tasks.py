"""Celery doors of live suggestions. A message carries an id; what is to be done is read from the row."""

from __future__ import annotations

import logging
from collections.abc import Collection

from celery import shared_task
from kombu.exceptions import OperationalError

_log = logging.getLogger(__name__)


@shared_task
def head_refresh_task(dataset_id: str) -> None:
    """Fits the head of a dataset that is behind."""
    from labeling.assist.refresh import head_refresh  # noqa: PLC0415 - the models import what imports this module

    head_refresh(dataset_id=dataset_id)


@shared_task
def heads_sweep_task() -> None:
    """Fits the heads whose message got lost."""
    from labeling.assist.refresh import heads_lost  # noqa: PLC0415

    heads_send(heads_lost())


def heads_send(datasets: Collection[str]) -> None:
    """Sends ``head_refresh_task``; when the broker is away, the sweep does its work."""
    for dataset in datasets:
        try:
            head_refresh_task.apply_async((dataset,), queue="control", retry=False)
        except (OperationalError, OSError) as error:
            _log.warning("no message for the head of %s: %s", dataset, error)
