"""Judges an artefact that reads text, picture by picture at the size in which a service would get them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

import numpy as np
from numpy.typing import NDArray

from automl.contracts.artefact import ArtefactManifest
from automl.contracts.dataset import ItemRecord
from automl.contracts.report import SplitReport
from engine.data.version import DatasetVersion
from engine.errors import DataInvalidError
from engine.job import Job
from engine.tasks import task_part
from engine.training.evaluate import JUDGE_FROM
from engine.training.reading.data import picture_of
from runtime.backends.onnxruntime_cpu import OnnxRuntimeCpu
from runtime.pipelines import Pipeline, pipeline_open
from runtime.pipelines.text_lines import PICTURE

_TIMED = 3


def evaluate(job: Job, folder: Path, manifest: ArtefactManifest, version: DatasetVersion) -> tuple[SplitReport, float]:
    """Asks the graphs about the job's split. See ``Way.judge``."""
    records = version.records(job.spec.split)
    if not records:
        raise DataInvalidError(f"The version has no items in the split {job.spec.split}.")
    labels = manifest.label_set.names
    targets = task_part(manifest.task, "data").targets(records, labels, version.manifest.task_options)
    pipeline = pipeline_open(folder, OnnxRuntimeCpu)
    found = answers_of(pipeline, version, records, job=job, span=(JUDGE_FROM, 1.0))
    report_of = task_part(manifest.task, "metrics").split_report
    split: SplitReport = report_of(job.spec.split, records, found, targets, labels=labels, thresholds=manifest.thresholds)
    return split, latency_ms(pipeline, version, records)


def answers_of(
    pipeline: Pipeline, version: DatasetVersion, records: Sequence[ItemRecord], *, job: Job, span: tuple[float, float]
) -> NDArray[np.float32]:
    """The answers to the records' items, in their order.

    Raises:
        StoppedError: the job was asked to stop.
        PictureUnreadableError: an item cannot be read.
    """
    found = []
    for place, record in enumerate(records):
        job.control.raise_if_stopped()
        job.progress("evaluate", span[0] + (span[1] - span[0]) * place / len(records))
        found.append(pipeline.run({PICTURE: picture_of(version, record).pixels_HWC[None]})[0])
    return np.stack(found)


def latency_ms(pipeline: Pipeline, version: DatasetVersion, records: Sequence[ItemRecord]) -> float:
    """Median wall time of one answer."""
    feeds = {PICTURE: picture_of(version, records[0]).pixels_HWC[None]}
    times_s = []
    for _ in range(_TIMED):
        start_s = time.perf_counter()
        pipeline.run(feeds)
        times_s.append(time.perf_counter() - start_s)
    return 1000.0 * median(times_s)
