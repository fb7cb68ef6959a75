"""Judges an artefact that reads rows."""

from __future__ import annotations

from pathlib import Path

from automl.contracts.artefact import MODEL_FILE, ArtefactManifest, RowDecode
from automl.contracts.dataset import Split
from automl.contracts.report import SplitReport
from engine.artefact.rows import RowSession
from engine.data.version import DatasetVersion
from engine.errors import DataInvalidError
from engine.job import Job
from engine.table.reader import read_rows
from engine.tasks import task_part, task_spec
from engine.training.evaluate import JUDGE_FROM
from engine.training.rows.data import RowRecords, targets_of
from engine.training.slicing import JudgedSplit, sliced


def evaluate(job: Job, folder: Path, manifest: ArtefactManifest, version: DatasetVersion) -> tuple[SplitReport, float]:
    """Asks the graph about the job's split.

    Columns that the version does not have are missing to the model, as they would be in a service.

    Args:
        job: an order to evaluate.
        folder: of the artefact.
        manifest: of the artefact.
        version: of the same task.

    Returns:
        The split's report, and the milliseconds that one row takes.

    Raises:
        StoppedError: the job was asked to stop.
        VersionDamagedError: the version is of no table, or broken.
        DataInvalidError: the version predicts another kind of thing, its split is empty, or a row carries none of the
            artefact's labels.
    """
    decode = manifest.decode
    assert isinstance(decode, RowDecode)  # as every artefact of a task that consumes rows
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

    def on_progress(share: float) -> None:
        job.control.raise_if_stopped()
        job.progress("evaluate", JUDGE_FROM + (1.0 - JUDGE_FROM) * share)

    answers_NK = session.run(own.table, on_progress=on_progress)
    report_of = task_part(task, "metrics").split_report
    split: SplitReport = report_of(
        job.spec.split, RowRecords(own.rows), answers_NK, targets_N, labels=labels, thresholds=manifest.thresholds
    )
    material = JudgedSplit(RowRecords(own.rows), answers_NK, targets_N, own.table, version.data_dir)
    split = sliced(split, material, task=task_spec(task), labels=labels, thresholds=manifest.thresholds)
    return split, RowSession(folder / MODEL_FILE).latency_ms(own.table.take(slice(0, 1)))
