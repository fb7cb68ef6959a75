"""Celery tasks of the data sets; the clock in settings calls them."""

from __future__ import annotations

from celery import shared_task


@shared_task
def embeddings_sweep_task() -> None:
    """Starts the jobs that compute embeddings of new items."""
    from studio.datasets.embeddings.jobs import embeddings_sweep  # noqa: PLC0415 - the clock's process needs none of it

    embeddings_sweep()


@shared_task
def counts_fold_task() -> None:
    """Folds the changes of counts where many have gathered."""
    from studio.datasets.items.counts import counts_fold  # noqa: PLC0415 - the clock's process needs none of it

    counts_fold()
