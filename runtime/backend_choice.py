"""Chooses the backend that runs a model's graph: those of this machine are tried at the start, with the model's golden samples.

A backend that cannot run the graph, is not ready in time or answers otherwise than the trained model is left out. Of the others
the fastest is taken, by the medians of interleaved runs, so that a machine that is busy for a moment is so for all of them.
"""

from __future__ import annotations

import logging
import statistics
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TypeVar

from .backends import NAMES, USUAL, backend_kind
from .errors import RuntimeFault
from .items.kind import Decoded
from .predictor import Predictor
from .selftest import SAMPLES_DIR, predictor_replay, samples_read

BUDGET_S = 5.0
"""How long the start may wait for all backends together."""
MIN_ROUNDS = 3
MAX_ROUNDS = 40
ENOUGH_S = 1.0
"""Once all have run ``MIN_ROUNDS`` times, the measurement goes on for so long at most."""
MAX_TIMED = 8
"""Golden samples of a round."""
WORTHWHILE = 0.97
"""Another backend than the usual one takes at most so much of its time: differences below are chance."""

Result = TypeVar("Result")

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class BackendTrial:
    """The result of trying a backend."""

    backend: str
    ms: float | None
    """Median of an item; None where it was left out."""
    why: str = ""
    """Why it was left out; empty where it was not."""


@dataclass(frozen=True, slots=True)
class ChosenModel:
    """A model that is ready, and what was tried for it."""

    predictor: Predictor
    tried: Sequence[BackendTrial] = ()
    """None where this machine has one backend only."""


class _LeftOut(Exception):  # noqa: N818 - no error: the others go on
    """Says why a backend is left out."""


def backend_choose(artefact_dir: Path, *, budget_s: float = BUDGET_S) -> ChosenModel:
    """Opens a model with the fastest backend that answers as the trained model does.

    Args:
        artefact_dir: the artefact, with its golden samples.
        budget_s: how long backends beside the usual one may take, to open the model and to be measured.

    Raises:
        ArtefactUnreadableError: not even the usual backend can run it.
    """
    usual = Predictor()
    usual.setup(artefact_dir)
    others = others_here()
    if not others:
        return ChosenModel(usual)
    until = time.monotonic() + budget_s
    ready, left_out = {USUAL: usual}, []
    for name in others:
        try:
            ready[name] = _within(until - time.monotonic(), _opened, artefact_dir, name)
        except _LeftOut as reason:
            left_out.append(BackendTrial(name, None, str(reason)))
    medians = _medians(ready, _samples(usual, artefact_dir), until) if len(ready) > 1 else {}
    for name in ready.keys() - medians.keys() - {USUAL}:
        left_out.append(BackendTrial(name, None, "there was no time to measure it"))
    best = min(medians, key=medians.__getitem__, default=USUAL)
    if medians and medians[best] > WORTHWHILE * medians[USUAL]:
        best = USUAL
    tried = [*(BackendTrial(name, ms) for name, ms in sorted(medians.items(), key=lambda each: each[1])), *left_out]
    for each in tried:
        logger.info("%s: %s", each.backend, each.why or f"{each.ms} ms an item")
    logger.info("%s runs the model", best)
    return ChosenModel(ready[best], tried)


def others_here() -> list[str]:
    """The backends that this machine has beside the usual one."""
    return [name for name in NAMES if name != USUAL and backend_kind(name).is_there()]


def backend_open(artefact_dir: Path, name: str) -> ChosenModel:
    """Opens a model with a certain backend; warns where that answers otherwise than the trained model.

    Raises:
        ArtefactUnreadableError: the backend cannot run it.
        ValueError: there is none of that name.
    """
    predictor = Predictor()
    predictor.setup(artefact_dir, name)
    if name != USUAL:
        shown = predictor_replay(predictor, artefact_dir)
        if not shown.is_passed:
            logger.warning("%s: %s", name, _differs(shown.max_difference, shown.tolerance))
    return ChosenModel(predictor)


def _opened(artefact_dir: Path, name: str) -> Predictor:
    predictor = Predictor()
    try:
        predictor.setup(artefact_dir, name)
        shown = predictor_replay(predictor, artefact_dir)
    except RuntimeFault as fault:
        raise _LeftOut(fault.detail) from fault
    if not shown.is_passed:
        raise _LeftOut(_differs(shown.max_difference, shown.tolerance))
    return predictor


def _differs(difference: float, tolerance: float) -> str:
    return f"a golden sample differs by {difference:.2g} from the trained model, {tolerance:.2g} is allowed"


def _samples(predictor: Predictor, artefact_dir: Path) -> list[Decoded]:
    samples = samples_read(artefact_dir, predictor.labels)[:MAX_TIMED]
    return [predictor.decode((artefact_dir / SAMPLES_DIR / sample["file"]).read_bytes()) for sample in samples]


def _medians(ready: Mapping[str, Predictor], items: Sequence[Decoded], until: float) -> dict[str, float]:
    """Milliseconds of an item by backend; empty where there was no time for so many rounds that they mean something."""
    began_at = time.monotonic()
    once = max(_round_ms(each, items[:1]) for each in ready.values()) / 1000
    num_in_time = int((until - time.monotonic()) / (once * len(ready) * MIN_ROUNDS))
    items = items[: max(1, num_in_time)]
    rounds: dict[str, list[float]] = {name: [] for name in ready}
    for number in range(MAX_ROUNDS):
        for name in list(ready)[:: 1 if number % 2 else -1]:
            if time.monotonic() < until:
                rounds[name].append(_round_ms(ready[name], items))
        now = time.monotonic()
        if now >= until or (number + 1 >= MIN_ROUNDS and now - began_at >= ENOUGH_S):
            break
    if any(len(times) < MIN_ROUNDS for times in rounds.values()):
        return {}
    return {name: round(statistics.median(times), 4) for name, times in rounds.items()}


def _round_ms(predictor: Predictor, items: Sequence[Decoded]) -> float:
    """Milliseconds of an item, on average."""
    started_at = time.perf_counter()
    for item in items:
        predictor.predict(item)
    return (time.perf_counter() - started_at) * 1000 / len(items)


def _within(seconds: float, function: Callable[..., Result], *args: object) -> Result:
    """Runs a function and waits for it so long at most: a library that compiles cannot be interrupted.

    Raises:
        _LeftOut: it takes longer; what it comes to is thrown away.
    """
    done: SimpleQueue[Result | Exception] = SimpleQueue()

    def run() -> None:
        try:
            done.put(function(*args))
        except Exception as error:  # noqa: BLE001 - not lost: it is raised by whoever waits
            done.put(error)

    if seconds <= 0:
        raise _LeftOut("there was no time to open it")
    threading.Thread(target=run, name="trial", daemon=True).start()
    try:
        result = done.get(timeout=seconds)
    except Empty:
        raise _LeftOut("it was not ready in time") from None
    if isinstance(result, Exception):
        raise result
    return result
