"""Judges an artefact that takes items in batches."""

from __future__ import annotations

from pathlib import Path

from automl.contracts.artefact import ArtefactManifest
from automl.contracts.report import SplitReport
from engine.answers import answer_kind
from engine.artefact.session import session_of
from engine.data.version import DatasetVersion
from engine.errors import DataInvalidError
from engine.items import item_kind
from engine.job import Job
from engine.tasks import task_part, task_spec
from engine.training.evaluate import JUDGE_FROM, answers
from engine.training.prepare import packed
from engine.training.slicing import JudgedSplit, sliced


def evaluate(job: Job, folder: Path, manifest: ArtefactManifest, version: DatasetVersion) -> tuple[SplitReport, float]:
    """Asks the graph about the job's split.

    Args:
        job: an order to evaluate.
        folder: of the artefact.
        manifest: of the artefact.
        version: of the same task.

    Returns:
        The split's report, and the milliseconds that one item takes.

    Raises:
        BuildStoppedError, StoppedError: the job was asked to stop.
        DataInvalidError: the split is empty or carries labels that the artefact does not know.
    """
    records = version.records(job.spec.split)
    if not records:
        raise DataInvalidError(f"The version has no items in the split {job.spec.split}.")
    task, labels, options = task_spec(manifest.task), manifest.label_set.names, version.manifest.task_options
    reader = item_kind(manifest.decode.kind).opened(manifest.decode, folder)
    targets = task_part(task.name, "data").targets(records, labels, options, **reader.target_values)
    items = packed(job, version, reader)
    session = session_of(folder, num_threads=job.spec.limits.num_threads)
    found = answers(session, items, records, kind=answer_kind(manifest.output), job=job, span=(JUDGE_FROM, 1.0))
    report_of = task_part(task.name, "metrics").split_report
    split: SplitReport = report_of(job.spec.split, records, found, targets, labels=labels, thresholds=manifest.thresholds)
    split = sliced(
        split,
        JudgedSplit(records, found, targets, items, version.data_dir),
        task=task,
        labels=labels,
        thresholds=manifest.thresholds,
    )
    return split, session_of(folder).latency_ms(items.graph_input(items.indices(records[:1]))[0])
