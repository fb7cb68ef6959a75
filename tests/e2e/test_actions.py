"""What a person does besides the main road: stops, mends, exports, sends back, shares; on one trained project."""

from __future__ import annotations

import base64
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.pages import open_address, sign_in
from tests.journeys.walk import Walk, digits, zipped

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

PASTE = """(text) => {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  const clipboardData = new DataTransfer()
  clipboardData.items.add(new File([bytes], 'digit.png', { type: 'image/png' }))
  document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
}"""


def test_a_running_study_is_cancelled(page: Page, walk_and_model, complaints):
    walk, made = walk_and_model
    study = walk.study(made["project"]["id"], made["version"]["id"], name="Long", strategy="tpe", max_trials=40)
    sign_in(page, walk)
    open_address(page, walk, f"/projects/{made['project']['id']}/studies/{study['id']}")
    expect(page.get_by_role("button", name="More trials")).to_be_visible()
    page.get_by_role("button", name="Cancel study").click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel study").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("cancelled")
    expect(page.get_by_role("table", name="Trials").get_by_text(re.compile("^(running|waiting|starting)$"))).to_have_count(
        0, timeout=30_000
    )
    expect(page.get_by_role("button", name="More trials")).to_have_count(0)


def test_a_failed_trial_names_its_cause_and_cure(page: Page, platform, walk_and_model, complaints):
    walk, _ = walk_and_model
    project = walk.project()
    walk.upload(project["dataset"], zipped(digits(num_classes=3, per_class=12, skip=14)))
    version = walk.snapshot(project["id"])
    lost = walk.call("GET", f"/datasets/{project['dataset']}/items?limit=1")["items"][0]
    for blob in (platform.home / "blobs").rglob(lost["blob"]):
        blob.unlink()
    study = walk.study(project["id"], version["id"])
    sign_in(page, walk)
    open_address(page, walk, f"/projects/{project['id']}/studies/{study['id']}")
    expect(page.get_by_role("alert")).to_contain_text("A picture cannot be read", timeout=60_000)
    page.get_by_role("table").get_by_role("button", name=re.compile("Classification head only")).click()
    drawer = page.get_by_role("dialog")
    expect(drawer).to_contain_text("Delete or replace the picture")
    expect(drawer).to_contain_text(lost["name"])
    drawer.get_by_role("link", name="Job and log").click()
    expect(page.get_by_role("dialog")).to_contain_text("The job failed", timeout=15_000)


def test_a_mistake_is_looked_at_and_the_model_taken_home(page: Page, walk_and_model, complaints, tmp_path):
    walk, made = walk_and_model
    sign_in(page, walk)
    open_address(page, walk, f"/projects/{made['project']['id']}/models/{made['artefact']}")
    look_at_a_cell(page, walk, made["artefact"])
    page.get_by_role("button", name="Export", exact=True).click()
    dialog = page.get_by_role("dialog")
    card = dialog.get_by_role("radio", name="Python package")
    expect(card).to_contain_text(re.compile("Download: about .+MB.*One answer: about .+ms"))
    card.click()
    dialog.get_by_role("button", name="Build").click()
    link = page.get_by_role("link", name=re.compile(r"^Download \("))
    expect(link).to_be_visible(timeout=60_000)
    with page.expect_download() as download:
        link.click()
    wheel = tmp_path / download.value.suggested_filename
    download.value.save_as(wheel)
    expect_answer(wheel, next(iter(made["pictures"].values())), tmp_path)


def look_at_a_cell(page: Page, walk: Walk, artefact: str) -> None:
    """Walks by keyboard to the first cell that holds pictures and opens it."""
    report = walk.call("GET", f"/artefacts/{artefact}/report")
    split = next(split for split in report["splits"] if split["split"] == "test")
    truth, answer = next((row, column) for row, counts in enumerate(split["confusion"]) for column, n in enumerate(counts) if n)
    matrix = page.get_by_role("application")
    matrix.focus()
    for key in ["ArrowRight", *["ArrowDown"] * truth, *["ArrowRight"] * answer]:
        matrix.press(key)
    matrix.press("Enter")
    cards = page.get_by_role("dialog").get_by_role("figure")
    expect(cards).to_have_count(split["confusion"][truth][answer])
    for card in cards.all():
        expect(card.get_by_role("definition").nth(0)).to_have_text(report["labels"][truth])
        expect(card.get_by_role("definition").nth(1)).to_have_text(report["labels"][answer])
    page.keyboard.press("Escape")


def expect_answer(wheel: Path, picture: bytes, folder: Path) -> None:
    """Runs the package as its buyer would, away from our code."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    (folder / "digit.png").write_bytes(picture)
    package = wheel.name.split("-")[0]
    command = [sys.executable, "-m", package, str(folder / "digit.png")]
    message = subprocess.run(
        command, cwd=folder, env={"PYTHONPATH": str(folder / "site")}, capture_output=True, text=True, timeout=60
    )
    assert message.returncode == 0, message.stderr
    assert re.search(r"\b[0-3]\b", message.stdout), message.stdout


def test_a_doubtful_call_comes_back_with_a_suggestion(page: Page, walk_and_model, complaints):
    walk, made = walk_and_model
    project = made["project"]["id"]
    sign_in(page, walk)
    open_address(page, walk, f"/projects/{project}/deployments?artefact={made['artefact']}")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Address").fill("actions-digits")
    dialog.get_by_role("radio", name="Everything").check()
    dialog.get_by_role("button", name="Deploy").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("running", timeout=40_000)

    picture = next(iter(digits(num_classes=1, per_class=1, skip=30).values()))
    page.evaluate(PASTE, base64.b64encode(picture).decode())
    expect(page.get_by_text("answered in")).to_be_visible(timeout=30_000)
    page.get_by_role("tab", name="Calls and feedback").click()
    page.get_by_role("switch", name="Show calls from").check(force=True)
    expect(page.get_by_role("link", name="kept")).to_be_visible(timeout=30_000)
    page.get_by_role("slider").press("Home")
    page.get_by_role("button", name="Send to labelling").click()
    expect(page.get_by_text("1 picture sent to labelling")).to_be_visible(timeout=30_000)

    page.get_by_role("navigation").get_by_role("link", name="Labelling", exact=True).click()
    expect(page.get_by_text("48 of 49 labelled")).to_be_visible(timeout=15_000)
    expect(page.get_by_role("button", name="Accept")).to_be_visible()
    page.keyboard.press("Space")
    expect(page.get_by_text("49 of 49 labelled")).to_be_visible()


def test_a_folder_with_faults_is_taken_sorted_and_mended(page: Page, walk_and_model, complaints, tmp_path):
    walk, _ = walk_and_model
    project = walk.project()
    folder = tmp_path / "digits"
    for name, data in digits(num_classes=2, per_class=4).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    whole = sorted((folder / "0").iterdir())[0].read_bytes()
    (folder / "0" / "twin.png").write_bytes(whole)
    (folder / "0" / "torn.png").write_bytes(whole[:60])
    (folder / "1" / "story.jpg").write_text("once upon a time")
    sign_in(page, walk)
    open_address(page, walk, f"/projects/{project['id']}/data")
    page.locator("input[webkitdirectory]").set_input_files(folder)
    expect(page.get_by_text("8 pictures", exact=True).first).to_be_visible(timeout=30_000)
    arrived = page.get_by_role("region", name="Upload finished")
    expect(arrived).to_contain_text(re.compile("8 pictures added · .*1 already existed"))
    for message in ("2 refused", "0/torn.png", "cut off or damaged", "The folder names became labels: 0 and 1."):
        expect(arrived).to_contain_text(message)
    expect(arrived.get_by_role("link", name="Train a model")).to_be_visible()
    page.get_by_role("button", name="Uploads").click()
    refused = page.get_by_role("dialog").get_by_role("button", name=re.compile("2 refused"))
    expect(refused).to_have_attribute("aria-expanded", "true")  # what the last upload lacks is what one came for
    for message in ("0/torn.png", "cut off or damaged", "1/story.jpg", "Not a picture"):
        expect(page.get_by_role("dialog")).to_contain_text(message)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)

    pictures = page.get_by_role("option")
    pictures.nth(0).click()
    pictures.nth(2).click(modifiers=["Shift"])
    pictures.nth(4).click(modifiers=["Control"])
    expect(page.get_by_role("toolbar")).to_contain_text("4 selected")
    page.reload()  # the address says what is selected, and where the keys act
    expect(page.get_by_role("toolbar")).to_contain_text("4 selected")
    expect(pictures.nth(4)).to_be_focused()
    page.keyboard.press("2")
    for place in (0, 1, 2, 4):
        expect(pictures.nth(place)).to_have_accessible_name(re.compile(", 1$"))
    page.keyboard.press("Delete")
    expect(page.get_by_text("4 pictures", exact=True).first).to_be_visible()
    expect(page.get_by_role("toolbar")).to_have_count(0)
    page.get_by_role("alert").filter(has_text="4 pictures deleted").get_by_role("button", name="Undo").click()
    expect(page.get_by_text("8 pictures", exact=True).first).to_be_visible()


def test_a_guest_looks_and_two_people_disagree(browser: Browser, page: Page, platform, walk_and_model, complaints):
    walk, made = walk_and_model
    base = f"/projects/{made['project']['id']}"
    with Walk(platform) as guest:
        sign_in(page, walk)
        open_address(page, walk, "/settings?tab=members")
        page.get_by_label("E-mail").fill(guest.email)
        choose_role(page.get_by_role("main"), page, "Viewer")
        page.get_by_role("button", name="Make a link").click()
        link = page.get_by_role("status").locator("pre").inner_text()
        guest.call("POST", "/invitations/accept", json={"secret": link.partition("#")[2]})
        page.reload()
        row = page.get_by_role("table", name="People").get_by_role("row").filter(has_text=guest.email)
        expect(row).to_be_visible()

        context = browser.new_context(locale="en-US")
        other = context.new_page()
        other.goto(f"{platform.url}{base}/data")
        other.get_by_label("E-mail").fill(guest.email)
        other.locator("input[type=password]").fill("a long pass phrase")
        other.get_by_role("button", name="Sign in").click()
        other.wait_for_url(f"**{base}/data")  # back where one was going
        expect(other.get_by_role("option").first).to_be_visible()
        expect(other.get_by_role("button", name="Upload", exact=True)).to_have_count(0)
        other.goto(f"{platform.url}{base}/labelling")
        expect(other.get_by_text("Your role does not allow labelling")).to_be_visible()

        choose_role(row, page, "Labeller")
        expect(row.get_by_role("combobox").or_(row.get_by_role("textbox"))).to_have_value("Labeller")
        item = walk.call("GET", f"/datasets/{made['project']['dataset']}/items?limit=1")["items"][0]
        for each in (page, other):
            each.goto(f"{platform.url}{base}/labelling?item={item['id']}")
            expect(each.get_by_role("img", name=item["name"])).to_be_visible()
        context.set_offline(True)  # else the one sees at once what the other says
        page.keyboard.press("2")
        expect(page.get_by_text("Saved", exact=True)).to_be_visible()
        other.keyboard.press("3")
        context.set_offline(False)
        expect(other.get_by_role("dialog")).to_contain_text(
            "Somebody else has labelled this picture in the meantime", timeout=30_000
        )
        other.get_by_role("button", name="Keep theirs").click()
        expect(other.get_by_role("dialog")).to_have_count(0)
        assert walk.call("GET", f"/items/{item['id']}")["annotations"][0]["label"] == "1"
        context.close()


def choose_role(where: Locator, page: Page, role: str) -> None:
    where.get_by_role("combobox", name="Role").or_(where.get_by_role("textbox", name="Role")).first.click()
    page.get_by_role("option", name=re.compile(f"^{role}")).click()
