"""The walk of docs/architecture.md, section 6, with its four promises. Real processes, real pictures."""

from __future__ import annotations

import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest

from tests.journeys.walk import Walk, digits, zipped
from tests.support.platform_process import ROOT

pytestmark = [pytest.mark.journey, pytest.mark.timeout(400)]


@pytest.fixture(scope="module")
def walk_and_model(platform, assets):
    """A project that has been walked to an artefact."""
    with Walk(platform) as walking:
        yield walking, walking.trained()


def test_pictures_become_an_api_that_answers_rightly(walk_and_model):
    walk, made = walk_and_model
    report = walk.call("GET", f"/artefacts/{made['artefact']}/report")
    by_split = {split["split"]: split for split in report["splits"]}
    assert by_split["test"]["num_items"] > 0
    deployment, key = walk.deploy(made["project"]["id"], made["artefact"]), walk.key()
    unseen = digits(per_class=10, skip=24)
    right = sum(
        walk.predict(deployment, key, picture)["predictions"][0]["annotations"][0]["label"] == name.split("/")[0]
        for name, picture in unseen.items()
    )
    # Four digits, 24 of each to learn from: chance is 0.25.
    assert right / len(unseen) >= 0.75


def test_promise_1_from_a_prediction_back_to_the_person(walk_and_model):
    walk, made = walk_and_model
    deployment, key = walk.deploy(made["project"]["id"], made["artefact"]), walk.key()
    predicted = walk.predict(deployment, key, next(iter(made["pictures"].values())))
    deadline = time.monotonic() + 30
    while not (log := walk.call("GET", f"/deployments/{deployment['id']}/log")["items"]):
        assert time.monotonic() < deadline, "the prediction never reached the log"
        time.sleep(0.2)
    assert log[0]["id"] == predicted["id"]
    assert predicted["model"] == deployment["artefact"] == made["artefact"]
    lineage = walk.call("GET", f"/artefacts/{made['artefact']}/lineage")
    ids = {node["id"] for node in lineage["nodes"]}
    trial = next(trial["id"] for trial in made["trials"] if trial["artefact"] == made["artefact"])
    assert {made["artefact"], trial, made["study"]["id"], made["version"]["id"], walk.user} <= ids
    rows = walk.call("GET", f"/versions/{made['version']['id']}/items", params={"project": made["project"]["id"]})["items"]
    history = walk.call("GET", "/labeling/history", params={"item": rows[0]["item"]})
    assert history[0]["annotations"][0]["label"] == rows[0]["annotations"][0]["label"]


def test_promise_2_what_was_trained_on_never_changes(walk_and_model):
    walk, made = walk_and_model
    project, version = made["project"]["id"], made["version"]["id"]
    where, scope = f"/versions/{version}/items", {"project": project, "limit": 200}
    before = walk.call("GET", where, params=scope)
    items = walk.call("GET", f"/datasets/{made['project']['dataset']}/items", params={"limit": 5})["items"]
    relabelled, deleted = items[0], items[1]
    other = next(label for label in ("0", "1", "2", "3") if label != relabelled["annotations"][0]["label"])
    change = {
        "annotations": [{"kind": "class", "label": other}],
        "revision": relabelled["revision"],
        "operation": str(uuid.uuid4()),
    }
    walk.call("PUT", f"/labeling/items/{relabelled['id']}/annotations", json=change)
    walk.call("DELETE", f"/items/{deleted['id']}")
    assert walk.call("GET", where, params=scope) == before
    child = walk.snapshot(project)
    assert child["id"] != version
    assert child["parent"] == version
    assert child["num_items"] == made["version"]["num_items"] - 1
    splits = {row["item"]: row["split"] for row in before["items"]}
    after = walk.call("GET", f"/versions/{child['id']}/items", params=scope)["items"]
    assert all(splits[row["item"]] == row["split"] for row in after)


@pytest.fixture(scope="module")
def pictured(killed_platform):
    """A project with a version on the platform that is killed."""
    with Walk(killed_platform) as walking:
        project = walking.project()
        assert walking.upload(project["dataset"], zipped(digits(per_class=30)))["state"] == "succeeded"
        yield walking, project, walking.snapshot(project["id"])


@pytest.mark.parametrize("victim", ["engine", "worker", "web", "prediction"])
def test_promise_3_any_process_may_die(pictured, victim):
    """The step is done once, or FAILED with a reason; here it must be done, since attempts are left."""
    walk, project, version = pictured
    before = _artefacts(walk, project)
    study = walk.study(project["id"], version["id"])
    deadline = time.monotonic() + 60
    while not ((trials := walk.trials(study["id"])) and trials[0]["job"]):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    running = walk.job(trials[0]["job"], until={"running"})
    assert running["state"] == "running", running
    _kill(walk.platform, victim)
    walk.platform.answering()
    study, trials = walk.study_ended(study["id"], timeout_s=240)
    assert study["state"] == "succeeded", (study, trials)
    assert [trial["state"] for trial in trials] == ["succeeded"]
    (made,) = set(_artefacts(walk, project)) - set(before)
    assert made == trials[0]["artefact"]


def _artefacts(walk: Walk, project: dict) -> list[str]:
    return [one["id"] for one in walk.call("GET", "/artefacts", params={"project": project["id"], "limit": 100})["items"]]


def test_promise_4_each_process_holds_only_what_it_may(platform, walk_and_model):
    walk, _ = walk_and_model
    walk.call("GET", "/tasks")
    for process in (*platform.find("granian"), *platform.find("-Q control"), *platform.find("runtime.server")):
        libraries = {Path(region.path).name for region in process.memory_maps()}
        assert not any(name.startswith("libtorch") for name in libraries), process.cmdline()
    check = "import sys, {0}; bad = [m for m in {1} if m in sys.modules]; assert not bad, bad"
    _python(check.format("engine.run, engine.forkserver", ["django", "celery", "redis", "studio"]))
    _python(check.format("runtime.server, runtime.predictor", ["django", "torch", "pydantic", "automl"]))


def _python(code: str) -> None:
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def _kill(platform, victim: str) -> None:
    if victim == "engine":
        servers = platform.find("engine.forkserver")
        victims = [child for server in servers for child in server.children()]
    elif victim == "worker":
        victims = platform.find("celery", "-Q jobs")
    elif victim == "web":
        victims = platform.find("granian")
    else:
        victims = platform.find("runtime.server")
    assert victims, f"no process of kind {victim} runs"
    for process in victims:
        process.kill()
