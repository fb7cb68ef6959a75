"""Who has an item open: reported by the page, forgotten after a while. A hint for people, never a lock."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone

from labeling.services import provenance_of
from studio.accounts.access import Principal
from studio.common.events import event_record
from studio.common.models import Event
from studio.datasets.models import Item

SEEN_FOR = timedelta(seconds=40)
"""Time without a report after which a person counts as gone."""
UPDATE_EACH = timedelta(seconds=12)
"""A page that stays open is not written down more often than this."""
_TYPE = "presence.seen"


def presence_update(*, item: Item, actor: Principal, now: datetime | None = None) -> dict[str, str]:
    """Records that a person has an item open.

    Args:
        item: with its dataset and project.
        actor: who looks.
        now: injected by tests.

    Returns:
        Who else does: provenance -> name.
    """
    now, own = now or timezone.now(), provenance_of(actor)
    project = item.dataset.project
    seen = Event.objects.filter(project=project.id, type=_TYPE, subject=item.id, at__gt=now - SEEN_FOR)
    people: dict[str, str] = {}
    last: datetime | None = None
    for data, at in seen.order_by("id").values_list("data", "at"):
        people[data["by"]] = data["name"]
        last = at if data["by"] == own else last
    if last is None or now - last > UPDATE_EACH:
        event_record(
            workspace=project.workspace_id,
            project=project.id,
            type=_TYPE,
            subject=item.id,
            data={"by": own, "name": actor.name},
        )
    people.pop(own, None)
    return people
