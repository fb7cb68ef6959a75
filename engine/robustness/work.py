"""The job ``robustness``: asks an artefact about items of a split as they are and altered, and compares item by item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from automl.contracts.artefact import MANIFEST_FILE, MODEL_FILE, ArtefactManifest
from automl.contracts.dataset import ItemRecord
from automl.contracts.job import StopReason
from automl.contracts.robustness import ROBUSTNESS_FILE, AlterationReport, AlteredScore, RobustnessReport
from engine.answers import answer_kind
from engine.artefact.session import Session
from engine.data.items import PackedItems
from engine.data.packed import BuildStoppedError
from engine.errors import DataInvalidError, JobInvalidError
from engine.items import item_kind
from engine.job import Job, StoppedError
from engine.robustness.alteration import Alter, Step
from engine.robustness.items import alterations_kind, can_be_altered
from engine.tasks import task_part, task_spec
from engine.tasks.shared.outcomes import Outcomes
from engine.training.evaluate import JUDGE_FROM, answers
from engine.training.prepare import packed, version_of

MOST_ITEMS = 200
"""Each is asked about some twenty times."""
_WHOLE = frozenset({"class", "value"})
"""Kinds of annotations that stay true wherever things stand in the item."""


def run(job: Job) -> Mapping[str, float]:
    """Writes ``artefact/robustness.json`` and returns the measure of the items as they are.

    Raises:
        StoppedError: the job was asked to stop.
        JobInvalidError: there is no such artefact, or its items cannot be altered.
        VersionDamagedError: the version is broken.
        DataInvalidError: the split is empty or carries labels that the artefact does not know.
    """
    job.progress("load", 0.0)
    report = _trial_of(job).report()
    job.artefact_dir.mkdir(exist_ok=True)
    report.write(job.artefact_dir / ROBUSTNESS_FILE)
    job.progress("evaluate", 1.0)
    return {report.measure: report.value}


def _trial_of(job: Job) -> Trial:
    if job.spec.artefact is None:
        raise JobInvalidError("The job says robustness but not which artefact.")
    folder = job.workdir / job.spec.artefact
    try:
        manifest = ArtefactManifest.read(folder / MANIFEST_FILE)
    except (OSError, ValidationError) as error:
        raise JobInvalidError(f"The artefact cannot be read: {error}") from error
    if not can_be_altered(manifest.decode.kind) or manifest.files:
        raise JobInvalidError(f"There are no alterations for this model, which reads items of the kind {manifest.decode.kind}.")
    version = version_of(job, manifest.task)
    records = version.records(job.spec.split)
    if not records:
        raise DataInvalidError(f"The version has no items in the split {job.spec.split}.")
    try:
        items = packed(job, version, item_kind(manifest.decode.kind).opened(manifest.decode, folder))
    except BuildStoppedError:
        raise StoppedError(job.control.stop_reason() or StopReason.CANCELLED) from None
    places = np.linspace(0, len(records) - 1, min(MOST_ITEMS, len(records))).astype(np.int64)
    return Trial(
        job=job,
        session=Session(folder / MODEL_FILE, num_threads=job.spec.limits.num_threads),
        items=items,
        records=[records[place] for place in places],
        num_in_split=len(records),
        manifest=manifest,
        options=version.manifest.task_options,
    )


@dataclass
class Trial:
    """One artefact and the items that it is asked about."""

    job: Job
    session: Session
    items: PackedItems
    records: Sequence[ItemRecord]
    num_in_split: int
    manifest: ArtefactManifest
    options: Mapping[str, str]
    """Of the project's task."""
    num_rounds: int = 1
    """How often all items are asked about, of which ``num_done`` are over."""
    num_done: int = 0

    def report(self) -> RobustnessReport:
        """Asks about all alterations that leave the truth true.

        Raises:
            StoppedError: the job was asked to stop.
            DataInvalidError: items carry labels that the artefact does not know.
        """
        kind = alterations_kind(self.manifest.decode.kind)
        moves_truth = not _WHOLE.issuperset(task_spec(self.manifest.task).annotation.kinds)
        alterations = [each for each in kind.alterations() if not (moves_truth and each.moves_parts)]
        self.num_rounds = 1 + sum(len(each.steps) for each in alterations)
        plain = self._outcomes(None)
        first = self.items.graph_input(self.items.indices(self.records[:1]))[0]
        reports = [
            AlterationReport(
                name=each.name,
                title=each.title,
                steps=tuple(
                    self._score(step, plain, kind.example(step.alter(first, np.random.default_rng(0)))) for step in each.steps
                ),
            )
            for each in alterations
        ]
        return RobustnessReport(
            split=self.job.spec.split,
            measure=plain.measure,
            is_higher_better=plain.is_higher_better,
            num_items=len(self.records),
            num_in_split=self.num_in_split,
            value=float(plain.values_N.mean()),
            interval=plain.interval(plain.values_N),
            example=kind.example(first),
            alterations=tuple(sorted(reports, key=lambda each: -each.steps[-1].worse_by)),
        )

    def _score(self, step: Step, plain: Outcomes, example: str | None) -> AlteredScore:
        found = self._outcomes(step.alter)
        lost = plain.lost(found)
        return AlteredScore(
            strength=step.strength,
            measured=float(found.values_N.mean()),
            interval=found.interval(found.values_N),
            worse_by=lost.difference,
            worse_by_interval=lost.interval,
            is_worse=lost.interval[0] > 0.0,
            example=example,
        )

    def _outcomes(self, alter: Alter | None) -> Outcomes:
        """How well each item is answered; the same alteration spoils the same item in the same way each time."""
        width = (1.0 - JUDGE_FROM) / self.num_rounds
        start = JUDGE_FROM + self.num_done * width
        given = answers(
            self.session,
            self.items,
            self.records,
            kind=answer_kind(self.manifest.output),
            job=self.job,
            span=(start, start + width),
            altered=None if alter is None else partial(_each, alter, np.random.default_rng(0)),
        )
        self.num_done += 1
        metrics, labels = task_part(self.manifest.task, "metrics"), self.manifest.label_set.names
        targets = task_part(self.manifest.task, "data").targets(self.records, labels, self.options)
        thresholds = self.manifest.thresholds
        report = metrics.split_report(self.job.spec.split, self.records, given, targets, labels=labels, thresholds=thresholds)
        outcomes: Outcomes = metrics.outcomes(report, given, targets, labels=labels, thresholds=thresholds)
        return outcomes


def _each(alter: Alter, generator: np.random.Generator, batch: NDArray[Any]) -> NDArray[Any]:
    return np.stack([alter(item, generator) for item in batch])
