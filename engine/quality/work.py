"""The job ``quality``: looks once at every item of a dataset as it stands, and writes what it found."""

from __future__ import annotations

import time
from collections.abc import Mapping

import pyarrow.parquet as pq

from automl.contracts.dataset import LabelSet
from automl.contracts.listing import kind_in
from automl.contracts.quality import ITEMS_FILE, LABELS_FILE, item_from_row
from engine.job import Job
from engine.quality import items as kinds
from engine.quality.writing import Inspect, write
from engine.tasks import task_spec


def run(job: Job) -> Mapping[str, float]:
    """Writes ``artefact/report.json`` and ``artefact/findings.parquet``; returns the number of items by kind of finding.

    Raises:
        StoppedError: the job was asked to stop.
        DataInvalidError: there are no items, or none can be read.
        ValueError: nothing looks at items of this kind.
    """
    started_s = time.monotonic()
    job.progress("load", 0.0)
    items = [item_from_row(row) for row in pq.read_table(job.data_dir / ITEMS_FILE).to_pylist()]
    label_set = LabelSet.read(job.data_dir / LABELS_FILE)
    inspect: Inspect = kind_in(kinds.__name__, task_spec(job.spec.task).modality.items)
    return write(job, inspect(job, items), items, label_set, seconds=time.monotonic() - started_s)
