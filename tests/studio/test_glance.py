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
from studio.accounts.models import User
from studio.accounts.roles import Role
from studio.datasets.models import Item, ItemFlag
from studio.jobs.models import Job
from studio.projects.models import Project
from studio.projects.services import project_create
from studio.registry.models import Artefact
from studio.studies.models import Study
from tests.studio.studies.material import artefact_make, text_version_make, version_make
from tests.support.project_setup import ProjectSetup, setup_make

pytestmark = pytest.mark.both_databases


@pytest.fixture
def setup(db, home) -> ProjectSetup:
    return setup_make()


def cards(setup: ProjectSetup, **query: str) -> dict:
    query = {"workspace": setup.workspace.id, **query}
    answer = setup.client().get("/api/project-cards", query)
    assert answer.status_code == 200, answer.content
    return answer.json()


def glance(setup: ProjectSetup) -> dict:
    return setup.client().get(f"/api/projects/{setup.project.id}/glance").json()


def waiting(setup: ProjectSetup) -> dict[str, tuple[int, int | None]]:
    return {each["key"]: (each["count"], each["number"]) for each in glance(setup)["waiting"]}


def more_projects(setup: ProjectSetup, *names: str, task: str = "image_classification") -> list[Project]:
    return [project_create(workspace=setup.workspace, name=name, task=task, actor=setup.actor) for name in names]


def test_a_card_shows_items_the_best_model_and_the_last_activity(setup):
    artefact = artefact_make(setup, version_make(setup, num_items=8))
    [card] = cards(setup)["items"]
    assert len(card["items"]) == 4
    assert all(item["thumbnail_url"].startswith("/api/items/itm_") for item in card["items"])
    values = artefact.facts.metrics["test"]
    assert card["figure"] == {
        "artefact": artefact.id,
        "number": artefact.number,
        "metric": "accuracy",
        "split": "test",
        "value": pytest.approx(values["accuracy"]),
        "num_items": artefact.version.manifest["num_items_by_split"]["test"],
    }
    assert card["active_at"] > card["created_at"]
    assert card["counts"]["items"] == 8


def test_a_card_of_texts_shows_how_they_begin(db, home):
    setup = setup_make(task="text_classification")
    text_version_make(setup, num_items=4)
    [card] = cards(setup)["items"]
    assert {item["text"] for item in card["items"]} == {f"好, the {('cat', 'dog')[i % 2]} of number {i}" for i in range(4)}
    assert {item["thumbnail_url"] for item in card["items"]} == {None}


def test_cards_are_searched_sorted_and_paged(setup):
    first, *_ = more_projects(setup, "Bolts", "nuts", "Äpfel")
    Project.objects.filter(id=first.id).update(description="of STEEL")
    names = [card["name"] for card in cards(setup, sort="name")["items"]]
    assert names == sorted(names, key=str.casefold)
    assert [card["name"] for card in cards(setup, sort="created")["items"]] == ["Äpfel", "nuts", "Bolts", setup.project.name]
    assert [card["name"] for card in cards(setup, search="steel")["items"]] == ["Bolts"]
    later = timezone.now() + timedelta(hours=1)
    Job.objects.create(
        workspace=setup.workspace,
        project=first,
        kind="ingest",
        title={"en": "J", "zh": "J"},
        idempotency_key="j",
        queued_at=later,
    )
    assert cards(setup)["items"][0]["name"] == "Bolts"
    page = cards(setup, sort="created", limit="3")
    rest = cards(setup, sort="created", limit="3", cursor=page["next_cursor"])
    assert [card["name"] for card in rest["items"]] == [setup.project.name]
    assert rest["next_cursor"] is None
    wrong = setup.client().get("/api/project-cards", {"workspace": setup.workspace.id, "cursor": "x"})
    assert (wrong.status_code, wrong.json()["code"]) == (422, "invalid_input")


def test_more_projects_and_models_ask_no_more_questions(setup):
    def count() -> int:
        client = setup.client()
        client.get("/api/auth/me")
        with CaptureQueriesContext(connection) as queries:
            client.get("/api/project-cards", {"workspace": setup.workspace.id})
        return len(queries)

    artefact = artefact_make(setup, version_make(setup, num_items=8))
    few = count()
    for project in more_projects(setup, "A", "B", "C"):
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


def test_the_best_model_is_the_one_that_lists_mark(setup):
    made = artefact_make(setup, version_make(setup, num_items=8))

    def change(artefact: Artefact, accuracy: float, *, num_judged: int = 100, margin: float = 0.06) -> None:
        facts = {
            "metrics": {"test": {"accuracy": accuracy}},
            "intervals": {"test": {"accuracy": [accuracy - margin, accuracy + margin]}},
            "num_judged": {"test": num_judged},
        }
        Artefact.objects.filter(id=artefact.id).update(manifest=made.manifest | facts)

    def another(number: int) -> Artefact:
        sizes = {"latency_ms": 1, "model_bytes": 1, "size_bytes": 1}
        return Artefact.objects.create(
            project=setup.project, number=number, version=made.version, manifest=made.manifest, **sizes
        )

    def best() -> tuple[str, list[str]]:
        found = setup.client().get(f"/api/projects/{setup.project.id}/best-models").json()
        assert glance(setup)["figure"]["artefact"] == cards(setup)["items"][0]["figure"]["artefact"] == found["first"]
        return found["first"], found["best"]

    Study.objects.filter(id=made.trial.study_id).update(state="succeeded", ended_at=timezone.now())
    worse, higher, lower = made, another(2), another(3)
    change(lower, 0.6)
    change(higher, 0.8)
    change(worse, 0.78)
    assert best() == (worse.id, [worse.id]), "as good by its interval, and shipped by its study"
    change(worse, 0.7)
    assert best() == (higher.id, [higher.id])
    Artefact.objects.filter(id=lower.id).update(stage="production")
    assert best() == (lower.id, [higher.id])
    Artefact.objects.filter(id=lower.id).update(stage="archived")
    change(higher, 0.8, num_judged=8)
    assert best() == (worse.id, []), "too few items tell nothing: the one that a study ships"


def test_what_waits_is_counted_and_nothing_waits_in_an_empty_project(setup):
    assert waiting(setup) == {}
    assert glance(setup)["figure"] is None
    version = version_make(setup, num_items=6)
    assert waiting(setup) == {}
    items = list(Item.objects.filter(dataset=setup.dataset).order_by("id"))
    Item.objects.filter(id=items[0].id).update(annotated_at=version.created_at + timedelta(seconds=1))
    for item in items[1:3]:
        doubt = {"dataset": setup.dataset, "item": item, "kind": "wrong_label", "severity": 0.9, "created_at": timezone.now()}
        ItemFlag.objects.create(**doubt, detail={"label": item.annotations[0]["label"]})
        Comment.objects.create(dataset=setup.dataset, item=items[1], author="person:usr_1", text="?", operation=item.id)
    plan = CampaignPlan(title="C", people=[setup.owner.id], items=[items[4].id])
    campaign_create(dataset=setup.dataset, plan=plan, actor=setup.actor)
    CampaignItem.objects.update(outcome=Outcome.DISPUTED)
    assert waiting(setup) == {
        "labels_changed": (1, version.number),
        "wrong_labels": (2, None),
        "disputes": (1, None),
        "comments": (1, None),
    }


@pytest.mark.parametrize("task", task_names())
def test_every_task_has_a_drawing(setup, task):
    answer = setup.client().get(f"/api/tasks/{task}/illustration")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "image/svg+xml"
    assert setup.client().get("/api/tasks/nothing/illustration").status_code == 422
    own = setup.client().get("/api/tasks/ocr/illustration?quickstart=invoices")
    assert own.content != setup.client().get("/api/tasks/ocr/illustration").content
    assert setup.client().get("/api/tasks/ocr/illustration?quickstart=nothing").status_code == 404


def places(setup: ProjectSetup, search: str = "", user: User | None = None) -> list[tuple[str, str, int | None]]:
    answer = setup.client(user).get("/api/places", {"workspace": setup.workspace.id, "search": search})
    assert answer.status_code == 200, answer.content
    return [(each["kind"], each["name"], each["number"]) for each in answer.json()["items"]]


def test_whatever_has_a_page_is_found_by_whoever_may_see_it(setup):
    artefact = artefact_make(setup, version_make(setup, num_items=8))
    study = artefact.trial.study.name
    more_projects(setup, "Weeds in flower beds")
    found = places(setup)
    assert found[:2] == [("project", "Weeds in flower beds", None), ("project", "Flowers", None)]
    assert {("study", study, None), ("model", study, artefact.number)} < set(found)
    assert [kind for kind, *_ in found].count("version") == 1
    assert places(setup, "flower BEDS") == [("project", "Weeds in flower beds", None)]
    assert ("model", study, artefact.number) in places(setup, str(artefact.number))
    # Who only labels what is shared out sees no models; who is no member sees nothing.
    assert {kind for kind, *_ in places(setup, user=setup.member("anna", Role.ANNOTATOR))} == {"project"}
    foreign = setup_make(email="eve@example.org")
    assert foreign.client().get("/api/places", {"workspace": setup.workspace.id}).status_code == 404
    setup.project.deleted_at = timezone.now()
    setup.project.save()
    assert places(setup) == [("project", "Weeds in flower beds", None)]


def test_more_places_than_are_listed_are_said_to_be_more(setup, monkeypatch):
    monkeypatch.setattr("studio.projects.places.MOST_OF_A_KIND", 2)
    more_projects(setup, "One", "Two")
    query = {"workspace": setup.workspace.id}
    listed = setup.client().get("/api/places", query).json()
    assert (len(listed["items"]), listed["is_complete"]) == (2, False)
    assert setup.client().get("/api/places", {**query, "search": "flowers"}).json()["is_complete"]
