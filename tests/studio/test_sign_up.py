"""Who may make an account, invitations, and links to a new password, through the HTTP door."""

from __future__ import annotations

import re
from datetime import timedelta
from urllib.parse import unquote

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from studio.accounts import services
from studio.accounts.models import AuditRow, Invitation, Membership, User
from studio.accounts.roles import Role
from studio.projects.models import Project
from tests.studio.conftest import PASSWORD

NEW = "another good battery"


@pytest.fixture(autouse=True)
def limits(db):
    cache.clear()


@pytest.fixture
def browser(db) -> Client:
    return Client()


@pytest.fixture
def post_office(settings):
    settings.HAS_MAIL = True
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    mail.outbox.clear()
    return mail.outbox


def post(client: Client, path: str, status: int = 200, **body):
    answer = client.post(f"/api{path}", body, content_type="application/json")
    assert answer.status_code == status, answer.content
    return answer.json() if answer.content else None


def code(client: Client, path: str, status: int, **body) -> str:
    return post(client, path, status, **body)["code"]


def sign_up(client: Client, status: int, email: str = "new@example.org", **more):
    return post(client, "/auth/sign-up", status, email=email, password=PASSWORD, name="New", **more)


def link_secret(text: str) -> str:
    return unquote(re.search(r"#(\S+)", text).group(1))


@pytest.fixture
def invite(client, workspace):
    def made(**body) -> str:
        return link_secret(post(client, f"/workspaces/{workspace.id}/invitations", 201, **{"role": "labeller", **body})["link"])

    return made


# --- the switch -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("switch", ["invitation", "closed"])
def test_first_account_is_always_possible_and_the_second_is_not(browser, settings, switch):
    settings.SIGN_UP = switch
    assert (
        browser.get("/api/auth/options").json() | {"sign_up": "open", "is_first": True}
        == browser.get("/api/auth/options").json()
    )
    sign_up(browser, 201)
    assert browser.get("/api/auth/options").json()["sign_up"] == switch
    assert sign_up(Client(), 403, "second@example.org")["code"] == "sign_up_closed"


def test_new_accounts_of_one_address_are_limited(browser, settings):
    settings.ACCOUNT_RATE_LIMITS = {"signup": "2/h/ip"}
    sign_up(browser, 201, "a@example.org")
    sign_up(Client(), 201, "b@example.org")
    assert sign_up(Client(), 429, "c@example.org")["code"] == "too_many_sign_ups"
    assert not User.objects.filter(email="c@example.org").exists()


@pytest.mark.parametrize("password", ["modelyard", "Modelyard1", "m0delyard!!", "adminadmin", "TestUser2026"])
def test_words_of_the_product_are_no_password(browser, password):
    answer = post(browser, "/auth/sign-up", 422, email="a@example.org", password=password, name="A")
    assert answer["code"] == "password_too_weak"


# --- mail -----------------------------------------------------------------------------------------------------------


def test_address_is_confirmed_before_the_first_sign_in(browser, owner, post_office):
    assert sign_up(browser, 202) == {"email": "new@example.org"}
    assert browser.get("/api/auth/me").status_code == 401
    assert code(browser, "/auth/sign-in", 403, email="new@example.org", password=PASSWORD) == "email_not_confirmed"
    (message,) = post_office
    assert message.to == ["new@example.org"]
    assert "/confirm-email#" in message.body
    post(browser, "/auth/email/confirm", 204, key=link_secret(message.body))
    assert post(Client(), "/auth/sign-in", email="new@example.org", password=PASSWORD)["email"] == "new@example.org"


def test_sign_up_with_a_known_address_answers_alike_and_tells_its_owner(browser, owner, post_office):
    assert sign_up(browser, 202, owner.email) == {"email": owner.email}
    assert User.objects.count() == 1
    assert "already" in post_office[0].body
    owner.refresh_from_db()
    assert owner.check_password(PASSWORD)


def test_accounts_from_before_mail_are_not_asked_to_confirm(owner, post_office):
    assert post(Client(), "/auth/sign-in", email=owner.email, password=PASSWORD)["id"] == owner.id


def test_forgotten_password_is_reset_by_mail_once_and_ends_sessions(client, owner, post_office):
    browser = Client()
    post(browser, "/auth/password-reset", 204, email="nobody@example.org")
    assert post_office == []
    post(browser, "/auth/password-reset", 204, email=owner.email)
    key = link_secret(post_office[0].body)
    assert code(browser, "/auth/password-reset/confirm", 422, key=key, password="12345678") == "password_too_weak"
    post(browser, "/auth/password-reset/confirm", 204, key=key, password=NEW)
    assert code(browser, "/auth/password-reset/confirm", 422, key=key, password=PASSWORD) == "link_invalid"
    assert client.get("/api/auth/me").status_code == 401
    post(browser, "/auth/sign-in", email=owner.email, password=NEW)


def test_mail_in_chinese_for_whom_reads_chinese(browser, owner, post_office):
    services.user_update(user=owner, language="zh")
    post(browser, "/auth/password-reset", 204, email=owner.email)
    assert re.search(r"[\u4e00-\u9fff]", post_office[0].body)


def test_without_mail_the_way_back_is_explained(browser, owner, settings):
    assert code(browser, "/auth/password-reset", 409, email=owner.email) == "mail_missing"
    settings.SIGN_IN_FAILURES_PER_ACCOUNT = 1
    post(browser, "/auth/sign-in", 401, email=owner.email, password="wrong")
    refused = post(browser, "/auth/sign-in", 429, email=owner.email, password="wrong")
    assert "operator" in refused["hint"]


# --- invitations ----------------------------------------------------------------------------------------------------


def test_invited_person_signs_up_where_sign_up_is_by_invitation(invite, workspace, settings):
    settings.SIGN_UP = "invitation"
    secret = invite(role="engineer")
    browser = Client()
    seen = post(browser, "/invitations/look", secret=secret)
    assert (seen["workspace"], seen["role"], seen["invited_by"], seen["can_sign_up"]) == (
        workspace.name,
        "engineer",
        "Olga",
        True,
    )
    me = sign_up(browser, 201, invitation=secret)
    assert {(each["id"] == workspace.id, each["role"]) for each in me["workspaces"]} == {(True, "engineer"), (False, "owner")}
    assert code(Client(), "/invitations/look", 404, secret=secret) == "invitation_invalid"
    assert sign_up(Client(), 404, "second@example.org", invitation=secret)["code"] == "invitation_invalid"


def test_owner_who_asks_for_a_member_sends_an_invitation(client, workspace, post_office):
    lin = services.user_sign_up(email="lin@example.org", password=PASSWORD, name="Lin")
    made = post(client, f"/workspaces/{workspace.id}/members", 202, email=lin.email, role="labeller")
    assert made["is_mailed"]
    assert post_office[0].subject == f"[Modelyard] Olga invites you to {workspace.name}"
    assert (
        f"for lin@example.org, works once and expires on {Invitation.objects.get().expires_at:%Y-%m-%d}." in post_office[0].body
    )
    assert not Membership.objects.filter(user=lin, workspace=workspace).exists()
    browser = Client()
    post(browser, "/auth/sign-in", email=lin.email, password=PASSWORD)
    accepted = post(browser, "/invitations/accept", secret=link_secret(post_office[0].body))
    assert accepted == {"workspace": workspace.id, "role": "labeller", "project": None}
    assert AuditRow.objects.filter(workspace=workspace, action="member.join", subject=lin.id).exists()


def test_invitation_for_one_address_is_for_nobody_else(invite):
    secret = invite(email="lin@example.org")
    browser = Client()
    assert sign_up(browser, 403, "eve@example.org", invitation=secret)["code"] == "invitation_for_another"
    assert not User.objects.filter(email="eve@example.org").exists()


def test_invitation_for_many_counts_people_and_keeps_roles(invite, client, owner, workspace):
    secret = invite(max_uses=2, role="viewer")
    assert post(client, "/invitations/accept", secret=secret)["role"] == "owner"
    for email in ("a@example.org", "b@example.org"):
        sign_up(Client(), 201, email, invitation=secret)
    assert Invitation.objects.get().num_uses == 2
    assert sign_up(Client(), 404, "c@example.org", invitation=secret)["code"] == "invitation_invalid"


def test_revoked_and_old_invitations_are_worthless_and_no_secret_is_kept(invite, client, workspace):
    root = f"/api/workspaces/{workspace.id}/invitations"
    secret = invite()
    assert secret not in str(Invitation.objects.values().get())
    (listed,) = client.get(root).json()
    assert client.delete(f"{root}/{listed['id']}").status_code == 204
    assert code(Client(), "/invitations/look", 404, secret=secret) == "invitation_invalid"
    old = invite()
    Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert code(Client(), "/invitations/look", 404, secret=old) == "invitation_invalid"
    assert client.get(root).json() == []


def test_an_invitation_that_a_key_once_made_is_worthless(workspace, client):
    root = f"/api/workspaces/{workspace.id}/invitations"
    secret = link_secret(client.post(root, {"role": "owner"}, content_type="application/json").json()["link"])
    Invitation.objects.update(created_by=None)  # as an earlier release wrote it
    assert code(Client(), "/invitations/look", 404, secret=secret) == "invitation_invalid"


def test_an_invitation_is_worthless_once_its_maker_may_not_invite_any_more(workspace, client, actor):
    lin = services.user_sign_up(email="lin@example.org", password=PASSWORD, name="Lin")
    services.member_add(workspace=workspace, email=lin.email, role=Role.OWNER)
    theirs = Client()
    theirs.force_login(lin)
    root = f"/api/workspaces/{workspace.id}/invitations"
    secret = link_secret(theirs.post(root, {"role": "owner", "max_uses": 5}, content_type="application/json").json()["link"])
    assert len(client.get(root).json()) == 1
    services.member_set_role(workspace=workspace, user_id=lin.id, role=Role.ENGINEER, actor=actor)
    assert code(Client(), "/invitations/look", 404, secret=secret) == "invitation_invalid"
    assert client.get(root).json() == []
    services.member_remove(workspace=workspace, user_id=lin.id, actor=actor)
    assert code(theirs, "/invitations/accept", 404, secret=secret) == "invitation_invalid"
    assert not Membership.objects.filter(workspace=workspace, user=lin).exists()


# --- links to a new password by an owner -----------------------------------------------------------------------------


@pytest.fixture
def lin(workspace) -> User:
    user = services.user_sign_up(email="lin@example.org", password=PASSWORD, name="Lin")
    services.member_add(workspace=workspace, email=user.email, role=Role.LABELLER)
    return user


def test_owner_makes_a_link_to_a_new_password(client, workspace, lin):
    made = post(client, f"/workspaces/{workspace.id}/members/{lin.id}/password-reset")
    post(Client(), "/auth/password-reset/confirm", 204, key=link_secret(made["link"]), password=NEW)
    post(Client(), "/auth/sign-in", email=lin.email, password=NEW)
    assert AuditRow.objects.filter(workspace=workspace, action="member.reset_link", subject=lin.id).exists()


def test_owner_cannot_take_over_who_has_something_elsewhere(client, workspace, lin, owner):
    path = f"/workspaces/{workspace.id}/members/{lin.id}/password-reset"
    own = Membership.objects.get(user=lin, role="owner").workspace
    project = Project.objects.create(workspace=own, name="Mine", task="image_classification", label_set={"labels": []})
    assert code(client, path, 403) == "reset_not_allowed"
    project.delete()
    other = services.user_sign_up(email="eve@example.org", password=PASSWORD, name="Eve")
    services.member_add(workspace=Membership.objects.get(user=other).workspace, email=lin.email, role=Role.VIEWER)
    assert code(client, path, 403) == "reset_not_allowed"
    assert code(client, f"/workspaces/{workspace.id}/members/{owner.id}/password-reset", 403) == "reset_not_allowed"
