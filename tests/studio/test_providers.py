"""Signing in with a provider of identities, over its real wire."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

import httpx
import pytest
from django.core.cache import cache
from django.test import Client

from studio.accounts.access import principal_of_user
from studio.accounts.invitations import invitation_create
from studio.accounts.models import Membership, User
from studio.accounts.roles import Role
from studio.config.env_accounts import OidcConfig
from tests.studio.conftest import PASSWORD
from tests.studio.oidc_server import CLIENT, SECRET, Provider, provider


@pytest.fixture
def idp(settings, owner) -> Iterator[Provider]:
    """A provider, and an installation with an account that is set up for it; new accounts are by invitation."""
    cache.clear()
    settings.SIGN_UP = "invitation"
    settings.PUBLIC_URL = "http://testserver"
    with provider() as server:
        settings.OIDC = OidcConfig(server.issuer, CLIENT, SECRET, "Corp", ("corp.example",))
        app = {"provider_id": "oidc", "name": "Corp", "client_id": CLIENT, "secret": SECRET}
        apps = [{**app, "settings": {"server_url": server.issuer}}]
        settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"OAUTH_PKCE_ENABLED": True, "APPS": apps}}
        server.person = {"sub": "1", "email": "kim@corp.example", "email_verified": True, "name": "Kim Lee"}
        yield server


def walk(browser: Client, **more) -> str:
    """From the button to the page one comes back to; answers with its address."""
    started = browser.post(
        "/api/auth/provider", {"provider": "oidc", "next": "/projects", **more}, content_type="application/json"
    )
    assert started.status_code == 200, started.content
    back = httpx.get(started.json()["url"]).headers["Location"]
    answer = browser.get(back.removeprefix("http://testserver"))
    assert answer.status_code == 302, answer.content
    return answer["Location"]


def test_button_is_named_and_a_domain_lets_in(idp):
    browser = Client()
    assert browser.get("/api/auth/options").json()["providers"] == [{"id": "oidc", "name": "Corp"}]
    assert walk(browser) == "http://testserver/projects"
    me = browser.get("/api/auth/me").json()
    assert (me["email"], me["name"], [each["role"] for each in me["workspaces"]]) == ("kim@corp.example", "Kim Lee", ["owner"])
    again = Client()
    walk(again)
    assert again.get("/api/auth/me").json()["id"] == me["id"]


@pytest.mark.parametrize("changes", [{"email": "kim@other.example"}, {"email_verified": False}])
def test_others_need_an_invitation(idp, changes, workspace, owner):
    idp.person |= changes
    browser = Client()
    assert urlsplit(walk(browser)).query.startswith("error=signup_closed")
    assert browser.get("/api/auth/me").status_code == 401
    inviter = principal_of_user(owner)
    _, secret = invitation_create(workspace=workspace, role=Role.LABELLER, email="", days=1, max_uses=1, actor=inviter)
    walk(browser, invitation=secret)
    roles = {each["id"]: each["role"] for each in browser.get("/api/auth/me").json()["workspaces"]}
    assert roles[workspace.id] == "labeller"


def test_account_with_the_confirmed_address_is_entered_and_its_password_ends(idp, owner):
    idp.person |= {"email": owner.email}
    browser = Client()
    walk(browser)
    assert browser.get("/api/auth/me").json()["id"] == owner.id
    owner.refresh_from_db()
    assert not owner.check_password(PASSWORD)


def test_account_is_not_entered_by_an_address_that_is_not_confirmed(idp, owner, settings):
    settings.SIGN_UP = "open"
    idp.person |= {"email": owner.email, "email_verified": False}
    browser = Client()
    walk(browser)
    assert browser.get("/api/auth/me").status_code == 401
    assert browser.get("/api/auth/options").json()["step"] == "provider_sign_up"
    assert Membership.objects.count() == User.objects.count() == 1


def test_answer_that_this_browser_did_not_ask_for_is_refused(idp):
    browser, other = Client(), Client()
    started = browser.post("/api/auth/provider", {"provider": "oidc"}, content_type="application/json").json()
    back = httpx.get(started["url"]).headers["Location"]
    other.get(back.removeprefix("http://testserver"))
    assert other.get("/api/auth/me").status_code == 401


def test_provider_that_does_not_answer_and_one_that_is_not_there(idp):
    idp.shutdown()
    idp.server_close()
    answer = Client().post("/api/auth/provider", {"provider": "oidc"}, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (502, "provider_failed")
    answer = Client().post("/api/auth/provider", {"provider": "other"}, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (404, "provider_unknown")


@pytest.mark.parametrize("page", ["//evil.example", "https://evil.example", "/\\\\evil.example"])
def test_way_back_stays_here(idp, page):
    answer = Client().post("/api/auth/provider", {"provider": "oidc", "next": page}, content_type="application/json")
    assert answer.status_code == 422
