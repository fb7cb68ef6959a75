"""The judged models of a study from which the one that is shipped comes, and which of them it is the mean of.

The plain mean of different networks errs less than each of them (Hansen and Salamon 1990, Lakshminarayanan et al. 2017,
https://arxiv.org/abs/1612.01474). How many it takes is decided by answers to items that none of them had learned from: those of
validation, and where few items took turns at being held back from every member, those of training too.
Shapes: N items, L labels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError
from safetensors.numpy import load_file

from automl.contracts.artefact import ANSWERS_FILE, MANIFEST_FILE, MODEL_FILE, ArtefactManifest
from automl.contracts.dataset import Split
from automl.contracts.report import REPORT_FILE, Report
from automl.contracts.task import MetricSpec
from automl.search.evidence import error_of
from engine.answers import Averaging, answer_kind
from engine.artefact.session import session_of
from engine.errors import JobInvalidError
from engine.items import item_kind
from engine.tasks.shared.classification.metrics import Answers, metrics_of
from engine.training.temperature import best_temperature

MOST = 4
"""Members of a mean."""
MAX_BYTES = 500 * 2**20
"""Of the graphs of a mean together: what is shipped has to be loaded, copied and sent."""


@dataclass(frozen=True)
class Member:
    """A judged artefact."""

    folder: Path
    manifest: ArtefactManifest
    report: Report

    @classmethod
    def open(cls, folder: Path) -> Member:
        """Reads an artefact.

        Raises:
            JobInvalidError: there is none.
        """
        try:
            return cls(folder, ArtefactManifest.read(folder / MANIFEST_FILE), Report.read(folder / REPORT_FILE))
        except (OSError, ValidationError) as error:
            raise JobInvalidError(f"The artefact cannot be read: {error}") from error

    @property
    def trial(self) -> str:
        """The trial that left it."""
        return self.manifest.lineage.trial or self.manifest.lineage.job

    @property
    def temperature(self) -> float:
        """By which its logits are divided."""
        return self.report.tempering.temperature if self.report.tempering is not None else 1.0

    @cached_property
    def answers(self) -> Mapping[Split, NDArray[np.float32]]:
        """Scores ``_NL`` of items that were held back, by split; none of artefacts from before they were kept.

        Those of training are there where its items took turns.
        """
        path = self.folder / ANSWERS_FILE
        return {Split(name): found for name, found in load_file(path).items()} if path.exists() else {}

    def joins(self, first: Member) -> bool:
        """Whether one graph can hold both: the same question, asked by the same input, and known answers."""
        is_same = self._question == first._question and self.averaging is not None and Split.VALIDATION in self.answers
        if not is_same:
            return False
        items = item_kind(self.manifest.decode.kind)
        return items.is_alike((self.manifest.decode, self.folder), (first.manifest.decode, first.folder))

    @property
    def averaging(self) -> Averaging | None:
        """How its answers are averaged with others; None where they are not."""
        return answer_kind(self.manifest.output).averaging

    @property
    def _question(self) -> tuple[object, ...]:
        """What is asked, and about which items the answers are there; parts that took turns apart."""
        manifest = self.manifest
        return manifest.output, manifest.label_set, manifest.decode.kind, self.answers.keys() - {Split.TRAIN}


@dataclass(frozen=True)
class Mean:
    """Several members whose scores are averaged, or a single one."""

    members: tuple[Member, ...]
    temperature: float = 1.0
    """By which the logarithm of the mean is divided."""

    @property
    def judged_by(self) -> tuple[Split, ...]:
        """Splits whose items none of the members had learned from when it answered them, those of test apart."""
        took_turns = all(Split.TRAIN in member.answers for member in self.members)
        return (Split.TRAIN, Split.VALIDATION) if took_turns else (Split.VALIDATION,)

    def answers(self) -> dict[Split, NDArray[np.float32]]:
        """What the mean of the judged models says of items that were held back from each of them."""
        first = self.members[0]
        averaging = first.averaging
        if len(self.members) == 1 or averaging is None:
            return dict(first.answers)
        common = [split for split in first.answers if all(split in member.answers for member in self.members)]
        return {split: averaging.tempered(_mean(self.members, (split,)), self.temperature) for split in common}

    def predictions_of(self, splits: Sequence[Split]) -> NDArray[np.float32]:
        """Answers to the items of several splits, one behind the other."""
        answers = self.answers()
        answers_NL: NDArray[np.float32] = np.concatenate([answers[split] for split in splits])
        return answers_NL


def chosen(
    members: Sequence[Member],
    targets: Mapping[Split, NDArray[np.generic]],
    objective: MetricSpec,
    *,
    item: NDArray[np.generic],
    ratio: float,
) -> Mean:
    """The first member, or the mean of it and those behind it with the least log loss on what was held back.

    Args:
        members: the best first.
        targets: of the items of training and validation.
        objective: that a mean must not fall behind in by more than the first one's standard error.
        item: one input of the graphs, to measure how long an answer takes.
        ratio: how many times as long as the slowest one's the answer of the mean may take.
    """
    alone, averaging = Mean((members[0],)), members[0].averaging
    if averaging is None or Split.VALIDATION not in members[0].answers or ratio <= 1.0:
        return alone
    best = alone
    for number in range(2, MOST + 1):
        fitting = _fitting(members, item, ratio)[:number]
        if len(fitting) < number:
            break
        splits = Mean(tuple(fitting)).judged_by
        truth = np.concatenate([targets[split] for split in splits])
        mean = Mean(tuple(fitting), best_temperature(_mean(fitting, splits), truth, averaging))
        metrics = metrics_of(Answers.of(mean.predictions_of(splits), truth))
        former = metrics_of(Answers.of(best.predictions_of(splits), truth))
        first = metrics_of(Answers.of(alone.predictions_of(splits), truth))
        if metrics["log_loss"] < former["log_loss"] and not _contradicts(metrics, first, members[0], splits, objective):
            best = mean
    return best


def _fitting(members: Sequence[Member], item: NDArray[np.generic], ratio: float) -> list[Member]:
    """Those that go into one graph with the first, as long as time and size allow."""
    found: list[Member] = []
    times_ms: list[float] = []
    used_bytes = 0
    for member in members:
        if not member.joins(members[0]):
            continue
        own_ms, own_bytes = _answer_ms(member, item), (member.folder / MODEL_FILE).stat().st_size
        is_slow = sum(times_ms) + own_ms > ratio * max(*times_ms, own_ms) if times_ms else False
        if is_slow or (found and used_bytes + own_bytes > MAX_BYTES):
            continue
        found.append(member)
        times_ms.append(own_ms)
        used_bytes += own_bytes
    return found


def _answer_ms(member: Member, item: NDArray[np.generic]) -> float:
    return session_of(member.folder).latency_ms(item)


def _contradicts(
    metrics: Mapping[str, float],
    alone: Mapping[str, float],
    first: Member,
    splits: Sequence[Split],
    objective: MetricSpec,
) -> bool:
    """Whether the mean is clearly worse than the first member in what the study improves."""
    sign = 1.0 if objective.is_higher_better else -1.0
    judgement = first.report.judgement
    intervals = next(report.intervals for report in first.report.splits if report.split is Split.VALIDATION)
    if len(splits) > 1 and judgement is not None:
        intervals = judgement.intervals
    noise = error_of(intervals[objective.name]) if objective.name in intervals else 0.0
    return sign * (alone[objective.name] - metrics[objective.name]) > noise


def _mean(members: Sequence[Member], splits: Sequence[Split]) -> NDArray[np.float32]:
    answers = [np.concatenate([member.answers[split] for split in splits]) for member in members]
    mean_NL: NDArray[np.float32] = np.mean(answers, axis=0, dtype=np.float32)
    return mean_NL
