"""What waits in a journal: sent at once, sent again, sent by two people; and the server killed at any statement."""

from __future__ import annotations

import random
import threading
import uuid
from collections import Counter
from itertools import pairwise

import pytest
from django.db import connection, connections, transaction
from django.test import Client

from labeling.assist.models import SuggestionAnswer
from labeling.models import AnnotationRevision
from studio.accounts.keys import key_create
from studio.accounts.roles import Role
from studio.common.models import Event
from studio.datasets.models import Item, ItemLabel
from tests.support.project_setup import ProjectSetup, ingest, picture, setup_make, zip_of

pytestmark = pytest.mark.both_databases

ROSE, TULIP, POPPY = ([{"kind": "class", "label": name, "score": None}] for name in ("rose", "tulip", "poppy"))


@pytest.fixture
def filled(setup) -> ProjectSetup:
    ingest(setup.dataset, zip_of({f"{n}.png": picture(n) for n in range(6)}))
    setup.labels("rose", "tulip", "poppy")
    return setup


def items_of(setup) -> list[str]:
    return list(Item.objects.filter(dataset=setup.dataset).order_by("id").values_list("id", flat=True))


def change(item: str, before, after, **options) -> dict:
    return {"item": item, "operation": str(uuid.uuid4()), "before": before, "after": after, **options}


def send(client, *changes: dict):
    return client.put("/api/labeling/changes", {"changes": list(changes)}, content_type="application/json")


def sync(client, *changes: dict) -> list[dict]:
    answer = send(client, *changes)
    assert answer.status_code == 200, answer.content
    return answer.json()["changes"]


def history(item: str) -> list:
    return list(AnnotationRevision.objects.filter(item=item).order_by("revision").values_list("annotations", flat=True))


def test_many_changes_of_many_items_come_in_at_once_and_in_order(filled, django_assert_max_num_queries):
    a, b, c = items_of(filled)[:3]
    changes = [
        change(a, None, ROSE),
        change(b, None, TULIP),
        change(a, ROSE, TULIP),
        change(c, None, []),
        change(a, TULIP, None),
    ]
    client = filled.client()
    answers = sync(client, *changes)
    assert [(one["status"], one["revision"]) for one in answers] == [
        ("saved", 1),
        ("saved", 1),
        ("saved", 2),
        ("saved", 1),
        ("saved", 3),
    ]
    assert history(a) == [ROSE, TULIP, None]
    assert [Item.objects.get(id=item).state for item in (a, b, c)] == ["unlabelled", "annotated", "annotated"]
    assert answers[0]["item"]["revision"] == 3


def test_the_number_of_statements_does_not_grow_with_the_changes(filled, django_assert_num_queries):
    client = filled.client()

    def num_queries(count: int) -> int:
        with connection.execute_wrapper(counter := Counting()):
            sync(client, *(change(item, None, ROSE) for item in items_of(filled)[:count]))
        Item.objects.update(annotations=None, state="unlabelled", annotated_at=None, revision=0)
        AnnotationRevision.objects.all().delete()
        ItemLabel.objects.all().delete()
        return counter.count

    assert num_queries(2) == num_queries(6)


class Counting:
    count = 0

    def __call__(self, execute, sql, params, many, context):
        self.count += 1
        return execute(sql, params, many, context)


def test_what_was_sent_before_is_answered_and_not_done_again(filled):
    (item, *_) = items_of(filled)
    client = filled.client()
    first, second = change(item, None, ROSE), change(item, ROSE, TULIP)
    sync(client, first)
    answers = sync(client, first, second, first)
    assert [one["revision"] for one in answers] == [1, 2, 1]
    assert [one["status"] for one in sync(client, second)] == ["saved"]
    assert history(item) == [ROSE, TULIP]


def test_one_that_cannot_be_taken_leaves_the_others_alone(filled):
    a, b, c = items_of(filled)[:3]
    client = filled.client()
    Item.objects.filter(id=c).update(deleted_at=filled.owner.created_at)
    other = setup_make(email="eve@example.org")
    ingest(other.dataset, picture(77), name="a.png", kind="file")
    foreign = Item.objects.get(dataset=other.dataset).id
    answers = sync(
        client,
        change(a, None, ROSE + TULIP),
        change("itm_nowhere", None, ROSE),
        change(foreign, None, ROSE),
        change(c, None, ROSE),
        change(b, None, ROSE),
    )
    codes = [one["refusal"] and one["refusal"]["code"] for one in answers]
    assert codes == ["annotation_invalid", "not_found", "not_found", "item_deleted", None]
    assert all(one["refusal"]["title"] for one in answers[:4])
    assert Item.objects.get(id=b).annotations == ROSE
    assert Item.objects.get(id=foreign).annotations is None


def test_a_viewer_saves_nothing(filled):
    viewer = filled.client(filled.member("vera", Role.VIEWER))
    answer = send(viewer, change(items_of(filled)[0], None, ROSE))
    assert (answer.status_code, answer.json()["code"]) == (403, "permission_denied")


def test_two_people_who_choose_different_labels_are_asked_and_both_are_kept(filled):
    (item, *_) = items_of(filled)
    wei = filled.member("wei")
    sync(filled.client(wei), change(item, None, ROSE))
    mine = change(item, None, TULIP)
    (conflict,) = sync(filled.client(), mine)
    assert (conflict["status"], conflict["clashes"], conflict["revision"]) == (
        "conflict",
        [{"object": "class", "field": "label"}],
        None,
    )
    assert conflict["item"]["annotations"] == ROSE

    (saved,) = sync(filled.client(), mine | {"choice": "theirs", "seen": conflict["item"]["revision"]})
    assert saved["item"]["annotations"] == ROSE
    assert saved["item"]["provenance"] == f"person:{wei.id}"
    assert history(item) == [ROSE, TULIP, ROSE]

    (again,) = sync(filled.client(), change(item, TULIP, POPPY, choice="mine", seen=saved["item"]["revision"]))
    assert again["item"]["annotations"] == POPPY
    assert history(item) == [ROSE, TULIP, ROSE, POPPY]


def test_a_decision_about_what_has_changed_since_is_asked_again(filled):
    (item, *_) = items_of(filled)
    wei = filled.client(filled.member("wei"))
    sync(wei, change(item, None, ROSE))
    mine = change(item, None, TULIP)
    (conflict,) = sync(filled.client(), mine)
    sync(wei, change(item, ROSE, POPPY))
    (again,) = sync(filled.client(), mine | {"choice": "mine", "seen": conflict["item"]["revision"]})
    assert (again["status"], again["item"]["annotations"]) == ("conflict", POPPY)


def test_what_stands_on_an_open_conflict_waits_with_it(filled):
    item, other = items_of(filled)[:2]
    sync(filled.client(filled.member("wei")), change(item, None, ROSE))
    answers = sync(filled.client(), change(item, None, TULIP), change(item, TULIP, ROSE), change(other, None, ROSE))
    assert [one["status"] for one in answers] == ["conflict", "conflict", "saved"]
    assert history(item) == [ROSE]


def test_nobody_sends_the_work_of_another(filled):
    (item, *_) = items_of(filled)
    wei = filled.member("wei")
    body = {"changes": [change(item, None, ROSE)], "person": filled.owner.id}
    answer = filled.client(wei).put("/api/labeling/changes", body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (401, "another_person")
    assert filled.client().put("/api/labeling/changes", body, content_type="application/json").status_code == 200


@pytest.mark.parametrize("address", ["/api/labeling/changes", "/api/labeling/comments"])
def test_a_key_sends_no_work_of_a_person(filled, address):
    """No sign-in would help, so it is not a 401."""
    (item, *_) = items_of(filled)
    _, secret = key_create(workspace=filled.workspace, name="robot", role=Role.OWNER, actor=filled.actor)
    machine = Client(headers={"Authorization": f"Bearer {secret}"})
    by_method = {
        "/api/labeling/changes": (machine.put, {"changes": [change(item, None, ROSE)]}),
        "/api/labeling/comments": (machine.post, {"item": item, "text": "Mine", "operation": "op-1"}),
    }
    send_in, body = by_method[address]
    refused = send_in(address, body | {"person": filled.owner.id}, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (403, "permission_denied")
    assert send_in(address, body, content_type="application/json").status_code in {200, 201}


def test_the_suggestion_that_was_seen_is_noted_and_watchers_are_notified(filled):
    a, b = items_of(filled)[:2]
    shown = {"by": "model:head_1", "annotations": [ROSE[0] | {"score": 0.9}]}
    sync(filled.client(), change(a, None, ROSE, suggestion=shown), change(b, None, TULIP, suggestion=shown))
    answers = SuggestionAnswer.objects.filter(item__in=[a, b]).order_by("item").values_list("is_accepted", "revision")
    assert list(answers) == [(True, 1), (False, 1)]
    event = Event.objects.filter(type="annotation.saved").get()
    assert event.data == {"items": [a, b], "by": f"person:{filled.owner.id}"}


def test_labels_of_several_come_together(setup_of_several):
    setup = setup_of_several
    ingest(setup.dataset, picture(1), name="a.png", kind="file")
    setup.labels("rose", "tulip", "poppy")
    (item,) = items_of(setup)
    wei = setup.client(setup.member("wei"))
    sync(setup.client(), change(item, None, ROSE))
    sync(wei, change(item, ROSE, ROSE + TULIP))
    (mine,) = sync(setup.client(), change(item, ROSE, POPPY))
    assert mine["status"] == "merged"
    assert mine["item"]["annotations"] == TULIP + POPPY
    assert set(ItemLabel.objects.filter(item=item).values_list("label", flat=True)) == {"tulip", "poppy"}


@pytest.mark.django_db(transaction=True)
def test_a_change_sent_again_while_it_is_still_being_saved_is_not_done_again(filled):
    (item, *_) = items_of(filled)
    client, answers = filled.client(), []
    mine, theirs = change(item, None, ROSE), change(item, ROSE, TULIP)

    def again() -> None:
        try:
            answers.extend(sync(client, mine, theirs))
        finally:
            connections.close_all()

    thread = threading.Thread(target=again)
    with transaction.atomic():
        sync(filled.client(), mine)
        thread.start()
        thread.join(1.5)  # it waits: for the item's row, on SQLite for the whole database
        assert thread.is_alive()
    thread.join()
    assert [(one["status"], one["revision"]) for one in answers] == [("saved", 1), ("saved", 2)]
    assert history(item) == [ROSE, TULIP]


# -- killed at any point ------------------------------------------------------------------------------------------------------


class KilledError(Exception):
    """The server died here."""


class Killer:
    """Dies at the n-th statement of a request."""

    def __init__(self, after: int) -> None:
        self.left = after

    def __call__(self, execute, sql, params, many, context):
        if self.left == 0:
            raise KilledError
        self.left -= 1
        return execute(sql, params, many, context)


NUM_KILLS = 200
KILL_POINTS = {"sqlite": 13, "postgresql": 7}
"""Statements of a request and one more, by database: PostgreSQL takes all writes in one."""


@pytest.mark.django_db(transaction=True)
def test_killed_at_two_hundred_random_points_nothing_is_lost_and_nothing_doubled(filled):
    """A journal that sends what is not answered, a server that dies at any statement, and answers that never arrive."""
    rng = random.Random(20261)
    items = items_of(filled)
    client = filled.client()
    client.raise_request_exception = False
    stands = dict.fromkeys(items)
    waiting: list[dict] = []
    drawn: list[dict] = []
    kinds: Counter[str] = Counter()
    while sum(kinds.values()) < NUM_KILLS or waiting:
        for _ in range(rng.randrange(3)):
            item = rng.choice(items)
            after = rng.choice([ROSE, TULIP, POPPY, [], None])
            drawn.append(change(item, stands[item], after))
            waiting.append(drawn[-1])
            stands[item] = after
        if not waiting:
            continue
        fate = rng.choice(["killed", "unheard", "heard"]) if sum(kinds.values()) < NUM_KILLS else "heard"
        batch = waiting[: rng.choice([1, 3, 200])]
        if fate == "killed":
            with connection.execute_wrapper(Killer(rng.randrange(KILL_POINTS[connection.vendor]))):
                answer = send(client, *batch)
            kinds["killed" if answer.status_code == 500 else "late"] += 1
        else:
            answer = send(client, *batch)
            kinds[fate] += fate == "unheard"
        if answer.status_code == 200 and fate != "unheard":
            assert {one["status"] for one in answer.json()["changes"]} == {"saved"}
            waiting = waiting[len(batch) :]
    assert kinds["killed"] > NUM_KILLS // 4
    assert kinds["unheard"] > NUM_KILLS // 4
    for item in items:
        row = Item.objects.get(id=item)
        written = [one["after"] for one in drawn if one["item"] == item]
        assert history(item) == written
        assert row.annotations == stands[item]
        assert row.revision == len(written)
        assert set(ItemLabel.objects.filter(item=item).values_list("label", flat=True)) == {
            one["label"] for one in stands[item] or ()
        }
        revisions = AnnotationRevision.objects.filter(item=item).order_by("revision").values_list("revision", flat=True)
        assert all(later - earlier == 1 for earlier, later in pairwise(revisions))
