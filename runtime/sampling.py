"""Facts of some of the items that callers send, taken after they have their answers, for the log.

Only the numbers of bins are written down (``facts``): nothing of an item itself is kept, whatever the deployment's policy.
Of a call with several items the first one stands for all: items that are sent together are often alike.
"""

from __future__ import annotations

import logging
import time
from typing import Any, NamedTuple

from .background import Background
from .calls import Call
from .errors import RuntimeFault
from .facts import Reference
from .journal import FactsEntry, Journal
from .state import Deployment

MAX_PER_S = 2.0
"""Items of one deployment, in the long run."""
MAX_AT_ONCE = 120
"""Items of one deployment after a pause."""
MAX_WAITING = 256
MAX_WAITING_BYTES = 32 << 20
"""Beyond either limit an item is passed over: it is a sample."""
_CELLS_BYTES = 4096
"""What a row is taken to hold in memory while it waits."""

logger = logging.getLogger(__name__)


class _SampledItem(NamedTuple):
    """An item whose facts are wanted."""

    call: str
    model: Deployment
    reference: Reference
    item: Any
    """As it came."""


class _Bucket:
    """How many items of one deployment may be taken: fills evenly."""

    __slots__ = ("_at", "_left")

    def __init__(self) -> None:
        self._left, self._at = float(MAX_AT_ONCE), time.monotonic()

    def take(self) -> bool:
        """Takes one, if there is one left."""
        now = time.monotonic()
        self._left = min(float(MAX_AT_ONCE), self._left + (now - self._at) * MAX_PER_S)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class FactSampler:
    """Takes facts in the background."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._buckets: dict[str, _Bucket] = {}
        self._failed: set[str] = set()
        self._background = Background[_SampledItem](
            "sampling", self._work, max_waiting=MAX_WAITING, max_bytes=MAX_WAITING_BYTES
        )

    def start(self) -> None:
        """Begins to take items."""
        self._background.start()

    def stop(self) -> None:
        """Ends after the item in work."""
        self._background.stop()

    def offer(self, call: Call) -> None:
        """Takes the first item of an answered call, now and then; costs callers nothing. Called by one thread only."""
        model, item = call.deployment, call.first_item
        if model is None or item is None or model.predictor is None or (reference := model.predictor.reference) is None:
            return
        bucket = self._buckets.get(model.settings.id)
        if bucket is None:
            bucket = self._buckets[model.settings.id] = _Bucket()
        if bucket.take():
            num_bytes = len(item) if isinstance(item, bytes) else _CELLS_BYTES
            self._background.offer(_SampledItem(call.id, model, reference, item), num_bytes)

    def _work(self, sampled: _SampledItem) -> None:
        """Writes down where the facts of an item fall; what fails is logged once a model."""
        settings = sampled.model.settings
        try:
            bins = _bins_of(sampled)
        except Exception:
            if settings.artefact not in self._failed:
                self._failed.add(settings.artefact)
                logger.exception("facts of items of %s cannot be taken", settings.id)
            return
        if bins is not None:
            self._journal.add(FactsEntry(settings.id, settings.artefact, sampled.call, time.time(), bins))


def _bins_of(sampled: _SampledItem) -> list[int] | None:
    """None of an item that no dataset would take: nothing like it was judged."""
    data = sampled.model.calls.log_bytes(sampled.item)
    if data is None:
        return None
    items = sampled.model.running().items
    try:
        decoded = items.decode(data)
    except RuntimeFault:
        return None
    return sampled.reference.bins(items.facts(decoded))
