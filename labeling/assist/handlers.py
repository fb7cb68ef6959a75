"""What live suggestions do when lower apps call."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction

from labeling.assist.models import Assist
from labeling.assist.queue import heads_send
from labeling.assist.refresh import heads_mark
from studio.projects.models import Project


def annotations_changed(datasets: Collection[str]) -> None:
    """Has the heads fitted again once the change is committed."""
    ids = list(datasets)
    transaction.on_commit(lambda: heads_send(heads_mark(datasets=ids)))


def embeddings_added(project: Project) -> None:
    """From the first embeddings on, a dataset is helped."""
    Assist.objects.get_or_create(dataset_id=project.default_dataset_id)
    annotations_changed([project.default_dataset_id])
