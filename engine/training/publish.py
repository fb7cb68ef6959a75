"""From a trained model to an artefact: export, parity, judgement of every split that was held back, manifest."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from torch import nn

from automl.contracts.artefact import ArtefactManifest, Licence
from automl.contracts.dataset import ItemRecord, Split
from automl.contracts.report import Report, SplitReport
from engine.artefact.session import Session
from engine.artefact.write import TOLERANCE, ArtefactWriter, GoldenInputs
from engine.assets.card import read_card
from engine.job import Job
from engine.tasks import task_part
from engine.training.evaluate import answers
from engine.training.lineage import lineage_of
from engine.training.loop import Fitted
from engine.training.prepare import Prepared

_EXPORT_AT, _PARITY_AT, _EVALUATE_AT, _TEST_AT = 0.85, 0.91, 0.93, 0.965


def artefact(model: nn.Module, fitted: Fitted, prepared: Prepared, job: Job) -> Mapping[str, float]:
    """Writes the artefact and returns the shipped graph's metrics on validation.

    Args:
        model: on the CPU, with its best weights.
        fitted: how training went.
        prepared: what it was trained on.
        job: whose directory gets the artefact.

    Raises:
        ParityError: the exported graph does not answer like the model.
        StoppedError: the job was asked to stop.
    """
    train_seconds = job.control.elapsed_s
    portable = task_part(prepared.task.name, "portable")
    writer = ArtefactWriter(job.artefact_dir)
    job.progress("export", _EXPORT_AT)
    shipped = _portable(model, prepared)
    output = portable.output_kind(prepared.options)
    golden = GoldenInputs(
        version=prepared.version,
        records=_golden_records(prepared),
        labels=prepared.labels,
        resolution_px=prepared.resolution_px,
        output=output,
        output_name=portable.outputs(len(prepared.labels))[0].name,
        tokenizer=prepared.tokenizer,
    )
    writer.write_model(model, shipped, golden)
    job.control.raise_if_stopped()
    job.progress("parity", _PARITY_AT)
    writer.check_parity(output)
    session = Session(writer.model_path, num_threads=job.spec.limits.num_threads)
    splits, thresholds = _judged(session, prepared, job)
    report = Report(
        labels=prepared.labels,
        splits=splits,
        curves=tuple(fitted.curves),
        train_seconds=train_seconds,
        latency_ms=Session(writer.model_path).latency_ms(prepared.items.graph_input(prepared.rows(Split.VALIDATION)[:1])[0]),
        model_bytes=writer.model_path.stat().st_size,
    )
    manifest = _manifest(prepared, job, portable, splits, thresholds)
    writer.finish(manifest, report)
    job.progress("evaluate", 1.0)
    return manifest.metrics[Split.VALIDATION]


def _portable(model: nn.Module, prepared: Prepared) -> nn.Module:
    portable = task_part(prepared.task.name, "portable").Portable
    if prepared.tokenizer is None:
        shipped: nn.Module = portable(model, resolution_px=prepared.resolution_px, options=prepared.options)
        return shipped
    reader: nn.Module = portable(model, options=prepared.options)
    return reader


def _judged(session: Session, prepared: Prepared, job: Job) -> tuple[tuple[SplitReport, ...], Mapping[str, float]]:
    """Reports of validation and test, and the thresholds that validation recommends."""
    metrics, labels = task_part(prepared.task.name, "metrics"), prepared.labels
    material = {}
    for split, span in ((Split.VALIDATION, (_EVALUATE_AT, _TEST_AT)), (Split.TEST, (_TEST_AT, 1.0))):
        records = prepared.records[split]
        if records:
            found = answers(session, prepared.items, records, job=job, span=span)
            material[split] = (records, found, prepared.targets[split])
    _, found, targets = material[Split.VALIDATION]
    thresholds: Mapping[str, float] = metrics.recommended_thresholds(found, targets, labels)
    reports = (metrics.split_report(split, *parts, labels=labels, thresholds=thresholds) for split, parts in material.items())
    return tuple(reports), thresholds


def _golden_records(prepared: Prepared) -> list[ItemRecord]:
    """Held-back items, the labels taking turns, so that the samples show different answers."""
    held_back = [*prepared.records[Split.TEST], *prepared.records[Split.VALIDATION]]
    seen: dict[object, int] = {}
    turns = []
    for position, record in enumerate(held_back):
        turn = seen[record.annotations] = seen.get(record.annotations, -1) + 1
        turns.append((turn, position, record))
    return [record for _, _, record in sorted(turns, key=lambda entry: entry[:2])]


def _manifest(
    prepared: Prepared, job: Job, portable, splits: tuple[SplitReport, ...], thresholds: Mapping[str, float]
) -> ArtefactManifest:
    return ArtefactManifest(
        task=prepared.task.name,
        output=portable.output_kind(prepared.options),
        decode=portable.decode(**prepared.input_size),
        inputs=portable.inputs(),
        outputs=portable.outputs(len(prepared.labels)),
        label_set=prepared.version.manifest.label_set,
        thresholds=thresholds,
        metrics={report.split: report.metrics for report in splits},
        tolerance=TOLERANCE,
        train=prepared.train.model_copy(update={"params": prepared.params}),
        lineage=lineage_of(job, prepared.version.id),
        licences=_licences(prepared),
        created_at=datetime.now(UTC),
    )


def _licences(prepared: Prepared) -> tuple[Licence, ...]:
    if prepared.size.asset is None:
        return ()
    card = read_card(prepared.size.asset)
    return (
        Licence(
            part=f"pretrained weights: {card.title}", spdx=card.licence, source=f"{card.package} {card.version}: {card.source}"
        ),
    )
