"""Cards of projects, what waits in one, and the drawings of tasks, through the HTTP door."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from engine.tasks import task_names
from labeling.campaigns.models import CampaignItem, Outcome
from labeling.campaigns.services import CampaignPlan, campaign_create
from labeling.comments.models import Comment
from studio.datasets.models import Item, ItemFlag
from studio.jobs.models import Job
from studio.projects.models import Project
from studio.projects.services import project_create
from studio.registry.models import Artefact
from tests.studio.studies.material import artefact_make, text_version_make, version_make
from tests.support.data_room import Room, room_make

pytestmark = pytest.mark.both_databases


@pytest.fixture
def room(db, home) -> Room:
    return room_make()


def cards(room: Room, **query: str) -> dict:
    query = {"workspace": room.workspace.id, **query}
    answer = room.client().get("/api/project-cards", query)
    assert answer.status_code == 200, answer.content
    return answer.json()


def glance(room: Room) -> dict:
    return room.client().get(f"/api/projects/{room.project.id}/glance").json()


def waiting(room: Room) -> dict[str, tuple[int, int | None]]:
    return {each["key"]: (each["count"], each["number"]) for each in glance(room)["waiting"]}


def more_projects(room: Room, *names: str, task: str = "image_classification") -> list[Project]:
    return [project_create(workspace=room.workspace, name=name, task=task, actor=room.actor) for name in names]


def test_a_card_shows_items_the_best_model_and_the_last_activity(room):
    artefact = artefact_make(room, version_make(room, num_items=8))
    [card] = cards(room)["items"]
    assert len(card["items"]) == 4
    assert all(item["thumbnail_url"].startswith("/api/items/itm_") for item in card["items"])
    values = artefact.facts.metrics["test"]
    assert card["figure"] == {
        "artefact": artefact.id,
        "number": artefact.number,
        "metric": "accuracy",
        "split": "test",
        "value": pytest.approx(values["accuracy"]),
    }
    assert card["active_at"] > card["created_at"]
    assert card["counts"]["items"] == 8


def test_a_card_of_texts_shows_how_they_begin(db, home):
    room = room_make(task="text_classification")
    text_version_make(room, num_items=4)
    [card] = cards(room)["items"]
    assert {item["text"] for item in card["items"]} == {f"好, the {('cat', 'dog')[i % 2]} of number {i}" for i in range(4)}
    assert {item["thumbnail_url"] for item in card["items"]} == {None}


def test_cards_are_searched_sorted_and_paged(room):
    first, *_ = more_projects(room, "Bolts", "nuts", "Äpfel")
    Project.objects.filter(id=first.id).update(description="of STEEL")
    names = [card["name"] for card in cards(room, sort="name")["items"]]
    assert names == sorted(names, key=str.casefold)
    assert [card["name"] for card in cards(room, sort="created")["items"]] == ["Äpfel", "nuts", "Bolts", room.project.name]
    assert [card["name"] for card in cards(room, search="steel")["items"]] == ["Bolts"]
    later = timezone.now() + timedelta(hours=1)
    Job.objects.create(
        workspace=room.workspace,
        project=first,
        kind="ingest",
        title={"en": "J", "zh": "J"},
        idempotency_key="j",
        queued_at=later,
    )
    assert cards(room)["items"][0]["name"] == "Bolts"
    page = cards(room, sort="created", limit="3")
    rest = cards(room, sort="created", limit="3", cursor=page["next_cursor"])
    assert [card["name"] for card in rest["items"]] == [room.project.name]
    assert rest["next_cursor"] is None
    wrong = room.client().get("/api/project-cards", {"workspace": room.workspace.id, "cursor": "x"})
    assert (wrong.status_code, wrong.json()["code"]) == (422, "invalid_input")


def test_more_projects_and_models_ask_no_more_questions(room):
    def count() -> int:
        client = room.client()
        client.get("/api/auth/me")
        with CaptureQueriesContext(connection) as queries:
            client.get("/api/project-cards", {"workspace": room.workspace.id})
        return len(queries)

    artefact = artefact_make(room, version_make(room, num_items=8))
    few = count()
    for project in more_projects(room, "A", "B", "C"):
        Artefact.objects.create(
            project=project,
            number=1,
            version=artefact.version,
            manifest=artefact.manifest,
            latency_ms=1,
            model_bytes=1,
            size_bytes=1,
        )
    assert count() == few


def test_the_best_model_is_the_one_in_production_or_the_surest(room):
    sure = artefact_make(room, version_make(room, num_items=8))
    ends = {"validation": {"accuracy": [0.9, 0.95]}}
    Artefact.objects.filter(id=sure.id).update(
        manifest=sure.manifest | {"metrics": {"validation": {"accuracy": 0.92}, "test": {"accuracy": 0.91}}, "intervals": ends}
    )
    lucky = Artefact.objects.create(
        project=room.project,
        number=2,
        version=sure.version,
        manifest=sure.manifest
        | {"metrics": {"validation": {"accuracy": 1.0}, "test": {"accuracy": 0.7}}}
        | {"intervals": {"validation": {"accuracy": [0.6, 1.0]}}},
        latency_ms=1,
        model_bytes=1,
        size_bytes=1,
    )
    assert glance(room)["figure"] | {"value": 0.91} == glance(room)["figure"]
    assert glance(room)["figure"]["artefact"] == sure.id
    Artefact.objects.filter(id=lucky.id).update(stage="production")
    assert glance(room)["figure"]["artefact"] == lucky.id


def test_what_waits_is_counted_and_nothing_waits_in_an_empty_project(room):
    assert waiting(room) == {}
    assert glance(room)["figure"] is None
    version = version_make(room, num_items=6)
    assert waiting(room) == {}
    items = list(Item.objects.filter(dataset=room.dataset).order_by("id"))
    Item.objects.filter(id=items[0].id).update(annotated_at=version.created_at + timedelta(seconds=1))
    for item in items[1:3]:
        ItemFlag.objects.create(dataset=room.dataset, item=item, kind="wrong_label", severity=0.9, created_at=timezone.now())
        Comment.objects.create(dataset=room.dataset, item=items[1], author="person:usr_1", text="?", operation=item.id)
    plan = CampaignPlan(title="C", people=[room.owner.id], items=[items[4].id])
    campaign_create(dataset=room.dataset, plan=plan, actor=room.actor)
    CampaignItem.objects.update(outcome=Outcome.DISPUTED)
    assert waiting(room) == {
        "labels_changed": (1, version.number),
        "wrong_labels": (2, None),
        "disputes": (1, None),
        "comments": (1, None),
    }


@pytest.mark.parametrize("task", task_names())
def test_every_task_has_a_drawing(room, task):
    answer = room.client().get(f"/api/tasks/{task}/illustration")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "image/svg+xml"
    assert room.client().get("/api/tasks/nothing/illustration").status_code == 422
