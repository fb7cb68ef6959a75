"""API keys belong to a person, end with the membership, and are no wider than their scope."""

from __future__ import annotations

import importlib
import os
from datetime import timedelta

import pytest
from django.apps import apps
from django.test import Client
from django.utils import timezone

from studio.accounts import services
from studio.accounts.access import Principal, principal_of_user
from studio.accounts.errors import KeysMakeNoKeysError
from studio.accounts.key_rules import rights_of
from studio.accounts.keys import KeyScope, key_create, key_delete, keys_expire, keys_used
from studio.accounts.models import ApiKey, AuditRow, Invitation, Membership, User
from studio.accounts.roles import ALLOWED, Role
from tests.studio.conftest import PASSWORD
from tests.support.platform_process import ROOT

JSON = "application/json"


def person(workspace, role: Role, email="lin@example.org") -> User:
    user = services.user_sign_up(email=email, password=PASSWORD, name="Lin")
    services.member_add(workspace=workspace, email=email, role=role)
    return user


def key_of(workspace, user: User, role: Role = Role.OWNER, **scope) -> tuple[ApiKey, Client]:
    actor = principal_of_user(user)
    key, secret = key_create(workspace=workspace, name="script", role=role, actor=actor, scope=KeyScope(**scope))
    return key, Client(headers={"Authorization": f"Bearer {secret}"})


def members(workspace) -> str:
    return f"/api/workspaces/{workspace.id}/members"


def code(answer) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def test_a_key_ends_with_the_membership_and_does_not_come_back_with_it(workspace, actor):
    lin = person(workspace, Role.OWNER)
    key, machine = key_of(workspace, lin)
    assert machine.get(members(workspace)).status_code == 200
    services.member_remove(workspace=workspace, user_id=lin.id, actor=actor)
    assert machine.get(members(workspace)).status_code == 401
    row = AuditRow.objects.get(action="key.ended")
    assert (row.subject, row.detail) == (key.id, {"name": "script", "owner": "lin@example.org"})
    services.member_add(workspace=workspace, email=lin.email, role=Role.OWNER)
    assert machine.get(members(workspace)).status_code == 401


def test_whoever_is_removed_reads_nothing_any_more_by_session_or_key(workspace, client, project):
    """In every role. Only owners can remove a member, and so themselves."""
    for role in Role:
        lin = person(workspace, role, f"lin-{role.value}@example.org")
        _, machine = key_of(workspace, lin, Role.VIEWER)
        theirs = Client()
        theirs.force_login(lin, backend="studio.accounts.access.SessionBackend")
        assert machine.get("/api/projects").status_code == 200, role
        member = f"{members(workspace)}/{lin.id}"
        if role is not Role.OWNER:
            assert theirs.delete(member).status_code == 403, role
        gone = client.delete(member)
        assert gone.status_code == 204, (role, gone.content)
        assert theirs.get(f"/api/projects/{project.id}").status_code == 404, role
        assert machine.get("/api/projects").status_code == 401, role


def test_a_key_of_a_demoted_person_may_no_more_than_they(workspace, actor, project):
    lin = person(workspace, Role.OWNER)
    _, machine = key_of(workspace, lin)
    services.member_set_role(workspace=workspace, user_id=lin.id, role=Role.VIEWER, actor=actor)
    assert machine.get(members(workspace)).status_code == 200
    rename = machine.patch(f"/api/projects/{project.id}", {"name": "x"}, content_type=JSON)
    assert code(rename) == (403, "permission_denied")
    services.member_set_role(workspace=workspace, user_id=lin.id, role=Role.OWNER, actor=actor)
    assert machine.patch(f"/api/projects/{project.id}", {"name": "x"}, content_type=JSON).status_code == 200


def test_a_key_of_a_disabled_account_is_worthless(workspace):
    lin = person(workspace, Role.OWNER)
    _, machine = key_of(workspace, lin)
    User.objects.filter(id=lin.id).update(is_active=False)
    assert machine.get(members(workspace)).status_code == 401


@pytest.mark.parametrize("person_role", list(Role))
@pytest.mark.parametrize("key_role", list(Role))
def test_rights_are_what_both_roles_allow(person_role, key_role):
    role, scope = rights_of(ApiKey(role=key_role.value), person_role)
    actions = ALLOWED[role] if scope is None else ALLOWED[role] & scope.actions
    assert actions == ALLOWED[person_role] & ALLOWED[key_role]


def test_keys_make_no_keys(workspace, owner, actor):
    key, machine = key_of(workspace, owner)
    root = f"/api/workspaces/{workspace.id}/keys"
    assert code(machine.post(root, {"name": "more", "role": "owner"}, content_type=JSON)) == (403, "keys_make_no_keys")
    assert code(machine.get(root)) == (403, "keys_make_no_keys")
    assert code(machine.delete(f"{root}/{key.id}")) == (403, "keys_make_no_keys")
    with pytest.raises(KeysMakeNoKeysError):
        key_create(workspace=workspace, name="x", role=Role.VIEWER, actor=Principal(kind="key", id=key.id, name="script"))


def test_keys_let_nobody_in_and_throw_nobody_out(workspace, owner):
    """Whoever stole an owner's key would else invite themselves, and stay when it is revoked."""
    lin = person(workspace, Role.VIEWER)
    _, machine = key_of(workspace, owner)
    root, member = f"/api/workspaces/{workspace.id}", f"{members(workspace)}/{lin.id}"
    for answer in (
        machine.post(f"{root}/invitations", {"role": "owner"}, content_type=JSON),
        machine.post(members(workspace), {"email": "eve@example.org", "role": "owner"}, content_type=JSON),
        machine.patch(member, {"role": "owner"}, content_type=JSON),
        machine.delete(member),
        machine.post(f"{member}/password-reset"),
    ):
        assert code(answer) == (403, "keys_manage_no_members")
    assert not Invitation.objects.exists()
    assert Membership.objects.get(workspace=workspace, user=lin).role == Role.VIEWER
    assert machine.get(members(workspace)).status_code == 200


def test_a_key_that_only_predicts_does_nothing_else(workspace, owner, project):
    _, machine = key_of(workspace, owner, is_predict_only=True)
    assert code(machine.get(f"/api/projects/{project.id}")) == (403, "key_out_of_scope")
    assert code(machine.get(members(workspace))) == (403, "key_out_of_scope")
    assert machine.get("/api/projects").json()["items"] == []
    assert machine.get("/api/jobs").json()["items"] == []


def test_a_key_of_a_project_sees_that_project_only(workspace, owner, project):
    other = type(project).objects.create(
        workspace=workspace, name="Other", task="image_classification", label_set={"labels": []}
    )
    _, machine = key_of(workspace, owner, project=project.id)
    assert machine.get(f"/api/projects/{project.id}").status_code == 200
    assert code(machine.get(f"/api/projects/{other.id}")) == (403, "key_out_of_scope")
    for query in ("", f"?workspace={workspace.id}"):
        assert [one["id"] for one in machine.get(f"/api/projects{query}").json()["items"]] == [project.id]
    assert code(machine.get(members(workspace))) == (403, "key_out_of_scope")
    made = machine.post(
        "/api/projects", {"workspace": workspace.id, "name": "N", "task": "image_classification"}, content_type=JSON
    )
    assert code(made) == (403, "key_out_of_scope")


def test_a_scope_names_what_is_in_the_workspace(client, workspace, owner, project):
    root = f"/api/workspaces/{workspace.id}/keys"
    assert client.post(root, {"name": "k", "role": "viewer", "project": "prj_no"}, content_type=JSON).status_code == 422
    made = client.post(root, {"name": "k", "role": "viewer", "project": project.id}, content_type=JSON).json()["key"]
    assert made["project"] == {"id": project.id, "name": "Fruit"}
    assert made["owner"]["email"] == owner.email
    project.deleted_at = timezone.now()
    project.save()
    assert client.get(root).json()[0]["project"]["name"] is None


def test_when_a_key_ends_is_chosen_and_shown(client, workspace):
    root = f"/api/workspaces/{workspace.id}/keys"

    def state(**body) -> str:
        return client.post(root, {"name": "k", "role": "viewer"} | body, content_type=JSON).json()["key"]["state"]

    assert state() == "active"
    end = ApiKey.objects.get().expires_at
    assert timedelta(days=89) < end - timezone.now() < timedelta(days=91)
    assert state(expires_at=None) == "active"
    assert ApiKey.objects.order_by("-id")[0].expires_at is None
    assert state(expires_at=(timezone.now() + timedelta(days=3)).isoformat()) == "expiring"
    ApiKey.objects.filter(id=ApiKey.objects.order_by("-id")[0].id).update(expires_at=timezone.now())
    assert client.get(root).json()[0]["state"] == "expired"
    assert (keys_expire(), keys_expire()) == (1, 0)
    assert AuditRow.objects.filter(action="key.expired").count() == 1


def test_a_revoked_key_is_in_no_list_and_keeps_its_name(client, workspace, owner, actor):
    key, _ = key_of(workspace, owner)
    key_delete(workspace=workspace, key_id=key.id, actor=actor)
    assert client.get(f"/api/workspaces/{workspace.id}/keys").json() == []
    assert client.delete(f"/api/workspaces/{workspace.id}/keys/{key.id}").status_code == 404
    assert AuditRow.objects.get(action="key.delete").detail == {"name": "script"}


def test_the_first_use_is_recorded_once(workspace, owner):
    key, machine = key_of(workspace, owner)
    for _ in range(3):
        machine.get(members(workspace))
    assert AuditRow.objects.filter(action="key.first_used", subject=key.id).count() == 1
    later = timezone.now() + timedelta(hours=1)
    keys_used({key.id: later, "key_unknown": later})
    keys_used({key.id: timezone.now()})
    key.refresh_from_db()
    assert key.last_used_at == later


def test_old_keys_find_their_owner(workspace, owner, actor):
    """What ``owners_take`` does: a key made by a key is its maker's; without a member as owner a key works no longer."""
    first, machine = key_of(workspace, owner)
    second, _ = key_of(workspace, owner)
    third, lost = key_of(workspace, owner)
    ApiKey.objects.filter(id__in=[second.id, third.id]).update(created_by=None)
    AuditRow.objects.filter(subject__in=[second.id, third.id]).delete()
    AuditRow.objects.create(
        workspace=workspace, actor_kind="key", actor_id=first.id, actor_name="k", action="key.create", subject=second.id
    )
    gone = person(workspace, Role.OWNER)
    fourth, _ = key_of(workspace, gone)
    Membership.objects.filter(user=gone, workspace=workspace).delete()
    names = [name for name in os.listdir(ROOT / "platform/studio/accounts/migrations") if name.endswith("_keys.py")]
    importlib.import_module(f"studio.accounts.migrations.{names[0][:-3]}").owners_take(apps, None)
    owners = {key.id: key.created_by_id for key in ApiKey.objects.all()}
    assert (owners[second.id], owners[third.id]) == (owner.id, None)
    assert ApiKey.objects.get(id=fourth.id).ended_at is not None
    assert machine.get(members(workspace)).status_code == 200
    assert lost.get(members(workspace)).status_code == 401
