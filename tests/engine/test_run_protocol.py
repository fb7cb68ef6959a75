"""What a job leaves in its directory, as the platform reads it."""

from __future__ import annotations

import json

import numpy as np
import onnx
import pytest

from automl.contracts.annotation import Annotations
from automl.contracts.artefact import ArtefactManifest, GoldenSamples
from automl.contracts.dataset import Split
from automl.contracts.reference import InputReference
from automl.contracts.report import Report
from automl.contracts.task import OutputKind
from engine.artefact.session import Session
from engine.events import EventLog
from tests.engine.jobs import events, make_evaluation, make_job, run_here


def test_events_begin_with_started_and_end_with_finished(trained):
    found = events(trained)
    assert found[0].type == "started"
    assert found[0].attempt == 1
    assert found[-1].type == "finished"
    assert found[-1].stopped is None
    assert set(found[-1].metrics) >= {"accuracy", "log_loss"}
    fractions = [event.fraction for event in found if event.type == "progress"]
    assert fractions == sorted(fractions)
    assert {event.stage for event in found if event.type == "progress"} >= {"load", "train", "export", "parity", "evaluate"}


def test_artefact_holds_everything_and_leads_back(trained):
    folder = trained / "artefact"
    assert {path.name for path in folder.iterdir()} == {
        "artefact.json",
        "hashes.json",
        "model.onnx",
        "weights.safetensors",
        "samples",
        "report.json",
        "reference.json",
        "answers.safetensors",
    }
    reference = InputReference.read(folder / "reference.json")
    assert (reference.splits, reference.num_items) == ((Split.TEST, Split.VALIDATION, Split.TRAIN), 40)  # 12 + 12 + 36
    manifest = ArtefactManifest.read(folder / "artefact.json")
    version = json.loads((trained / "data" / "version.json").read_text())
    assert manifest.lineage.dataset_version == version["id"]
    assert (manifest.lineage.study, manifest.lineage.trial, manifest.lineage.seed) == ("stu_test", "trl_test", 3)
    assert manifest.output == OutputKind.CLASS_SCORES
    assert manifest.train.params["weight_decay"] == 2e-2  # what was left out is written down too
    assert set(manifest.metrics) == {Split.VALIDATION, Split.TEST}


def test_report_judges_every_held_back_item(trained):
    report = Report.read(trained / "artefact" / "report.json")
    for split in report.splits:
        assert split.num_items == len(split.items) == 12
        assert sum(sum(row) for row in split.confusion) == 12
        assert sum(row.support for row in split.per_class) == 12
        for name, (low, high) in split.intervals.items():
            assert low <= split.metrics[name] <= high
        for item in split.items:
            Annotations.validate_python(item.prediction)
            scores = [prediction.score for prediction in item.prediction]
            assert scores == sorted(scores, reverse=True)
    assert report.latency_ms > 0
    assert report.model_bytes == (trained / "artefact" / "model.onnx").stat().st_size
    assert {point.split for point in report.curves} == {Split.TRAIN, Split.VALIDATION}


def test_several_labels_come_with_thresholds_and_independent_scores(probed):
    manifest = ArtefactManifest.read(probed / "artefact" / "artefact.json")
    assert manifest.output == OutputKind.LABEL_SCORES
    assert set(manifest.thresholds) == set(manifest.label_set.names)
    assert all(0.0 <= threshold <= 1.0 for threshold in manifest.thresholds.values())
    assert manifest.licences[0].spdx == "Apache-2.0"
    golden = GoldenSamples.read(probed / "artefact" / "samples" / "expected.json")
    assert any(abs(sum(sample.scores) - 1.0) > 1e-3 for sample in golden.samples)
    assert all(split.confusion == () for split in Report.read(probed / "artefact" / "report.json").splits)


def test_graph_takes_pictures_of_any_size_and_number(trained):
    session = Session(trained / "artefact" / "model.onnx")
    generator = np.random.default_rng(0)
    for shape in ((1, 31, 97, 3), (3, 200, 40, 3), (2, 64, 64, 3)):
        scores_BL = session.run(generator.integers(0, 256, shape, dtype=np.uint8))
        assert scores_BL.shape == (shape[0], 4)
        assert np.allclose(scores_BL.sum(axis=1), 1.0, atol=1e-5)


def test_graph_tells_nothing_of_the_machine_it_was_made_on(trained):
    model = onnx.load(trained / "artefact" / "model.onnx")
    onnx.checker.check_model(model)
    for weight in model.graph.initializer:
        weight.ClearField("raw_data")  # among millions of bytes any three are found
    assert b".py" not in model.SerializeToString()


@pytest.mark.parametrize("split", [Split.VALIDATION, Split.TEST])
def test_evaluation_repeats_what_training_reported(trained, cache_dir, tmp_path, split):
    workdir = make_evaluation(tmp_path / "job", artefact=trained / "artefact", cache_dir=cache_dir, split=split)
    assert run_here(workdir) == 0
    (judged,) = Report.read(workdir / "artefact" / "report.json").splits
    reported = next(each for each in Report.read(trained / "artefact" / "report.json").splits if each.split == split)
    assert judged == reported
    assert events(workdir, "finished")[-1].metrics == judged.metrics


def test_second_attempt_is_counted_and_a_torn_line_is_cut_off(trained, cache_dir, tmp_path):
    workdir = make_evaluation(tmp_path / "job", artefact=trained / "artefact", cache_dir=cache_dir)
    assert run_here(workdir) == 0
    with (workdir / "events.jsonl").open("ab") as file:
        file.write(b'{"type":"progr')
    assert run_here(workdir) == 0
    assert [event.attempt for event in events(workdir, "started")] == [1, 2]


def test_time_limit_ends_with_what_was_learned(cache_dir, tmp_path):
    from automl.contracts.job import JobLimits
    from tests.engine.jobs import SMALL_RESNET

    params = {**SMALL_RESNET, "epochs": 100}
    workdir = make_job(tmp_path / "job", cache_dir=cache_dir, params=params, limits=JobLimits(time_s=1.0))
    assert run_here(workdir) == 0
    assert events(workdir, "finished")[-1].stopped is None
    assert [event.code for event in events(workdir, "warning")] == ["time_limit"]
    last_step = max(event.step for event in events(workdir, "metric"))
    assert last_step < 100 * 4
    assert (workdir / "artefact" / "artefact.json").exists()


def test_an_order_to_finish_leaves_what_was_learned(cache_dir, tmp_path):
    from tests.engine.jobs import SMALL_RESNET

    workdir = make_job(tmp_path / "job", cache_dir=cache_dir, params={**SMALL_RESNET, "epochs": 100})
    (workdir / "control").mkdir()
    (workdir / "control" / "stop").write_text("finish")
    assert run_here(workdir) == 0
    assert events(workdir, "finished")[-1].stopped is None
    assert [event.code for event in events(workdir, "warning")] == ["finished_early"]
    assert (workdir / "artefact" / "artefact.json").exists()


def test_the_log_tells_people_what_the_events_tell_the_platform(tmp_path, caplog):
    with caplog.at_level("INFO", logger="engine.events"), EventLog(tmp_path / "events.jsonl") as log:
        log.started(resumed_from_step=None)
        for fraction in (0.1, 0.2, 0.3):
            log.progress("train", fraction)
        log.metric(step=10, epoch=1.0, split=Split.VALIDATION, values={"accuracy": 0.87654321})
    lines = [record.getMessage() for record in caplog.records]
    assert lines[0].startswith("started pid=")
    assert lines[1:] == ["progress stage=train", "metric step=10 epoch=1 split=validation accuracy=0.8765"]
