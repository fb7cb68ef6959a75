"""The job ``robustness``: asks an artefact about items of a split as they are and altered, and compares item by item."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from pydantic import ValidationError

from automl.contracts.artefact import MANIFEST_FILE, ArtefactManifest
from automl.contracts.job import StopReason
from automl.contracts.robustness import ROBUSTNESS_FILE, AlterationReport, AlteredScore, RobustnessReport
from engine.data.packed import BuildStoppedError
from engine.errors import JobInvalidError
from engine.job import Job, StoppedError
from engine.robustness.alteration import Alter, Step
from engine.robustness.items import alterations_kind, can_be_altered
from engine.robustness.items.kind import Questions
from engine.tasks import task_part, task_spec
from engine.tasks.shared.outcomes import Outcomes
from engine.training.evaluate import JUDGE_FROM
from engine.training.prepare import version_of

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
    if not can_be_altered(manifest.decode.kind, manifest.files, manifest.pipeline):
        raise JobInvalidError(f"There are no alterations for this model, which reads items of the kind {manifest.decode.kind}.")
    version = version_of(job, manifest.task)
    try:
        questions = alterations_kind(manifest.decode.kind).questions(job, folder, manifest, version)
    except BuildStoppedError:
        raise StoppedError(job.control.stop_reason() or StopReason.CANCELLED) from None
    return Trial(job, questions, manifest)


@dataclass
class Trial:
    """One artefact and the items that it is asked about."""

    job: Job
    questions: Questions
    manifest: ArtefactManifest
    num_rounds: int = 1
    """How often all items are asked about, of which ``num_done`` are over."""
    num_done: int = 0

    def report(self) -> RobustnessReport:
        """Asks about all alterations that leave the truth true.

        Raises:
            StoppedError: the job was asked to stop.
            DataInvalidError: items carry labels that the artefact does not know.
        """
        moves_truth = not _WHOLE.issuperset(task_spec(self.manifest.task).annotation.kinds)
        alterations = [each for each in self.questions.alterations if not (moves_truth and each.moves_parts)]
        self.num_rounds = 1 + self.questions.num_draws * sum(len(each.steps) for each in alterations)
        plain = self._outcomes(None, 0)
        reports = [
            AlterationReport(name=each.name, title=each.title, steps=tuple(self._score(step, plain) for step in each.steps))
            for each in alterations
        ]
        example = self.questions.example(None)
        return RobustnessReport(
            split=self.job.spec.split,
            measure=plain.measure,
            is_higher_better=plain.is_higher_better,
            num_items=len(self.questions.records),
            num_in_split=self.questions.num_in_split,
            value=float(plain.values_N.mean()),
            interval=plain.interval(plain.values_N),
            example=example.picture,
            example_text=example.text,
            alterations=tuple(sorted(reports, key=lambda each: -each.steps[-1].worse_by)),
        )

    def _score(self, step: Step, plain: Outcomes) -> AlteredScore:
        """The mean over the draws, item by item; the same seeds in each report."""
        draws = [self._outcomes(step.alter, seed) for seed in range(self.questions.num_draws)]
        found = replace(draws[0], values_N=np.mean([each.values_N for each in draws], axis=0))
        lost = plain.lost(found)
        example = self.questions.example(step.alter)
        return AlteredScore(
            strength=step.strength,
            measured=float(found.values_N.mean()),
            interval=found.interval(found.values_N),
            worse_by=lost.difference,
            worse_by_interval=lost.interval,
            is_worse=lost.interval[0] > 0.0,
            example=example.picture,
            example_text=example.text,
        )

    def _outcomes(self, alter: Alter | None, seed: int) -> Outcomes:
        """How well each item is answered; the same alteration spoils the same item in the same way each time."""
        asked, manifest = self.questions, self.manifest
        width = (1.0 - JUDGE_FROM) / self.num_rounds
        start = JUDGE_FROM + self.num_done * width
        given = asked.answers(alter, np.random.default_rng(seed), (start, start + width))
        self.num_done += 1
        metrics, labels, thresholds = task_part(manifest.task, "metrics"), manifest.label_set.names, manifest.thresholds
        report = metrics.split_report(
            self.job.spec.split, asked.records, given, asked.targets, labels=labels, thresholds=thresholds
        )
        outcomes: Outcomes = metrics.outcomes(report, given, asked.targets, labels=labels, thresholds=thresholds)
        return outcomes
