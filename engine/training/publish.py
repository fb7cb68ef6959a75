"""From a trained model to an artefact: export, parity, judgement of every split that was held back, manifest."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from importlib import metadata

from torch import nn

from automl.contracts.artefact import ArtefactManifest, Licence, Lineage, Report, SplitReport
from automl.contracts.dataset import ItemRecord, Split
from engine.artefact.session import Session
from engine.artefact.write import TOLERANCE, ArtefactWriter, GoldenInputs
from engine.assets.card import read_card
from engine.job import Job
from engine.tasks import task_part
from engine.training.evaluate import Judge
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
    shipped = portable.Portable(model, resolution_px=prepared.resolution_px, options=prepared.options)
    golden = GoldenInputs(prepared.version, _golden_records(prepared), prepared.labels, prepared.resolution_px)
    writer.write_model(model, shipped, golden)
    job.control.raise_if_stopped()
    job.progress("parity", _PARITY_AT)
    writer.check_parity()
    session = Session(writer.model_path, num_threads=job.spec.limits.num_threads)
    splits, thresholds = _judged(session, prepared, job)
    report = Report(
        labels=prepared.labels,
        splits=splits,
        curves=tuple(fitted.curves),
        train_seconds=train_seconds,
        latency_ms=Session(writer.model_path).latency_ms(prepared.pictures.pictures_NHWC[0]),
        model_bytes=writer.model_path.stat().st_size,
    )
    manifest = _manifest(prepared, job, portable, splits, thresholds)
    writer.finish(manifest, report)
    job.progress("evaluate", 1.0)
    return manifest.metrics[Split.VALIDATION]


def _judged(session: Session, prepared: Prepared, job: Job) -> tuple[tuple[SplitReport, ...], Mapping[str, float]]:
    """Reports of validation and test, and the thresholds that validation recommends."""
    judge = Judge(session, prepared.task, prepared.options, prepared.labels, job)
    material = {}
    for split, span in ((Split.VALIDATION, (_EVALUATE_AT, _TEST_AT)), (Split.TEST, (_TEST_AT, 1.0))):
        records = prepared.records[split]
        if records:
            material[split] = (records, prepared.targets[split], judge.scores(prepared.pictures, records, span=span))
    _, targets, scores_NL = material[Split.VALIDATION]
    thresholds = judge.thresholds(scores_NL, targets)
    return tuple(judge.report(split, *parts, thresholds) for split, parts in material.items()), thresholds


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
    lineage = job.spec.lineage
    return ArtefactManifest(
        task=prepared.task.name,
        output=portable.output_kind(prepared.options),
        decode=portable.decode(prepared.resolution_px),
        inputs=portable.inputs(),
        outputs=portable.outputs(len(prepared.labels)),
        label_set=prepared.version.manifest.label_set,
        thresholds=thresholds,
        metrics={report.split: report.metrics for report in splits},
        tolerance=TOLERANCE,
        train=prepared.train.model_copy(update={"params": prepared.params}),
        lineage=Lineage(
            project=lineage.get("project"),
            study=lineage.get("study"),
            trial=lineage.get("trial"),
            job=job.spec.id,
            dataset_version=prepared.version.id,
            code=_code_version(),
            seed=job.spec.seed,
        ),
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


def _code_version() -> str:
    try:
        return metadata.version("modelyard")
    except metadata.PackageNotFoundError:  # run from a checkout that is not installed
        return "source"
