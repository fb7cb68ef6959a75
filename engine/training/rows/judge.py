"""The job ``evaluate`` for an artefact that reads rows."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

from automl.contracts.artefact import MODEL_FILE, ArtefactManifest, RowDecode
from automl.contracts.dataset import Split
from automl.contracts.report import REPORT_FILE, Report, SplitReport
from engine.artefact.rows import RowSession
from engine.data.version import DatasetVersion
from engine.errors import DataInvalidError
from engine.job import Job
from engine.table.reader import read_rows
from engine.tasks import task_part
from engine.training.rows.data import RowRecords, targets_of

_EVALUATE_AT = 0.15


def judged(job: Job, folder: Path, manifest: ArtefactManifest) -> Mapping[str, float]:
    """Writes ``artefact/report.json`` and returns the metrics on the split.

    Columns that the version does not have are missing to the model, as they would be in a service.

    Args:
        job: an order to evaluate.
        folder: of the artefact.
        manifest: of the artefact.

    Raises:
        StoppedError: the job was asked to stop.
        VersionDamagedError: the version is of no table, or broken.
        DataInvalidError: the version is for another task, predicts another kind of thing, its split is empty, or a row carries
            none of the artefact's labels.
    """
    started_s = time.monotonic()
    decode = manifest.decode
    assert isinstance(decode, RowDecode)  # as every artefact of a task that consumes rows
    version = DatasetVersion.open(job.data_dir)
    if version.manifest.task != manifest.task:
        raise DataInvalidError(f"The version is for {version.manifest.task}, the artefact for {manifest.task}.")
    task = manifest.task
    kind = task_part(task, "portable").output_kind(version.manifest.task_options)
    if kind is not manifest.output:
        raise DataInvalidError(f"The version's rows have {kind} as their target, the artefact answers with {manifest.output}.")
    own = read_rows(version, decode.columns)[job.spec.split]
    if not len(own):
        raise DataInvalidError(f"The version has no items in the split {job.spec.split}.")
    if job.spec.split is Split.VALIDATION and manifest.train is not None and manifest.train.params.get("learns_validation"):
        job.events.warning("rows_seen", "The model may have been trained on rows of this split: the figures flatter it.")
    labels = manifest.label_set.names
    targets_N = targets_of(own.rows, labels)
    session = RowSession(folder / MODEL_FILE, num_threads=job.spec.limits.num_threads)

    def between(share: float) -> None:
        job.control.raise_if_stopped()
        job.progress("evaluate", _EVALUATE_AT + (1.0 - _EVALUATE_AT) * share)

    answers_NK = session.run(own.table, between=between)
    report_of = task_part(task, "metrics").split_report
    split: SplitReport = report_of(
        job.spec.split, RowRecords(own.rows), answers_NK, targets_N, labels=labels, thresholds=manifest.thresholds
    )
    report = Report(
        labels=labels,
        splits=(split,),
        curves=(),
        train_seconds=time.monotonic() - started_s,
        latency_ms=RowSession(folder / MODEL_FILE).latency_ms(own.table.take(slice(0, 1))),
        model_bytes=(folder / MODEL_FILE).stat().st_size,
    )
    job.artefact_dir.mkdir(exist_ok=True)
    report.write(job.artefact_dir / REPORT_FILE)
    job.progress("evaluate", 1.0)
    return split.metrics
