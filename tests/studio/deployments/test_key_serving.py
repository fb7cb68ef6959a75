"""A prediction server in a process of its own takes a key as far as it goes, and not a moment longer."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from studio.accounts import services
from studio.accounts.access import principal_of_user
from studio.accounts.keys import KeyScope, key_create, key_delete
from studio.accounts.models import ApiKey, AuditRow
from studio.accounts.roles import Role
from studio.deployments.gateway import keys_publish
from studio.deployments.logs import log_collect
from studio.deployments.services import deployment_create
from tests.exporters.prediction_server import wait_for
from tests.support.project_setup import PASSWORD, picture


@pytest.fixture
def commit(django_capture_on_commit_callbacks):
    """Does something and commits."""

    def do(function, **arguments):
        with django_capture_on_commit_callbacks(execute=True):
            return function(**arguments)

    return do


@pytest.fixture
def two(setup, artefact, server, commit):
    """Two deployments that answer."""
    made = [commit(deployment_create, artefact=artefact, name=name, actor=setup.actor) for name in ("First", "Second")]
    for one in made:
        server.wait(one.id, state="ready")
    return made


@pytest.fixture
def ask(server):
    """What the server says to a key about a deployment: status and code."""

    def do(secret, deployment) -> tuple[int, str]:
        answer = server.predict(deployment.id, secret=secret, content=picture(1))
        return answer.status_code, answer.json().get("code", "")

    return do


def test_a_key_goes_as_far_as_its_scope(setup, two, commit, ask, server):
    first, second = two

    def key(**scope) -> str:
        scope = KeyScope(**scope)
        return commit(key_create, workspace=setup.workspace, name="shop", role=Role.VIEWER, actor=setup.actor, scope=scope)[1]

    own, of_project, other, viewer = (
        key(deployment=first.id),
        key(is_predict_only=True, project=setup.project.id),
        key(is_predict_only=True),
        key(),
    )
    assert ask(own, first) == (200, "")
    assert ask(own, second) == (403, "key_out_of_scope")
    assert (ask(of_project, first), ask(of_project, second)) == ((200, ""), (200, ""))
    assert ask(other, second) == (200, "")
    assert ask(viewer, first) == (403, "permission_denied")
    ApiKey.objects.filter(is_predict_only=True, project=setup.project.id).update(project="prj_other")
    keys_publish()
    assert ask(of_project, first) == (403, "key_out_of_scope")


def test_a_key_stops_at_once(setup, two, commit, ask):
    first, _ = two
    lin = services.user_sign_up(email="lin@example.org", password=PASSWORD, name="Lin")
    commit(services.member_add, workspace=setup.workspace, email=lin.email, role=Role.ENGINEER)
    arguments = {"workspace": setup.workspace, "role": Role.ENGINEER, "actor": principal_of_user(lin)}
    _, secret = commit(key_create, name="Lin's", **arguments)
    revoked, revoked_secret = commit(key_create, name="short", **arguments)
    _, over = commit(key_create, name="over", expires_at=timezone.now() + timedelta(seconds=4), **arguments)
    assert [ask(one, first)[0] for one in (secret, revoked_secret, over)] == [200, 200, 200]

    commit(key_delete, workspace=setup.workspace, key_id=revoked.id, actor=setup.actor)
    assert ask(revoked_secret, first) == (401, "api_key_unknown")

    commit(services.member_set_role, workspace=setup.workspace, user_id=lin.id, role=Role.VIEWER, actor=setup.actor)
    assert ask(secret, first) == (403, "permission_denied")
    commit(services.member_set_role, workspace=setup.workspace, user_id=lin.id, role=Role.ENGINEER, actor=setup.actor)
    assert ask(secret, first) == (200, "")

    commit(services.member_remove, workspace=setup.workspace, user_id=lin.id, actor=setup.actor)
    assert ask(secret, first) == (401, "api_key_unknown")


def test_a_key_ends_at_the_time_that_was_set(setup, two, commit, ask):
    first, _ = two
    end = timezone.now() + timedelta(seconds=5)
    _, secret = commit(
        key_create, workspace=setup.workspace, name="over", role=Role.ENGINEER, actor=setup.actor, expires_at=end
    )
    assert ask(secret, first) == (200, "")
    wait_for(lambda: ask(secret, first) == (401, "api_key_expired"), "the end of the key")
    assert timezone.now() >= end


def test_use_of_a_key_is_seen(setup, two, commit, ask):
    first, _ = two
    key, secret = commit(key_create, workspace=setup.workspace, name="shop", role=Role.ENGINEER, actor=setup.actor)
    before = timezone.now()
    assert ask(secret, first) == (200, "")
    wait_for(log_collect, "the line of the call")
    key.refresh_from_db()
    assert key.last_used_at is not None
    assert abs((key.last_used_at - before).total_seconds()) < 60
    assert AuditRow.objects.filter(action="key.first_used", subject=key.id).count() == 1
