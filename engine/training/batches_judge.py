"""The job ``evaluate`` for an artefact that takes items in batches."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

from automl.contracts.artefact import MODEL_FILE, ArtefactManifest
from automl.contracts.report import REPORT_FILE, Report, SplitReport
from engine.artefact.session import Session
from engine.data.version import DatasetVersion
from engine.errors import DataInvalidError
from engine.items import item_kind
from engine.job import Job
from engine.tasks import task_part, task_spec
from engine.training.evaluate import answers
from engine.training.prepare import packed

_EVALUATE_AT = 0.15


def judged(job: Job, folder: Path, manifest: ArtefactManifest) -> Mapping[str, float]:
    """Writes ``artefact/report.json`` and returns the metrics on the split.

    Args:
        job: an order to evaluate.
        folder: of the artefact.
        manifest: of the artefact.

    Raises:
        BuildStoppedError, StoppedError: the job was asked to stop.
        DataInvalidError: the split is empty or carries labels that the artefact does not know.
    """
    started_s = time.monotonic()
    version = DatasetVersion.open(job.data_dir)
    records = version.records(job.spec.split)
    if not records:
        raise DataInvalidError(f"The version has no items in the split {job.spec.split}.")
    task, labels, options = task_spec(manifest.task), manifest.label_set.names, version.manifest.task_options
    targets = task_part(task.name, "data").targets(records, labels, options)
    items = packed(job, version, item_kind(manifest.decode.kind).opened(manifest.decode, folder))
    session = Session(folder / MODEL_FILE, num_threads=job.spec.limits.num_threads)
    found = answers(session, items, records, job=job, span=(_EVALUATE_AT, 1.0))
    report_of = task_part(task.name, "metrics").split_report
    split: SplitReport = report_of(job.spec.split, records, found, targets, labels=labels, thresholds=manifest.thresholds)
    report = Report(
        labels=labels,
        splits=(split,),
        curves=(),
        train_seconds=time.monotonic() - started_s,
        latency_ms=Session(folder / MODEL_FILE).latency_ms(items.graph_input(items.indices(records[:1]))[0]),
        model_bytes=(folder / MODEL_FILE).stat().st_size,
    )
    job.artefact_dir.mkdir(exist_ok=True)
    report.write(job.artefact_dir / REPORT_FILE)
    job.progress("evaluate", 1.0)
    return split.metrics
