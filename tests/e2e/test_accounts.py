"""People come by invitation, take a second factor and sign in with it; an owner helps who forgot the password."""

from __future__ import annotations

import time
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.mfa import app_settings
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from playwright.sync_api import Browser, Page, expect

from tests.e2e.pages import open_address, sign_in
from tests.journeys.walk import Walk

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

PASSWORD = "a long pass phrase"
NEW = "another long pass phrase"


def code_of(secret: str) -> str:
    """What an authenticator app shows now; it is taken for half a minute more."""
    return format_hotp_value(hotp_value(secret, int(time.time()) // app_settings.TOTP_PERIOD))


def send_code(page: Page, button: str, secret: str) -> None:
    """Types the present code in."""
    page.get_by_role("textbox", name="Code").fill(code_of(secret))
    page.get_by_role("button", name=button).click()


def link_shown(page: Page) -> str:
    return page.get_by_role("status").locator("pre").inner_text()


def test_invitation_second_factor_and_a_new_password(page: Page, browser: Browser, platform, complaints):
    with Walk(platform) as walk:
        sign_in(page, walk)
        open_address(page, walk, "/settings?tab=members")
        page.get_by_role("button", name="Make a link").click()
        expect(page.get_by_text("whoever has the link", exact=True)).to_be_visible()

        email = f"lin-{walk.email}"
        lin = browser.new_context(locale="en-US").new_page()
        lin.goto(link_shown(page))
        expect(lin.get_by_text("Ada invites you to the workspace")).to_be_visible()
        lin.get_by_role("link", name="Create account and join").click()
        lin.get_by_label("Name").fill("Lin")
        lin.get_by_label("E-mail").fill(email)
        lin.locator("input[type=password]").fill(PASSWORD)
        lin.get_by_role("button", name="Create account").click()
        lin.wait_for_url("**/projects")

        lin.goto(f"{platform.url}/settings?tab=security")
        lin.get_by_role("button", name="Set up").click()
        secret = lin.locator("form code").inner_text()
        send_code(lin, "Switch on", secret)
        dialog = lin.get_by_role("dialog")
        dialog.locator("input[type=password]").fill(PASSWORD)
        dialog.get_by_role("button", name="Continue").click()
        expect(lin.get_by_text("10 recovery codes left.")).to_be_visible()
        recovery = lin.locator("pre").inner_text().split()[0]

        page.reload()
        page.get_by_role("row").filter(has_text=email).get_by_role("button", name="Link to a new password").click()
        page.get_by_role("dialog").get_by_role("button", name="Link to a new password").click()
        lin.goto(link_shown(page))
        assert parse_qs(urlsplit(lin.url).query) == {}
        lin.locator("input[type=password]").fill(NEW)
        lin.get_by_role("button", name="Save password").click()
        expect(lin.get_by_text("The password is changed")).to_be_visible()

        lin.get_by_role("link", name="Back to sign-in").click()
        lin.get_by_label("E-mail").fill(email)
        lin.locator("input[type=password]").fill(NEW)
        lin.get_by_role("button", name="Sign in").click()
        lin.get_by_role("textbox", name="Code").fill("000000")
        lin.get_by_role("button", name="Sign in").click()
        expect(lin.get_by_text("The code is wrong")).to_be_visible()
        lin.get_by_role("textbox", name="Code").fill(recovery)
        lin.get_by_role("button", name="Sign in").click()
        lin.wait_for_url("**/projects")
