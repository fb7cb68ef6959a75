"""Batch predictions through the client package and the command, against the real platform."""

from __future__ import annotations

import csv
import io
import json

import pytest

from modelyard import ApiError, ModelyardError
from modelyard.cli import main
from modelyard.records import Job
from modelyard.terminal import JobBar
from tests.client.killing import environment
from tests.journeys.walk import zipped

pytestmark = pytest.mark.timeout(300)


@pytest.fixture
def folder(tmp_path, new):
    """Three pictures, one of them in an archive with a torn one."""
    below = tmp_path / "holiday"
    below.mkdir()
    (below / "a.png").write_bytes(new[0])
    (below / "b.png").write_bytes(new[1])
    (below / "c.zip").write_bytes(zipped({"in.png": new[2], "torn.png": new[3][:60]}))
    return below


def test_files_are_sent_predicted_and_saved(trained, folder, tmp_path):
    prediction = trained.predict_batch(folder, model=1)
    ended = prediction.wait(timeout_s=120)
    assert (ended.num_results, ended.num_failed, ended.model, ended.job.state) == (4, 1, 1, "succeeded")
    results = list(ended.results())
    assert [one.name for one in results] == ["a.png", "b.png", "in.png", "torn.png"]
    assert [(one.name, one.code) for one in ended.results(failed_only=True)] == [("torn.png", "damaged_picture")]
    assert results[3].reason == "The picture is cut off or damaged."
    lines = [json.loads(line) for line in ended.download(tmp_path / "out.jsonl").read_text().splitlines()]
    assert [line["predicted"] for line in lines] == [one.label for one in results]
    assert ended.id in {one.id for one in trained.batch_predictions()}
    with pytest.raises(ApiError) as refused:
        ended.suggest()
    assert refused.value.code == "prediction_no_items"
    ended.delete()
    assert ended.id not in {one.id for one in trained.batch_predictions()}


def test_items_become_suggestions(trained):
    ended = trained.predict_batch(items={"state": "unlabelled"}).wait(timeout_s=120)
    assert sorted(one.name for one in ended.results()) == ["new-0.png", "new-1.png"]
    assert ended.suggest() == 2
    assert ended.refreshed().num_suggested == 2


def test_a_version_is_predicted_whole_and_a_cancelled_one_goes_on(trained):
    prediction = trained.predict_batch(version=1)
    if not prediction.refreshed().job.has_ended:
        prediction.cancel()
    ended = next(one for one in iter(prediction.refreshed, None) if one.job.has_ended)
    if ended.job.state == "cancelled":
        ended = ended.resume().wait(timeout_s=120)
    assert ended.num_results == ended.num_expected == 48


def test_what_does_not_go_together_or_is_not_there_is_refused(trained, folder, tmp_path):
    for options, message in (
        ({"version": 1, "items": {}}, "together"),
        ({"model": 99}, "no model 99"),
        ({"version": 99}, "no version 99"),
    ):
        with pytest.raises(ModelyardError, match=message):
            trained.predict_batch(**options)
    with pytest.raises(ApiError) as refused:
        trained.predict_batch(items={"text": "nothing is called so"})
    assert refused.value.code == "prediction_empty"


def test_the_command_saves_a_sheet_and_lists_what_failed(site, trained, folder, tmp_path, capsys, monkeypatch):
    for name, value in environment(site.url, site.key).items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    assert main(["batch", trained.id, str(folder), "--output", "holiday.csv"]) == 0
    output = capsys.readouterr()
    assert "holiday.csv: 4 results by model 1, 1 failed." in output.out
    assert "torn.png: The picture is cut off or damaged." in output.out
    rows = list(csv.DictReader(io.StringIO((tmp_path / "holiday.csv").read_text(encoding="utf-8-sig"))))
    assert [row["file"] for row in rows] == ["a.png", "b.png", "in.png", "torn.png"]
    run = next(word for word in output.err.split() if word.startswith("bpr_"))
    assert main(["batch", trained.id, "--run", run, "--format", "jsonl", "--quiet"]) == 0
    assert len((tmp_path / f"{run}.jsonl").read_text().splitlines()) == 4
    assert main(["batch", trained.id, "--state", "unlabelled", "--suggest", "--output", "new.parquet"]) == 0
    assert "2 unlabelled items have suggestions." in capsys.readouterr().out
    assert main(["batch", trained.id, "--output", "answers.docx"]) == 1
    assert "There are: csv, jsonl, parquet." in capsys.readouterr().err


def test_the_bar_says_how_far_a_job_is():
    job = Job("job_1", "predict", "running", "predict", 0.5, 75.0, None)
    assert JobBar.line(job) == f"[{'#' * 15}{'.' * 15}] 50%, running, 1:15 left"
