"""The API keeps to its own description: requests that schemathesis makes from it, asked with the key of an owner.

Every operation is asked with the request of ``tests/studio/rights.py`` that is right in form, and with a few that are made
up from its schema, the same ones in each run. Paths, queries and bodies name things that are there; what a request changes
is taken back after it, so that no order matters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

import pytest
import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.generation.case import Case
from schemathesis.schemas import APIOperation, BaseSchema
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance, status_code_conformance

from studio.accounts.keys import key_create
from studio.accounts.roles import Role
from studio.deployments.models import Export
from tests.studio.rights import ENTRIES, Ids
from tests.studio.test_rights import things
from tests.support.project_setup import setup_make

METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"]
NUM_EXAMPLES = 3
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
LEFT_OUT = {
    "GET /projects/{project_id}/events": "a stream that never ends",
    "POST /deployments/{deployment_id}/try": "asks the prediction server, which does not run here",
    "POST /deployments/{deployment_id}/try/texts": "likewise",
    "POST /deployments/{deployment_id}/try/rows": "likewise",
    "POST /deployments/{deployment_id}/explain/pictures": "likewise",
    "POST /deployments/{deployment_id}/fields": "likewise",
    "POST /shelves/{shelf}/check": "likewise",
}
"""What is not asked, and why."""
FEW = settings(
    max_examples=NUM_EXAMPLES,
    phases=[Phase.generate],
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)


@dataclass
class Site:
    """The API in this process, as its description tells, with a key and the ids of one of everything."""

    schema: BaseSchema
    headers: dict[str, str]
    ids: dict[str, str]

    def operation(self, endpoint: str) -> APIOperation:
        method, path = endpoint.split(" ")
        return self.schema[f"/api{path}"][method]

    def complaints(self, case: Case) -> list[str]:
        """What the answer to a request has against the description."""
        with transaction.atomic():
            answer = case.call(headers=self.headers)
            transaction.set_rollback(True)
        try:
            case.validate_response(answer, checks=CHECKS)
        except FailureGroup as failures:
            line = f"{case.method} {case.formatted_path} {case.query} {case.body!r:.300} -> {answer.status_code}"
            return [f"{line}: {failure}" for failure in failures.exceptions]
        return []


@pytest.fixture
def cached_connection() -> Iterator[None]:
    """As in Django's own test client: a request leaves the connection open, since the test's transaction is on it."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def site(db, home, settings, cached_connection) -> Site:
    settings.PREDICTION_URL = "http://127.0.0.1:9"  # not a server that happens to run on this machine
    setup = setup_make()
    _, secret = key_create(workspace=setup.workspace, name="owner", role=Role.OWNER, actor=setup.actor)
    schema = schemathesis.openapi.from_wsgi("/api/openapi.json", WSGIHandler())
    ids = things(setup)
    Export.objects.filter(id=ids["export_id"]).update(report={"file": "fruit-server.tar.gz"})
    return Site(schema, {"Authorization": f"Bearer {secret}"}, ids)


def named(value: Any, ids: dict[str, str]) -> Any:
    """The same with ids of real things where something is named."""
    if not isinstance(value, dict):
        return value
    return {name: _named(name, old, ids) for name, old in value.items()}


def _named(name: str, value: Any, ids: dict[str, str]) -> Any:
    if isinstance(value, str):
        return ids.get(name, ids.get(f"{name}_id", value))
    if name == "items" and isinstance(value, list):
        return [ids["item"] if isinstance(one, str) else one for one in value]
    return value


@pytest.mark.parametrize("method", METHODS)
def test_made_up_requests(site: Site, method: str):
    wrong: list[str] = []
    for endpoint in ENTRIES:
        if endpoint in LEFT_OUT or not endpoint.startswith(method + " "):
            continue

        @FEW
        @given(case=site.operation(endpoint).as_strategy())
        def ask(case: Case) -> None:
            case.path_parameters = named(case.path_parameters, site.ids)
            case.query = named(case.query, site.ids)
            case.body = named(case.body, site.ids)
            wrong.extend(site.complaints(case))

        ask()
    assert not wrong, "\n\n".join(wrong)


@pytest.mark.parametrize("method", METHODS)
def test_requests_that_are_right_in_form(site: Site, method: str):
    wrong: list[str] = []
    ids = Ids(site.ids)
    for endpoint, entry in ENTRIES.items():
        if endpoint in LEFT_OUT or not endpoint.startswith(method + " ") or entry.form is not None:
            continue
        operation = site.operation(endpoint)
        kind = "application/octet-stream" if isinstance(entry.body, bytes) else "application/json"
        more = {} if entry.body is None else {"body": ids.fill(entry.body), "media_type": kind}
        query = dict(parse_qsl(ids.fill(entry.query)))
        wrong += site.complaints(operation.Case(path_parameters=site.ids, query=query, **more))
    assert not wrong, "\n\n".join(wrong)
