"""Saying something of items: revisions, operations, many at once, history, reviews."""

from __future__ import annotations

import uuid

import pytest

from labeling.models import AnnotationRevision, Review
from studio.accounts.roles import Role
from studio.datasets.models import Item
from tests.support.project_setup import ingest, picture, setup_make, zip_of

ROSE = [{"kind": "class", "label": "rose", "score": None}]
TULIP = [{"kind": "class", "label": "tulip", "score": None}]


@pytest.fixture
def filled(setup):
    ingest(setup.dataset, zip_of({f"{n}.png": picture(n) for n in range(4)}))
    setup.labels("rose", "tulip")
    return setup


def save(client, item: str, annotations, revision: int, operation: str | None = None):
    body = {"annotations": annotations, "revision": revision, "operation": operation or str(uuid.uuid4())}
    return client.put(f"/api/labeling/items/{item}/annotations", body, content_type="application/json")


def first(setup) -> Item:
    return Item.objects.filter(dataset=setup.dataset).order_by("id").first()


def test_saving_raises_the_revision_and_says_who(filled):
    item = first(filled)
    answer = save(filled.client(), item.id, ROSE, 0).json()
    assert answer["revision"] == answer["item"]["revision"] == 1
    assert answer["item"]["annotations"] == ROSE
    assert answer["item"]["provenance"] == f"person:{filled.owner.id}"
    assert answer["item"]["state"] == "annotated"


def test_a_stale_revision_is_a_conflict_that_shows_both(filled):
    item = first(filled)
    client = filled.client()
    save(client, item.id, ROSE, 0)
    answer = save(client, item.id, TULIP, 0)
    assert (answer.status_code, answer.json()["code"]) == (409, "annotation_stale")
    assert answer.json()["extra"]["current"]["annotations"] == ROSE
    assert answer.json()["extra"]["current"]["revision"] == 1
    item.refresh_from_db()
    assert item.annotations == ROSE


def test_an_operation_sent_again_changes_nothing(filled):
    item = first(filled)
    client = filled.client()
    operation = str(uuid.uuid4())
    one = save(client, item.id, ROSE, 0, operation)
    save(client, item.id, TULIP, 1)
    again = save(client, item.id, ROSE, 0, operation)
    assert (one.status_code, again.status_code) == (200, 200)
    assert again.json()["revision"] == 1
    assert again.json()["item"]["annotations"] == TULIP
    assert AnnotationRevision.objects.filter(item=item).count() == 2


def test_nothing_there_is_annotated_and_null_is_unlabelled(filled):
    item = first(filled)
    client = filled.client()
    empty = save(client, item.id, [], 0).json()["item"]
    assert (empty["state"], empty["annotations"]) == ("annotated", [])
    cleared = save(client, item.id, None, 1).json()["item"]
    assert (cleared["state"], cleared["annotations"], cleared["provenance"]) == ("unlabelled", [], "")


@pytest.mark.parametrize(
    "annotations",
    [
        [{"kind": "class", "label": "weed"}],
        ROSE + TULIP,
        ROSE + ROSE,
        [{"kind": "class", "label": "rose", "score": 0.5}],
        [{"kind": "box", "label": "rose", "x": 0, "y": 0, "width": 5, "height": 5}],
    ],
)
def test_what_does_not_fit_the_project_is_refused(filled, annotations):
    item = first(filled)
    answer = save(filled.client(), item.id, annotations, 0)
    assert (answer.status_code, answer.json()["code"]) == (422, "annotation_invalid")
    assert answer.json()["fields"]["annotations"]
    item.refresh_from_db()
    assert item.revision == 0


def test_malformed_annotations_are_refused_at_the_endpoint(filled):
    answer = save(filled.client(), first(filled).id, [{"kind": "class"}], 0)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_input")


def test_a_deleted_item_takes_nothing(filled):
    item = first(filled)
    client = filled.client()
    client.delete(f"/api/items/{item.id}")
    assert save(client, item.id, ROSE, 0).json()["code"] == "item_deleted"


def test_many_items_with_one_key(filled):
    client = filled.client()
    items = list(Item.objects.values_list("id", flat=True))
    save(client, items[0], TULIP, 0)
    body = {"items": items, "annotations": ROSE, "operation": str(uuid.uuid4())}
    for _ in range(2):
        answer = client.post("/api/labeling/annotations/batch", body, content_type="application/json")
        assert {one["id"]: one["revision"] for one in answer.json()["items"]} == {
            item: 2 if item == items[0] else 1 for item in items
        }
    assert all(item.annotations == ROSE for item in Item.objects.all())
    assert AnnotationRevision.objects.count() == 5


def test_items_of_two_projects_are_not_labelled_together(filled):
    other = setup_make(email="eve@example.org")
    ingest(other.dataset, picture(77), name="a.png", kind="file")
    foreign = Item.objects.get(dataset=other.dataset)
    body = {"items": [first(filled).id, foreign.id], "annotations": ROSE, "operation": str(uuid.uuid4())}
    answer = filled.client().post("/api/labeling/annotations/batch", body, content_type="application/json")
    assert answer.status_code == 404
    assert Item.objects.filter(state="annotated").count() == 0


def test_the_history_shows_what_an_import_wrote_before_a_person(setup):
    upload = ingest(setup.dataset, zip_of({"rose/1.png": picture(1), "tulip/2.png": picture(2)}), labels="folder")
    setup.refresh()
    item = Item.objects.get(name="rose/1.png")
    client = setup.client()
    assert [entry["by"] for entry in client.get(f"/api/labeling/history?item={item.id}").json()] == [f"import:{upload.id}"]
    save(client, item.id, TULIP, 1)
    found = client.get(f"/api/labeling/history?item={item.id}").json()
    assert [(entry["revision"], entry["by"], entry["annotations"]) for entry in found] == [
        (2, f"person:{setup.owner.id}", TULIP),
        (1, f"import:{upload.id}", ROSE),
    ]
    assert found[0]["by_name"] == "Ada"


def review(client, item: str, decision: str, comment: str = ""):
    body = {"item": item, "decision": decision, "comment": comment}
    return client.post("/api/labeling/reviews", body, content_type="application/json")


def test_nobody_reviews_their_own_work(filled):
    item = first(filled)
    save(filled.client(), item.id, ROSE, 0)
    answer = review(filled.client(), item.id, "approve")
    assert (answer.status_code, answer.json()["code"]) == (409, "review_own_work")
    assert Review.objects.count() == 0


def test_approving_happens_once_for_a_revision(filled):
    item = first(filled)
    save(filled.client(filled.member("lin")), item.id, ROSE, 0)
    assert review(filled.client(), item.id, "approve").status_code == 201
    assert review(filled.client(), item.id, "approve").json()["code"] == "review_exists"
    assert review(filled.client(), Item.objects.order_by("id").last().id, "approve").json()["code"] == "review_nothing"


def test_returned_work_comes_up_again_with_what_it_carried(filled):
    item = first(filled)
    lin = filled.member("lin")
    save(filled.client(lin), item.id, ROSE, 0)
    answer = review(filled.client(), item.id, "return", "that is a tulip")
    assert answer.status_code == 201
    item.refresh_from_db()
    assert (item.state, item.revision) == ("unlabelled", 2)
    client = filled.client(lin)
    assert client.get(f"/api/labeling/suggestions?items={item.id}").json()[item.id]["annotations"] == ROSE
    entry = client.get(f"/api/labeling/history?item={item.id}").json()[1]
    assert (entry["review"], entry["comment"]) == ("return", "that is a tulip")
    body = {"project": filled.project.id, "prefetch": 4}
    leased = client.post("/api/labeling/assignments", body, content_type="application/json").json()["items"]
    assert item.id in [one["id"] for one in leased]


def test_stats_count_people_and_labels(filled):
    items = list(Item.objects.values_list("id", flat=True))
    lin = filled.member("lin")
    for item in items[:2]:
        save(filled.client(lin), item, ROSE, 0)
    save(filled.client(), items[2], TULIP, 0)
    found = filled.client().get(f"/api/labeling/stats?project={filled.project.id}").json()
    assert (found["annotated"], found["today"]) == (3, 3)
    assert found["per_label"] == {"rose": 2, "tulip": 1}
    assert [(person["name"], person["items"]) for person in found["per_person"]] == [("lin", 2), ("Ada", 1)]


@pytest.mark.parametrize(("role", "status"), [(Role.VIEWER, 403), (Role.LABELLER, 200), (Role.ENGINEER, 200)])
def test_roles(filled, role, status):
    client = filled.client(filled.member("max", role))
    assert save(client, first(filled).id, ROSE, 0).status_code == status


def test_a_foreign_item_is_not_there(filled):
    eve = setup_make(email="eve@example.org").client()
    item = first(filled).id
    assert save(eve, item, ROSE, 0).status_code == 404
    assert review(eve, item, "approve").status_code == 404
    assert eve.get(f"/api/labeling/history?item={item}").status_code == 404
    assert eve.get(f"/api/labeling/suggestions?items={item}").json() == {}
    assert eve.get(f"/api/labeling/stats?project={filled.project.id}").status_code == 404


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e400"])
@pytest.mark.parametrize(
    "annotation",
    [
        '{"kind": "box", "label": "rose", "x": ?, "y": 1, "width": 2, "height": 2}',
        '{"kind": "box", "label": "rose", "x": 1, "y": 1, "width": ?, "height": 2}',
        '{"kind": "polygon", "label": "rose", "points": [[1, 1], [?, 1], [2, 2]]}',
        '{"kind": "keypoints", "label": "rose", "points": [{"name": "tip", "x": 1, "y": ?}]}',
        '{"kind": "class", "label": "rose", "attributes": [{"name": "weight", "value": ?}]}',
    ],
)
def test_a_number_that_cannot_be_stored_is_refused_with_its_place(filled, annotation, number):
    body = '{"annotations": [' + annotation.replace("?", number) + '], "revision": 0, "operation": "one"}'
    path = f"/api/labeling/items/{first(filled).id}/annotations"
    answer = filled.client().put(path, body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_input")
    assert any("annotations.0" in field for field in answer.json()["fields"])
    assert not first(filled).annotations
