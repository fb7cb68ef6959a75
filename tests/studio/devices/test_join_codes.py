"""A code lets a device in while whoever made it still may let devices in."""

from __future__ import annotations

import pytest
from django.test import Client

from studio.accounts.access import principal_of_user
from studio.accounts.keys import key_create, key_delete
from studio.accounts.roles import Role
from studio.accounts.services import member_remove, member_set_role
from studio.devices.models import Device
from tests.support.project_setup import setup_make

JSON = "application/json"


@pytest.fixture
def setup(db, home):
    return setup_make()


def code_of(client: Client, setup) -> str:
    made = client.post(f"/api/projects/{setup.project.id}/devices/join-codes")
    assert made.status_code == 201
    return made.json()["code"]


def join(code: str) -> tuple[int, str]:
    answer = Client().post("/api/device/join", {"code": code, "name": "gate", "version": 1}, content_type=JSON)
    return answer.status_code, answer.json().get("code", "")


@pytest.mark.parametrize("is_removed", [True, False])
def test_a_code_of_a_former_engineer_is_worthless(setup, is_removed):
    lin = setup.member("lin", Role.ENGINEER)
    code = code_of(setup.client(lin), setup)
    if is_removed:
        member_remove(workspace=setup.workspace, user_id=lin.id, actor=setup.actor)
    else:
        member_set_role(workspace=setup.workspace, user_id=lin.id, role=Role.VIEWER, actor=setup.actor)
    assert join(code)[1] == "join_code_invalid"
    assert not Device.objects.exists()


def test_a_code_made_by_a_key_ends_with_the_key(setup):
    actor = principal_of_user(setup.owner)
    key, secret = key_create(workspace=setup.workspace, name="script", role=Role.ENGINEER, actor=actor)
    machine = Client(headers={"Authorization": f"Bearer {secret}"})
    first, second = code_of(machine, setup), code_of(machine, setup)
    assert join(first) == (201, "")
    key_delete(workspace=setup.workspace, key_id=key.id, actor=actor)
    assert join(second)[1] == "join_code_invalid"
    assert Device.objects.count() == 1
