"""From rows of the labelling app to what goes over the wire."""

from __future__ import annotations

from labeling.operations import Outcome
from labeling.schemas import ChangeOut, ClashOut, RefusalOut
from studio.datasets.items.present import item_out


def change_out(outcome: Outcome) -> ChangeOut:
    """What became of a change."""
    error = outcome.error
    return ChangeOut(
        operation=outcome.change.operation,
        status=outcome.status,
        item=None if outcome.item is None else item_out(outcome.item),
        revision=outcome.revision,
        clashes=[ClashOut(object=clash.object, field=clash.field) for clash in outcome.clashes],
        refusal=None
        if error is None
        else RefusalOut(code=error.code, title=error.title, detail=error.message, hint=error.hint),
    )
