"""Text classification by API: a table of remarks comes in, trains, is judged, answers, goes away as a wheel. Real processes."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from automl.contracts.dataset import blob_path
from engine.data.version import DatasetVersion
from engine.tasks.text_classification import example
from modelyard import Client
from tests.journeys.walk import Walk

pytestmark = [pytest.mark.journey, pytest.mark.timeout(300)]

REMARKS = 120
ANSWER = "快递今天到了，包装盒完好。\r\nThe courier was very kind."
"""Neither a remark of the example nor of one line, as a browser under Windows would send it."""


def _remarks(folder: Path, *, seed: int) -> list[tuple[str, str]]:
    """The task's own example: texts with their labels."""
    example.write(folder, num_items=REMARKS, seed=seed)
    records = DatasetVersion.open(folder).records()
    return [((folder / blob_path(one.blob)).read_text(encoding="utf-8"), one.annotations[0].label) for one in records]


def _table(remarks: list[tuple[str, str]]) -> bytes:
    written = io.StringIO()
    rows = csv.writer(written)
    rows.writerows([("text", "label"), *remarks])
    return written.getvalue().encode("utf-8-sig")  # the mark is how spreadsheets save


def test_remarks_come_in_train_answer_and_go_away_as_a_wheel(walk: Walk, tmp_path: Path):
    remarks = _remarks(tmp_path / "data", seed=0)
    body = {"workspace": walk.workspace, "name": "Remarks", "task": "text_classification", "task_options": {}}
    project = walk.call("POST", "/projects", json=body)
    key = walk.key()
    with Client(walk.platform.url, key) as client:
        (tmp_path / "remarks.csv").write_bytes(_table(remarks))
        uploaded = client.project(project["id"]).dataset.upload(tmp_path / "remarks.csv")
        assert (uploaded.num_new, uploaded.refused) == (REMARKS, [])
        items = list(client.project(project["id"]).dataset.items())
        assert {(item.text, *item.labels) for item in items} == set(remarks)
        version = walk.snapshot(project["id"])
        assert version["num_items"] == REMARKS

        artefact = _trained(walk, project, version)
        _report_can_be_read(walk, artefact, dict(remarks))
        _measured_on_later_remarks(walk, project, artefact, tmp_path)

        deployment = walk.deploy(project["id"], artefact)
        texts = [text for text, _ in remarks[:70]]
        by_page = walk.call("POST", f"/deployments/{deployment['id']}/try/texts", json={"texts": texts[:5]})["predictions"]
        by_client = list(client.project(project["id"]).deployment(deployment["slug"]).predict_many(texts))
        assert [one["annotations"] for one in by_page] == [one.annotations for one in by_client[:5]]
        assert sum(prediction.label == label for prediction, (_, label) in zip(by_client, remarks, strict=False)) > 60
        answer = client.deployment(deployment["id"]).predict(ANSWER, top=4)

    _kept_and_taken_back(walk, project, deployment)
    _wheel_answers_the_same(walk, artefact, answer.annotations, tmp_path)


def _trained(walk: Walk, project: dict, version: dict) -> str:
    train = {"family": "tfidf_linear", "size": "64k", "params": {}}
    study = walk.study(project["id"], version["id"], families=["tfidf_linear"], strategy="single", train=train)
    ended, trials = walk.study_ended(study["id"], timeout_s=120)
    assert ended["state"] == "succeeded", (ended, trials)
    return trials[0]["artefact"]


def _report_can_be_read(walk: Walk, artefact: str, labels: dict[str, str]) -> None:
    report = walk.call("GET", f"/artefacts/{artefact}/report")
    test = next(split for split in report["splits"] if split["split"] == "test")
    assert test["metrics"]["accuracy"] > 0.8
    assert sum(map(sum, test["confusion"])) == test["num_items"] > 0
    worst = walk.call("GET", f"/artefacts/{artefact}/report/items", params={"split": "test", "order": "loss"})
    assert worst["num_items"] == test["num_items"]
    assert all(labels[item["text"]] == item["truth"][0]["label"] for item in worst["items"])


def _measured_on_later_remarks(walk: Walk, project: dict, artefact: str, tmp_path: Path) -> None:
    """A version with more remarks of the kind: the model is measured on it as it is."""
    later = {
        f"{label}/{number}.txt": text.encode() for number, (text, label) in enumerate(_remarks(tmp_path / "later", seed=1))
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in later.items():
            archive.writestr(name, data)
    assert walk.upload(project["dataset"], buffer.getvalue(), name="later.zip")["state"] == "succeeded"
    version = walk.snapshot(project["id"])
    assert version["num_items"] > REMARKS
    job = walk.call("POST", f"/artefacts/{artefact}/evaluate", json={"version": version["id"], "split": "test"})
    assert walk.job(job["id"])["state"] == "succeeded"
    measured: list[dict] = []
    while not measured:  # entered a moment after the job's end; the test's own time limit ends this
        time.sleep(0.1)
        evaluations = walk.call("GET", f"/artefacts/{artefact}/evaluations")
        measured = [one for one in evaluations if one["version"] == version["id"]]
    (found,) = measured
    assert found["num_items"] == version["num_items_by_split"]["test"]
    assert found["metrics"]["accuracy"] > 0.8


def _kept_and_taken_back(walk: Walk, project: dict, deployment: dict) -> None:
    """The log shows the text; those that the model saw for the first time become items with its answer."""
    newest: dict = {}
    while newest.get("input_text") != ANSWER.replace("\r\n", "\n"):  # the test's own time limit ends this
        time.sleep(0.2)
        log = walk.call("GET", f"/deployments/{deployment['id']}/log")["items"]
        newest = log[0] if log else {}
    assert walk.http.get(newest["input_url"].removeprefix("/api")).text == newest["input_text"]
    body = {"deployment": deployment["id"], "min_uncertainty": 0.0, "limit": 50}
    feedback = walk.call("POST", "/labeling/feedback", json=body)
    assert feedback["items"] == 1, feedback  # all the other texts are items already
    assert walk.job(feedback["job"]["id"])["state"] == "succeeded"
    (item,) = walk.call("GET", f"/datasets/{project['dataset']}/items", params={"state": "unlabelled"})["items"]
    assert item["text"] == newest["input_text"]
    assert item["blob"] == newest["input_sha256"]
    suggested = walk.call("GET", "/labeling/suggestions", params={"items": item["id"]})[item["id"]]["annotations"]
    assert suggested[0]["label"] == newest["top"][0]["label"]
    assert walk.call("POST", "/labeling/feedback", json=body)["items"] == 0


def _wheel_answers_the_same(walk: Walk, artefact: str, expected: list[dict], tmp_path: Path) -> None:
    exported = walk.call("POST", "/exports", json={"artefact": artefact, "target": "python_sdk", "options": {}})
    done = walk.job(exported["job"]["id"])
    assert done["state"] == "succeeded", done
    place = tmp_path / "installed"
    with zipfile.ZipFile(io.BytesIO(walk.call("GET", f"/exports/{exported['id']}/download"))) as wheel:
        wheel.extractall(place)
    code = f"import json; from my_model import Model; print(json.dumps(Model().predict({ANSWER!r}, top=4)))"
    environment = {**os.environ, "PYTHONPATH": str(place), "PYTHONUTF8": "1"}
    ran = subprocess.run([sys.executable, "-c", code], env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == expected
