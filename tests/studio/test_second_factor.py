"""The second factor and the list of one's sessions, through the HTTP door."""

from __future__ import annotations

from datetime import timedelta

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.core.cache import cache
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django.utils import timezone

from studio.accounts import services
from studio.accounts.keys import key_create
from studio.accounts.models import AuditRow, Session, SharedCache
from studio.accounts.roles import Role
from tests.studio.conftest import PASSWORD


@pytest.fixture(autouse=True)
def limits(db):
    cache.clear()


def post(client: Client, path: str, status: int = 200, **body):
    answer = client.post(f"/api/auth/{path}", body, content_type="application/json")
    assert answer.status_code == status, answer.content
    return answer.json() if answer.content else None


def codes(secret: str) -> list[str]:
    """Those of the last, this and the next half minute; each is good once."""
    return [format_hotp_value(hotp_value(secret, counter)) for counter in yield_hotp_counters_from_time()]


@pytest.fixture
def secret(client) -> str:
    """The owner's second factor, switched on as on the page."""
    made = client.get("/api/auth/totp/setup").json()
    assert made["secret"] in made["url"]
    assert made["svg"].startswith("<?xml")
    assert post(client, "totp", 403, code=codes(made["secret"])[1])["code"] == "reauthentication_needed"
    assert post(client, "reauthenticate", 422, password="wrong")["code"] == "password_wrong"
    post(client, "reauthenticate", 204, password=PASSWORD)
    assert post(client, "totp", 422, code="000000")["code"] == "code_wrong"
    assert post(client, "totp", code=codes(made["secret"])[1])["num_recovery_codes"] == 10
    return made["secret"]


def password_right(browser: Client, owner) -> None:
    assert post(browser, "sign-in", 401, email=owner.email, password=PASSWORD)["code"] == "second_factor_needed"
    assert browser.get("/api/auth/me").status_code == 401
    assert browser.get("/api/auth/options").json()["step"] == "mfa_authenticate"


def test_signing_in_takes_a_code_that_is_good_once(secret, owner):
    browser = Client()
    password_right(browser, owner)
    assert post(browser, "second-factor", 422, code="000000")["code"] == "code_wrong"
    assert post(browser, "second-factor", code=codes(secret)[1])["id"] == owner.id
    assert browser.get("/api/auth/me").status_code == 200
    again = Client()
    password_right(again, owner)
    assert post(again, "second-factor", 422, code=codes(secret)[1])["code"] == "code_wrong"


def test_the_audit_tells_what_happens_to_an_account(client, owner, django_capture_on_commit_callbacks):
    made = client.get("/api/auth/totp/setup").json()["secret"]
    post(client, "reauthenticate", 204, password=PASSWORD)
    with django_capture_on_commit_callbacks(execute=True):
        post(client, "totp", code=codes(made)[1])
    browser = Client()
    password_right(browser, owner)
    post(browser, "second-factor", code=codes(made)[2])
    post(browser, "sign-out", 204)
    post(Client(), "sign-in", 401, email=owner.email, password="not this one")
    post(Client(), "sign-in", 401, email="nobody@example.org", password="not this one")
    rows = AuditRow.objects.filter(action__startswith="account.", subject=owner.id).order_by("id")
    assert {row.address for row in rows} == {"127.0.0.1"}
    actions = [row.action.removeprefix("account.") for row in rows]
    assert {"mfa_enabled", "recovery_codes_made"} <= set(actions)
    assert actions[-3:] == ["sign_in", "sign_out", "sign_in_failed"]
    assert not AuditRow.objects.filter(detail__email="nobody@example.org").exists()


def test_code_without_the_password_is_worth_nothing(secret):
    assert post(Client(), "second-factor", 409, code=codes(secret)[1])["code"] == "sign_in_step_missing"


def test_secret_is_not_kept_in_the_clear(secret):
    assert secret not in str(list(Authenticator.objects.values()))


def test_wrong_codes_are_limited(secret, owner, settings):
    settings.SIGN_IN_FAILURES_PER_ACCOUNT = 2
    browser = Client()
    password_right(browser, owner)
    for _ in range(2):
        post(browser, "second-factor", 422, code="000000")
    other = Client()
    password_right(other, owner)
    assert post(other, "second-factor", 429, code=codes(secret)[1])["code"] == "too_many_attempts"


def test_recovery_code_is_good_once_and_needs_a_fresh_session_to_be_seen(client, secret, owner):
    listed = client.get("/api/auth/recovery-codes").json()["codes"]
    browser = Client()
    password_right(browser, owner)
    post(browser, "second-factor", code=listed[0])
    assert browser.get("/api/auth/totp").json()["num_recovery_codes"] == 9
    assert browser.get("/api/auth/recovery-codes").status_code == 403
    post(browser, "reauthenticate", 204, code=codes(secret)[0])
    made = post(browser, "recovery-codes")["codes"]
    assert len(made) == 10
    assert not set(made) & set(listed)


def test_switching_off_needs_a_fresh_session(client, secret, owner):
    browser = Client()
    password_right(browser, owner)
    post(browser, "second-factor", code=codes(secret)[1])
    assert browser.delete("/api/auth/totp").json()["code"] == "reauthentication_needed"
    post(browser, "reauthenticate", 204, password=PASSWORD)
    assert browser.delete("/api/auth/totp").status_code == 204
    assert browser.get("/api/auth/totp").json() == {"is_on": False, "num_recovery_codes": 0, "has_password": True}
    post(Client(), "sign-in", email=owner.email, password=PASSWORD)


def test_old_password_is_limited(client, settings):
    settings.SIGN_IN_FAILURES_PER_ACCOUNT = 2
    for old, code in (("wrong", "password_wrong"), ("wrong", "password_wrong"), (PASSWORD, "too_many_attempts")):
        body = {"password": {"old": old, "new": "another good battery"}}
        assert client.patch("/api/auth/me", body, content_type="application/json").json()["code"] == code


def test_operator_switches_it_off_and_makes_links(secret, owner, capsys):
    call_command("second_factor_off", owner.email)
    post(Client(), "sign-in", email=owner.email, password=PASSWORD)
    capsys.readouterr()
    call_command("password_reset_link", owner.email)
    key = capsys.readouterr().out.strip().partition("#")[2]
    post(Client(), "password-reset/confirm", 204, key=key, password="another good battery")
    with pytest.raises(CommandError):
        call_command("password_reset_link", "nobody@example.org")


# --- sessions --------------------------------------------------------------------------------------------------------


def elsewhere(owner, agent: str) -> Client:
    browser = Client(headers={"User-Agent": agent})
    post(browser, "sign-in", email=owner.email, password=PASSWORD)
    return browser


def test_sessions_are_listed_and_ended_one_by_one_and_all(client, owner):
    phone, tablet = elsewhere(owner, "Phone"), elsewhere(owner, "Tablet")
    listed = client.get("/api/auth/sessions").json()
    assert [each["is_current"] for each in listed] == [True, False, False]
    assert {each["user_agent"] for each in listed[1:]} == {"Phone", "Tablet"}
    assert {each["address"] for each in listed} == {"127.0.0.1"}
    of_phone = next(each["id"] for each in listed if each["user_agent"] == "Phone")
    assert client.delete(f"/api/auth/sessions/{of_phone}").status_code == 204
    assert (phone.get("/api/auth/me").status_code, tablet.get("/api/auth/me").status_code) == (401, 200)
    assert client.delete("/api/auth/sessions").status_code == 204
    assert (client.get("/api/auth/me").status_code, tablet.get("/api/auth/me").status_code) == (200, 401)
    assert len(client.get("/api/auth/sessions").json()) == 1


def test_nobody_ends_sessions_of_others(client, owner, workspace):
    other = Client()
    answer = other.post(
        "/api/auth/sign-up", {"email": "eve@example.org", "password": PASSWORD, "name": "Eve"}, content_type="application/json"
    )
    assert answer.status_code == 201
    (own,) = client.get("/api/auth/sessions").json()
    assert other.delete(f"/api/auth/sessions/{own['id']}").json()["code"] == "session_missing"
    assert client.get("/api/auth/me").status_code == 200


def test_new_password_leaves_this_session_in_the_list_alone(client, owner):
    elsewhere(owner, "Phone")
    body = {"password": {"old": PASSWORD, "new": "another good battery"}}
    assert client.patch("/api/auth/me", body, content_type="application/json").status_code == 200
    assert [each["is_current"] for each in client.get("/api/auth/sessions").json()] == [True]


def test_use_is_noted_every_few_minutes_and_idle_sessions_end(client, settings):
    def last_used_before(**ago: float) -> None:
        Session.objects.update(last_seen_at=timezone.now() - timedelta(**ago))

    last_used_before(minutes=10)
    assert client.get("/api/auth/me").status_code == 200
    assert timezone.now() - Session.objects.get().last_seen_at < timedelta(minutes=1)
    settings.SESSION_IDLE = timedelta(hours=1)
    last_used_before(hours=2)
    assert client.get("/api/auth/me").status_code == 401


def test_session_from_before_sessions_were_listed_is_listed(client):
    from allauth.usersessions.models import UserSession

    UserSession.objects.all().delete()
    assert [each["is_current"] for each in client.get("/api/auth/sessions").json()] == [True]


def test_a_code_is_good_once_in_all_processes_for_as_long_as_it_is_good(secret, owner):
    used = codes(secret)[2]  # of the next half minute, and so good for more than one
    first = Client()
    password_right(first, owner)
    post(first, "second-factor", code=used)
    late = Client()
    password_right(late, owner)
    cache.delete(f"allauth.mfa.totp.used?user={owner.id}&code={used}")  # as after half a minute
    assert post(late, "second-factor", 422, code=f"{used[:3]} {used[3:]}")["code"] == "code_wrong"
    assert SharedCache.objects.filter(cache_key__contains="code-used").exists()


def test_sign_ins_that_are_blocked_stand_in_the_audit_once(client, owner, workspace, settings):
    for _ in range(settings.SIGN_IN_FAILURES_PER_ACCOUNT):
        post(Client(), "sign-in", 401, email=owner.email.upper(), password="wrong")
    for _ in range(3):
        assert post(Client(), "sign-in", 429, email=owner.email, password=PASSWORD)["code"] == "too_many_attempts"
    (row,) = AuditRow.objects.filter(workspace=workspace, action="account.sign_in_blocked")
    assert (row.subject, row.address, row.detail) == (owner.id, "127.0.0.1", {"email": owner.email})


class TestDeletion:
    def test_nobody_comes_in_again_and_annotations_stay_without_the_name(self, client, owner, workspace, project, actor):
        _, secret = key_create(workspace=workspace, name="camera", role=Role.ENGINEER, actor=actor)
        member = services.user_sign_up(email="bob@example.org", password=PASSWORD, name="Bob")
        services.member_add(workspace=workspace, email=member.email, role=Role.OWNER)
        post(client, "reauthenticate", 204, password=PASSWORD)
        assert client.delete("/api/auth/me").status_code == 204
        assert client.get("/api/auth/me").status_code == 401
        assert post(Client(), "sign-in", 401, email="olga@example.org", password=PASSWORD)["code"] == "sign_in_failed"
        assert Client().get("/api/projects", headers={"Authorization": f"Bearer {secret}"}).status_code == 401
        owner.refresh_from_db()
        assert (owner.name, owner.is_active) == ("Deleted account", False)
        assert "olga" not in owner.email
        left = set(AuditRow.objects.filter(workspace=workspace, subject=owner.id).values_list("action", flat=True))
        assert {"account.deleted", "member.leave"} <= left
        assert post(Client(), "sign-up", 201, email="olga@example.org", password=PASSWORD, name="Olga")["id"] != owner.id

    def test_the_session_must_say_first_who_it_is(self, client, owner):
        refused = client.delete("/api/auth/me")
        assert (refused.status_code, refused.json()["code"]) == (403, "reauthentication_needed")

    @pytest.mark.parametrize("with_member", [True, False])
    def test_the_last_owner_is_refused(self, client, owner, workspace, project, with_member):
        if with_member:
            project.delete()
            member = services.user_sign_up(email="bob@example.org", password=PASSWORD, name="Bob")
            services.member_add(workspace=workspace, email=member.email, role=Role.ENGINEER)
        post(client, "reauthenticate", 204, password=PASSWORD)
        refused = client.delete("/api/auth/me")
        assert (refused.status_code, refused.json()["code"]) == (409, "last_owner")
        assert workspace.name in refused.json()["detail"]
        assert client.get("/api/auth/me").status_code == 200
