"""A prediction server of its own process keeps to the limits that the platform writes."""

from __future__ import annotations

import pytest

from studio.accounts.keys import KeyScope, key_create
from studio.accounts.models import AuditRow
from studio.accounts.quotas import Quota, quota_set, quota_used
from studio.accounts.roles import Role
from studio.deployments.gateway import serving_rebuild
from studio.deployments.logs import log_collect
from studio.deployments.services import deployment_create, deployment_delete
from tests.exporters.prediction_server import wait_for
from tests.support.project_setup import picture


@pytest.fixture
def commit(django_capture_on_commit_callbacks):
    """Does something and commits."""

    def do(function, **arguments):
        with django_capture_on_commit_callbacks(execute=True):
            return function(**arguments)

    return do


@pytest.fixture
def two(setup, artefact, server, commit):
    """Two deployments that answer, and a key."""
    made = [commit(deployment_create, artefact=artefact, name=name, actor=setup.actor) for name in ("First", "Second")]
    for one in made:
        server.wait(one.id, state="ready")
    scope = KeyScope(is_predict_only=True)
    _, secret = commit(key_create, workspace=setup.workspace, name="k", role=Role.VIEWER, actor=setup.actor, scope=scope)
    return *made, lambda deployment: server.predict(deployment.id, secret=secret, content=picture(1))


def test_deployments_share_the_calls_of_a_minute(setup, two, server):
    first, second, ask = two
    quota_set(workspace=setup.workspace, quota=Quota.PREDICTIONS_PER_MINUTE, limit=4)
    serving_rebuild()
    for _ in range(2):  # the minute may turn just before the second is asked
        wait_for(lambda: ask(first).status_code == 429, "the end of the minute's calls")
        refused = ask(second)
        if refused.status_code == 429:
            break
    assert (refused.status_code, refused.json()["code"]) == (429, "quota_exceeded")
    assert 1 <= int(refused.headers["Retry-After"]) <= 60


def test_the_calls_of_a_day_end(setup, two, commit):
    first, second, ask = two
    quota_set(workspace=setup.workspace, quota=Quota.PREDICTIONS_PER_DAY, limit=3)
    assert [ask(first).status_code for _ in range(3)] == [200] * 3
    wait_for(lambda: (log_collect() and False) or quota_used(setup.workspace.id, Quota.PREDICTIONS_PER_DAY) == 3, "the count")
    wait_for(lambda: ask(second).status_code == 429, "the end of the day's calls")
    assert int(ask(first).headers["Retry-After"]) <= 24 * 3600
    assert AuditRow.objects.filter(action="quota.exceeded").count() == 1
    commit(deployment_delete, deployment=first, actor=setup.actor)
    assert quota_used(setup.workspace.id, Quota.PREDICTIONS_PER_DAY) >= 3
    quota_set(workspace=setup.workspace, quota=Quota.PREDICTIONS_PER_DAY, limit=None)
    serving_rebuild()
    wait_for(lambda: ask(second).status_code == 200, "calls again")
