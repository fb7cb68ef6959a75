"""What is stored of a table's columns: what they mean is changed in ``tables``, and asked wherever rows are."""

from __future__ import annotations

from automl.contracts.table import TableSchema
from studio.common.stored import read_stored
from studio.datasets.models import Dataset


def schema_of(dataset: Dataset) -> TableSchema | None:
    """The columns as they are stored; None of what is no table, and while no rows have come."""
    return None if dataset.columns is None else read_stored(TableSchema, dataset.columns, subject=dataset.id)
