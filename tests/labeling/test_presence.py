"""Who looks at an item: seen by others for a while, never by oneself."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from labeling.presence import SEEN_FOR, UPDATE_EACH, presence_update
from studio.accounts.access import principal_of_user
from studio.common.models import Event
from studio.datasets.models import Item
from tests.support.project_setup import ingest, picture, zip_of


@pytest.fixture
def looked_at(setup):
    ingest(setup.dataset, zip_of({f"{n}.png": picture(n) for n in range(2)}))
    one, other = Item.objects.select_related("dataset__project").order_by("id")
    return setup, one, other


def test_two_people_see_each_other_until_one_has_gone_on(looked_at):
    setup, item, other = looked_at
    ada, wei = setup.actor, principal_of_user(setup.member("wei"))
    now = timezone.now()
    assert presence_update(item=item, actor=ada, now=now) == {}
    assert presence_update(item=item, actor=wei, now=now) == {f"person:{ada.id}": "Ada"}
    assert presence_update(item=item, actor=ada, now=now) == {f"person:{wei.id}": "wei"}
    assert presence_update(item=other, actor=wei, now=now) == {}
    later = now + SEEN_FOR + timedelta(seconds=5)
    assert presence_update(item=item, actor=ada, now=later) == {}


def test_a_page_that_stays_open_is_written_down_now_and_then(looked_at):
    setup, item, _ = looked_at
    now = timezone.now()
    for _ in range(3):
        presence_update(item=item, actor=setup.actor, now=now)
    assert Event.objects.filter(type="presence.seen").count() == 1
    presence_update(item=item, actor=setup.actor, now=now + UPDATE_EACH + timedelta(seconds=5))
    assert Event.objects.filter(type="presence.seen").count() == 2


def test_the_endpoint_answers_with_names(looked_at):
    setup, item, _ = looked_at
    wei = setup.member("wei")
    setup.client(wei).post("/api/labeling/presence", {"item": item.id}, content_type="application/json")
    answer = setup.client().post("/api/labeling/presence", {"item": item.id}, content_type="application/json")
    assert answer.json() == {"people": [{"by": f"person:{wei.id}", "name": "wei"}]}
