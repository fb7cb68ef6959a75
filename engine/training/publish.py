"""From a trained model to an artefact: export, parity, judgement of every split that was held back, manifest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from torch import nn

from automl.contracts.artefact import PIPELINE_FILE, ArtefactManifest, Licence
from automl.contracts.base import Contract
from automl.contracts.coverage import CoverageReport
from automl.contracts.dataset import ItemRecord, Split
from automl.contracts.report import Report, SplitReport
from automl.contracts.task import TaskSpec
from engine.artefact.reference import JudgedContents, evenly_spaced, reference_splits
from engine.artefact.session import GraphSession, session_of
from engine.artefact.write import TOLERANCE, ArtefactWriter, GoldenInputs
from engine.assets.card import AssetCard, read_card
from engine.coverage import AnsweredItems, coverage_of
from engine.data.version import DatasetVersion
from engine.job import Job
from engine.tasks import task_part
from engine.training.evaluate import answers
from engine.training.evidence import judgement_of, tempering_of, turns_of
from engine.training.lineage import manifest_of
from engine.training.loop import FitResult
from engine.training.prepare import PreparedTrial
from engine.training.slicing import JudgedSplit, sliced


class PreparedVersion(Protocol):
    """What was trained on, as far as judging needs it."""

    @property
    def task(self) -> TaskSpec:
        """Of the models."""

    @property
    def version(self) -> DatasetVersion:
        """That was learned from."""

    @property
    def records(self) -> Mapping[Split, list[ItemRecord]]:
        """Items by split."""

    @property
    def targets(self) -> Mapping[Split, np.ndarray]:
        """Of these."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Names."""


_EXPORT_AT, _PARITY_AT, _EVALUATE_AT, _TEST_AT = 0.85, 0.91, 0.93, 0.965


def artefact(fitted: FitResult, prepared: PreparedTrial, job: Job) -> Mapping[str, float]:
    """Writes the artefact and returns the shipped graph's metrics on validation.

    Args:
        fitted: the model, on the CPU, and how training went.
        prepared: what it was trained on.
        job: whose directory gets the artefact.

    Raises:
        ParityError: the exported graph does not answer like the model.
        StoppedError: the job was asked to stop.
    """
    train_seconds = job.control.elapsed_s
    writer = ArtefactWriter(job.artefact_dir, cache_dir=job.cache_dir)
    job.progress("export", _EXPORT_AT)
    writer.write_model(fitted.model, shipped_of(fitted.model, prepared), golden_of(prepared))
    job.control.raise_if_stopped()
    job.progress("parity", _PARITY_AT)
    writer.check_parity(decode_of(prepared), prepared.output)
    judged = _evaluate(session_of(writer.folder, num_threads=job.spec.limits.num_threads), fitted, prepared, job)
    splits, thresholds = marked(beside_baseline(judged.splits, fitted, prepared), fitted.learned), judged.thresholds
    if not prepared.answers.is_large:
        writer.write_answers({**judged.answers, **turns_of(fitted, prepared)})
    report = Report(
        labels=prepared.labels,
        splits=splits,
        curves=tuple(fitted.curves),
        train_seconds=train_seconds,
        latency_ms=session_of(writer.folder).latency_ms(prepared.items.graph_input(prepared.rows(Split.VALIDATION)[:1])[0]),
        model_bytes=writer.model_path.stat().st_size,
        judgement=judgement_of(fitted, prepared.labels, splits, thresholds),
        tempering=tempering_of(fitted.temperature, prepared, judged.answers) if fitted.held_back is not None else None,
        coverage=judged.coverage,
        profile=fitted.profile,
    )
    manifest = network_manifest(prepared, job, splits=splits, thresholds=thresholds, learned=fitted.learned)
    writer.finish(manifest, report, contents_of(prepared))
    job.progress("evaluate", 1.0)
    assert report.judgement is not None
    return report.judgement.metrics


def shipped_of(model: nn.Module, prepared: PreparedTrial) -> nn.Module:
    """The model with its pre- and post-processing."""
    portable, pipeline = task_part(prepared.task.name, "portable"), prepared.reader.pipeline
    made = portable.Portable if pipeline is None else portable.PipelinedPortable
    shipped: nn.Module = made(model, options=prepared.options, **prepared.reader.graph_values)
    return shipped


def decode_of(prepared: PreparedTrial) -> Contract:
    """How a runtime reads items for the model."""
    decode: Contract = task_part(prepared.task.name, "portable").decode(**prepared.reader.decode_values)
    return decode


def golden_of(prepared: PreparedTrial) -> GoldenInputs:
    """What golden samples are made of."""
    portable = task_part(prepared.task.name, "portable")
    return GoldenInputs(
        version=prepared.version,
        records=_golden_records(prepared),
        labels=prepared.labels,
        items=prepared.reader,
        output=prepared.output,
        output_name=portable.outputs(len(prepared.labels))[0].name,
    )


def contents_of(prepared: PreparedVersion) -> JudgedContents:
    """Items that callers' items will be compared with: of the version, not what a student learns from besides."""
    version = prepared.version
    splits = reference_splits({split: len(records) for split, records in prepared.records.items()})
    in_version = {record.item for split in splits for record in version.records(split)}
    records = [record for split in splits for record in prepared.records[split] if record.item in in_version]
    blobs = (version.blob_path(records[place].blob) for place in evenly_spaced(len(records)))
    return JudgedContents(version.id, splits, (path.read_bytes() for path in blobs))


@dataclass(frozen=True)
class HeldBackResults:
    """What was found on the splits that were held back."""

    splits: tuple[SplitReport, ...]
    thresholds: Mapping[str, float]
    """That the items held back recommend."""
    answers: Mapping[Split, NDArray[np.float32]]
    """One row an item, by split."""
    coverage: CoverageReport | None
    """By limits that the same items set."""


def _evaluate(session: GraphSession, fitted: FitResult, prepared: PreparedTrial, job: Job) -> HeldBackResults:
    """Asks the graph about test, and about validation unless it learned from it."""
    answers_of = {}
    for split, span in ((Split.VALIDATION, (_EVALUATE_AT, _TEST_AT)), (Split.TEST, (_TEST_AT, 1.0))):
        if split in fitted.learned and fitted.held_back is not None:
            answers_of[split] = fitted.held_back.validation_NL
        elif prepared.records[split]:
            records = prepared.records[split]
            answers_of[split] = answers(session, prepared.items, records, kind=prepared.answers, job=job, span=span)
    judging_answers, truth = answers_of[Split.VALIDATION], prepared.targets[Split.VALIDATION]
    if fitted.held_back is not None:  # it may be of more items
        judging_answers, truth = fitted.held_back.scores_NL, fitted.held_back.targets
    return judged_of(answers_of, prepared, judging_answers, truth, objective=job.spec.objective)


def judged_of(
    answers_of: Mapping[Split, NDArray[np.float32]],
    prepared: PreparedTrial,
    judging_answers: NDArray[np.float32],
    truth: NDArray[np.generic],
    *,
    objective: str = "",
) -> HeldBackResults:
    """Reports of splits.

    Args:
        answers_of: answers by split.
        prepared: the items.
        judging_answers: answers that recommend thresholds, and set the limits of what is possible.
        truth: of the same items.
        objective: name of the metric that is improved; empty takes the task's.
    """
    metrics, labels = task_part(prepared.task.name, "metrics"), prepared.labels
    improved = prepared.task.objective(prepared.options, objective).name
    thresholds: Mapping[str, float] = metrics.recommended_thresholds(judging_answers, truth, labels, objective=improved)
    reports = tuple(
        sliced(
            metrics.split_report(
                split, prepared.records[split], answers_N, prepared.targets[split], labels=labels, thresholds=thresholds
            ),
            JudgedSplit(prepared.records[split], answers_N, prepared.targets[split], prepared.items, prepared.version.data_dir),
            task=prepared.task,
            labels=labels,
            thresholds=thresholds,
        )
        for split, answers_N in answers_of.items()
    )
    calibrated = AnsweredItems(Split.VALIDATION, judging_answers, truth)
    tested = (
        AnsweredItems(Split.TEST, answers_of[Split.TEST], prepared.targets[Split.TEST]) if Split.TEST in answers_of else None
    )
    coverage = coverage_of(prepared.output, calibrated, tested, labels=labels, thresholds=thresholds)
    return HeldBackResults(reports, thresholds, answers_of, coverage)


def beside_baseline(splits: tuple[SplitReport, ...], fitted: FitResult, prepared: PreparedVersion) -> tuple[SplitReport, ...]:
    """The same reports, each with the metrics of what training began with."""
    metrics = task_part(prepared.task.name, "metrics").metrics
    return tuple(
        report.model_copy(
            update={"baseline": metrics(fitted.baseline[report.split], prepared.targets[report.split], prepared.labels)}
        )
        if report.split in fitted.baseline
        else report
        for report in splits
    )


def marked(splits: tuple[SplitReport, ...], learned: tuple[Split, ...]) -> tuple[SplitReport, ...]:
    """The same reports, each saying whether the model that is shipped has learned its items too."""
    return tuple(report.model_copy(update={"is_learned": report.split in learned}) for report in splits)


def _golden_records(prepared: PreparedTrial) -> list[ItemRecord]:
    """Held-back items, the labels taking turns, so that the samples show different answers."""
    held_back = [*prepared.records[Split.TEST], *prepared.records[Split.VALIDATION]]
    seen: dict[object, int] = {}
    turns = []
    for position, record in enumerate(held_back):
        turn = seen[record.annotations] = seen.get(record.annotations, -1) + 1
        turns.append((turn, position, record))
    return [record for _, _, record in sorted(turns, key=lambda entry: entry[:2])]


def network_manifest(
    prepared: PreparedTrial,
    job: Job,
    *,
    splits: tuple[SplitReport, ...],
    thresholds: Mapping[str, float],
    learned: tuple[Split, ...],
) -> ArtefactManifest:
    """The manifest of a model that learned from these splits."""
    portable = task_part(prepared.task.name, "portable")
    return manifest_of(
        prepared,
        prepared.version,
        job,
        splits=splits,
        thresholds=thresholds,
        output=prepared.output,
        decode=decode_of(prepared),
        files=() if prepared.reader.pipeline is None else (PIPELINE_FILE,),
        pipeline=prepared.reader.pipeline,
        inputs=portable.inputs(),
        outputs=portable.outputs(len(prepared.labels)),
        label_set=prepared.version.manifest.label_set,
        tolerance=TOLERANCE,
        licences=licences_of(prepared),
        learned=learned,
    )


def licences_of(prepared: PreparedTrial) -> tuple[Licence, ...]:
    """Of the parts that came from elsewhere."""
    if prepared.size.asset is None:
        return ()
    return (licence_of(read_card(prepared.size.asset)),)


def licence_of(card: AssetCard) -> Licence:
    """Of pretrained weights."""
    return Licence(
        part=f"pretrained weights: {card.title}", spdx=card.licence, source=f"{card.package} {card.version}: {card.source}"
    )
