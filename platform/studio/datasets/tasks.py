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


@shared_task
def uploads_prune_task() -> None:
    """Lets go of uploads that nobody goes on with."""
    from django.utils import timezone  # noqa: PLC0415 - the clock's process needs none of it

    from studio.datasets.uploads.services import uploads_prune  # noqa: PLC0415 - the clock's process needs none of it

    uploads_prune(timezone.now())
