"""Writes of live suggestions."""

from __future__ import annotations

from django.db import transaction

from labeling.assist.models import Assist
from labeling.assist.queue import heads_send
from labeling.assist.refresh import heads_mark
from labeling.assist.strategies import Strategy
from studio.accounts.access import Principal
from studio.accounts.audit import audit_record
from studio.datasets.models import Dataset


def strategy_set(*, dataset: Dataset, strategy: Strategy, actor: Principal) -> None:
    """Chooses the order of a dataset's queue; it is ordered anew at once."""
    with transaction.atomic():
        Assist.objects.update_or_create(dataset=dataset, defaults={"strategy": strategy.value, "queue": []})
        audit_record(
            workspace=dataset.project.workspace_id,
            project=dataset.project_id,
            actor=actor,
            action="assist.strategy",
            subject=dataset.project_id,
            detail={"strategy": strategy.value},
        )
        transaction.on_commit(lambda: heads_send(heads_mark(datasets=[dataset.id])))
