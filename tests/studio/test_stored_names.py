"""What is stored may name what this installation does not have, e.g. a task of a later release: an error says so, and no more.

Each case changes one stored value and then calls every endpoint as the owner of the workspace.
"""

from __future__ import annotations

import pytest
from django.db import transaction
from django.test import Client

from studio.accounts.roles import Role
from studio.datasets.models import DatasetVersion
from studio.deployments.models import Export
from studio.jobs.models import Job
from studio.projects.models import Project
from studio.registry.models import Artefact
from studio.studies.models import Study, Trial
from tests.studio.rights import ENTRIES
from tests.studio.test_rights import WITHOUT_ACTION, World, call, code, world  # noqa: F401 - a fixture

UNKNOWN = "from_the_future"
BROKEN = {"labels": UNKNOWN}


def _in_manifest(**changed: object) -> None:
    for artefact in Artefact.objects.all():
        artefact.manifest = {**artefact.manifest, **changed}
        artefact.save()


def _in_train(**changed: object) -> None:
    for artefact in Artefact.objects.all():
        _in_manifest(train={**artefact.manifest["train"], **changed})
    for trial in Trial.objects.all():
        trial.config = {**trial.config, **changed}
        trial.save()


def _in_version(**changed: object) -> None:
    for version in DatasetVersion.objects.all():
        version.manifest = {**version.manifest, **changed}
        version.save()


def _shown() -> None:
    _in_manifest(task=UNKNOWN)
    _in_train(family=UNKNOWN, size=UNKNOWN)
    Export.objects.update(target=UNKNOWN)
    Job.objects.update(kind=UNKNOWN)
    Study.objects.update(strategy=UNKNOWN, pruner=UNKNOWN)


SHOWN = "names that are shown as they are stored"
CASES = {
    "task of a project": lambda: Project.objects.update(task=UNKNOWN),
    "task of a version": lambda: _in_version(task=UNKNOWN),
    "output of a model": lambda: _in_manifest(output=UNKNOWN),
    "schema of a model": lambda: _in_manifest(schema_version=UNKNOWN),
    SHOWN: _shown,
}
"""Changes without which some endpoint has no answer, and together all the others: where none is refused, none hides another."""
LISTS = {
    "GET /project-cards",
    "GET /projects",
    "GET /studies",
    "GET /artefacts",
    "GET /deployments",
    "GET /projects/{project}/predictions",
    "GET /projects/{project}/galleries",
    "GET /projects/{project}/devices",
}
"""They show what can be read, and name the rest."""


def test_no_endpoint_fails_on_a_stored_value_that_it_does_not_know(world: World):  # noqa: F811 - the fixture
    owner = next(client for (kind, role), client in world.callers.items() if (kind, role) == ("person", Role.OWNER))
    entries = {endpoint: entry for endpoint, entry in ENTRIES.items() if entry.needs not in WITHOUT_ACTION}
    invalid_before = {endpoint for endpoint, entry in entries.items() if _code(owner, endpoint, world) == "invalid_input"}
    wrong, answers = [], dict.fromkeys(CASES, 0)
    for case, change in CASES.items():
        with transaction.atomic():
            change()
            for endpoint, entry in entries.items():
                answer = call(owner, endpoint, entry, world.ids)
                problem = code(answer)
                if endpoint in LISTS:
                    unreadable = [] if answer.status_code != 200 else answer.json()["unreadable"]
                    answers[case] += len(unreadable)
                    named = all(UNKNOWN in row["detail"] and row["id"] and row["name"] for row in unreadable)
                    wrong += [] if answer.status_code == 200 and named else [f"{case}: {endpoint}: {answer.content!r}"]
                elif problem in {"stored_name_unknown", "stored_data_unreadable"}:
                    answers[case] += 1
                    wrong += [] if UNKNOWN in answer.json()["detail"] else [f"{case}: {endpoint} does not name the value"]
                elif answer.status_code == 500 or (problem == "invalid_input" and endpoint not in invalid_before):
                    wrong.append(f"{case}: {endpoint}: {answer.status_code} {problem}")
            transaction.set_rollback(True)
    assert wrong == []
    assert {case for case, count in answers.items() if not count} == {SHOWN}, answers


@pytest.mark.parametrize(
    ("endpoint", "change"),
    [
        ("GET /project-cards", lambda ids: Project.objects.filter(id=ids.values["project_id"]).update(task=UNKNOWN)),
        ("GET /projects", lambda ids: Project.objects.filter(id=ids.values["project_id"]).update(label_set=BROKEN)),
        ("GET /artefacts", lambda ids: _in_manifest(output=UNKNOWN)),
    ],
)
def test_a_list_shows_the_others_and_names_what_cannot_be_read(world: World, endpoint, change):  # noqa: F811
    owner = next(client for (kind, role), client in world.callers.items() if (kind, role) == ("person", Role.OWNER))
    before = call(owner, endpoint, ENTRIES[endpoint], world.ids).json()
    assert before["items"]
    assert before["unreadable"] == []
    if "project" in endpoint:
        project = Project.objects.get(id=world.ids.values["project_id"])
        other = Project.objects.create(workspace=project.workspace, name="Another", task=project.task)
    else:
        good = Artefact.objects.first()
    change(world.ids)
    if "project" not in endpoint:
        other = Artefact.objects.create(
            project=good.project, number=1000, version=good.version, tree=good.tree, manifest=good.manifest,
            latency_ms=1, model_bytes=1, size_bytes=1,
        )  # fmt: skip
    page = call(owner, endpoint, ENTRIES[endpoint], world.ids).json()
    assert other.id in {item["id"] for item in page["items"]}
    assert len(page["items"]) + len(page["unreadable"]) == len(before["items"]) + 1
    row = page["unreadable"][0]
    assert row["code"] in {"stored_name_unknown", "stored_data_unreadable"}
    assert UNKNOWN in row["detail"]
    assert row["name"]


def _code(client: Client, endpoint: str, world: World) -> str:  # noqa: F811
    return code(call(client, endpoint, ENTRIES[endpoint], world.ids))
