"""Every page of the web app, for whoever must visit them all."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.journeys.walk import Walk


def addresses(made: dict[str, Any], deployment: dict[str, Any] | None = None) -> dict[str, str]:
    """Name -> address, for a project that was walked to an artefact (and a deployment)."""
    base = f"/projects/{made['project']['id']}"
    return {
        "projects": "/projects",
        "tasks": "/tasks",
        "playground": "/playground",
        "settings": "/settings",
        "people": "/settings?tab=members",
        "keys": "/settings?tab=keys",
        "history": "/settings?tab=audit",
        "overview": base,
        "data": f"{base}/data",
        "labelling": f"{base}/labelling",
        "labels": f"{base}/labelling/labels",
        "map": f"{base}/map",
        "quality": f"{base}/quality",
        "team": f"{base}/team",
        "workers": f"{base}/team?tab=people",
        "review": f"{base}/team/review",
        "versions": f"{base}/versions",
        "version": f"{base}/versions/{made['version']['id']}",
        "compare": f"{base}/versions/compare",
        "studies": f"{base}/studies",
        "new-study": f"{base}/studies/new",
        "study": f"{base}/studies/{made['study']['id']}",
        "models": f"{base}/models",
        "report": f"{base}/models/{made['artefact']}",
        "deployments": f"{base}/deployments",
        **_of_deployment(f"{base}/deployments/{deployment['id']}" if deployment else ""),
        "predictions": f"{base}/predictions",
        "new-prediction": f"{base}/predictions/new",
        "jobs": f"{base}/jobs",
        "access": f"{base}/access",
    }


def _of_deployment(address: str) -> dict[str, str]:
    parts = {"deployment": "", **{f"deployment-{part}": f"?tab={part}" for part in ("watch", "models", "calls")}}
    return {name: f"{address}{query}" for name, query in parts.items()} if address else {}


def sign_in(page: Page, walk: Walk, language: str = "en") -> None:
    """Makes the page's browser that of the walking person, in the language given; no page is opened.

    The session is that of ``walk``: to fill in the form takes two pages and a password's hash. Accounts and teams fill it in.
    """
    walk.call("PATCH", "/auth/me", json={"language": language})
    kept = [{"name": cookie.name, "value": cookie.value, "url": walk.platform.url} for cookie in walk.http.cookies.jar]
    page.context.add_cookies(kept)


def open_address(page: Page, walk: Walk, address: str) -> None:
    """Opens a page and waits until it is drawn: a heading, and nothing that still loads."""
    page.goto(f"{walk.platform.url}{address}")
    page.get_by_role("heading", level=1).first.wait_for()
    expect(page.locator("[aria-busy=true]")).to_have_count(0, timeout=15_000)


NO_PAGE = re.compile("This page does not exist|页面不存在")
NOWHERE = "/nothing/here"
PUSH = "address => { history.pushState(null, '', address); dispatchEvent(new PopStateEvent('popstate', { state: null })) }"
"""What the browser does on its way back and forth; the router follows."""


def go_to(page: Page, address: str) -> None:
    """Like ``open_address`` from within the app, in a fifth of the time; by way of a page without content."""
    for place in (NOWHERE, address):
        page.evaluate(PUSH, place)
        expect(page.get_by_text(NO_PAGE)).to_have_count(1 if place == NOWHERE else 0)
    page.get_by_role("heading", level=1).first.wait_for()
    expect(page.locator("[aria-busy=true]")).to_have_count(0, timeout=15_000)
