"""What is stored may name what this installation does not have, e.g. a task of a later release: an error says so, and no more.

Each case changes one stored value and then calls every endpoint as the owner of the workspace.
"""

from __future__ import annotations

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


CASES = {
    "task of a project": lambda: Project.objects.update(task=UNKNOWN),
    "task of a model": lambda: _in_manifest(task=UNKNOWN),
    "task of a version": lambda: _in_version(task=UNKNOWN),
    "family of a model": lambda: _in_train(family=UNKNOWN),
    "size of a model": lambda: _in_train(size=UNKNOWN),
    "output of a model": lambda: _in_manifest(output=UNKNOWN),
    "schema of a model": lambda: _in_manifest(schema_version=UNKNOWN),
    "target of an export": lambda: Export.objects.update(target=UNKNOWN),
    "kind of a job": lambda: Job.objects.update(kind=UNKNOWN),
    "strategy of a study": lambda: Study.objects.update(strategy=UNKNOWN),
    "pruner of a study": lambda: Study.objects.update(pruner=UNKNOWN),
}
NEEDED = {"task of a project", "task of a version", "output of a model", "schema of a model"}
"""Changes without which some endpoint has no answer; elsewhere the name is shown as it is stored."""


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
                if problem in {"stored_name_unknown", "stored_data_unreadable"}:
                    answers[case] += 1
                    wrong += [] if UNKNOWN in answer.json()["detail"] else [f"{case}: {endpoint} does not name the value"]
                elif answer.status_code == 500 or (problem == "invalid_input" and endpoint not in invalid_before):
                    wrong.append(f"{case}: {endpoint}: {answer.status_code} {problem}")
            transaction.set_rollback(True)
    assert wrong == []
    assert {case for case, count in answers.items() if count} >= NEEDED, answers


def _code(client: Client, endpoint: str, world: World) -> str:  # noqa: F811
    return code(call(client, endpoint, ENTRIES[endpoint], world.ids))
