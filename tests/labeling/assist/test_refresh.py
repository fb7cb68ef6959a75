"""From a label to a suggestion: who is marked, what is fitted, what the API answers, what the queue gives out."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from automl.contracts.annotation import Box, ClassLabel
from labeling.assist.handlers import annotations_changed
from labeling.assist.models import Assist, Head, SuggestionAnswer
from labeling.assist.refresh import head_refresh, heads_lost, heads_mark
from labeling.services import annotation_save, annotation_save_many, assignment_take
from studio.common.models import Event
from studio.datasets.embeddings.store import embeddings_load
from studio.datasets.models import Item
from tests.labeling.assist.material import features_of, items_make, kinds_make, shard_put

pytestmark = pytest.mark.both_databases("labeling/assist/refresh.py")

LABELS = ("rose", "tulip", "daisy")


@pytest.fixture
def helped(setup):
    setup.labels(*LABELS)
    setup.kinds = kinds_make(setup.dataset, len(LABELS), 20)
    return setup


def say(setup, items, label) -> None:
    rows = list(Item.objects.select_related("dataset__project").filter(id__in=[item.id for item in items]))
    annotation_save_many(
        items=rows, annotations=(ClassLabel(label=label),), operation=f"say-{label}-{items[0].id}", actor=setup.actor
    )


def label_some(setup, each: int) -> None:
    for kind, label in enumerate(LABELS):
        say(setup, setup.kinds[kind][:each], label)


def refresh(setup) -> int:
    heads_mark(datasets=[setup.dataset.id])
    return head_refresh(dataset_id=setup.dataset.id)


def suggestions(setup, items) -> dict:
    answer = setup.client().get("/api/labeling/suggestions", {"items": ",".join(item.id for item in items)})
    assert answer.status_code == 200, answer.content
    return answer.json()


def assist(setup) -> dict:
    return setup.client().get("/api/labeling/assist", {"project": setup.project.id}).json()


def test_a_label_is_followed_by_suggestions_for_the_others(helped, django_capture_on_commit_callbacks):
    assert assist(helped)["state"] == "waiting_for_labels"
    with django_capture_on_commit_callbacks(execute=True):  # tasks run where they are sent
        label_some(helped, 2)
    state = assist(helped)
    assert (state["state"], state["is_refreshing"]) == ("ready", False)
    assert (state["head"]["num_items"], sorted(state["head"]["labels"])) == (6, sorted(LABELS))
    for kind, label in enumerate(LABELS):
        rest = helped.kinds[kind][2:]
        found = suggestions(helped, rest)
        assert len(found) == len(rest)
        assert all(one["annotations"][0]["label"] == label for one in found.values())
        assert all(one["by"] == f"model:{state['head']['id']}" and 0.3 < one["confidence"] <= 1 for one in found.values())
    assert suggestions(helped, helped.kinds[0][:2]) == {}  # labelled items are not suggested anything
    assert Event.objects.filter(type="assist.refreshed", subject=helped.dataset.id).exists()


def test_one_label_is_too_little(helped):
    say(helped, helped.kinds[0][:5], "rose")
    assert refresh(helped) == 1
    assert not Head.objects.exists()
    assert len(Assist.objects.get().queue) > 0  # diversity needs no head
    assert suggestions(helped, helped.kinds[1]) == {}


def test_marks_send_one_message_and_a_busy_worker_is_not_joined(helped, django_capture_on_commit_callbacks):
    dataset = helped.dataset.id
    Assist.objects.update(dirty_at=None)
    assert heads_mark(datasets=[dataset]) == [dataset]
    assert heads_mark(datasets=[dataset]) == []
    assert heads_lost() == []
    assert heads_lost(now=timezone.now() + timedelta(seconds=6)) == [dataset]
    Assist.objects.update(busy_until=timezone.now() + timedelta(seconds=30))
    assert head_refresh(dataset_id=dataset) == 0
    assert heads_lost(now=timezone.now() + timedelta(seconds=6)) == []
    Assist.objects.update(busy_until=timezone.now() - timedelta(seconds=1))  # that worker is gone
    assert head_refresh(dataset_id=dataset) == 1
    with django_capture_on_commit_callbacks() as calls:
        annotations_changed(["dst_of_nobody"])
    calls[0]()
    assert heads_mark(datasets=["dst_of_nobody"]) == []


def test_heads_forget_labels_that_are_taken_back(helped):
    label_some(helped, 3)
    refresh(helped)
    rows = list(Item.objects.filter(dataset=helped.dataset).select_related("dataset__project"))
    annotation_save_many(items=rows, annotations=None, operation="take-back", actor=helped.actor)
    refresh(helped)
    assert not Head.objects.exists()
    assert suggestions(helped, helped.kinds[0]) == {}


def test_several_labels(setup_of_several):
    setup = setup_of_several
    setup.labels(*LABELS)
    setup.kinds = kinds_make(setup.dataset, 3, 12)
    label_some(setup, 6)
    refresh(setup)
    found = suggestions(setup, setup.kinds[1][6:])
    assert found
    assert all([one["label"] for one in answer["annotations"]] == ["tulip"] for answer in found.values())


def test_answers_are_kept_beside_the_history(helped):
    label_some(helped, 3)
    refresh(helped)
    first, second = helped.kinds[0][5], helped.kinds[0][6]
    for item, label, number in ((first, "rose", 1), (second, "tulip", 2)):
        shown = suggestions(helped, [item])[item.id]
        body = {
            "annotations": [{"kind": "class", "label": label}],
            "revision": 0,
            "operation": f"operation-{number}",
            "suggestion": {"by": shown["by"], "annotations": shown["annotations"]},
        }
        url = f"/api/labeling/items/{item.id}/annotations"
        for _ in range(2):  # sent again it counts once
            answer = helped.client().put(url, json.dumps(body), content_type="application/json")
            assert answer.status_code == 200, answer.content
    assert list(SuggestionAnswer.objects.order_by("id").values_list("is_accepted", flat=True)) == [True, False]
    assert assist(helped)["agreement"] == {"num": 2, "num_accepted": 1}
    history = helped.client().get("/api/labeling/history", {"item": first.id}).json()
    assert history[0]["by"] == f"person:{helped.owner.id}"
    assert (history[0]["suggested_by"].startswith("model:head_"), history[0]["is_accepted"]) == (True, True)


def test_suggested_items_by_confidence_page_by_page(helped):
    label_some(helped, 3)
    refresh(helped)
    Item.objects.filter(id=helped.kinds[0][10].id).update(deleted_at=timezone.now())
    query = {"project": helped.project.id, "label": "rose", "limit": 7}
    seen, cursor, pages = [], None, 0
    while True:
        page = helped.client().get("/api/labeling/assist/items", query | ({"cursor": cursor} if cursor else {})).json()
        assert pages > 0 or page["total"] == 16
        seen += [(one["confidence"], one["item"]["id"]) for one in page["items"]]
        cursor, pages = page["next_cursor"], pages + 1
        if cursor is None:
            break
    assert pages == 3
    assert {item for _, item in seen} == {item.id for item in helped.kinds[0][3:] if item != helped.kinds[0][10]}
    assert [sure for sure, _ in seen] == sorted((sure for sure, _ in seen), reverse=True)
    middle = seen[8][0]
    some = (
        helped.client().get("/api/labeling/assist/items", query | {"max_confidence": middle, "order": "confidence_asc"}).json()
    )
    assert all(one["confidence"] <= middle + 1e-6 for one in some["items"])
    assert helped.client().get("/api/labeling/assist/items", query | {"cursor": "what"}).status_code == 422


def test_the_queue_follows_the_strategy(helped):
    label_some(helped, 3)
    client = helped.client()
    for strategy in ("margin", "oldest"):
        body = json.dumps({"project": helped.project.id, "strategy": strategy})
        answer = client.put("/api/labeling/assist", body, content_type="application/json")
        assert answer.json()["strategy"] == strategy
        refresh(helped)
        queue = Assist.objects.get().queue
        given = [item.id for item in assignment_take(dataset=helped.dataset, actor=helped.actor, skip=(), count=5)]
        oldest = list(Item.objects.filter(state="unlabelled").order_by("id").values_list("id", flat=True)[:5])
        assert given == (queue[:5] if strategy == "margin" else oldest)
        assignment_take(dataset=helped.dataset, actor=helped.actor, skip=given, count=1)
        from labeling.models import Assignment

        Assignment.objects.all().delete()
    body = json.dumps({"project": helped.project.id, "strategy": "best"})
    assert client.put("/api/labeling/assist", body, content_type="application/json").status_code == 422


def test_boxes_order_the_queue_and_are_never_taken_for_the_class_of_the_whole(helped):
    helped.project.task = "object_detection"
    helped.project.save(update_fields=["task"])
    for kind, label in enumerate(LABELS):
        for item in Item.objects.select_related("dataset__project").filter(id__in=[one.id for one in helped.kinds[kind][:3]]):
            box = Box(id="obj_1", label=label, x=1, y=1, width=4, height=4)
            annotation_save(item=item, annotations=(box,), revision=0, operation=f"box-{item.id}", actor=helped.actor)
    assert refresh(helped) == 1
    assert not Head.objects.exists()
    assert suggestions(helped, helped.kinds[0][3:]) == {}
    assert len(Assist.objects.get().queue) == 60 - 9


def test_similar_items_are_of_one_kind_and_alive(helped):
    item = helped.kinds[1][0]
    gone = helped.kinds[1][1]
    Item.objects.filter(id=gone.id).update(deleted_at=timezone.now())
    answer = helped.client().get(f"/api/items/{item.id}/similar", {"limit": 18}).json()
    assert {one["item"]["id"] for one in answer} == {one.id for one in helped.kinds[1][2:]}
    values = [one["similarity"] for one in answer]
    assert values == sorted(values, reverse=True)
    assert 0.9 < values[0] <= 1.0001
    (fresh,) = items_make(helped.dataset, 1)
    refused = helped.client().get(f"/api/items/{fresh.id}/similar")
    assert (refused.status_code, refused.json()["code"]) == (409, "features_missing")


def test_embeddings_are_found_in_whichever_shard_they_are(setup):
    items = items_make(setup.dataset, 9)
    features = features_of(0, 9)
    first = shard_put(setup.dataset, [item.blob for item in items[:4]], features[:4])
    shard_put(setup.dataset, [item.blob for item in items[4:]], features[4:])
    found = embeddings_load(setup.dataset)
    rows = found.find([item.blob for item in items] + ["f" * 64])
    assert rows[-1] == -1
    assert found.take(rows[:-1]) == pytest.approx(features, rel=0.01)
    assert found.multiply(features[:2].T.copy())[rows[:-1]] == pytest.approx(features @ features[:2].T, rel=0.02)
    shard_put(setup.dataset, [item.blob for item in items], features, takes=(first.id,))
    assert len(embeddings_load(setup.dataset)) == 14  # the first was taken in
