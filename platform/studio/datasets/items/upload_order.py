"""The order of the items of an upload whose batches travel side by side: that of the list that its sender has.

Items stand in the order of their ids, which say when they were made, and a later batch may be written first. So the ids of a
batch that was overtaken are made for the moment of the one that overtook it, in which the place decides. None goes back further
than ``MOST_BACK_S``: whatever walks items by their ids has gone past by then.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from studio.common.ids import id_in_order
from studio.datasets.models import Item, Upload

MOST_BACK_S = 8.0
"""How much older than its row an id may be."""
MOST_PLACE = 2**31
"""Files of one upload, more than anybody sends."""
_MARKS = 64
"""Batches that are remembered of an upload; only a few are under way at once."""


@dataclass(frozen=True)
class BatchPlace:
    """Where a batch stands in its upload, and for which moment its ids are made."""

    at_ms: int
    first: int

    def item_id(self, number: int) -> str:
        """The id of the batch's item of this number."""
        return id_in_order(Item.ID_PREFIX, self.at_ms, self.first + number)


def batch_place(upload: Upload, first: int, *, now_s: float | None = None) -> BatchPlace:
    """Where the ids of a batch belong; noted on the upload, whose row is held and which the caller saves.

    Args:
        upload: which the batch is a part of.
        first: place of the batch's first file in the list of all.
        now_s: seconds since the epoch; the clock's when None.
    """
    now_ms = int((time.time() if now_s is None else now_s) * 1000)
    marks = {int(place): int(at_ms) for place, at_ms in upload.batch_marks}
    before = max((at_ms for place, at_ms in marks.items() if place < first), default=0)
    behind = min((at_ms for place, at_ms in marks.items() if place > first), default=now_ms)
    at_ms = max(before, min(now_ms, behind))
    if at_ms < now_ms - MOST_BACK_S * 1000:
        at_ms = now_ms
    marks[first] = at_ms
    upload.batch_marks = sorted(marks.items())[-_MARKS:]
    return BatchPlace(at_ms, first)
