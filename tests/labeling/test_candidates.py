"""What one statement finds is what looking at every row would find."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import pytest

from labeling.assist.models import Assist
from labeling.models import Assignment, Suggestion
from labeling.next_item import Candidate, choose
from labeling.services import LEASE, assignment_take
from studio.datasets.models import Item
from tests.support.project_setup import ingest, picture, zip_of

pytestmark = pytest.mark.both_databases("labeling/candidates.py")

NOW = datetime(2026, 1, 1, tzinfo=UTC)
OTHER = "person:other"


@pytest.fixture
def mixed(setup):
    """Items free and not free, held and not held, with and without a suggestion, a few of them in the queue."""
    ingest(setup.dataset, zip_of({f"{n:02}.png": picture(n) for n in range(40)}))
    rng = random.Random(7)
    rows = list(Item.objects.order_by("id"))
    for row in rows:
        if rng.random() < 0.15:
            Item.objects.filter(id=row.id).update(deleted_at=NOW)
        elif rng.random() < 0.15:
            Item.objects.filter(id=row.id).update(state="annotated", annotated_at=NOW, annotations=[], revision=1)
        if rng.random() < 0.3:
            until = NOW + timedelta(minutes=rng.choice([-1, 1]))
            holder = rng.choice([f"person:{setup.owner.id}", OTHER])
            Assignment.objects.create(item=row, dataset=setup.dataset, holder=holder, leased_until=until)
        if rng.random() < 0.3:
            unsure = rng.choice([None, rng.random(), rng.random()])
            Suggestion.objects.create(
                item=row, dataset=setup.dataset, annotations=[], provenance="model:x", uncertainty_fraction=unsure
            )
    queue = [row.id for row in rng.sample(rows, 12)]
    Assist.objects.create(dataset=setup.dataset, queue=[*queue, "itm_gone"])
    return setup


def expected(setup, skip: list[str], count: int) -> list[str]:
    """The same from every row."""
    me = f"person:{setup.owner.id}"
    leases = {
        row.item_id: row.holder
        for row in Assignment.objects.filter(leased_until__gte=NOW)
        if not (row.holder == me and row.item_id in skip)
    }
    unsure = dict(Suggestion.objects.values_list("item", "uncertainty_fraction"))
    queue = Assist.objects.get(dataset=setup.dataset).queue
    free = Item.objects.filter(dataset=setup.dataset, deleted_at=None, state="unlabelled").values_list("id", flat=True)
    candidates = [Candidate(item, unsure.get(item), queue.index(item) if item in queue else None) for item in free]
    mine = {item for item, holder in leases.items() if holder == me}
    return choose(candidates, mine=mine, leased=set(leases) - mine, skip=skip, count=count)


@pytest.mark.parametrize("count", [1, 3, 50])
@pytest.mark.parametrize("num_skipped", [0, 1, 9])
def test_the_choice_is_that_from_every_row(mixed, count, num_skipped):
    ids = list(Item.objects.order_by("id").values_list("id", flat=True))
    skip = random.Random(count).sample(ids, num_skipped)
    chosen = expected(mixed, skip, count)
    assert chosen
    leased = assignment_take(dataset=mixed.dataset, actor=mixed.actor, skip=skip, count=count, now=NOW)
    assert [item.id for item in leased] == chosen
    me = f"person:{mixed.owner.id}"
    assert not Assignment.objects.filter(leased_until__lt=NOW).exists()
    assert not Assignment.objects.filter(holder=me, item__in=skip).exists()
    until = Assignment.objects.filter(holder=me, item__in=chosen).values_list("leased_until", flat=True)
    assert set(until) == {NOW + LEASE}
    assert len(until) == len(chosen)


def test_the_item_is_read_as_it_is(mixed):
    (item,) = assignment_take(dataset=mixed.dataset, actor=mixed.actor, skip=[], count=1, now=NOW)
    same = Item.objects.get(id=item.id)
    columns = [field.attname for field in Item._meta.concrete_fields]
    assert {name: getattr(item, name) for name in columns} == {name: getattr(same, name) for name in columns}
