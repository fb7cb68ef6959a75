"""The job ``evaluate``: judges an artefact on a split of any version of the same task."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

from pydantic import ValidationError

from automl.contracts.artefact import MANIFEST_FILE, MODEL_FILE, ArtefactManifest, ImageDecode, RowDecode, TextDecode
from automl.contracts.job import StopReason
from automl.contracts.report import REPORT_FILE, Report, SplitReport
from engine.artefact.session import Session
from engine.data.items import PackedItems
from engine.data.packed import BuildStoppedError
from engine.data.text import TextTokenizer
from engine.data.version import DatasetVersion
from engine.errors import DataInvalidError, JobInvalidError
from engine.job import Job, StoppedError
from engine.tasks import task_part, task_spec
from engine.training import rows_judge
from engine.training.evaluate import answers
from engine.training.prepare import packed_pictures, packed_tokens

_EVALUATE_AT = 0.15


def run(job: Job) -> Mapping[str, float]:
    """Writes ``artefact/report.json`` and returns the metrics on the split.

    Raises:
        StoppedError: the job was asked to stop.
        JobInvalidError: there is no such artefact.
        DataInvalidError: the split is empty or carries labels that the artefact does not know.
    """
    try:
        return _judged(job)
    except BuildStoppedError:
        raise StoppedError(job.control.stop_reason() or StopReason.CANCELLED) from None


def _judged(job: Job) -> Mapping[str, float]:
    job.progress("load", 0.0)
    started_s = time.monotonic()
    folder = _artefact_folder(job)
    manifest = _manifest(folder)
    if isinstance(manifest.decode, RowDecode):
        return rows_judge.judged(job, folder, manifest, manifest.decode)
    version = DatasetVersion.open(job.data_dir)
    records = version.records(job.spec.split)
    if not records:
        raise DataInvalidError(f"The version has no items in the split {job.spec.split}.")
    task, labels, options = task_spec(manifest.task), manifest.label_set.names, version.manifest.task_options
    targets = task_part(task.name, "data").targets(records, labels, options)
    items = _items(job, version, manifest, folder)
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


def _items(job: Job, version: DatasetVersion, manifest: ArtefactManifest, folder: Path) -> PackedItems:
    decode = manifest.decode
    if isinstance(decode, ImageDecode):
        return packed_pictures(job, version, decode.min_side_px)
    if not isinstance(decode, TextDecode):
        raise JobInvalidError(f"Items that are decoded as {decode.kind} are not judged here.")
    try:
        tokenizer = TextTokenizer((folder / decode.tokenizer).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise JobInvalidError(f"The artefact's tokenizer cannot be read: {error}") from error
    return packed_tokens(job, version, tokenizer)


def _artefact_folder(job: Job) -> Path:
    if job.spec.artefact is None:
        raise JobInvalidError("The job says evaluate but not which artefact.")
    return job.workdir / job.spec.artefact


def _manifest(folder: Path) -> ArtefactManifest:
    try:
        return ArtefactManifest.read(folder / MANIFEST_FILE)
    except (OSError, ValidationError) as error:
        raise JobInvalidError(f"The artefact cannot be read: {error}") from error
