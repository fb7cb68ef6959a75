"""The job ``preflight``: finds out in a minute whether a training will run, how long it takes and how much memory.

The data is checked as a whole and its most unusual items are opened. Then each trial is gone through with the hardest items,
which shows whether it runs; and, while time is left, with a fair sample, which shows how long it takes. A step that takes
longer than what is left cannot be interrupted: a thread then ends the process with what is known.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from automl.contracts.dataset import Split
from automl.contracts.family import IntParam
from automl.contracts.job import PreflightOrder, TrainConfig
from automl.contracts.preflight import PREFLIGHT_FILE, PreflightReport, PreflightStage, TrialCheck
from automl.contracts.task import Severity
from automl.planning.facts import VersionFacts, facts_of
from engine.errors import EngineError, JobInvalidError
from engine.job import Job
from engine.preflight.estimate import Scale, estimated, facts_of_part
from engine.preflight.faults import Faults, faults_of
from engine.preflight.part import Part, VersionItems, hardest, sample
from engine.preflight.rehearsal import Rehearsal, StageClock, failed_stage, rehearse
from engine.training.config import TrainingRequest, training_request
from engine.training.prepare import version_of
from engine.training.way import Way
from engine.training.ways import way_of

_CHECK_SHARE = 0.2
"""Of the time, for looking at items."""
_TIMED_S = 8.0
"""What learning from the sample is meant to take, where a trial takes longer."""
_LEAST_S = 1.0
_GRACE_S = 4.0
"""For a step to end after the time is over."""
_EPOCHS = "epochs"
_MOST_TIMES = 8.0
"""The sample is at most so much more than the hardest items at first: they ran cold."""


@dataclass
class _Trial:
    """One trial, and what is known of it so far."""

    request: TrainingRequest
    clock: StageClock = field(default_factory=StageClock)
    hard: Rehearsal | None = None
    timed: Rehearsal | None = None
    timed_part: Part | None = None
    timed_train: TrainConfig | None = None
    refused: EngineError | None = None
    """Before anything was tried."""


@dataclass
class _Work:
    """All that the report is made of; the thread that watches the time reads it at any moment."""

    job: Job
    order: PreflightOrder
    way: Way
    began_s: float = field(default_factory=time.monotonic)
    trials: list[_Trial] = field(default_factory=list)
    items: VersionItems | None = None
    whole: VersionFacts | None = None
    faults: Faults = field(default_factory=Faults)
    lock: threading.Lock = field(default_factory=threading.Lock)
    is_written: bool = False

    @property
    def left_s(self) -> float:
        """Until the time is over."""
        return self.order.time_s - (time.monotonic() - self.began_s)


def run(job: Job) -> Mapping[str, float]:
    """Writes ``artefact/preflight.json``; returns the numbers of trials that would fail and of blocking problems.

    Raises:
        StoppedError: the job was asked to stop.
        JobInvalidError: the order names no trials, or what is not there.
        VersionDamagedError: the version cannot be read.
    """
    order = job.spec.preflight
    if order is None:
        raise JobInvalidError("The job says preflight but not of what.")
    work = _Work(job, order, way_of(job.spec.task))
    work.trials = [_Trial(training_request(job, train)) for train in order.trials]
    watch = threading.Timer(order.time_s + _GRACE_S, _end, [work])
    watch.daemon = True
    watch.start()
    try:
        _check(work)
        for trial in work.trials:
            _try(work, trial)
        for trial in work.trials:
            _time(work, trial)
    finally:
        watch.cancel()
    return _write(work)


def _check(work: _Work) -> None:
    """Looks at the data: by the task's checker as a whole, and item by item as far as time goes."""
    job = work.job
    job.progress("check", 0.02)
    version = version_of(job, job.spec.task)
    work.whole = facts_of(version.manifest)
    work.items = VersionItems.read(version)
    problems = work.way.problems(version)
    work.faults = faults_of(work.items, problems, job, time_s=_CHECK_SHARE * work.order.time_s)
    job.control.raise_if_stopped()


def _try(work: _Work, trial: _Trial) -> None:
    """Goes through a trial with the hardest items."""
    blocking = [problem for problem in work.faults.problems if problem.severity is Severity.BLOCKING and problem.item is None]
    if blocking or work.left_s < _LEAST_S or work.items is None:
        return
    whole, params = work.whole, trial.request.params
    assert whole is not None
    num_train = work.way.needed_items(params)
    sizes = {Split.TRAIN: num_train, Split.VALIDATION: max(8, num_train // 4), Split.TEST: max(8, num_train // 4)}
    part = hardest(work.items, sizes, without=work.faults.bad_items, seed=work.job.spec.seed)
    if not part.num(Split.TRAIN) or not part.num(Split.VALIDATION):
        return
    train = _shortened(trial.request)
    share = work.left_s / max(1, sum(each.hard is None for each in work.trials))
    trial.hard = _rehearsed(work, trial, train, part, time_s=share)
    trial.timed_part, trial.timed_train = part, train


def _time(work: _Work, trial: _Trial) -> None:
    """Goes through a trial with a sample, as large as the time allows."""
    hard, items, whole = trial.hard, work.items, work.whole
    if hard is None or hard.error is not None or items is None or whole is None or trial.timed_part is None:
        return
    took_s = sum(hard.seconds(stage) for stage in PreflightStage)
    rest = sum(each.timed is None and each.hard is not None and each.hard.error is None for each in work.trials)
    left_s = work.left_s / max(1, rest)
    if left_s < 1.2 * took_s or trial.timed_part.num() >= whole.num_items > 0:
        trial.timed = hard
        return
    train = _shortened(trial.request)
    fit_s = max(0.05, hard.seconds(PreflightStage.STEP) + hard.seconds(PreflightStage.DATA))
    times = min(_MOST_TIMES, max(1.0, min(_TIMED_S, left_s - took_s) / fit_s))
    num_train = min(whole.num_train, _whole_batches(trial.timed_part.num(Split.TRAIN) * times, work, trial))
    share = num_train / max(1, whole.num_train)
    sizes = {
        Split.TRAIN: num_train,
        Split.VALIDATION: min(whole.num_validation, max(8, round(share * whole.num_validation))),
        Split.TEST: min(whole.num_test, max(8, round(share * whole.num_test))),
    }
    part = sample(items, sizes, without=work.faults.bad_items, seed=work.job.spec.seed)
    timed = _rehearsed(work, trial, train, part, time_s=left_s, clock=StageClock())
    if timed.error is None and not timed.is_cut:
        trial.timed, trial.timed_part = timed, part
    else:  # a sample that is too large for the time says less than the few items that were not
        trial.timed = hard


def _whole_batches(num_items: float, work: _Work, trial: _Trial) -> int:
    batch = work.way.needed_items(trial.request.params)
    return max(1, round(num_items / batch)) * batch


def _rehearsed(
    work: _Work, trial: _Trial, train: TrainConfig, part: Part, *, time_s: float, clock: StageClock | None = None
) -> Rehearsal:
    number = work.trials.index(trial)
    folder = work.job.workdir / "rehearsals" / f"{number}-{'sample' if clock else 'hardest'}"
    if clock is None:
        clock = trial.clock = StageClock()
    return rehearse(work.job, train, part, folder=folder, time_s=max(_LEAST_S, time_s), clock=clock)


def _shortened(request: TrainingRequest) -> TrainConfig:
    """The trial with one epoch: what an epoch takes does not depend on how many there are."""
    epochs = next((param for param in request.family.params if param.name == _EPOCHS), None)
    if not isinstance(epochs, IntParam):
        return request.train
    params = {**request.train.params, _EPOCHS: max(1, epochs.low)}
    return request.train.model_copy(update={"params": params})


def _end(work: _Work) -> None:
    """Ends the process with what is known: something takes longer than there is time."""
    metrics = _write(work)
    work.job.events.finished(stopped=None, metrics=metrics)
    os._exit(0)


def _write(work: _Work) -> Mapping[str, float]:
    with work.lock:
        checks = tuple(_checked(work, trial) for trial in work.trials)
        report = PreflightReport(
            trials=checks,
            problems=tuple(work.faults.problems),
            num_items=0 if work.whole is None else work.whole.num_items,
            num_read=work.faults.num_read,
            seconds=time.monotonic() - work.began_s,
        )
        if not work.is_written:
            work.job.artefact_dir.mkdir(exist_ok=True)
            report.write(work.job.artefact_dir / PREFLIGHT_FILE)
            work.is_written = True
    return {
        "num_failing": float(sum(check.failure is not None for check in checks)),
        "num_blocking": float(sum(problem.severity is Severity.BLOCKING for problem in report.problems)),
    }


def _checked(work: _Work, trial: _Trial) -> TrialCheck:
    """What is known of a trial."""
    train, hard, faults = trial.request.train, trial.hard, work.faults
    stages = trial.clock.results() if hard is None else hard.stages
    if faults.error is not None:  # every trial would meet it first
        stages = (failed_stage(PreflightStage.DATA, faults.error, stages[0].seconds), *stages[1:])
    if hard is None or trial.timed is None or trial.timed_part is None or work.whole is None:
        peak = None if hard is None else _memory(work, hard, trial.timed_part)
        return TrialCheck(train=train, stages=stages, memory_bytes=peak)
    part, whole = trial.timed_part, work.whole
    sizes = {split: part.num(split) for split in Split}
    scale = Scale(whole, facts_of_part(whole, sizes))
    assert trial.timed_train is not None
    found = estimated(trial.timed, trial.request, trial.timed_train, scale, way=work.way, limits=work.job.spec.limits)
    peaks = [_memory(work, each, part) for each in (hard, trial.timed)]
    return TrialCheck(
        train=train,
        stages=stages,
        estimated_s=found.seconds,
        once_s=found.once_s,
        memory_bytes=max(peaks),
        num_train=part.num(Split.TRAIN),
        is_whole=part.num() >= whole.num_items,
    )


def _memory(work: _Work, shown: Rehearsal, part: Part | None) -> int:
    """At its peak, with the items that the part lacks."""
    lacking = 0 if work.whole is None or part is None else max(0, work.whole.num_items - part.num())
    return int(shown.peak_bytes + shown.item_bytes * lacking)
