"""Who has access to which project: nothing of a project that somebody does not see is there for them."""

from __future__ import annotations

import random
import re
from itertools import product

import pytest
from django.test import Client
from django.test.utils import CaptureQueriesContext

from studio.accounts.access import SYSTEM, Principal, principal_of_user
from studio.accounts.invitations import invitation_accept, invitation_create
from studio.accounts.key_rules import rights_of
from studio.accounts.keys import key_create
from studio.accounts.models import ApiKey, AuditRow, Membership, Notice, ProjectMember, RestrictedProject, User
from studio.accounts.notices import notices_add, notices_of
from studio.accounts.project_access import project_member_remove, project_member_set, project_restrict
from studio.accounts.project_roles import access_of, people_with, project_members, role_of_member
from studio.accounts.roles import ALLOWED, PROJECT_ROLES, Action, Role, role_in_project
from studio.accounts.services import member_remove, user_sign_up
from studio.projects.models import Project
from studio.projects.selectors import project_list
from tests.studio.conftest import PASSWORD
from tests.studio.rights import ENTRIES
from tests.studio.test_rights import EACH_BY_ITSELF, WITHOUT_ACTION, call, code, world  # noqa: F401 - a fixture
from tests.support.project_setup import ProjectSetup, setup_make

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases("platform/studio/accounts/sessions.py")]

JSON = "application/json"
OF_THE_WORKSPACE = {"workspace_id", "user_id", "key_id", "invitation_id", "session_id", "task", "device_key", "place", "name"}
"""What entries name that lies in no project."""


def names_of_project(endpoint: str) -> bool:
    """Whether a request names something that lies in the project."""
    entry = ENTRIES[endpoint]
    return bool(set(re.findall(r"{(\w+)}", f"{endpoint} {entry.query} {entry.body} {entry.form}")) - OF_THE_WORKSPACE)


def restrict(setup: ProjectSetup, *, is_restricted: bool = True) -> None:
    project_restrict(workspace=setup.workspace, project=setup.project.id, is_restricted=is_restricted, actor=setup.actor)


def name_in(setup: ProjectSetup, user: User, role: Role) -> None:
    project_member_set(workspace=setup.workspace, project=setup.project.id, user_id=user.id, role=role, actor=setup.actor)


def key_of(setup: ProjectSetup, user: User, role: Role = Role.OWNER) -> Client:
    """A key of a member, as one that was an owner once has."""
    _, secret = key_create(workspace=setup.workspace, name="k", role=role, actor=principal_of_user(user))
    return Client(headers={"Authorization": f"Bearer {secret}"})


@pytest.mark.parametrize("roles", [(Role.ENGINEER, Role.ANNOTATOR), (Role.GUEST,)], ids=["members", "guest"])
def test_nothing_of_a_project_is_there_for_an_outsider(world, roles):  # noqa: F811 - the fixture
    setup = world.setup
    if Role.GUEST not in roles:
        restrict(setup)
    outsiders = {role: setup.member(f"outsider-{role}", role) for role in roles}
    clients = {("person", role): setup.client(user) for role, user in outsiders.items()}
    clients |= {("key", role): key_of(setup, user) for role, user in outsiders.items()}
    Project.objects.filter(id=setup.project.id).update(name="Unheard-of name")
    wrong = []
    for (endpoint, entry), (who, client) in product(ENTRIES.items(), clients.items()):
        if entry.needs in ("device", "anybody"):
            continue
        answer = call(client, endpoint, entry, world.ids)
        text = "" if answer.streaming else answer.content.decode(errors="replace")
        asked = world.ids.fill(f"{endpoint} {entry.query} {entry.body}")
        shown = [each for each in (setup.project.id, "Unheard-of name") if each in text and each not in asked]
        if shown:
            wrong.append(f"{who} {endpoint} shows {shown}")
        if entry.needs in WITHOUT_ACTION or endpoint in EACH_BY_ITSELF or not names_of_project(endpoint):
            continue
        is_empty_list = answer.status_code == 200 and answer.json() in ({}, [])
        if answer.status_code != 404 and not is_empty_list:
            wrong.append(f"{who} {endpoint}: {answer.status_code} {code(answer)}")
    assert wrong == []


def test_an_owner_gets_in_and_so_does_who_is_named(world):  # noqa: F811
    setup = world.setup
    labeller, viewer = (User.objects.get(email=f"{role}@example.org") for role in ("labeller", "viewer"))
    restrict(setup)
    address = f"/api/projects/{setup.project.id}"
    assert setup.client().get(address).json()["role"] == "owner"
    assert setup.client(labeller).get(address).status_code == 404
    name_in(setup, labeller, Role.VIEWER)
    client = setup.client(labeller)
    assert client.get(address).json()["role"] == "viewer"
    assert code(client.patch(address, {"name": "x"}, content_type=JSON)) == "permission_denied"
    name_in(setup, viewer, Role.ENGINEER)
    assert setup.client(viewer).patch(address, {"name": "x"}, content_type=JSON).status_code == 200
    assert key_of(setup, viewer, Role.OWNER).patch(address, {"name": "y"}, content_type=JSON).status_code == 200
    assert key_of(setup, viewer, Role.VIEWER).patch(address, {"name": "y"}, content_type=JSON).status_code == 403


def test_a_role_in_an_open_project_stands_for_the_one_in_the_workspace(world):  # noqa: F811
    setup = world.setup
    person = User.objects.get(email="labeller@example.org")
    name_in(setup, person, Role.ANNOTATOR)
    client = setup.client(person)
    project = setup.project.id
    assert client.get(f"/api/datasets/{setup.dataset.id}/items").status_code == 403
    assert client.get("/api/jobs").json()["items"] == []
    assert [one["id"] for one in client.get("/api/projects").json()["items"]] == [project]
    found = client.get(f"/api/places?workspace={setup.workspace.id}").json()["items"]
    assert {one["kind"] for one in found} == {"project"}


@pytest.mark.parametrize("seed", range(12))
def test_every_way_to_ask_says_the_same(home, seed):
    """Random roles and grants: the table of roles, the sight of lists, of look-ups, of sessions and of people agree."""
    chosen = random.Random(seed)
    setup = setup_make()
    projects = [setup.project] + [
        Project.objects.create(workspace=setup.workspace, name=f"P{place}", task=setup.project.task, label_set={"labels": []})
        for place in range(4)
    ]
    people = [setup.member(f"p{place}", chosen.choice(list(Role))) for place in range(5)]
    named: dict[tuple[str, str], Role] = {}
    for project in projects:
        if chosen.random() < 0.5:
            RestrictedProject.objects.create(project=project.id, workspace=setup.workspace)
        for person in people:
            if chosen.random() < 0.4:
                named[project.id, person.id] = chosen.choice(PROJECT_ROLES)
                ProjectMember.objects.create(
                    workspace=setup.workspace, project=project.id, user=person, role=named[project.id, person.id].value
                )
    restricted = set(RestrictedProject.objects.values_list("project", flat=True))
    for person in people:
        role = Role(Membership.objects.get(workspace=setup.workspace, user=person).role)
        access = access_of(person.id)
        expected = {
            project.id: role_in_project(role, named=named.get((project.id, person.id)), is_restricted=project.id in restricted)
            for project in projects
        }
        assert {each: access.role_in(setup.workspace.id, each) for each in expected} == expected
        listed = setup.client(person).get("/api/projects").json()["items"]
        assert {one["id"]: one["role"] for one in listed} == {each: found for each, found in expected.items() if found}
        action: Action
        for action in ("project.read", "data.read", "campaign.label", "study.write"):
            allowed = {each for each, found in expected.items() if found and action in ALLOWED[found]}
            sight = access.sight(action)
            assert set(project_list(sight).values_list("id", flat=True)) == allowed
            assert {each.id for each in projects if sight.has(setup.workspace.id, each.id)} == allowed
            for project in projects:
                assert (person.id in people_with(action, setup.workspace.id, project.id)) == (project.id in allowed)


@pytest.mark.parametrize("person", list(Role))
@pytest.mark.parametrize("role", [role for role in Role if role is not Role.GUEST])
@pytest.mark.parametrize("there", PROJECT_ROLES)
def test_a_key_may_what_its_role_and_its_owner_s_role_there_allow(person, role, there):
    allowed, scope = rights_of(ApiKey(role=role.value), person, has_exceptions=True)
    assert scope is not None
    assert ALLOWED[there] & scope.actions == ALLOWED[there] & ALLOWED[role]
    assert ALLOWED[allowed] & scope.actions == ALLOWED[person] & ALLOWED[role]


def test_a_session_costs_no_further_statement(home):
    setup = setup_make()
    person = setup.member("lin", Role.LABELLER)
    client, address = setup.client(person), f"/api/projects/{setup.project.id}"
    client.get(address)

    def statements() -> int:
        from django.db import connection

        with CaptureQueriesContext(
            connection,
        ) as found:
            assert client.get(address).status_code == 200
        return len(found)

    before = statements()
    restrict(setup)
    name_in(setup, person, Role.LABELLER)
    assert statements() == before


def test_who_manages_access_and_what_the_trail_says(home):
    setup = setup_make()
    lin = setup.member("lin", Role.VIEWER)
    address = f"/api/projects/{setup.project.id}/access"
    owner = setup.client()
    assert setup.client(lin).put(address, {"is_restricted": True}, content_type=JSON).status_code == 403
    assert owner.put(f"{address}/{lin.id}", {"role": "annotator"}, content_type=JSON).status_code == 200
    assert owner.put(f"{address}/{lin.id}", {"role": "labeller"}, content_type=JSON).status_code == 200
    found = owner.put(address, {"is_restricted": True}, content_type=JSON).json()
    assert (found["is_restricted"], found["can_manage"]) == (True, True)
    by_user = {one["user"]: (one["workspace_role"], one["named_role"], one["role"]) for one in found["people"]}
    assert by_user == {setup.owner.id: ("owner", None, "owner"), lin.id: ("viewer", "labeller", "labeller")}
    refused = owner.put(f"{address}/{setup.owner.id}", {"role": "viewer"}, content_type=JSON)
    assert (refused.status_code, code(refused)) == (409, "owner_sees_all")
    refused = owner.put(f"{address}/{lin.id}", {"role": "owner"}, content_type=JSON)
    assert (refused.status_code, code(refused)) == (422, "project_role_invalid")
    assert owner.put(f"{address}/usr_nobody", {"role": "viewer"}, content_type=JSON).status_code == 404
    assert owner.delete(f"{address}/{lin.id}").status_code == 204
    assert setup.client(lin).get(address).status_code == 404
    owner.put(address, {"is_restricted": False}, content_type=JSON)
    told = list(AuditRow.objects.filter(action__startswith="access.").order_by("id").values_list("action", flat=True))
    assert told == ["access.add", "access.change", "access.restrict", "access.remove", "access.open"]
    mine = owner.get(f"/api/workspaces/{setup.workspace.id}/members/{lin.id}/projects").json()
    assert [(one["project"], one["is_restricted"], one["role"]) for one in mine] == [(setup.project.id, False, "viewer")]


def test_who_may_not_manage_is_shown_those_with_access(home):
    setup = setup_make()
    inside, _ = setup.member("inside", Role.VIEWER), setup.member("outside", Role.VIEWER)
    restrict(setup)
    name_in(setup, inside, Role.VIEWER)
    people = setup.client(inside).get(f"/api/projects/{setup.project.id}/access").json()["people"]
    assert {one["user"] for one in people} == {setup.owner.id, inside.id}


def test_an_invitation_to_one_project(home):
    setup = setup_make()
    address = f"/api/workspaces/{setup.workspace.id}/invitations"
    body = {"role": "labeller", "project": setup.project.id}
    made = setup.client().post(address, body, content_type=JSON).json()
    assert made["invitation"]["project_name"] == setup.project.name
    secret = made["link"].partition("#")[2]
    look = Client().post("/api/invitations/look", {"secret": secret}, content_type=JSON).json()
    assert (look["project"], look["role"]) == (setup.project.name, "labeller")
    eve = user_sign_up(email="eve@example.org", password=PASSWORD, name="Eve")
    client = setup.client(eve)
    joined = client.post("/api/invitations/accept", {"secret": secret}, content_type=JSON).json()
    assert joined == {"workspace": setup.workspace.id, "role": "guest", "project": setup.project.id}
    other = Project.objects.create(workspace=setup.workspace, name="O", task=setup.project.task, label_set={"labels": []})
    listed = client.get(f"/api/projects?workspace={setup.workspace.id}").json()["items"]
    assert [(one["id"], one["role"]) for one in listed] == [(setup.project.id, "labeller")]
    assert client.get(f"/api/projects/{other.id}").status_code == 404
    assert client.get(f"/api/workspaces/{setup.workspace.id}/members").status_code == 403
    for body, refusal in (
        ({"role": "guest"}, "guest_needs_project"),
        ({"role": "owner", "project": setup.project.id}, "project_role_invalid"),
        ({"role": "viewer", "project": "prj_no"}, "invalid_input"),
    ):
        assert code(setup.client().post(address, body, content_type=JSON)) == refusal
    member_remove(workspace=setup.workspace, user_id=eve.id, actor=setup.actor)
    assert not ProjectMember.objects.filter(user=eve).exists()


def test_a_member_who_accepts_an_invitation_to_a_project_is_named_there(home):
    setup = setup_make()
    lin = setup.member("lin", Role.VIEWER)
    restrict(setup)
    place = {"workspace": setup.workspace, "email": "", "days": 1, "max_uses": 5, "project": setup.project.id}
    _, secret = invitation_create(role=Role.ENGINEER, actor=principal_of_user(setup.owner), **place)
    for person in (lin, setup.owner):
        invitation_accept(secret=secret, user=person)
    assert access_of(lin.id).role_in(setup.workspace.id, setup.project.id) is Role.ENGINEER
    assert Membership.objects.get(workspace=setup.workspace, user=lin).role == Role.VIEWER
    assert not ProjectMember.objects.filter(user=setup.owner).exists()


def test_notices_of_a_project_go_with_the_access(home):
    setup = setup_make()
    lin, kim = setup.member("lin", Role.LABELLER), setup.member("kim", Role.LABELLER)
    told = {"workspace": setup.workspace.id, "project": setup.project.id, "path": "/", "by": SYSTEM}
    notices_add(users=[lin.id, kim.id], kind="mention", subject="cmt_1", values={"text": "?"}, **told)
    restrict(setup)
    name_in(setup, kim, Role.LABELLER)
    assert [notices_of(principal_of_user(one)).count() for one in (lin, kim)] == [0, 1]
    notices_add(users=[lin.id, kim.id], kind="mention", subject="cmt_2", values={"text": "?"}, **told)
    assert Notice.objects.filter(subject="cmt_2").values_list("user", flat=True).get() == kim.id


def test_what_a_project_s_people_are(home):
    setup = setup_make()
    guest = setup.member("guest", Role.GUEST)
    name_in(setup, guest, Role.ANNOTATOR)
    found = {row.user_id: role_of_member(row) for row in project_members(setup.workspace.id, setup.project.id)}
    assert found == {setup.owner.id: Role.OWNER, guest.id: Role.ANNOTATOR}
    project_member_remove(workspace=setup.workspace, project=setup.project.id, user_id=guest.id, actor=setup.actor)
    assert people_with("project.read", setup.workspace.id, setup.project.id) == {setup.owner.id}


def test_a_principal_of_nobody_sees_nothing():
    assert Principal(kind="key", id="key_1", name="k").sight.reach == []
