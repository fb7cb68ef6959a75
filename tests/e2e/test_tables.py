"""Tables in a real browser: a CSV comes in, a column is chosen, models are trained, and one is asked what if."""

from __future__ import annotations

import csv
import io
import random
import re
from datetime import date, timedelta
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.pages import addresses, go_to, open_address, sign_in
from tests.e2e.test_every_page import dictionary_words
from tests.journeys.walk import Walk

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(400)]

SLOW_MS = 60_000
ROWS = 240
OPEN = 6
"""Rows whose target nobody knows."""
CITIES = ("Ulm", "Bonn", "Jena", "上海")


def table(seed: int = 3) -> bytes:
    """Customers with numbers, categories, dates and gaps; who complains often and came lately tends to leave."""
    draw = random.Random(seed)
    written = io.StringIO()
    rows = csv.writer(written)
    rows.writerow(["customer", "age", "city", "since", "complaints", "churned", "spent"])
    for number in range(ROWS):
        since = date(2016, 1, 1) + timedelta(days=draw.randrange(2800))
        complaints = draw.choice((0, 0, 0, 1, 1, 2, 4, 6))
        age = draw.randrange(18, 80)
        left = "yes" if complaints + draw.random() * 2 > 2.5 else "no"
        spent = round(400 + 12 * age - 60 * complaints + draw.gauss(0, 15), 2)
        gap = number % 17 == 0
        rows.writerow(
            [f"C{number:04}", "" if gap else age, draw.choice(CITIES), since, complaints, "" if number < OPEN else left, spent]
        )
    return written.getvalue().encode()


def made_project(walk: Walk, predicts: str) -> dict[str, Any]:
    fields = {
        "workspace": walk.workspace,
        "name": "Customers",
        "task": "tabular_prediction",
        "task_options": {"predicts": predicts},
    }
    return walk.call("POST", "/projects", json=fields)


@pytest.fixture
def customers(platform):
    """Somebody with an empty project that predicts a category."""
    with Walk(platform) as walk:
        walk.made = made_project(walk, "category")
        yield walk


def test_a_table_becomes_a_model_that_is_asked_what_if(page: Page, customers: Walk, complaints, shot):
    project = f"/projects/{customers.made['id']}"
    sign_in(page, customers)
    open_address(page, customers, f"{project}/data")
    upload(page)
    shot("90-table-data")
    choose_target(page, shot)
    label_by_keys(page, customers)
    cut_version(page)
    train(page, customers, shot)
    read_report(page, shot)
    deploy_and_ask(page, shot)
    assert not complaints


def upload(page: Page) -> None:
    """Drops a CSV; its rows stand in a grid with the names of the columns above."""
    expect(page.get_by_text("Drop a table here")).to_be_visible()
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose a table").click()
    chooser.value.set_files({"name": "customers.csv", "mimeType": "text/csv", "buffer": table()})
    page.get_by_role("region", name="Files to upload").get_by_role("button", name="Upload").click()
    expect(page.get_by_text(f"{ROWS} rows").first).to_be_visible(timeout=SLOW_MS)
    grid = page.get_by_role("grid", name="Rows")
    for name in ("age", "city", "since", "complaints"):
        expect(grid.get_by_role("columnheader", name=name)).to_be_visible()
    expect(grid.get_by_role("gridcell", name="missing", exact=True).first).to_be_visible()
    expect(grid.get_by_role("row")).not_to_have_count(ROWS + 1)  # only what is in sight exists
    change_cell(page, grid)
    page.get_by_role("region", name="Upload finished").get_by_role("link", name="Choose the target").click()


def change_cell(page: Page, grid: Locator) -> None:
    """Writes another town by keys; it stands there at once, and the notice takes it back."""
    found = grid.get_by_role("gridcell", name="Bonn", exact=True).first
    row, column = found.locator("xpath=..").get_attribute("data-index"), found.get_attribute("data-column")
    cell = grid.locator(f'[data-index="{row}"] [data-column="{column}"]')
    cell.click()
    page.keyboard.press("Enter")
    page.keyboard.type("Köln")
    page.keyboard.press("Enter")
    expect(cell).to_have_text("Köln")
    expect(page.get_by_text("city: Bonn → Köln")).to_be_visible()
    expect(cell).to_be_focused()
    page.get_by_role("button", name="Undo").click()
    expect(cell).to_have_text("Bonn")
    expect(page.get_by_text("city is Bonn again")).to_be_visible()
    page.keyboard.press("Escape")  # the click has selected the row


def choose_target(page: Page, shot) -> None:
    """Takes the column that is suggested; its cells label the rows."""
    expect(page.get_by_role("heading", name="Which column do you want to predict?")).to_be_visible()
    expect(page.get_by_role("combobox", name="Column", exact=True)).to_have_value("churned")
    page.get_by_role("button", name="Predict this column").click()
    expect(page.get_by_role("button", name="Choose another")).to_be_visible(timeout=SLOW_MS)
    expect(page.get_by_role("table", name="Columns").get_by_text("Predicted")).to_be_visible()
    shot("91-table-columns")
    page.get_by_role("button", name="age", exact=True).click()
    expect(page.get_by_role("dialog")).to_contain_text("age")
    page.keyboard.press("Escape")


def label_by_keys(page: Page, walk: Walk) -> None:
    """Says the targets that the table lacks, by number keys; the target is not among the cells shown."""
    page.get_by_role("link", name="Labelling", exact=True).click()
    stage = page.locator('main [role=region][tabindex="0"]')  # not the list of uploads
    expect(stage).to_contain_text("complaints", timeout=SLOW_MS)
    assert not re.search(r"churned", stage.inner_text())
    for _ in range(OPEN):
        name = stage.get_attribute("aria-label")
        page.keyboard.press("1")
        expect(page.locator(f'main [role=region][aria-label="{name}"]')).to_have_count(0)
    expect(page.get_by_text(f"{ROWS} of {ROWS} labelled")).to_be_visible(timeout=SLOW_MS)
    found = walk.call("GET", f"/datasets/{walk.made['dataset']}/items", params={"limit": 200, "state": "unlabelled"})["items"]
    assert found == []


def cut_version(page: Page) -> None:
    page.get_by_role("link", name="Versions", exact=True).click()
    page.get_by_role("button", name="New version").first.click()
    dialog = page.get_by_role("dialog")
    by = dialog.get_by_role("combobox", name="Split by")
    for rule, column in (("Time", "since"), ("Groups", "city"), ("Random, even across labels", "")):
        by.click()
        # What the splits would hold comes once a rule is whole, and moves what is below it.
        with page.expect_response(re.compile("split-preview")):
            page.get_by_role("option", name=rule, exact=True).click()
            if column == "city":
                expect(dialog.get_by_role("button", name=re.compile("Freeze"))).to_be_disabled()
                dialog.get_by_role("combobox", name="Column").click()
                page.get_by_role("option", name=column, exact=True).click()
        if column:
            expect(dialog.get_by_role("combobox", name="Column")).to_have_value(column)
        expect(dialog.get_by_role("img", name=re.compile("training"))).to_be_visible()
    dialog.get_by_role("button", name=re.compile("Freeze")).click()
    expect(page.get_by_role("heading", name="Version 1")).to_be_visible(timeout=SLOW_MS)
    expect(page.get_by_text(f"{ROWS} rows").first).to_be_visible()


def train(page: Page, walk: Walk, shot) -> None:
    """Starts a short study of the models that fit in seconds, and opens the best model."""
    open_address(page, walk, f"/projects/{walk.made['id']}/studies/new")
    for family in page.get_by_role("checkbox").all():
        name = family.get_attribute("value")
        if name in {"table_linear", "gradient_boosting"}:
            family.check()
        else:
            family.uncheck()
    page.get_by_role("button", name="Advanced").click()
    page.get_by_role("textbox", name="Trials at most").fill("2")
    page.get_by_role("button", name="Start training").click()
    page.get_by_role("link", name="Open the model").first.wait_for(timeout=4 * SLOW_MS)
    expect(page.get_by_text("2 of 2 trials")).to_be_visible(timeout=4 * SLOW_MS)
    shot("92-table-study")
    page.get_by_role("link", name="Open the model").first.click()


def read_report(page: Page, shot) -> None:
    """The report says what counts, and why a single answer came out as it did."""
    expect(page.get_by_role("heading", name=re.compile("ROC AUC is"))).to_be_visible(timeout=SLOW_MS)
    for title in (
        "Column importance",
        "How columns move predictions",
        "Predictions along a column",
        "Worst mistakes",
        "ROC curves",
    ):
        expect(page.get_by_role("heading", name=title)).to_be_visible()
    hangs_on = page.locator("section", has=page.get_by_role("heading", name="Column importance"))
    expect(hangs_on.get_by_role("listitem").first).to_contain_text("complaints")
    shot("93-table-report")
    swarm = page.locator("section", has=page.get_by_role("heading", name="How columns move predictions"))
    swarm.locator("circle").first.dispatch_event("click")
    expect(page.get_by_role("dialog")).to_contain_text("Mean answer")
    page.keyboard.press("Escape")


def deploy_and_ask(page: Page, shot) -> None:
    """A changed cell changes the answer and its reasons; one click brings the row back."""
    page.get_by_role("link", name="Deploy", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Churn")
    dialog.get_by_role("button", name="Deploy").click()
    page.get_by_role("link", name="Churn").or_(page.get_by_role("heading", name="Churn")).first.wait_for(timeout=SLOW_MS)
    if page.get_by_role("link", name="Churn").count():
        page.get_by_role("link", name="Churn").first.click()
    form = page.get_by_role("group", name="What if")
    expect(page.get_by_text("This answer")).to_be_visible(timeout=SLOW_MS)
    field = form.get_by_role("textbox", name="complaints")
    before = field.input_value()
    answer = page.locator("section", has=page.get_by_role("heading", name="What if")).get_by_role("list").first
    shown = answer.inner_text()
    field.fill("0" if float(before or 0) > 2 else "6")
    expect(answer).not_to_have_text(shown, use_inner_text=True, timeout=SLOW_MS)
    shot("94-table-what-if")
    page.get_by_role("button", name="Back to the original row").click()
    expect(field).to_have_value(before)
    expect(answer).to_have_text(shown, use_inner_text=True, timeout=SLOW_MS)
    field.fill("many")
    expect(page.get_by_text("This is not a number")).to_be_visible()


@pytest.fixture(scope="module")
def numbers(platform):
    """A project that predicts a number, walked to a running deployment."""
    with Walk(platform) as walk:
        project = made_project(walk, "number")
        folder = f"/datasets/{project['dataset']}/uploads"
        data = table()
        sent = walk.call("POST", folder, json={"name": "customers.csv", "size_bytes": len(data), "kind": "labels_csv"})
        walk.call("PUT", f"{folder}/{sent['id']}/parts", params={"offset": 0}, content=data)
        finished = walk.call("POST", f"{folder}/{sent['id']}/finish", json={"labels": "auto"})
        assert walk.job(finished["job"]["id"])["state"] == "succeeded"
        columns = walk.call("GET", f"/datasets/{project['dataset']}/columns")
        chosen = [{**column, "role": "target"} if column["name"] == "spent" else column for column in columns["columns"]]
        body = {"columns": chosen, "revision": columns["revision"]}
        saved = walk.call("PUT", f"/datasets/{project['dataset']}/columns", json=body)
        assert walk.job(saved["job"]["id"])["state"] == "succeeded"
        version = walk.snapshot(project["id"])
        study = walk.study(project["id"], version["id"], families=["table_linear"])
        ended, trials = walk.study_ended(study["id"])
        assert ended["state"] == "succeeded", trials
        made = {"project": project, "version": version, "study": study, "artefact": trials[0]["artefact"]}
        yield walk, made, walk.deploy(project["id"], made["artefact"])


NO_PAGE = {"en": "This page does not exist", "zh": "页面不存在"}


@pytest.mark.parametrize(("language", "scheme"), [("en", "light"), ("zh", "dark")])
def test_every_page_of_a_table(browser: Browser, numbers, shot_in, language, scheme):
    walk, made, deployment = numbers
    context = browser.new_context(viewport={"width": 1280, "height": 800}, color_scheme=scheme, locale=language)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    sign_in(page, walk, language)
    missing = dictionary_words()
    base = f"/projects/{made['project']['id']}"
    pages = {
        name: address for name, address in addresses(made, deployment).items() if address.startswith(base) and name != "map"
    }
    open_address(page, walk, base)
    for name, address in {**pages, "columns": f"{base}/columns"}.items():
        open_address(page, walk, address) if language == "en" else go_to(page, address)
        text = page.locator("body").inner_text()
        assert not missing.search(text), f"{name}: {missing.search(text)}"
        assert not re.search(r"\bpictures?\b|图片", text), f"{name} speaks of pictures"
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), f"{name} is wider than the window"
        shot_in(page, f"table-{name}-{language}-{scheme}")
    page.goto(f"{walk.platform.url}{base}/map")  # by an old address: rows have no map
    expect(page.get_by_text(NO_PAGE[language], exact=True)).to_be_visible()
    assert not complaints
    context.close()
