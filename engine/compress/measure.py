"""What a smaller graph costs and gains beside the one that it was made of: the same items, the same minutes of the same host.

Shapes: N items, R rounds.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from automl.contracts.artefact import ArtefactManifest
from automl.contracts.dataset import ItemRecord, Split
from automl.contracts.report import SplitReport
from automl.search.evidence import Z95
from engine.answers import answer_kind
from engine.artefact.session import GraphSession, session_of
from engine.compress.source import Feeds
from engine.coverage import AnsweredItems
from engine.data.version import DatasetVersion
from engine.job import Job
from engine.tasks import task_part, task_spec
from engine.tasks.shared.outcomes import Outcomes
from engine.training.evaluate import answers
from engine.training.slicing import JudgedSplit, sliced
from engine.training.way import JudgedItems

_ROUNDS = 60
_ROUNDS_S = 20.0
"""In all: of slow models there are fewer rounds, but at least ``_LEAST_ROUNDS``."""
_LEAST_ROUNDS = 15
_WARM_S = 0.02


@dataclass(frozen=True)
class SplitResult:
    """How a graph answered a split."""

    report: SplitReport
    outcomes: Outcomes
    answered: AnsweredItems | None
    """None of answers as large as a picture, which are not kept."""


@dataclass(frozen=True)
class HeldBackSplit:
    """The items of a split that models are judged by."""

    split: Split
    records: Sequence[ItemRecord]
    asked: JudgedItems
    version: DatasetVersion
    target_values: Mapping[str, int]
    """See ``ItemReader``."""


def evaluate_split(
    folder: Path, manifest: ArtefactManifest, held_back: HeldBackSplit, job: Job, *, span: tuple[float, float]
) -> SplitResult:
    """Asks a graph about a split, as reports do.

    Args:
        folder: of the graph and what else answering takes.
        manifest: of the artefact that it becomes.
        held_back: the items.
        job: whose events and control to use.
        span: share of the whole job that this is, from and to.

    Raises:
        StoppedError: the job was asked to stop.
    """
    session = session_of(folder, num_threads=job.spec.limits.num_threads)
    found = answers(session, held_back.asked.items, held_back.records, kind=answer_kind(manifest.output), job=job, span=span)
    labels, thresholds, task = manifest.label_set.names, manifest.thresholds, task_spec(manifest.task)
    version, records = held_back.version, held_back.records
    targets = task_part(task.name, "data").targets(records, labels, version.manifest.task_options, **held_back.target_values)
    metrics = task_part(task.name, "metrics")
    plain: SplitReport = metrics.split_report(held_back.split, records, found, targets, labels=labels, thresholds=thresholds)
    outcomes: Outcomes = metrics.outcomes(plain, found, targets, labels=labels, thresholds=thresholds)
    answered = None if answer_kind(manifest.output).is_large else AnsweredItems(held_back.split, found, targets)
    if held_back.asked.packed is None:
        return SplitResult(plain, outcomes, answered)
    material = JudgedSplit(records, found, targets, held_back.asked.packed, version.data_dir)
    return SplitResult(sliced(plain, material, task=task, labels=labels, thresholds=thresholds), outcomes, answered)


@dataclass(frozen=True)
class Latency:
    """How fast a graph answers: medians with 95% intervals."""

    ms: float
    ms_interval: tuple[float, float]
    speedup: float
    """Over the first graph."""
    speedup_interval: tuple[float, float]


def latencies(folders: Sequence[Path], feeds: Sequence[Feeds], job: Job) -> list[Latency]:
    """Asks graphs in turn about one item at a time, in processor time of one thread.

    Each answers for a moment before it is timed: a server has one model, whose weights the caches hold, and the graph before
    has left its own there.

    Args:
        folders: with a graph each; the first is what the others are compared with.
        feeds: items, at least one.
        job: whose control to ask.

    Raises:
        StoppedError: the job was asked to stop.
    """
    sessions = [session_of(folder) for folder in folders]
    rounds: list[list[float]] = []
    started_s = time.monotonic()
    while len(rounds) < _LEAST_ROUNDS or (len(rounds) < _ROUNDS and time.monotonic() - started_s < _ROUNDS_S):
        job.control.raise_if_stopped()
        feed = feeds[len(rounds) % len(feeds)]
        order = range(len(sessions)) if len(rounds) % 2 else reversed(range(len(sessions)))
        times = dict.fromkeys(range(len(sessions)), 0.0)
        for number in order:
            times[number] = _timed_ms(sessions[number], feed)
        rounds.append(list(times.values()))
    times_RG = np.array(rounds)
    return [Latency(*_median(times_R), *_median(times_RG[:, 0] / times_R)) for times_R in times_RG.T]


def _timed_ms(session: GraphSession, feeds: Feeds) -> float:
    warm_at_s = time.thread_time() + _WARM_S
    while time.thread_time() < warm_at_s:
        session.answers(feeds)
    started_s = time.thread_time()
    session.answers(feeds)
    return max(1e-6, 1000.0 * (time.thread_time() - started_s))


def _median(values_R: NDArray[np.float64]) -> tuple[float, tuple[float, float]]:
    """With its interval from the values' order, whatever their distribution (Conover 1999, section 3.2)."""
    ordered_R, num = np.sort(values_R), len(values_R)
    reach = Z95 * math.sqrt(num) / 2.0
    low, high = max(0, math.floor(num / 2.0 - reach)), min(num - 1, math.ceil(num / 2.0 + reach))
    return float(np.median(ordered_R)), (float(ordered_R[low]), float(ordered_R[high]))
