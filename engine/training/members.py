"""The judged models of a study from which the one that is shipped comes, and which of them it is the mean of.

The plain mean of different networks errs less than each of them (Hansen and Salamon 1990, Lakshminarayanan et al. 2017,
https://arxiv.org/abs/1612.01474). How many it takes is decided by answers to items that none of them had learned from.
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

from automl.contracts.artefact import (
    ANSWERS_FILE,
    MANIFEST_FILE,
    MODEL_FILE,
    TOKENIZER_FILE,
    ArtefactManifest,
    ImageDecode,
    TextDecode,
)
from automl.contracts.dataset import Split
from automl.contracts.report import REPORT_FILE, Report
from automl.contracts.task import MetricSpec, OutputKind
from automl.search.evidence import error_of
from engine.artefact.session import Session
from engine.errors import JobInvalidError
from engine.tasks.classification.metrics import Answers, metrics_of
from engine.training.temperature import best_temperature, tempered

MOST = 4
"""Members of a mean."""
MAX_BYTES = 500 * 2**20
"""Of the graphs of a mean together: what is shipped has to be loaded, copied and sent."""
_MEANT = frozenset({OutputKind.CLASS_SCORES, OutputKind.LABEL_SCORES})


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
        """That left it."""
        return self.manifest.lineage.trial or self.manifest.lineage.job

    @property
    def temperature(self) -> float:
        """By which its logits are divided."""
        return self.report.tempering.temperature if self.report.tempering is not None else 1.0

    @cached_property
    def answers(self) -> Mapping[Split, NDArray[np.float32]]:
        """Scores ``_NL`` of items that were held back, by split; none of artefacts from before they were kept."""
        path = self.folder / ANSWERS_FILE
        return {Split(name): found for name, found in load_file(path).items()} if path.exists() else {}

    def joins(self, first: Member) -> bool:
        """Whether one graph can hold both: the same question, asked by the same input, and known answers."""
        same = (self.manifest.output, self.manifest.label_set, self.answers.keys()) == (
            first.manifest.output,
            first.manifest.label_set,
            first.answers.keys(),
        )
        return same and self.manifest.output in _MEANT and Split.VALIDATION in self.answers and self._reads_like(first)

    def _reads_like(self, first: Member) -> bool:
        if isinstance(self.manifest.decode, TextDecode) and self.manifest.decode == first.manifest.decode:
            return (self.folder / TOKENIZER_FILE).read_bytes() == (first.folder / TOKENIZER_FILE).read_bytes()
        return isinstance(self.manifest.decode, ImageDecode) and isinstance(first.manifest.decode, ImageDecode)


@dataclass(frozen=True)
class Mean:
    """Several members whose scores are averaged, or a single one."""

    members: tuple[Member, ...]
    temperature: float = 1.0
    """By which the logarithm of the mean is divided."""

    def answers(self) -> dict[Split, NDArray[np.float32]]:
        """What the mean of the judged models says of items that were held back."""
        first = self.members[0]
        if len(self.members) == 1:
            return dict(first.answers)
        is_several = first.manifest.output is OutputKind.LABEL_SCORES
        means = {split: _mean(self.members, split) for split in first.answers}
        return {split: tempered(found_NL, self.temperature, is_several) for split, found_NL in means.items()}


def chosen(
    members: Sequence[Member], targets: NDArray[np.generic], objective: MetricSpec, *, item: NDArray[np.generic], ratio: float
) -> Mean:
    """The first member, or the mean of it and those behind it with the least log loss on validation.

    Args:
        members: the best first.
        targets: of the items of validation.
        objective: that a mean must not fall behind in by more than the first one's standard error.
        item: one input of the graphs, to measure how long an answer takes.
        ratio: how many times as long as the first one's the answer of the mean may take.
    """
    alone = Mean((members[0],))
    if Split.VALIDATION not in members[0].answers or ratio <= 1.0:
        return alone
    best, best_loss = alone, _measured(alone, targets)["log_loss"]
    for number in range(2, MOST + 1):
        fitting = _fitting(members, item, ratio)[:number]
        if len(fitting) < number:
            break
        plain = Mean(tuple(fitting))
        divisor = best_temperature(_mean(fitting, Split.VALIDATION), targets)
        mean = Mean(plain.members, divisor)
        metrics = _measured(mean, targets)
        if metrics["log_loss"] < best_loss and not _contradicts(metrics, members[0], targets, objective):
            best, best_loss = mean, metrics["log_loss"]
    return best


def _fitting(members: Sequence[Member], item: NDArray[np.generic], ratio: float) -> list[Member]:
    """Those that go into one graph with the first, as long as time and size allow."""
    first = members[0]
    allowed_ms = ratio * _answer_ms(first, item)
    taken_ms, taken_bytes = 0.0, 0
    found: list[Member] = []
    for member in members:
        if not member.joins(first):
            continue
        taken_ms += _answer_ms(member, item)
        taken_bytes += (member.folder / MODEL_FILE).stat().st_size
        if found and (taken_ms > allowed_ms or taken_bytes > MAX_BYTES):
            break
        found.append(member)
    return found


def _answer_ms(member: Member, item: NDArray[np.generic]) -> float:
    return Session(member.folder / MODEL_FILE).latency_ms(item)


def _contradicts(metrics: Mapping[str, float], first: Member, targets: NDArray[np.generic], objective: MetricSpec) -> bool:
    """Whether the mean is clearly worse in what the study improves."""
    sign = 1.0 if objective.is_higher_better else -1.0
    alone = _measured(Mean((first,)), targets)[objective.name]
    report = next(report for report in first.report.splits if report.split is Split.VALIDATION)
    noise = error_of(report.intervals[objective.name]) if objective.name in report.intervals else 0.0
    return sign * (alone - metrics[objective.name]) > noise


def _mean(members: Sequence[Member], split: Split) -> NDArray[np.float32]:
    mean_NL: NDArray[np.float32] = np.mean([member.answers[split] for member in members], axis=0, dtype=np.float32)
    return mean_NL


def _measured(mean: Mean, targets: NDArray[np.generic]) -> dict[str, float]:
    return metrics_of(Answers.of(mean.answers()[Split.VALIDATION], targets))
