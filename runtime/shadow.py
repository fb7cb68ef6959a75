"""Asks shadow models about calls that were answered already: their answers go to the log, and no caller waits for them."""

from __future__ import annotations

import logging
import time
from collections import defaultdict
from collections.abc import Mapping

from .annotations import Annotation
from .background import Background
from .calls import Call, ShadowedCall
from .errors import RuntimeFault
from .journal import Journal, ShadowEntry

MAX_WAITING = 64
MAX_WAITING_BYTES = 32 << 20
"""Of the bodies that wait; beyond either limit a call is dropped and counted."""
DISAGREES = 0.1
"""From which disagreement on an input is worth keeping."""

logger = logging.getLogger(__name__)


class Shadows:
    """Asks them in the background."""

    def __init__(self, journal: Journal) -> None:
        self._num_dropped: defaultdict[str, int] = defaultdict(int)
        self._journal = journal
        self._background = Background[tuple[str, ShadowedCall]](
            "shadows", self._work, max_waiting=MAX_WAITING, max_bytes=MAX_WAITING_BYTES
        )

    @property
    def num_dropped(self) -> Mapping[str, int]:
        """By deployment, calls that its shadow was not asked about because too many waited."""
        return self._num_dropped

    def start(self) -> None:
        """Begins to take calls."""
        self._background.start()

    def stop(self) -> None:
        """Ends after the call in work; those that wait are forgotten."""
        self._background.stop()

    def offer(self, call: Call) -> None:
        """Queues an answered call unless the queue is full; costs callers nothing."""
        shadowed = call.shadowed
        if shadowed is None:
            return
        if not self._background.offer((call.id, shadowed), shadowed.num_bytes):
            self._num_dropped[shadowed.shadow.settings.id] += 1

    def _work(self, request: tuple[str, ShadowedCall]) -> None:
        self._journal.add(shadow_ask(*request))


def shadow_ask(identity: str, shadowed: ShadowedCall) -> ShadowEntry:
    """Asks a shadow the whole of a call, and compares.

    Args:
        identity: of the call.
        shadowed: what was asked and answered.
    """
    began_at = time.perf_counter()
    shadow, code = shadowed.shadow, None
    try:
        answered = shadowed.ask(shadow)
    except RuntimeFault as fault:
        answered, code = [], fault.code
    except Exception:
        logger.exception("the shadow of %s failed", shadow.settings.id)
        answered, code = [], RuntimeFault.code
    apart = [
        shadow.running().answers.disagreement(mine.predicted, other.predicted)
        for mine, other in zip(shadowed.answered, answered, strict=code is None)
    ]
    largest = max(apart, default=0.0)
    place = apart.index(largest) if apart else 0
    return ShadowEntry(
        deployment=shadow.settings.id,
        artefact=shadow.settings.artefact,
        id=identity,
        at=time.time(),
        code=code,
        latency_ms=round((time.perf_counter() - began_at) * 1000, 3),
        top=[one.best for one in answered],
        uncertainty=[one.uncertainty for one in answered],
        disagreement=None if code is not None else round(largest, 4),
        place=place,
        kept_inputs=_kept_inputs(shadowed, largest, place),
        predicted=_predicted(shadowed, place),
    )


def _kept_inputs(shadowed: ShadowedCall, largest: float, place: int) -> list[bytes | None]:
    if largest < DISAGREES or shadowed.shadow.settings.keep_inputs == "none":
        return []
    item = shadowed.answered[place].item
    return [] if item is None else [shadowed.shadow.calls.log_bytes(item)]


def _predicted(shadowed: ShadowedCall, place: int) -> list[Annotation]:
    return list(shadowed.answered[place].predicted) if shadowed.answered else []
