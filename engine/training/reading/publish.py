"""From fitted networks to an artefact: two graphs, parity, judgement of every split that was held back, manifest."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from automl.contracts.artefact import PIPELINE_FILE, ArtefactManifest, Licence
from automl.contracts.dataset import Split
from automl.contracts.report import Report, SplitReport
from engine.artefact.write import NUM_SAMPLES, ArtefactWriter, samples_write
from engine.assets.card import read_card
from engine.job import Job
from engine.tasks import task_part
from engine.training.evidence import judgement_of
from engine.training.lineage import manifest_of
from engine.training.publish import beside_baseline, contents_of, licence_of
from engine.training.reading.data import PreparedReading, picture_of
from engine.training.reading.fit import FittedReader
from engine.training.reading.graphs import RECOGNISER_FILE, graphs_write, spec_of, torch_pipeline
from engine.training.reading.judge import answers_of, latency_ms
from runtime.backends.onnxruntime_cpu import OnnxRuntimeCpu
from runtime.pipelines import Pipeline, pipeline_open
from runtime.pipelines.text_lines import PICTURE

_EXPORT_AT, _PARITY_AT, _EVALUATE_AT, _TEST_AT = 0.85, 0.9, 0.92, 0.96
TOLERANCE = 5e-3
"""Of a corner, as a fraction of the picture, or a score: a pixel of the map more or less is a matter of rounding."""
_SAMPLE_PX = 960
"""Longer side of golden samples at most."""


def artefact(fitted: FittedReader, prepared: PreparedReading, job: Job) -> Mapping[str, float]:
    """Writes the artefact and returns the shipped graphs' metrics on validation.

    Args:
        fitted: the networks, on the CPU, and how training went.
        prepared: what they were trained on.
        job: whose directory gets the artefact.

    Raises:
        ParityError: the exported graphs do not answer like the networks.
        StoppedError: the job was asked to stop.
    """
    train_seconds = job.control.elapsed_s
    portable = task_part(prepared.task.name, "portable")
    output, decode = portable.output_kind(prepared.options), portable.decode()
    writer = ArtefactWriter(job.artefact_dir, cache_dir=job.cache_dir)
    job.progress("export", _EXPORT_AT)
    files = _graphs_write(writer, fitted, prepared, job)
    samples_write(writer.folder, _samples(fitted, prepared), labels=prepared.labels, output=output)
    job.control.raise_if_stopped()
    job.progress("parity", _PARITY_AT)
    writer.check_parity(decode, output)
    pipeline = pipeline_open(writer.folder, OnnxRuntimeCpu)
    splits, thresholds = _judged(pipeline, fitted, prepared, job)
    report = Report(
        labels=prepared.labels,
        splits=splits,
        curves=tuple(fitted.curves),
        train_seconds=train_seconds,
        latency_ms=latency_ms(pipeline, prepared.version, prepared.records[Split.VALIDATION]),
        model_bytes=0,  # the writer knows
        judgement=judgement_of(fitted, prepared.labels, splits, thresholds),
    )
    manifest = _manifest(prepared, job, splits, thresholds, files)
    writer.finish(manifest, report, contents_of(prepared))
    job.progress("evaluate", 1.0)
    return splits[0].metrics


def _manifest(
    prepared: PreparedReading,
    job: Job,
    splits: tuple[SplitReport, ...],
    thresholds: Mapping[str, float],
    files: tuple[str, ...],
) -> ArtefactManifest:
    portable = task_part(prepared.task.name, "portable")
    return manifest_of(
        prepared,
        prepared.version,
        job,
        splits=splits,
        thresholds=thresholds,
        output=portable.output_kind(prepared.options),
        decode=portable.decode(),
        files=files,
        inputs=portable.inputs(),
        outputs=portable.outputs(len(prepared.labels)),
        label_set=prepared.version.manifest.label_set,
        tolerance=TOLERANCE,
        licences=_licences(prepared),
    )


def _graphs_write(writer: ArtefactWriter, fitted: FittedReader, prepared: PreparedReading, job: Job) -> tuple[str, ...]:
    """Writes weights, both graphs and what joins them; returns the names of the files beside the first graph."""
    reader = fitted.model
    writer.write_weights(reader)
    graphs_write(reader, writer.folder, cache_dir=job.cache_dir)
    spec = spec_of(fitted.symbols, int(prepared.params["side_px"]))
    (writer.folder / PIPELINE_FILE).write_text(json.dumps(spec, ensure_ascii=False), encoding="utf-8")
    return PIPELINE_FILE, RECOGNISER_FILE


def _samples(fitted: FittedReader, prepared: PreparedReading) -> list[tuple[str, bytes, NDArray[np.float32]]]:
    """Golden pictures with what the networks answer: PNG, of which every decoder makes the same pixels."""
    pipeline = torch_pipeline(fitted.model, spec_of(fitted.symbols, int(prepared.params["side_px"])))
    records = [*prepared.records[Split.TEST], *prepared.records[Split.VALIDATION]]
    found = []
    for number, record in enumerate(records[:NUM_SAMPLES]):
        picture = Image.fromarray(picture_of(prepared.version, record).pixels_HWC)
        picture.thumbnail((_SAMPLE_PX, _SAMPLE_PX))
        content = io.BytesIO()
        picture.save(content, "PNG")
        found.append((f"{number}.png", content.getvalue(), pipeline.run({PICTURE: np.asarray(picture)[None]})[0]))
    return found


def _judged(
    pipeline: Pipeline, fitted: FittedReader, prepared: PreparedReading, job: Job
) -> tuple[tuple[SplitReport, ...], Mapping[str, float]]:
    """Reports of the splits, validation first, and the thresholds that it recommends."""
    found = {}
    for split, span in ((Split.VALIDATION, (_EVALUATE_AT, _TEST_AT)), (Split.TEST, (_TEST_AT, 1.0))):
        if prepared.records[split]:
            found[split] = answers_of(pipeline, prepared.version, prepared.records[split], job=job, span=span)
    metrics, labels = task_part(prepared.task.name, "metrics"), prepared.labels
    improved = prepared.task.objective(prepared.options, job.spec.objective).name
    thresholds: Mapping[str, float] = metrics.recommended_thresholds(
        found[Split.VALIDATION], prepared.targets[Split.VALIDATION], labels, objective=improved
    )
    reports = tuple(
        metrics.split_report(
            split, prepared.records[split], answers, prepared.targets[split], labels=labels, thresholds=thresholds
        )
        for split, answers in found.items()
    )
    return beside_baseline(reports, fitted, prepared), thresholds


def _licences(prepared: PreparedReading) -> tuple[Licence, ...]:
    """Of both networks' weights."""
    if prepared.size.asset is None:
        return ()
    card = read_card(prepared.size.asset)
    return tuple(licence_of(read_card(name)) for name in (prepared.size.asset, card.detector) if name is not None)
