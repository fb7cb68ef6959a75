"""Asks the workers for heads."""

from __future__ import annotations

from collections.abc import Collection

from studio.jobs.queue import task_send

REFRESH_TASK = "labeling.assist.tasks.head_refresh_task"


def heads_send(datasets: Collection[str]) -> None:
    """Has the heads of datasets fitted; when the broker is away, the sweep does its work."""
    for dataset in datasets:
        task_send(REFRESH_TASK, dataset)
