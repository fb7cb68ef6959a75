"""One trial with a part of the version: the code of the job ``train``, stage by stage, with its time and memory."""

from __future__ import annotations

import ctypes
import gc
import logging
import math
import shutil
import sys
import threading
import time
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from automl.contracts.job import START_DIR, JobLimits, JobSpec, StopReason, TrainConfig
from automl.contracts.preflight import PreflightStage, StageOutcome, StageResult
from automl.contracts.report import REPORT_FILE, Report
from engine.data.packed import BuildStoppedError
from engine.errors import EngineError, as_engine_error
from engine.events import EventLog, cpu_seconds, memory_bytes
from engine.job import EarlyEnd, Job, LearnedPart, StoppedError
from engine.preflight.part import Part
from engine.table.table import FitNeeds
from engine.training.ways import way_of

_LOGGER = logging.getLogger(__name__)
_SAMPLE_S = 0.02
PACKS, FEATURES, LEARNS = "cache", "features", "train"
"""What a trial says while it reads items, while its backbone looks at them, and while it learns."""
REHEARSALS = "rehearsals"
"""Folder of the working directory, with one for each trial that is gone through."""
_STAGES = {"export": PreflightStage.EXPORT, "parity": PreflightStage.CALL, "evaluate": PreflightStage.EVALUATION}
"""Of a trial that publishes, by what it reports."""


@dataclass(frozen=True)
class Spent:
    """Time that something took, in seconds."""

    wall_s: float = 0.0
    cpu_s: float = 0.0
    """Processor time on all cores together, which hardly depends on what else the machine does."""

    @classmethod
    def so_far(cls) -> Spent:
        """Since a moment that is always the same one."""
        return cls(time.monotonic(), cpu_seconds())

    def __add__(self, other: Spent) -> Spent:
        return Spent(self.wall_s + other.wall_s, self.cpu_s + other.cpu_s)

    def __sub__(self, other: Spent) -> Spent:
        return Spent(self.wall_s - other.wall_s, self.cpu_s - other.cpu_s)

    def __mul__(self, times: float) -> Spent:
        return Spent(self.wall_s * times, self.cpu_s * times)


@dataclass
class StageClock:
    """In which stage a trial is, and how long each took; a thread that looks at it sees the stage that is not done yet."""

    stage: PreflightStage = PreflightStage.DATA
    spent: dict[PreflightStage, Spent] = field(default_factory=lambda: defaultdict(Spent))
    loading: Spent = field(default_factory=Spent)
    """Of the stage ``DATA``, until items were read: what reads them was there."""
    setup: Spent = field(default_factory=Spent)
    """Of the stage ``STEP``, until a backbone could look at items; without one that is frozen, until a network could learn."""
    features: Spent = field(default_factory=Spent)
    """Of the stage ``STEP``, while a frozen backbone looked at items; what it found is kept for the next trial."""
    learned: list[tuple[LearnedPart, Spent]] = field(default_factory=list)
    """Of the stage ``STEP``, what had passed of it when gradient steps began, after each of them and after each epoch."""
    base_bytes: int = 0
    """Resident memory before the trial began."""
    grown_bytes: dict[PreflightStage, int] = field(default_factory=dict)
    """By how much it has grown at its peak, by stage."""
    item_bytes: float = 0.0
    """Memory that each further item takes, once items were read."""
    is_done: bool = False
    _since: Spent = field(default_factory=Spent.so_far)
    _packs: bool = False
    _has_features: bool = False
    _learns: bool = False

    def enter(self, stage: PreflightStage, *, word: str = "") -> None:
        """A stage begins, or goes on; ``word`` is what the trial says itself."""
        now = Spent.so_far()
        self.spent[self.stage] += now - self._since
        self.stage, self._since = stage, now
        passed = self.spent[PreflightStage.STEP]
        if word == PACKS and not self._packs:
            self._packs, self.loading = True, self.spent[PreflightStage.DATA]
        elif word == FEATURES:
            self.setup = self.setup if self._has_features else passed
            self.features = passed - self.setup
            self._has_features = True
        elif word == LEARNS and not self._learns:
            self._learns = True
            self.setup = self.setup if self._has_features else passed

    def learn(self, part: LearnedPart) -> None:
        """Gradient steps begin, one was taken, or an epoch was judged."""
        self.enter(self.stage)
        self.learned.append((part, self.spent[PreflightStage.STEP]))

    def end(self) -> None:
        """The trial is over."""
        self.enter(self.stage)
        self.is_done = True

    def results(self, error: EngineError | None = None) -> tuple[StageResult, ...]:
        """All stages, in order.

        Args:
            error: what ended the stage that it is in; None where nothing did.
        """
        stages = list(PreflightStage)
        reached = stages.index(self.stage)
        found = []
        for place, stage in enumerate(stages):
            seconds = self.spent.get(stage, Spent()).wall_s
            if place < reached or (self.is_done and error is None):
                found.append(StageResult(stage=stage, outcome=StageOutcome.PASSED, seconds=seconds))
            elif place == reached and error is not None:
                found.append(failed_stage(stage, error, seconds))
            else:
                found.append(StageResult(stage=stage, outcome=StageOutcome.NOT_REACHED, seconds=seconds))
        return tuple(found)


class PeakMemory:
    """How much resident memory of this process grows at its peak in each stage, while it is used as a context."""

    def __init__(self, clock: StageClock) -> None:
        self._clock = clock
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="peak-memory", daemon=True)

    def __enter__(self) -> PeakMemory:
        _give_back()
        self._clock.base_bytes = memory_bytes()
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._ended.set()
        self._thread.join()

    def _watch(self) -> None:
        while True:
            clock, stage = self._clock, self._clock.stage
            clock.grown_bytes[stage] = max(clock.grown_bytes.get(stage, 0), memory_bytes() - clock.base_bytes)
            if self._ended.wait(_SAMPLE_S):
                return


def _give_back() -> None:
    """Returns memory that nobody uses any more to the system: it would count for the next trial."""
    gc.collect()
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # of glibc alone
            ctypes.CDLL(None).malloc_trim(0)


def failed_stage(stage: PreflightStage, error: EngineError, seconds: float = 0.0) -> StageResult:
    """A stage that an error ended."""
    return StageResult(
        stage=stage,
        outcome=StageOutcome.FAILED,
        seconds=seconds,
        code=error.code,
        message=error.message,
        hint=error.hint,
        items=error.items,
    )


class _Rehearsed(Job):
    """A job whose stages are timed. Its data is a part of a version, which was checked as a whole."""

    refuses_problems = False
    is_shortened = True

    def __init__(self, workdir: Path, spec: JobSpec, events: EventLog, clock: StageClock, outer: Job):
        super().__init__(workdir, spec, events)
        self._clock, self._outer = clock, outer
        self._is_publishing = False

    def publishes(self) -> None:
        """The fit is over."""
        self._is_publishing = True
        self._clock.enter(PreflightStage.EXPORT)

    def learned(self, part: LearnedPart) -> None:
        """Notes it."""
        self._clock.learn(part)

    def progress(self, stage: str, fraction: float, remaining_s: float | None = None) -> None:
        """Notes the stage; the job that it is part of reports it."""
        del fraction, remaining_s
        if self._is_publishing:
            self._clock.enter(_STAGES.get(stage, self._clock.stage))
        else:
            self._clock.enter(self._clock.stage, word=stage)
        self._outer.progress(stage, share_of_time(self._outer))


def share_of_time(job: Job) -> float:
    """How much of its time a job ``preflight`` has used: how far it is."""
    order = job.spec.preflight
    return 0.0 if order is None else min(0.98, job.control.elapsed_s / order.time_s)


@dataclass(frozen=True)
class Rehearsal:
    """What a trial with a part of the version showed."""

    stages: tuple[StageResult, ...]
    clock: StageClock
    """As it stood at the end."""
    answer_s: float = 0.0
    """That the graph takes for an item."""
    model_bytes: int = 0
    """Of the graph."""
    needs: FitNeeds | None = None
    """What the fit takes that no deadline cuts short; None of one that does not say it."""
    is_cut: bool = False
    """Whether time was over before the fit was done."""
    time_s: float = math.inf
    """After which it would have been."""

    @property
    def error(self) -> StageResult | None:
        """The stage that failed, if one did."""
        return next((stage for stage in self.stages if stage.outcome is StageOutcome.FAILED), None)

    def took(self, *stages: PreflightStage) -> Spent:
        """What these stages took; all of them without any."""
        return sum((self.clock.spent.get(stage, Spent()) for stage in stages or PreflightStage), Spent())


def rehearse(job: Job, train: TrainConfig, part: Part, *, folder: Path, time_s: float, clock: StageClock) -> Rehearsal:
    """Goes through a trial with a part of the version.

    Args:
        job: the job ``preflight``.
        train: the trial.
        part: of the version.
        folder: of the working directory, which is removed afterwards.
        time_s: after which the fit ends with what it has; infinity lets it come to its end.
        clock: shows where it is.

    Raises:
        StoppedError: the job was asked to stop.
    """
    version_id = f"{part.items.version.id}-{job.spec.id}-{folder.name}"
    error: EngineError | None = None
    shown = _Shown()
    try:
        with PeakMemory(clock), _events(folder) as events:
            part.write(folder / "data", version_id)
            shown = _run(_placed(job, train, folder, time_s=time_s, events=events, clock=clock), clock)
        clock.end()
    except StoppedError:
        raise
    except Exception as caught:  # whatever a trial would end with is what is looked for
        _LOGGER.info("%s %s would fail.", train.family, train.size, exc_info=True)
        error = as_engine_error(caught)
        clock.enter(clock.stage)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        _forget(job.cache_dir, version_id)
    return Rehearsal(
        stages=clock.results(error),
        clock=clock,
        time_s=time_s,
        **vars(shown),
    )


@dataclass(frozen=True)
class _Shown:
    """What ``Rehearsal`` says of a trial that came to its end."""

    is_cut: bool = False
    answer_s: float = 0.0
    model_bytes: int = 0
    needs: FitNeeds | None = None


def _run(job: _Rehearsed, clock: StageClock) -> _Shown:
    """Prepare, fit, publish, as ``training.train`` does; what else the estimate asks of it."""
    way = way_of(job.spec.task)
    try:
        prepared = way.prepare(job)
        clock.item_bytes = way.item_bytes(prepared)
        job.control.raise_if_stopped()
        clock.enter(PreflightStage.STEP)
        fitted = way.fit(prepared, job)
    except BuildStoppedError:
        raise StoppedError(job.control.stop_reason() or StopReason.CANCELLED) from None
    if isinstance(fitted.halt, StopReason):
        raise StoppedError(fitted.halt)
    job.publishes()
    way.publish(fitted, prepared, job)
    report = Report.read(job.artefact_dir / REPORT_FILE)
    return _Shown(
        is_cut=fitted.halt is EarlyEnd.TIME_LIMIT,
        answer_s=report.latency_ms / 1000.0,
        model_bytes=report.model_bytes,
        needs=way.fit_needs(fitted),
    )


def _events(folder: Path) -> EventLog:
    folder.mkdir(parents=True)
    return EventLog(folder / "events.jsonl")


def _placed(job: Job, train: TrainConfig, folder: Path, *, time_s: float, events: EventLog, clock: StageClock) -> _Rehearsed:
    """The order in its directory; whoever stops the job stops it too."""
    for name in ("control", START_DIR):
        (folder / name).symlink_to((job.workdir / name).resolve(), target_is_directory=True)
    limits = job.spec.limits
    spec = job.spec.model_copy(
        update={
            "kind": "train",
            "train": train,
            "preflight": None,
            "cache_dir": str(job.cache_dir),
            "assets_dir": str(job.assets_dir),
            "limits": JobLimits(
                time_s=None if time_s == math.inf else time_s,
                memory_bytes=limits.memory_bytes,
                num_threads=limits.num_threads,
                batch_parts=limits.batch_parts,
            ),
        }
    )
    return _Rehearsed(folder, spec, events, clock, job)


def forget(job: Job) -> None:
    """Removes what all parts of a job ``preflight`` have left, also of one that is still gone through."""
    shutil.rmtree(job.workdir / REHEARSALS, ignore_errors=True)
    _forget(job.cache_dir, f"*-{job.spec.id}-")


def _forget(cache_dir: Path, version_id: str) -> None:
    """Removes what the host's cache holds of a part: nobody will ask for it again."""
    for path in cache_dir.glob(f"*/{version_id}*"):
        shutil.rmtree(path, ignore_errors=True)
        path.unlink(missing_ok=True) if path.is_file() else None
