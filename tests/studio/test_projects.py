"""Projects, label sets, tasks and the guide, through the HTTP door."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext

from studio.datasets.models import Dataset
from studio.jobs.models import Job
from studio.projects import catalog, services
from studio.projects.models import Project
from tests.studio.submit import submit

JSON = "application/json"


@pytest.fixture
def created(client, workspace) -> dict:
    body = {"workspace": workspace.id, "name": "Fruit", "task": "image_classification"}
    answer = client.post("/api/projects", body, content_type=JSON)
    assert answer.status_code == 201, answer.content
    return answer.json()


def put_labels(client, project: dict, *names: str):
    labels = [{"name": name, "color": "#123456"} for name in names]
    return client.put(f"/api/projects/{project['id']}/labels", {"labels": labels}, content_type=JSON)


def test_new_project_has_its_dataset_and_default_options(created):
    dataset = Dataset.objects.get(id=created["dataset"])
    assert dataset.project_id == created["id"]
    defaults = {option.name: option.default for option in catalog.task_get("image_classification").options}
    assert created["task_options"] == defaults
    assert set(created["counts"].values()) == {0}
    assert created["label_set"] == {"labels": []}


@pytest.mark.parametrize(
    ("changes", "code"),
    [({"task": "telepathy"}, "task_unknown"), ({"task_options": {"nothing": "x"}}, "task_option_invalid")],
)
def test_unknown_task_or_option_is_refused(client, workspace, changes, code):
    body = {"workspace": workspace.id, "name": "Fruit", "task": "image_classification", **changes}
    answer = client.post("/api/projects", body, content_type=JSON)
    assert (answer.status_code, answer.json()["code"]) == (422, code)
    assert not Project.objects.exists()


def test_unknown_workspace_is_not_found(client):
    body = {"workspace": "wsp_nothing", "name": "Fruit", "task": "image_classification"}
    assert client.post("/api/projects", body, content_type=JSON).status_code == 404


def test_project_is_renamed_and_deleted(client, created):
    path = f"/api/projects/{created['id']}"
    assert client.patch(path, {"name": "Vegetables"}, content_type=JSON).json()["name"] == "Vegetables"
    assert client.get(path).json()["name"] == "Vegetables"
    assert (client.get(path).json()["overlap"], client.patch(path, {"overlap": "order"}, content_type=JSON).status_code) == (
        None,
        422,
    )
    assert client.delete(path).status_code == 204
    assert client.get(path).status_code == 404
    assert client.get("/api/projects").json()["items"] == []
    assert Project.objects.filter(id=created["id"]).exists()  # what was made of it can still be traced


def test_a_deleted_project_is_listed_and_comes_back_as_it_was(client, created, workspace):
    path = f"/api/projects/{created['id']}"
    client.delete(path)
    (listed,) = client.get(f"/api/projects?workspace={workspace.id}&deleted=true").json()["items"]
    assert listed["id"] == created["id"]
    assert listed["deleted_at"] is not None
    assert client.post(f"{path}/restore").json() == created
    assert client.get("/api/projects?deleted=true").json()["items"] == []
    assert client.get(path).json() == created
    assert client.post(f"{path}/restore").status_code == 200


def test_what_the_platform_began_by_itself_waits_while_a_project_is_deleted(client, created):
    asked, by_itself = submit(created["id"], ["probe:finish", "probe_idle:finish"])
    path = f"/api/projects/{created['id']}"
    client.delete(path)
    waiting = Job.objects.filter(is_paused=True).values_list("id", flat=True)
    assert list(waiting) == [by_itself]
    client.post(f"{path}/restore")
    assert not waiting.all()
    assert set(Job.objects.filter(state="queued").values_list("id", flat=True)) == {asked, by_itself}


def test_projects_are_paged_newest_first(client, workspace, created, actor):
    for number in range(4):
        services.project_create(workspace=workspace, name=f"P{number}", task="image_classification", actor=actor)
    names, cursor = [], ""
    while cursor is not None:
        page = client.get(f"/api/projects?workspace={workspace.id}&limit=2&cursor={cursor}").json()
        names += [project["name"] for project in page["items"]]
        cursor = page["next_cursor"]
    assert names == ["P3", "P2", "P1", "P0", "Fruit"]


def test_longer_list_asks_no_more_questions(client, workspace, created, actor):
    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            client.get("/api/projects")
        return len(queries)

    few = count()
    for number in range(5):
        services.project_create(workspace=workspace, name=f"P{number}", task="image_classification", actor=actor)
    assert count() == few


def test_labels_are_set_in_order(client, created):
    assert [label["name"] for label in put_labels(client, created, "b", "a").json()["label_set"]["labels"]] == ["b", "a"]
    assert [label["name"] for label in put_labels(client, created, "a", "c").json()["label_set"]["labels"]] == ["a", "c"]


def test_two_labels_of_one_name_are_refused(client, created):
    answer = put_labels(client, created, "a", "a")
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_input")


def test_imported_labels_are_added_behind_and_differ_in_colour(project):
    services.labels_add(project=project, names=["cat", "dog", "cat"])
    labels = services.labels_add(project=project, names=["dog", "emu"]).labels
    assert labels.names == ("cat", "dog", "emu")
    assert len({label.color for label in labels.labels}) == 3


def test_labels_have_the_same_colours_wherever_they_are_added():
    source = (Path(__file__).resolve().parents[2] / "frontend/src/lib/labels/label-colors.ts").read_text()
    in_the_browser = re.findall(r"'(#[0-9a-f]{6})'", source)
    many = [services.label_color(index) for index in range(60)]
    assert many[: len(in_the_browser)] == in_the_browser
    assert len(set(many)) == len(many)


def test_used_label_cannot_go(client, created, monkeypatch):
    put_labels(client, created, "a", "b")
    monkeypatch.setattr(apps.get_app_config("probe"), "hooks", {"labels_used": "tests.studio.test_projects"})
    answer = put_labels(client, created, "b")
    assert (answer.status_code, answer.json()["code"], answer.json()["extra"]) == (409, "label_in_use", {"labels": ["a"]})
    assert put_labels(client, created, "a", "c").status_code == 200


def labels_used(project: Project, names: list[str]) -> set[str]:
    """A project in which somebody labelled with ``a``."""
    return {"a"} & set(names)


def test_guide_starts_with_nothing_done(client, created):
    steps = client.get(f"/api/projects/{created['id']}/guide").json()["steps"]
    assert [step["key"] for step in steps] == ["upload", "label", "version", "train", "report", "deploy", "call"]
    assert not any(step["done"] for step in steps)


def test_empty_project_has_a_problem_to_mend(client, created):
    problems = client.get(f"/api/projects/{created['id']}/problems").json()["items"]
    assert "blocking" in {problem["severity"] for problem in problems}


def test_tasks_come_with_families_that_fit(client):
    tasks = client.get("/api/tasks").json()
    task = next(task for task in tasks if task["name"] == "image_classification")
    assert {"efficientnet_lite", "resnet", "linear_probe"} <= {family["name"] for family in task["families"]}
    assert {family["yields"] for family in task["families"]} == {task["consumes"]}
    assert {family["reads"] for family in task["families"]} == {task["modality"]}
