"""Puts the items that made trials fail aside and trains on a version without them."""

from __future__ import annotations

from automl.contracts.words import Words
from studio.studies.cures.kind import Cure, CurePlan, Failure

words = Words(__file__)


class LeaveItemsOut(Cure):
    """For items that cannot be read or used."""

    name = "leave_items_out"
    place = 10
    codes = frozenset({"data_invalid", "item_damaged", "picture_unreadable", "text_unreadable"})
    title = words("leave_items_out.title")
    needs = frozenset({"data.write", "version.write"})

    def plan(self, failure: Failure) -> CurePlan | None:
        """None where no items are named."""
        if not failure.items:
            return None
        changes = (words("leave_items_out.aside", count=len(failure.items)), words("leave_items_out.version"))
        return CurePlan(changes, failure.settings, leaves_out=failure.items)


KIND = LeaveItemsOut()
