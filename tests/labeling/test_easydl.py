"""EasyDL's data-set API: what its clients send, and what is in the platform afterwards."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from django.test import Client

from studio.accounts.keys import KeyScope, key_create
from studio.accounts.roles import Role
from studio.common.ids import id_number
from studio.datasets.models import Dataset, Item
from tests.support.project_setup import picture

Call = Any


@pytest.fixture
def easydl(setup):
    """Asks with the token of a key with this role and scope."""
    secrets: dict[Any, str] = {}

    def ask(path: str, body: Any, role: Role = Role.ENGINEER, **scope: Any) -> dict[str, Any]:
        known = (role, *sorted(scope.items()))
        if known not in secrets:
            made = key_create(workspace=setup.workspace, name="easydl", role=role, actor=setup.actor, scope=KeyScope(**scope))
            secrets[known] = made[1]
        client = Client(enforce_csrf_checks=True)
        address = f"/rpc/2.0/easydl/{path}?access_token={secrets[known]}"
        answer = client.post(address, body, content_type="application/json")
        assert (answer.status_code, answer["Content-Type"]) == (200, "application/json")
        return answer.json()

    return ask


def entity(number: int, **fields: Any) -> dict[str, Any]:
    content = base64.b64encode(picture(number)).decode()
    return {"type": "IMAGE_CLASSIFICATION", "entity_name": f"{number}.jpg", "entity_content": content, **fields}


def test_a_client_of_easydl_makes_fills_lists_and_deletes_a_data_set(easydl):
    made = easydl("dataset/create", {"type": "IMAGE_CLASSIFICATION", "dataset_name": "水果"})
    dataset = made["dataset_id"]
    assert isinstance(made["log_id"], int)
    assert type(dataset) is int
    assert 0 < dataset < 2**53  # a number of JavaScript's
    row = Dataset.objects.get(project__name="水果")
    assert id_number(row.id) == dataset
    for number, label in enumerate(["苹果", "梨", "苹果"]):
        added = easydl("dataset/addentity", entity(number, dataset_id=dataset, labels=[{"label_name": label}]))
        assert set(added) == {"log_id", "entity_id"}
    bare = easydl("dataset/addentity", entity(9, dataset_id=dataset))
    assert Item.objects.get(id=bare["entity_id"]).annotations is None
    common = {"type": "IMAGE_CLASSIFICATION", "dataset_id": dataset}
    labels = easydl("label/list", common)
    assert easydl("label/list", common | {"dataset_id": str(dataset)})["results"] == labels["results"]
    assert easydl("label/list", common | {"dataset_id": row.id})["results"] == labels["results"]
    for other in (dataset + 1, dataset - 1, 0, -dataset, 10**30):
        assert easydl("label/list", common | {"dataset_id": other})["error_code"] == 336001
    assert labels["total_num"] == 2
    assert {one["label_name"]: one["entity_count"] for one in labels["results"]} == {"苹果": 2, "梨": 1}
    listed = easydl("dataset/list", {"type": "IMAGE_CLASSIFICATION", "start": 0, "num": 1})
    assert listed["total_num"] == 2  # and the project's own
    assert listed["results"] == [
        {"dataset_id": dataset, "dataset_name": "水果", "type": "IMAGE_CLASSIFICATION", "status": "normal"}
    ]
    assert easydl("dataset/list", {"type": "OBJECT_DETECTION"})["results"] == []
    assert set(easydl("dataset/delete", common)) == {"log_id"}
    assert easydl("dataset/list", {"type": "IMAGE_CLASSIFICATION"})["total_num"] == 1
    assert easydl("label/list", common)["error_code"] == 336001


def test_boxes_come_in_pixels_and_are_added_when_asked(easydl):
    dataset = easydl("dataset/create", {"type": "OBJECT_DETECTION", "dataset_name": "Boxes"})["dataset_id"]
    box = {"label_name": "cat", "left": 1, "top": 2, "width": 5.5, "height": 4}
    sent = entity(1, type="OBJECT_DETECTION", dataset_id=dataset, labels=[box])
    item = easydl("dataset/addentity", sent)["entity_id"]
    other = {**box, "label_name": "dog", "left": 3}
    assert easydl("dataset/addentity", {**sent, "labels": [other], "appendLabel": True})["entity_id"] == item
    annotations = Item.objects.get(id=item).annotations
    assert [(one["label"], one["x"], one["y"], one["width"], one["height"]) for one in annotations] == [
        ("cat", 1, 2, 5.5, 4),
        ("dog", 3, 2, 5.5, 4),
    ]
    easydl("dataset/addentity", {**sent, "labels": [other]})
    assert [one["label"] for one in Item.objects.get(id=item).annotations] == ["dog"]


def test_texts_come_as_they_are(easydl):
    dataset = easydl("dataset/create", {"type": "TEXT_CLASSIFICATION", "dataset_name": "Texts"})["dataset_id"]
    sent = {"type": "TEXT_CLASSIFICATION", "dataset_id": dataset, "entity_name": "a", "entity_content": "很好，谢谢"}
    item = Item.objects.get(id=easydl("dataset/addentity", {**sent, "labels": [{"label_name": "好"}]})["entity_id"])
    assert item.text == "很好，谢谢"
    assert item.annotations[0]["label"] == "好"


def test_what_is_wrong_has_easydl_s_number(easydl, setup):
    dataset = setup.dataset.id
    common = {"type": "IMAGE_CLASSIFICATION", "dataset_id": dataset}
    cases: list[tuple[str, Any, int]] = [
        ("dataset/create", {"type": "SOUND_CLASSIFICATION", "dataset_name": "x"}, 336001),
        ("dataset/create", {"type": "IMAGE_CLASSIFICATION", "dataset_name": " "}, 336001),
        ("dataset/create", b"{broken", 336002),
        ("dataset/create", b"[1]", 336002),
        ("dataset/list", {**common, "num": 101}, 336001),
        ("dataset/list", {**common, "start": "0"}, 336001),
        ("label/list", {**common, "dataset_id": "dst_nowhere"}, 336001),
        ("label/list", {**common, "type": "OBJECT_DETECTION"}, 336001),
        ("dataset/addentity", entity(1, dataset_id=dataset, entity_content="?"), 336003),
        ("dataset/addentity", entity(1, dataset_id=dataset, entity_content="YWJj"), 336005),
        ("dataset/addentity", entity(1, dataset_id=dataset, entity_name=""), 336001),
        ("dataset/addentity", entity(1, dataset_id=dataset, labels="cat"), 336001),
        ("dataset/addentity", entity(1, dataset_id=dataset, labels=[{}]), 336001),
        ("dataset/addentity", entity(1, dataset_id=dataset, labels=[{"label_name": "a"}, {"label_name": "b"}]), 336001),
    ]
    for path, body, number in cases:
        answer = easydl(path, body)
        assert (answer.get("error_code"), path, body) == (number, path, body), answer
        assert answer["error_msg"]
    assert Item.objects.filter(dataset=setup.dataset).count() == 0


def test_a_key_may_what_its_role_and_scope_allow(easydl, setup):
    make = {"type": "IMAGE_CLASSIFICATION", "dataset_name": "x"}
    common = {"type": "IMAGE_CLASSIFICATION", "dataset_id": setup.dataset.id}
    assert easydl("dataset/create", make, Role.VIEWER)["error_code"] == 6
    assert easydl("dataset/addentity", entity(1, dataset_id=setup.dataset.id), Role.VIEWER)["error_code"] == 6
    assert easydl("dataset/delete", common, Role.LABELLER)["error_code"] == 6
    assert easydl("dataset/list", common, Role.VIEWER)["total_num"] == 1
    assert easydl("dataset/list", common, is_predict_only=True)["total_num"] == 0
    assert easydl("label/list", common, is_predict_only=True)["error_code"] == 6
    assert easydl("dataset/create", make, project=setup.project.id)["error_code"] == 6
    assert easydl("dataset/list", common, project=setup.project.id)["total_num"] == 1


@pytest.mark.django_db
def test_nobody_comes_in_without_a_token(client):
    for query, number in (("", 110), ("?access_token=", 110), ("?access_token=my_wrong", 110)):
        answer = client.post(f"/rpc/2.0/easydl/dataset/list{query}", {}, content_type="application/json").json()
        assert answer["error_code"] == number
    assert client.get("/rpc/2.0/easydl/dataset/list?access_token=x").json()["error_code"] == 3
