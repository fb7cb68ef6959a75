"""Two people never hold one item, whatever they do and when."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connections

from labeling.models import Assignment
from labeling.services import LEASE, annotation_save, assignment_take
from studio.accounts.access import principal_of_user
from studio.datasets.models import Item
from tests.support.project_setup import ingest, picture, setup_make, zip_of

pytestmark = pytest.mark.both_databases("labeling/leases.py")

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def filled(setup):
    ingest(setup.dataset, zip_of({f"{n}.png": picture(n) for n in range(6)}))
    setup.labels("rose", "tulip")
    return setup


def take(setup, user, count=2, skip=(), now=NOW) -> list[str]:
    found = assignment_take(dataset=setup.dataset, actor=principal_of_user(user), skip=skip, count=count, now=now)
    return [item.id for item in found]


def test_two_people_get_different_items(filled):
    lin, max_ = filled.member("lin"), filled.member("max")
    ids = list(Item.objects.order_by("id").values_list("id", flat=True))
    assert take(filled, lin) == ids[:2]
    assert take(filled, max_) == ids[2:4]
    assert take(filled, lin) == ids[:2]
    assert take(filled, filled.owner, count=5) == ids[4:]


def test_a_lease_runs_out_and_is_renewed_by_asking(filled):
    lin, max_ = filled.member("lin"), filled.member("max")
    mine = take(filled, lin, count=6)
    assert take(filled, max_) == []
    assert take(filled, lin, count=6, now=NOW + LEASE / 2) == mine
    assert take(filled, max_, now=NOW + LEASE + timedelta(seconds=1)) == []
    assert take(filled, max_, now=NOW + LEASE * 2) == mine[:2]
    assert not set(take(filled, lin, count=6, now=NOW + LEASE * 2)) & set(mine[:2])


def test_skipped_items_go_back(filled):
    lin, max_ = filled.member("lin"), filled.member("max")
    mine = take(filled, lin)
    other = take(filled, lin, skip=mine)
    assert not set(mine) & set(other)
    assert take(filled, max_) == mine


def test_labelled_items_do_not_come_again(filled):
    lin = filled.member("lin")
    one = take(filled, lin, count=1)[0]
    item = Item.objects.select_related("dataset__project").get(id=one)
    annotation_save(item=item, annotations=(), revision=0, operation="op-12345", actor=principal_of_user(lin))
    assert not Assignment.objects.filter(item=one).exists()
    assert one not in take(filled, lin, count=6)


@pytest.mark.django_db(transaction=True)
def test_two_people_at_the_same_moment(home):
    setup = setup_make()
    ingest(setup.dataset, zip_of({f"{n}.png": picture(n) for n in range(12)}))
    people = [setup.member(f"p{n}") for n in range(4)]
    start = threading.Barrier(len(people))
    got: dict[str, list[str]] = {}
    failed: list[Exception] = []

    def work(user) -> None:
        try:
            start.wait()
            got[user.id] = take(setup, user, count=3)
        except Exception as error:  # noqa: BLE001 - any failure of the thread fails the test
            failed.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=work, args=(user,)) for user in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    leased = [item for items in got.values() for item in items]
    assert len(leased) == len(set(leased)) == 12
    holder_of = dict(Assignment.objects.values_list("item", "holder"))
    assert all(holder_of[item] == f"person:{user}" for user, items in got.items() for item in items)
