"""People, workspaces, members and keys, through the HTTP door."""

from __future__ import annotations

from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.sessions.models import Session as Before
from django.test import Client
from django.utils import timezone

from studio.accounts import attempts, services, sign_in
from studio.accounts.errors import SignInFailedError, TooManyAttemptsError
from studio.accounts.keys import key_create
from studio.accounts.models import ApiKey, AuditRow, Membership, Session, SignInFailure, User, Workspace
from studio.accounts.roles import ALLOWED, Role
from tests.studio.conftest import PASSWORD

pytestmark = pytest.mark.both_databases("platform/studio/accounts/sessions.py")

JSON = "application/json"


@pytest.fixture
def guest(db) -> Client:
    return Client(enforce_csrf_checks=True)


def sign_up(guest: Client, **changes):
    body = {"email": "new@example.org", "password": PASSWORD, "name": "New", **changes}
    return guest.post("/api/auth/sign-up", body, content_type=JSON)


def problem(answer, status: int) -> dict:
    assert answer.status_code == status, answer.content
    assert answer["Content-Type"] == "application/problem+json"
    return answer.json()


def test_new_person_has_a_workspace_and_a_session(guest):
    answer = sign_up(guest)
    assert answer.status_code == 201
    me = guest.get("/api/auth/me").json()
    assert me == answer.json()
    assert [workspace["role"] for workspace in me["workspaces"]] == ["owner"]


def test_password_is_kept_as_a_slow_hash(guest, settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher"]
    sign_up(guest)
    assert User.objects.get().password.startswith("pbkdf2_sha256$")


@pytest.mark.parametrize("email", ["new@example.org", "NEW@Example.org"])
def test_address_is_taken_once(guest, email):
    sign_up(guest)
    assert problem(sign_up(guest, email=email), 409)["code"] == "email_taken"
    assert User.objects.count() == Workspace.objects.count() == 1


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"email": "nobody"}, "email"),
        ({"password": "12345678"}, "password"),
        ({"password": "short"}, "password"),
        ({"name": " "}, "name"),
    ],
)
def test_what_is_wrong_is_named_by_field(guest, changes, field):
    assert field in problem(sign_up(guest, **changes), 422)["fields"]


def test_unknown_address_and_wrong_password_look_alike(guest, owner):
    bodies = [{"email": owner.email, "password": "wrong"}, {"email": "nobody@example.org", "password": "wrong"}]
    answers = [problem(guest.post("/api/auth/sign-in", body, content_type=JSON), 401) for body in bodies]
    assert answers[0] == answers[1]
    assert answers[0]["code"] == "sign_in_failed"


def test_wrong_passwords_are_limited_per_account_and_time(rf, owner, settings):
    settings.SIGN_IN_FAILURES_PER_ACCOUNT = 3
    request, now = rf.post("/"), timezone.now()
    for _ in range(3):
        with pytest.raises(SignInFailedError):
            sign_in.user_sign_in(request=request, email=owner.email, password="wrong", now=now)
    with pytest.raises(TooManyAttemptsError) as refused:
        sign_in.user_sign_in(request=request, email=owner.email, password=PASSWORD, now=now)
    assert 0 < refused.value.extra["retry_after_s"] <= 15 * 60
    with pytest.raises(SignInFailedError):
        sign_in.user_sign_in(request=request, email=owner.email, password="wrong", now=now + timedelta(minutes=16))


def test_one_address_cannot_try_many_accounts(rf, db, settings):
    settings.SIGN_IN_FAILURES_PER_ADDRESS = 5
    request = rf.post("/")
    for number in range(5):
        with pytest.raises(SignInFailedError):
            sign_in.user_sign_in(request=request, email=f"{number}@example.org", password="wrong")
    with pytest.raises(TooManyAttemptsError):
        sign_in.user_sign_in(request=request, email="other@example.org", password="wrong")


def test_old_failures_are_pruned(db):
    now = timezone.now()
    for minutes in (1, 20):
        SignInFailure.objects.create(account_sha256="0" * 64, address="a", at=now - timedelta(minutes=minutes))
    assert attempts.failures_prune(now=now) == 1


@pytest.mark.parametrize(("behind_proxy", "expected"), [(False, "127.0.0.1"), (True, "10.0.0.2")])
def test_forwarded_address_counts_behind_a_proxy_only(rf, settings, behind_proxy, expected):
    settings.BEHIND_PROXY = behind_proxy
    request = rf.get("/", headers={"X-Forwarded-For": "6.6.6.6, 10.0.0.2"})
    assert attempts.client_address(request) == expected


def test_page_of_another_site_cannot_sign_in(guest, owner):
    body = {"email": owner.email, "password": PASSWORD}
    foreign = guest.post("/api/auth/sign-in", body, content_type=JSON, headers={"Origin": "https://evil.example"})
    assert problem(foreign, 403)["code"] == "foreign_origin"
    own = guest.post("/api/auth/sign-in", body, content_type=JSON, headers={"Origin": "http://testserver"})
    assert own.status_code == 200


def test_change_without_csrf_token_is_refused(client):
    del client.defaults["HTTP_X_CSRFTOKEN"]
    assert problem(client.post("/api/workspaces", {"name": "Mine"}, content_type=JSON), 403)["code"] == "csrf_failed"


def test_signed_out_session_is_worthless(client):
    session = client.cookies["sessionid"].value
    assert client.post("/api/auth/sign-out").status_code == 204
    client.cookies["sessionid"] = session
    assert problem(client.get("/api/auth/me"), 401)["code"] == "not_signed_in"


def test_person_and_roles_come_with_the_session(client, workspace, owner, django_assert_num_queries):
    with django_assert_num_queries(2):  # and the names of the workspaces
        assert client.get("/api/auth/me").json()["workspaces"][0]["role"] == "owner"
    Membership.objects.filter(user=owner).update(role=Role.VIEWER.value)
    assert client.get("/api/auth/me").json()["workspaces"][0]["role"] == "viewer"
    Membership.objects.filter(user=owner).delete()
    assert client.get("/api/auth/me").json()["workspaces"] == []
    User.objects.filter(id=owner.id).update(is_active=False)
    assert client.get("/api/auth/me").status_code == 401


def test_the_signed_data_say_whose_session_it_is(client, owner):
    other = services.user_sign_up(email="lin@example.org", password=PASSWORD, name="Lin")
    assert Session.objects.get().user_id == owner.id
    for person in (other, None):
        Session.objects.update(user=person)
        assert client.get("/api/auth/me").json()["name"] == owner.name


def test_sessions_of_before_are_taken_over(client):
    (row,) = Session.objects.all()
    Before.objects.create(session_key=row.session_key, session_data=row.session_data, expire_date=row.expire_date)
    Before.objects.create(session_key="odd", session_data="nonsense", expire_date=row.expire_date)
    row.delete()
    import_module("studio.accounts.migrations.0003_session").sessions_take(apps, None)
    assert client.get("/api/auth/me").status_code == 200
    assert not Before.objects.exists()


def test_new_password_ends_other_sessions(client, owner):
    other = Client()
    other.post("/api/auth/sign-in", {"email": owner.email, "password": PASSWORD}, content_type=JSON)
    body = {"password": {"old": PASSWORD, "new": "another good battery"}}
    assert client.patch("/api/auth/me", body, content_type=JSON).status_code == 200
    assert client.get("/api/auth/me").status_code == 200
    assert other.get("/api/auth/me").status_code == 401


def test_new_password_needs_the_old_one(client):
    body = {"password": {"old": "wrong", "new": "another good battery"}}
    assert problem(client.patch("/api/auth/me", body, content_type=JSON), 422)["code"] == "password_wrong"


def test_person_changes_language_and_theme(client):
    me = client.patch("/api/auth/me", {"language": "zh", "theme": "dark"}, content_type=JSON).json()
    assert (me["language"], me["theme"], me["name"]) == ("zh", "dark", "Olga")


def test_members_come_change_and_go(client, workspace):
    lin = services.user_sign_up(email="lin@example.org", password=PASSWORD, name="Lin")
    root = f"/api/workspaces/{workspace.id}/members"
    user = services.member_add(workspace=workspace, email=lin.email, role=Role.LABELLER).user_id
    assert client.patch(f"{root}/{user}", {"role": "engineer"}, content_type=JSON).json()["role"] == "engineer"
    assert [(row["name"], row["role"]) for row in client.get(root).json()] == [("Olga", "owner"), ("Lin", "engineer")]
    assert client.delete(f"{root}/{user}").status_code == 204
    assert len(client.get(root).json()) == 1


@pytest.mark.parametrize("role", [Role.ENGINEER, Role.GUEST])
def test_members_leave_by_themselves(client, workspace, role):
    lin = services.user_sign_up(email="lin@example.org", password=PASSWORD, name="Lin")
    services.member_add(workspace=workspace, email=lin.email, role=role)
    leaver = Client()
    leaver.force_login(lin)
    path = f"/api/workspaces/{workspace.id}/leave"
    assert leaver.post(path, content_type=JSON).status_code == 204
    assert workspace.id not in {one["id"] for one in leaver.get("/api/auth/me").json()["workspaces"]}
    assert leaver.post(path, content_type=JSON).status_code == 404
    entry = client.get(f"/api/workspaces/{workspace.id}/audit").json()["items"][0]
    assert (entry["action"], entry["subject"]) == ("member.leave", lin.id)


def test_last_owner_stays(client, owner, workspace):
    assert problem(client.post(f"/api/workspaces/{workspace.id}/leave", content_type=JSON), 409)["code"] == "last_owner"
    path = f"/api/workspaces/{workspace.id}/members/{owner.id}"
    assert problem(client.delete(path), 409)["code"] == "last_owner"
    assert problem(client.patch(path, {"role": "viewer"}, content_type=JSON), 409)["code"] == "last_owner"
    assert client.get(f"/api/workspaces/{workspace.id}/members").json()[0]["role"] == "owner"


def test_key_opens_its_workspace_only_and_its_secret_is_not_kept(client, workspace, owner):
    root = f"/api/workspaces/{workspace.id}/keys"
    made = client.post(root, {"name": "script", "role": "owner"}, content_type=JSON).json()
    secret = made["secret"]
    assert secret.startswith("my_")
    assert secret not in str(ApiKey.objects.values().get())
    other = services.workspace_create(name="Other", owner=owner)
    machine = Client(headers={"Authorization": f"Bearer {secret}"})
    assert machine.get(f"/api/workspaces/{workspace.id}/members").status_code == 200
    assert machine.get(f"/api/workspaces/{other.id}/members").status_code == 404
    assert problem(machine.get("/api/auth/me"), 403)["code"] == "permission_denied"
    listed = client.get(root).json()[0]
    assert listed["last_used_at"] is not None
    assert "secret" not in listed
    assert client.delete(f"{root}/{made['key']['id']}").status_code == 204
    assert machine.get(f"/api/workspaces/{workspace.id}/members").status_code == 401


def test_expired_key_is_worthless(workspace, actor):
    expires = timezone.now() + timedelta(hours=1)
    key, secret = key_create(workspace=workspace, name="short", role=Role.VIEWER, actor=actor, expires_at=expires)
    machine = Client(headers={"Authorization": f"Bearer {secret}"})
    assert machine.get("/api/projects").status_code == 200
    ApiKey.objects.filter(id=key.id).update(expires_at=timezone.now())
    assert machine.get("/api/projects").status_code == 401


def test_key_in_the_past_is_refused(client, workspace):
    body = {"name": "late", "role": "viewer", "expires_at": "2020-01-01T00:00:00Z"}
    answer = client.post(f"/api/workspaces/{workspace.id}/keys", body, content_type=JSON)
    assert "expires_at" in problem(answer, 422)["fields"]


def test_changes_leave_audit_rows(client, workspace, owner):
    client.patch(f"/api/workspaces/{workspace.id}", {"name": "Orchard"}, content_type=JSON)
    rows = client.get(f"/api/workspaces/{workspace.id}/audit?limit=1").json()
    assert rows["next_cursor"] is not None
    (row,) = rows["items"]
    assert (row["action"], row["subject"], row["detail"]["to"]) == ("workspace.rename", workspace.id, "Orchard")
    assert row["actor"] == {"kind": "user", "id": owner.id, "name": "Olga"}


def test_failed_change_leaves_no_audit_row(client, owner, workspace):
    before = AuditRow.objects.count()
    client.delete(f"/api/workspaces/{workspace.id}/members/{owner.id}")
    assert AuditRow.objects.count() == before


def test_each_role_may_less_than_the_one_above():
    assert ALLOWED[Role.VIEWER] < ALLOWED[Role.LABELLER] < ALLOWED[Role.ENGINEER] < ALLOWED[Role.OWNER]
    assert not {action for action in ALLOWED[Role.ENGINEER] if action.startswith(("member.manage", "key.", "audit."))}
