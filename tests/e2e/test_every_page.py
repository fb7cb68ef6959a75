"""Each page, full and empty, in both languages and both colour schemes: drawn, translated, without a complaint."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.pages import addresses, go_to, open_address, sign_in
from tests.journeys.walk import Walk, digits, zipped
from tests.support.platform_process import ROOT

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(400)]

CHINESE = re.compile(r"[\u4e00-\u9fff]")


@pytest.fixture(scope="module")
def walk_and_deployment(walk_and_model):
    walk, made = walk_and_model
    return walk, made, walk.deploy(made["project"]["id"], made["artefact"])


def dictionary_words() -> re.Pattern[str]:
    """What a missing translation would show: ``group.key`` with a group of our dictionaries."""
    groups = {
        group
        for path in (ROOT / "frontend" / "src" / "i18n" / "en").glob("*.ts")
        for group in re.findall(r"^  (\w+): \{", path.read_text(), flags=re.MULTILINE)
    }
    return re.compile(rf"(?<![\w/.@-])({'|'.join(sorted(groups))})\.[a-z_]+(?![\w(])")


@pytest.mark.parametrize(("language", "scheme"), [("en", "light"), ("zh", "dark")])
def test_full_pages(browser: Browser, walk_and_deployment, shot_in, language, scheme):
    walk, made, deployment = walk_and_deployment
    context = browser.new_context(viewport={"width": 1280, "height": 800}, color_scheme=scheme, locale=language)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    sign_in(page, walk, language)
    missing = dictionary_words()
    open_address(page, walk, "/projects")
    for name, address in addresses(made, deployment).items():
        # By its address in one language, from within the app in the other.
        open_address(page, walk, address) if language == "en" else go_to(page, address)
        text = page.locator("body").inner_text()
        assert not missing.search(text), f"{name}: {missing.search(text)}"
        if language == "zh":
            assert CHINESE.search(page.get_by_role("navigation").inner_text()), name
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), f"{name} is wider than the window"
        shot_in(page, f"{name}-{language}-{scheme}")
    assert not complaints
    context.close()


def test_the_palette_leads_to_any_page_by_keys_alone(page: Page, walk_and_deployment, complaints):
    walk, made, deployment = walk_and_deployment
    sign_in(page, walk)
    open_address(page, walk, "/projects")
    page.get_by_role("button", name="Search").wait_for()
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Command palette").wait_for()
    page.keyboard.type(deployment["name"])
    expect(page.get_by_role("option").first).to_contain_text(deployment["name"])
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/deployments/{deployment['id']}")
    # The address changes before the page is drawn, and only a page that was drawn is remembered.
    page.get_by_role("main").get_by_text(deployment["name"]).first.wait_for()
    open_address(page, walk, f"/projects/{made['project']['id']}/versions")
    page.keyboard.press("Control+k")
    expect(page.get_by_role("group", name="Recent")).to_contain_text(deployment["name"])
    page.keyboard.type("new vers")
    expect(page.get_by_role("option").first).to_contain_text("New version")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="New version")).to_be_visible()


def test_empty_pages_say_what_to_do(page: Page, platform, complaints):
    with Walk(platform) as walk:
        project = walk.project()["id"]
        sign_in(page, walk)
        open_address(page, walk, "/projects")
        for name in (
            "data",
            "labelling",
            "map",
            "quality",
            "team",
            "team/review",
            "versions",
            "studies",
            "models",
            "deployments",
            "jobs",
        ):
            go_to(page, f"/projects/{project}/{name}")
            words = page.get_by_role("main").inner_text()
            assert len(words.split()) > 5, f"{name} leaves an empty project without a word: {words!r}"


def test_what_is_not_there_is_reported(page: Page, walk_and_deployment):
    walk, _, _ = walk_and_deployment
    sign_in(page, walk)
    page.goto(f"{walk.platform.url}/nothing/here")
    expect(page.get_by_text("This page does not exist")).to_be_visible()
    page.goto(f"{walk.platform.url}/projects/prj_00000000000000000000000000")
    expect(page.get_by_text("This page does not exist")).to_be_visible()
    # Of a project that is not there, no page is offered.
    expect(page.get_by_role("link", name="Versions")).to_have_count(0)
    expect(page.get_by_role("link", name="Back to the projects")).to_be_visible()


def test_labels_survive_a_server_that_is_away(page: Page, platform, assets, complaints):
    """Strokes made offline are kept, shown, and sent when the server is back; a reload in between loses nothing."""
    with Walk(platform) as walk:
        project = walk.project()
        walk.call("PUT", f"/projects/{project['id']}/labels", json={"labels": [{"name": "zero"}, {"name": "other"}]})
        pictures = {name.replace("/", "-"): data for name, data in digits(num_classes=2, per_class=4).items()}
        assert walk.upload(project["dataset"], zipped(pictures), labels="none")["state"] == "succeeded"
        sign_in(page, walk)
        open_address(page, walk, f"/projects/{project['id']}/labelling")
        expect(page.get_by_text("0 of 8 labelled")).to_be_visible()
        expect(page.get_by_text("Not labelled", exact=True)).to_be_visible()
        page.wait_for_load_state("networkidle")  # the next pictures are there before the line is cut
        page.context.set_offline(True)
        for _ in range(2):
            page.keyboard.press("1")
        expect(page.get_by_text("Offline, 2 waiting")).to_be_visible()
        page.context.set_offline(False)
        page.reload()
        expect(page.get_by_text("Saved", exact=True)).to_be_visible(timeout=30_000)
        assert walk.call("GET", f"/datasets/{project['dataset']}/summary")["annotated"] == 2
