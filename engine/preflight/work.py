"""The job ``preflight``: finds out in a minute whether a training will run, how long it takes and how much memory.

The data is checked as a whole and its most unusual items are opened. Then each trial is gone through with the hardest items,
which shows whether it runs, and with as large a sample, which shows how long it takes; after that, while time is left, with a
larger one, first those that seem to take longest. A step that takes longer than that cannot be interrupted: a thread then ends
the process with what is known.
"""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from automl.contracts.dataset import Split
from automl.contracts.family import IntParam
from automl.contracts.job import PreflightOrder, TrainConfig
from automl.contracts.preflight import PREFLIGHT_FILE, PreflightReport, PreflightStage, TrialCheck
from automl.contracts.task import Severity
from automl.planning.facts import VersionFacts, facts_of
from automl.planning.fit import Host, estimate, sample_shape_of
from automl.planning.items import planned_items
from engine.errors import EngineError, JobInvalidError
from engine.events import cpu_seconds
from engine.job import Job
from engine.models import family_part
from engine.preflight.estimate import TRACED_SHARE, Timed, ends_by_itself, estimated, facts_of_part
from engine.preflight.faults import Faults, faults_of
from engine.preflight.part import Part, VersionItems, hardest, sample
from engine.preflight.rehearsal import REHEARSALS, Rehearsal, Spent, StageClock, failed_stage, forget, rehearse
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
_STEP = list(PreflightStage).index(PreflightStage.STEP)
HARDEST = "hardest"
_WARM_SHARE = 0.6
"""Of what the hardest items took, which ran cold, the first sample takes at most about so much, once the part of the export
that is done once is left out."""
_MOST_TIMES, _LEAST_TIMES = 20.0, 2.0
"""How many times as large as the first sample the second may be, and must be to be worth its time."""
_MOST_SAMPLES = 2
_TIMES_GRAPH = 3.0
"""How many times as large as its graph a model is in memory: 4.4 MB and 1.5 of a forest of 300 trees; others are small."""


@dataclass
class _Trial:
    """One trial, and what is known of it so far."""

    train: TrainConfig
    request: TrainingRequest | None = None
    """None where it asks for what is not there."""
    clock: StageClock = field(default_factory=StageClock)
    hard: Rehearsal | None = None
    hard_part: Part | None = None
    timed: list[tuple[Rehearsal, Part]] = field(default_factory=list)
    """With samples, the larger ones last."""
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
    start: Spent = field(default_factory=Spent)
    """From the beginning of the process until its work could begin."""
    lock: threading.Lock = field(default_factory=threading.Lock)
    is_written: bool = False

    @property
    def base_bytes(self) -> int:
        """Resident memory of the process before the first trial."""
        return min((trial.clock.base_bytes for trial in self.trials if trial.clock.base_bytes), default=0)

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
    work = _Work(job, order, way_of(job.spec.task), start=Spent(job.control.elapsed_s, cpu_seconds()))
    work.trials = [_requested(job, train) for train in order.trials]
    watch = threading.Timer(order.time_s + _GRACE_S, _end, [work])
    watch.daemon = True
    watch.start()
    try:
        _check(work)
        for trial in work.trials:
            _try(work, trial)
        longest_first = sorted(work.trials, key=lambda trial: -_rough_cpu_s(work, trial))
        for place, trial in enumerate(longest_first):
            _time(work, trial, share_s=work.left_s / (len(longest_first) - place))
    finally:
        watch.cancel()
    return _write(work)


def _requested(job: Job, train: TrainConfig) -> _Trial:
    try:
        return _Trial(train, training_request(job, train))
    except EngineError as error:
        return _Trial(train, refused=error)


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
    """Goes through a trial with the hardest items; with samples too, if it took less than its share by what planning says."""
    blocking = [problem for problem in work.faults.problems if problem.severity is Severity.BLOCKING and problem.item is None]
    request = trial.request
    if blocking or work.left_s < _LEAST_S or work.items is None or request is None:
        return
    num_train = work.way.needed_items(request.params)
    sizes = {Split.TRAIN: num_train, Split.VALIDATION: max(8, num_train // 4), Split.TEST: max(8, num_train // 4)}
    part = hardest(work.items, sizes, without=work.faults.bad_items, seed=work.job.spec.seed)
    if not part.num(Split.TRAIN) or not part.num(Split.VALIDATION):
        return
    untried = [each for each in work.trials if each.hard is None]
    share_s = work.left_s * _planned_s(work, trial) / sum(_planned_s(work, each) for each in untried)
    trial.hard_part = part
    hard = trial.hard = _rehearsed(work, trial, part, time_s=work.left_s / len(untried), name=HARDEST)
    is_whole = work.whole is not None and part.num() >= work.whole.num_items
    if _is_quick(request) and is_whole and hard.error is None:  # nothing is known better than by a trial as it will be
        trial.timed.append((hard, part))
    share_s -= hard.took().wall_s
    if share_s > _warm_s(hard):
        _time(work, trial, share_s=share_s)


def _planned_s(work: _Work, trial: _Trial) -> float:
    """What planning says that a trial takes; nothing where it cannot be tried."""
    request, whole = trial.request, work.whole
    if request is None or whole is None:
        return 0.0
    shape = sample_shape_of(family=request.family, train=request.train, facts=whole)
    cost = family_part(request.family.name, "family").cost(shape, request.train.size)
    return estimate(family=request.family, train=request.train, cost=cost, facts=whole, host=Host()).estimated_s


def _is_quick(request: TrainingRequest) -> bool:
    """Whether trials take seconds, of which the start is much, and write their graphs by themselves."""
    return planned_items(request.family.reads).are_trials_quick


def _rough_cpu_s(work: _Work, trial: _Trial) -> float:
    """What a trial takes as far as the hardest items say."""
    return _checked(work, trial).estimated_cpu_s or 0.0


def _warm_s(hard: Rehearsal) -> float:
    """What the first sample takes: the hardest items ran cold, so little follows from how long they took."""
    return _WARM_SHARE * (hard.took().wall_s - TRACED_SHARE * hard.took(PreflightStage.EXPORT).wall_s)


def _time(work: _Work, trial: _Trial, *, share_s: float) -> None:
    """Goes through a trial with as large a sample as the hardest items were, and a larger one as far as the time allows."""
    hard, whole, request = trial.hard, work.whole, trial.request
    if hard is None or hard.error is not None or whole is None or request is None:
        return
    assert trial.hard_part is not None
    num_train = trial.hard_part.num(Split.TRAIN)
    share_s = max(share_s, hard.took().wall_s)
    while len(trial.timed) < _MOST_SAMPLES and work.left_s > _warm_s(hard):
        if trial.timed:
            shown, part = trial.timed[-1]
            grows_s = max(0.05, shown.took(PreflightStage.STEP, PreflightStage.DATA).wall_s)
            times = min(_MOST_TIMES, min(_TIMED_S, share_s - shown.took().wall_s) / grows_s)
            if times < _LEAST_TIMES or part.num() >= whole.num_items:
                return
            num_train = _whole_batches(num_train * times, work.way.needed_items(request.params))
        part = _sampled(work, num_train)
        shown = _rehearsed(work, trial, part, time_s=share_s, name=f"sample-{len(trial.timed)}")
        if shown.error is not None or (shown.is_cut and not ends_by_itself(request, whole)):
            return
        trial.timed.append((shown, part))
        share_s -= shown.took().wall_s


def _sampled(work: _Work, num_train: int) -> Part:
    """A part with so many items to learn from, and as large a share of the others."""
    whole, items = work.whole, work.items
    assert whole is not None
    assert items is not None
    num_train = min(whole.num_train, num_train)
    share = num_train / max(1, whole.num_train)
    sizes = {
        Split.TRAIN: num_train,
        Split.VALIDATION: min(whole.num_validation, max(8, round(share * whole.num_validation))),
        Split.TEST: min(whole.num_test, max(8, round(share * whole.num_test))),
    }
    return sample(items, sizes, without=work.faults.bad_items, seed=work.job.spec.seed)


def _whole_batches(num_items: float, batch: int) -> int:
    return max(1, round(num_items / batch)) * batch


def _rehearsed(work: _Work, trial: _Trial, part: Part, *, time_s: float, name: str) -> Rehearsal:
    assert trial.request is not None
    folder = work.job.workdir / REHEARSALS / f"{work.trials.index(trial)}-{name}"
    clock = StageClock()
    if name == HARDEST:
        trial.clock = clock
    train = _shortened(trial.request)
    if _is_quick(trial.request) and work.whole is not None and not ends_by_itself(trial.request, work.whole):
        time_s = math.inf  # a fit that knows its end may hurry
    return rehearse(work.job, train, part, folder=folder, time_s=max(_LEAST_S, time_s), clock=clock)


def _shortened(request: TrainingRequest) -> TrainConfig:
    """The trial with one epoch, as each takes the same; whole where trials take seconds and a start is much of them."""
    if _is_quick(request):
        return request.train
    epochs = next((param for param in request.family.params if param.name == _EPOCHS), None)
    if not isinstance(epochs, IntParam):
        return request.train
    params = {**request.train.params, _EPOCHS: max(1, epochs.low)}
    return request.train.model_copy(update={"params": params})


def _end(work: _Work) -> None:
    """Ends the process with what is known: something takes longer than there is time."""
    if work.is_written:  # just now: the process ends by itself
        return
    for trial in work.trials:
        if trial.hard is None and trial.hard_part is not None:  # in its midst
            trial.clock.enter(trial.clock.stage)
    metrics = _write(work)
    forget(work.job)
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
            cpu_s=cpu_seconds() - work.start.cpu_s,
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
    train, hard, faults = trial.train, trial.hard, work.faults
    stages = trial.clock.results(trial.refused) if hard is None else hard.stages
    if faults.error is not None:  # every trial would meet it first
        stages = (failed_stage(PreflightStage.DATA, faults.error, stages[0].seconds), *stages[1:])
    shown_hard = _fitted(trial)
    if shown_hard is None or trial.request is None or work.whole is None or trial.hard_part is None:
        return TrialCheck(train=train, stages=stages)
    whole, request = work.whole, trial.request
    gone_through = [(shown_hard, trial.hard_part), *trial.timed]
    last, part = gone_through[-1]
    memory_bytes = _memory(work, trial, gone_through)
    cold, *timed = (_timed(shown, own, request, whole) for shown, own in gone_through)
    if not trial.timed and shown_hard.is_cut and cold.steps is None and not ends_by_itself(request, whole):
        return TrialCheck(train=train, stages=stages, memory_bytes=memory_bytes)
    found = estimated(
        timed or [cold],
        request,
        whole,
        way=work.way,
        limits=work.job.spec.limits,
        start=work.start,
        hard=cold,
        alone=_alone(work),
        is_kept=not _is_quick(request) and last is shown_hard,
    )
    return TrialCheck(
        train=train,
        stages=stages,
        estimated_s=found.whole.wall_s,
        estimated_cpu_s=found.whole.cpu_s,
        once_s=found.once.wall_s,
        once_cpu_s=found.once.cpu_s,
        export_s=cold.publishing.wall_s,
        memory_bytes=memory_bytes,
        is_rough=not trial.timed,
        num_train=part.num(Split.TRAIN),
        is_whole=part.num() >= whole.num_items,
    )


def _fitted(trial: _Trial) -> Rehearsal | None:
    """The trial with the hardest items, perhaps in the midst of what follows its fit; None if that was not done, or failed."""
    if trial.hard is not None:
        return trial.hard if trial.hard.error is None else None
    if trial.hard_part is None or list(PreflightStage).index(trial.clock.stage) <= _STEP:
        return None
    return Rehearsal(trial.clock.results(), trial.clock)


def _alone(work: _Work) -> Mapping[str, float]:
    """Processor time of one fit of each family that is no ensemble and came to its end, with the hardest items.

    What learns validation is fitted twice (``training.rows.fit``).
    """
    found = {}
    for trial in work.trials:
        hard, request = trial.hard, trial.request
        if hard is not None and request is not None and not (hard.error or hard.is_cut or request.family.is_ensemble):
            num_fits = 2.0 if request.params.get("learns_validation") else 1.0
            found[request.family.name] = hard.took(PreflightStage.STEP).cpu_s / num_fits
    return found


def _timed(shown: Rehearsal, part: Part, request: TrainingRequest, whole: VersionFacts) -> Timed:
    train, family = _shortened(request), request.family
    facts = facts_of_part(whole, {split: part.num(split) for split in Split})
    return Timed(shown, train, facts, is_frozen=family.is_frozen)


def _memory(work: _Work, trial: _Trial, gone_through: Sequence[tuple[Rehearsal, Part]]) -> int:
    """At its peak, in a process of its own, with the items that a part lacks."""
    assert work.whole is not None
    peaks = []
    for shown, part in gone_through:
        lacking_bytes = shown.clock.item_bytes * max(0, work.whole.num_items - part.num())
        peaks.append(work.base_bytes + max(shown.clock.grown_bytes.values(), default=0) + lacking_bytes)
    if trial.request is not None and trial.request.family.is_ensemble:  # it loads what all others do, who may have come before
        clocks = [each.clock for each in work.trials if each.clock.grown_bytes]
        peaks += [clock.base_bytes + max(clock.grown_bytes.values()) for clock in clocks]
    return int(max(peaks) + _kept_bytes(work, gone_through[-1][0]))


def _kept_bytes(work: _Work, shown: Rehearsal) -> float:
    """Of models that there was no time for: an ensemble keeps all of them until it weighs them."""
    needs = shown.needs
    if needs is None:
        return 0.0
    by_family = {trial.train.family: trial.hard.model_bytes for trial in work.trials if trial.hard is not None}
    others = sum(number * by_family.get(family, 0) for family, number in needs.others.items())
    return _TIMES_GRAPH * (shown.model_bytes * needs.cpu_s / shown.took(PreflightStage.STEP).cpu_s + others)
