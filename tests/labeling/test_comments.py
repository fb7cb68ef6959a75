"""Comments: said once, changed by their author alone, settled by anybody; annotators meet those of their share only."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from django.db import connections
from django.utils import timezone

from labeling.campaigns.models import CampaignItem
from labeling.campaigns.services import CampaignPlan, campaign_create
from labeling.comments import services
from labeling.comments.models import Comment
from labeling.comments.selectors import open_counts
from labeling.comments.tasks import comments_prune_task
from studio.accounts.models import AuditRow
from studio.accounts.roles import Role
from studio.accounts.services import user_sign_up
from studio.common.models import Event
from studio.datasets.items.services import item_delete
from studio.datasets.models import Item
from tests.support.project_setup import PASSWORD, ingest, picture, zip_of

JSON = "application/json"


@pytest.fixture
def discussed(setup):
    ingest(setup.dataset, zip_of({f"{n}.png": picture(n) for n in range(4)}))
    return setup, list(Item.objects.select_related("dataset__project").order_by("id"))


def say(client, item, text="Is this a rose?", operation="op-1"):
    body = {"item": item.id, "text": text, "operation": operation}
    return client.post("/api/labeling/comments", body, content_type=JSON)


def heard(client, item):
    return client.get("/api/labeling/comments", {"item": item.id})


def test_a_comment_is_there_for_all_with_its_author_and_time(discussed):
    setup, (item, other, *_) = discussed
    wei, eve = setup.client(setup.member("wei")), setup.client(setup.member("eve", Role.VIEWER))
    comment = say(wei, item, "  Is this a rose?\n是玫瑰吗？ ")
    assert comment.status_code == 201
    (one,) = heard(eve, item).json()
    assert one == comment.json()
    assert (one["text"], one["by_name"], one["edited_at"], one["resolved_at"]) == (
        "Is this a rose?\n是玫瑰吗？",
        "wei",
        None,
        None,
    )
    assert heard(eve, other).json() == []
    event = Event.objects.get(type="comment.added")
    assert (event.project, event.subject, event.data) == (setup.project.id, item.id, {"comment": one["id"]})
    assert AuditRow.objects.get(action="comment.added").subject == one["id"]


def test_sending_it_twice_saves_it_once(discussed):
    setup, (item, other, *_) = discussed
    first, again = say(setup.client(), item), say(setup.client(), item)
    assert first.json() == again.json()
    assert say(setup.client(), other).json()["id"] != first.json()["id"]  # the name counts within an item
    assert Comment.objects.filter(item=item).count() == 1
    assert Event.objects.filter(type="comment.added", subject=item.id).count() == 1


def test_what_waited_is_not_attributed_to_whoever_signed_in_since(discussed):
    setup, (item, *_) = discussed
    wei = setup.member("wei")
    body = {"item": item.id, "text": "Mine", "operation": "op-1", "person": wei.id}
    refused = setup.client().post("/api/labeling/comments", body, content_type=JSON)
    assert (refused.status_code, refused.json()["code"]) == (401, "another_person")
    assert setup.client(wei).post("/api/labeling/comments", body, content_type=JSON).json()["by_name"] == "wei"


@pytest.mark.django_db(transaction=True)
def test_two_tabs_that_send_it_at_once_save_it_once(discussed):
    setup, (item, *_) = discussed
    answers = []

    def send():
        answers.append(say(setup.client(), item).status_code)
        connections.close_all()

    threads = [threading.Thread(target=send) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [201] * 4
    assert Comment.objects.count() == 1


def test_only_the_author_changes_it_and_it_reports_that(discussed):
    setup, (item, *_) = discussed
    wei = setup.client(setup.member("wei"))
    one = say(wei, item).json()["id"]
    url = f"/api/labeling/comments/{one}"
    refused = setup.client().patch(url, {"text": "No!"}, content_type=JSON)
    assert (refused.status_code, refused.json()["code"]) == (403, "comment_of_another")
    assert setup.client().delete(url).json()["code"] == "comment_of_another"
    changed = wei.patch(url, {"text": "A tulip?"}, content_type=JSON).json()
    assert changed["text"] == "A tulip?"
    assert changed["edited_at"] is not None
    assert heard(setup.client(), item).json() == [changed]


def test_what_is_deleted_comes_back_as_it_was(discussed):
    setup, (item, *_) = discussed
    wei = setup.client(setup.member("wei"))
    before = say(wei, item).json()
    url = f"/api/labeling/comments/{before['id']}"
    assert wei.delete(url).status_code == 204
    assert heard(setup.client(), item).json() == []
    assert wei.patch(url, {"text": "x"}, content_type=JSON).json()["code"] == "comment_deleted"
    assert setup.client().post(f"{url}/restore").json()["code"] == "comment_of_another"
    assert wei.post(f"{url}/restore").json() == before
    assert heard(setup.client(), item).json() == [before]


def test_anybody_who_labels_settles_it_and_opens_it_again(discussed):
    setup, (item, other, *_) = discussed
    one = say(setup.client(setup.member("wei")), item).json()
    say(setup.client(), item, operation="op-2")
    say(setup.client(), other)
    url = f"/api/labeling/comments/{one['id']}/resolved"
    counts = f"/api/datasets/{setup.dataset.id}/comments/open?first={item.id}&last={other.id}"
    assert setup.client().get(counts).json() == {"num_open": {item.id: 2, other.id: 1}}
    done = setup.client().put(url, {"is_resolved": True}, content_type=JSON).json()
    assert (done["resolved_by_name"], done["resolved_at"] is None) == ("Ada", False)
    assert setup.client().get(counts).json() == {"num_open": {item.id: 1, other.id: 1}}
    assert open_counts(setup.dataset, first=other.id, last=other.id) == {other.id: 1}
    assert setup.client().put(url, {"is_resolved": False}, content_type=JSON).json() == one
    assert [event.type for event in Event.objects.filter(subject=item.id).order_by("id")][-2:] == [
        "comment.resolved",
        "comment.reopened",
    ]


def test_the_gallery_finds_what_is_discussed(discussed):
    setup, (first, second, third, _) = discussed
    for number, item in enumerate((first, first, second, third)):
        say(setup.client(), item, operation=f"op-{number}")
    item_delete(dataset=setup.dataset, items=[third.id], actor=setup.actor)
    url = f"/api/datasets/{setup.dataset.id}/items?comments=open"
    assert [one["id"] for one in setup.client().get(url).json()["items"]] == [first.id, second.id]
    for comment in Comment.objects.select_related("item__dataset__project").filter(item=first):
        services.comment_resolve(comment=comment, is_resolved=True, actor=setup.actor)
    assert [one["id"] for one in setup.client().get(url).json()["items"]] == [second.id]
    assert [one["id"] for one in setup.client().get(f"{url}&where=deleted").json()["items"]] == [third.id]


def test_annotators_meet_the_comments_of_their_share_only(discussed):
    setup, (shared, private, *_) = discussed
    setup.labels("rose", "tulip")
    mia, ben = setup.member("mia", Role.ANNOTATOR), setup.member("ben", Role.ANNOTATOR)
    plan = CampaignPlan(title="Spring", people=[mia.id])
    campaign = campaign_create(dataset=setup.dataset, plan=plan, actor=setup.actor)
    CampaignItem.objects.filter(campaign=campaign).exclude(item=shared).delete()
    comment = say(setup.client(), shared).json()
    hidden = say(setup.client(), private).json()
    client = setup.client(mia)
    assert heard(client, shared).json() == [comment]
    assert say(client, shared, "I think so", "op-2").status_code == 201
    assert heard(client, private).status_code == 403
    assert say(client, private, "Hello").status_code == 403
    assert client.post(f"/api/labeling/comments/{hidden['id']}/restore").status_code == 403
    assert heard(setup.client(ben), shared).status_code == 403
    counts = f"/api/datasets/{setup.dataset.id}/comments/open?first={shared.id}&last={private.id}"
    assert client.get(counts).status_code == 403


def test_who_only_looks_says_nothing_and_strangers_see_nothing(discussed):
    setup, (item, *_) = discussed
    viewer = setup.client(setup.member("eve", Role.VIEWER))
    assert say(viewer, item).json()["code"] == "permission_denied"
    say(setup.client(), item)
    stranger = user_sign_up(email="mallory@example.org", password=PASSWORD, name="Mallory")
    assert heard(setup.client(stranger), item).status_code == 404


@pytest.mark.parametrize("text", ["", "   ", "a" * 4001, "a\0b"])
def test_what_is_no_comment_is_refused(discussed, text):
    setup, (item, *_) = discussed
    refused = say(setup.client(), item, text)
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_input")
    assert "text" in str(refused.json()["fields"])
    assert not Comment.objects.exists()


def test_an_item_takes_so_many_and_no_more(discussed, monkeypatch):
    setup, (item, *_) = discussed
    monkeypatch.setattr(services, "MOST_OF_AN_ITEM", 2)
    first, second, third = (say(setup.client(), item, operation=f"op-{n}") for n in range(3))
    assert (first.status_code, second.status_code, third.json()["code"]) == (201, 201, "comments_full")
    assert say(setup.client(), item, operation="op-0").json() == first.json()


def test_what_was_taken_back_long_ago_is_forgotten(discussed, settings):
    setup, items = discussed
    client = setup.client()
    old, new, living = (say(client, items[0], text, operation=text).json()["id"] for text in ("old", "new", "said"))
    for comment in (old, new):
        assert client.delete(f"/api/labeling/comments/{comment}").status_code in {200, 204}
    long_ago = timezone.now() - settings.COMMENT_KEEP - timedelta(hours=1)
    Comment.objects.filter(id=old).update(deleted_at=long_ago)
    Comment.objects.filter(id=living).update(created_at=long_ago)
    comments_prune_task()
    assert set(Comment.objects.values_list("id", flat=True)) == {new, living}
