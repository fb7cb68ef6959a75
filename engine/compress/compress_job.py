"""The job ``compress``: tries every way to make a model smaller, and measures what each costs and gains.

Of a model of several graphs each is made smaller.

Ranges, sensitivities and training come from items that the model learned from. What is lost is measured on items that neither
the model nor the methods have learned from, with the graph that would be shipped.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from automl.contracts.artefact import ArtefactManifest
from automl.contracts.compression import (
    COMPRESSION_FILE,
    Candidate,
    Certificate,
    CompressionReport,
    Point,
    SkippedMethod,
)
from automl.contracts.coverage import CoverageReport
from automl.contracts.dataset import Split
from automl.contracts.job import CompressOrder, StopReason
from automl.contracts.report import Report
from engine.artefact.session import graphs_bytes
from engine.compress.candidate import finish, graphs_write
from engine.compress.measure import HeldBackSplit, Latency, SplitResult, evaluate_split, latencies
from engine.compress.method import Method
from engine.compress.methods import methods_for
from engine.compress.smaller_graph import NoCandidateError, SmallerGraph
from engine.compress.source import Source
from engine.coverage import coverage_of
from engine.data.packed import BuildStoppedError
from engine.errors import EngineError, JobInvalidError
from engine.job import Job, StoppedError
from engine.tasks import task_spec
from engine.training.lineage import lineage_of
from engine.training.prepare import version_of
from engine.training.ways import way_of

_ORIGINAL_AT, _METHODS_AT, _PACE_AT = 0.12, 0.25, 0.9


class NothingHeldBackError(EngineError):
    """No items are left on which the loss could be measured."""

    code = "nothing_held_back"
    hint = "Train a model that has not learned from the test items, and make that one smaller."


@dataclass
class _Trial:
    """A candidate that is being made."""

    method: str
    folder: Path
    manifest: ArtefactManifest
    made: Mapping[str, SmallerGraph]
    results: list[SplitResult] = field(default_factory=list)
    """By split, in the order of the splits held back."""

    @property
    def model_bytes(self) -> int:
        """Of the graphs."""
        return graphs_bytes(self.folder)


def run(job: Job) -> Mapping[str, float]:
    """Leaves ``compression.json`` and an artefact for each candidate; returns how many there are.

    Raises:
        StoppedError: the job was asked to stop.
        JobInvalidError: there is no such artefact, or no method suits it.
        NothingHeldBackError: the model has learned from all items.
        EngineError: items cannot be read.
    """
    order = job.spec.compress
    if job.spec.artefact is None or order is None:
        raise JobInvalidError("The job says compress but not which artefact.")
    job.progress("load", 0.0)
    shutil.rmtree(job.artefact_dir, ignore_errors=True)
    job.artefact_dir.mkdir(parents=True)
    with TemporaryDirectory(dir=job.workdir, prefix="compress-") as work:
        source = Source(job, job.workdir / job.spec.artefact, Path(work))
        methods = [method for method in methods_for(task_spec(source.manifest.task)) if order.trains or not method.is_trained]
        if not methods:
            raise JobInvalidError("Nothing is known that makes models of this task smaller.")
        try:
            splits = _held_back(source, methods, job)
            report = _compared(source, order, methods, splits, job)
        except BuildStoppedError:
            raise StoppedError(job.control.stop_reason() or StopReason.CANCELLED) from None
    report.write(job.artefact_dir / COMPRESSION_FILE)
    job.progress("compress", 1.0)
    return {"num_candidates": float(len(report.candidates))}


def _held_back(source: Source, methods: Sequence[Method], job: Job) -> list[HeldBackSplit]:
    """The splits that can judge, the one that graphs are compared by first; the source gets its items of training."""
    if any(method.is_trained for method in methods):
        with suppress(NoCandidateError):  # which each of them reports
            source.trainable  # noqa: B018 (it is loaded now, as long as little is done)
    version = version_of(job, source.manifest.task)
    free = [
        split for split in (Split.TEST, Split.VALIDATION) if split not in source.manifest.learned and version.records(split)
    ]
    if not free:
        raise NothingHeldBackError("The model has learned from all items, so that nothing shows what a smaller one loses.")
    asked = way_of(source.manifest.task).asked(job, version, source.reader)
    source.calibration = source.calibration_of(version, version.records(Split.TRAIN))
    return [HeldBackSplit(split, version.records(split), asked, version, source.reader.target_values) for split in free]


def _compared(
    source: Source, order: CompressOrder, methods: Sequence[Method], splits: Sequence[HeldBackSplit], job: Job
) -> CompressionReport:
    original = evaluate_split(source.folder, source.manifest, splits[0], job, span=(_ORIGINAL_AT, _METHODS_AT))
    tried, left_out = [], []
    step = (_PACE_AT - _METHODS_AT) / len(methods)
    for number, method in enumerate(methods):
        at = _METHODS_AT + step * number
        job.control.raise_if_stopped()
        job.progress("compress", at)
        folder = job.artefact_dir / method.name
        try:
            source.span = at, at + step / 2
            made = _made(source, method)
            one = _Trial(method.name, folder, graphs_write(source, made, folder), made)
        except NoCandidateError as none:
            shutil.rmtree(folder, ignore_errors=True)
            left_out.append(SkippedMethod(method=method.name, reason=none.reason))
            continue
        one.results = [evaluate_split(folder, one.manifest, each, job, span=(at + step / 2, at + step)) for each in splits]
        tried.append(one)
    job.progress("compress", _PACE_AT)
    feeds = [each.feeds for each in source.calibration]
    first, *others = latencies([source.folder, *(one.folder for one in tried)], feeds, job)
    common = {
        "parent": order.parent,
        "split": splits[0].split,
        "num_items": len(splits[0].records),
        "num_calibration": len(source.calibration),
        "measure": original.outcomes.measure,
        "is_higher_better": original.outcomes.is_higher_better,
        "original": _point(original, first, graphs_bytes(source.folder)),
        "budget": order.budget,
    }
    candidates = tuple(_candidate(original, one, latency) for one, latency in zip(tried, others, strict=True))
    for one, candidate in zip(tried, candidates, strict=True):
        _published(one, Certificate.model_validate({**common, "candidate": candidate}), job)
    return CompressionReport.model_validate({**common, "candidates": candidates, "left_out": left_out})


def _made(source: Source, method: Method) -> dict[str, SmallerGraph]:
    """What a method makes of each graph, by its file; those of which it makes nothing stay as they are.

    Raises:
        NoCandidateError: there is no graph of which it makes anything.
        StoppedError: the job was asked to stop.
    """
    made: dict[str, SmallerGraph] = {}
    reasons = []
    for graph in source.graphs:
        try:
            made[graph.file] = import_module(f"engine.compress.methods.{method.name}.work").make(graph)
        except NoCandidateError as none:
            reasons.append(none.reason)
    if not made:
        raise NoCandidateError(reasons[0])
    return made


def _point(result: SplitResult, latency: Latency, model_bytes: int) -> Point:
    return Point(
        value=float(result.outcomes.values_N.mean()),
        latency_ms=latency.ms,
        latency_interval=latency.ms_interval,
        model_bytes=model_bytes,
    )


def _candidate(original: SplitResult, one: _Trial, latency: Latency) -> Candidate:
    lost = original.outcomes.lost(one.results[0].outcomes)
    return Candidate(
        method=one.method,
        point=_point(one.results[0], latency, one.model_bytes),
        loss=lost.difference,
        loss_interval=lost.interval,
        speedup=latency.speedup,
        speedup_interval=latency.speedup_interval,
        num_changed=sum(each.num_changed for each in one.made.values()),
        num_kept=sum(each.num_kept for each in one.made.values()),
        tolerance=one.manifest.tolerance,
    )


def _published(one: _Trial, certificate: Certificate, job: Job) -> None:
    """Writes report, manifest and certificate of the new artefact."""
    splits = [each.report for each in one.results]
    own = lineage_of(job, one.manifest.lineage.dataset_version)
    lineage = one.manifest.lineage.model_copy(
        update={"parent": certificate.parent, "method": one.method, "job": own.job, "code": own.code}
    )
    manifest = one.manifest.model_copy(
        update={
            "metrics": {each.split: each.metrics for each in splits},
            "intervals": {each.split: each.intervals for each in splits},
            "num_judged": {each.split: each.num_items for each in splits},
            "lineage": lineage,
            "created_at": datetime.now(UTC),
        }
    )
    report = Report(
        labels=manifest.label_set.names,
        splits=tuple(splits),
        curves=(),
        train_seconds=0.0,
        latency_ms=certificate.candidate.point.latency_ms,
        model_bytes=certificate.candidate.point.model_bytes,
        coverage=_coverage(one),
    )
    finish(one.folder, manifest, report, certificate)


def _coverage(one: _Trial) -> CoverageReport | None:
    """By limits that its own answers to validation set; None where the model has learned that."""
    answered = {each.answered.split: each.answered for each in one.results if each.answered is not None}
    if Split.VALIDATION not in answered:
        return None
    manifest = one.manifest
    return coverage_of(
        manifest.output,
        answered[Split.VALIDATION],
        answered.get(Split.TEST),
        labels=manifest.label_set.names,
        thresholds=manifest.thresholds,
    )
