"""A student that has few labels and a teacher, from order to artefact."""

from __future__ import annotations

from contextlib import contextmanager

import pytest

from automl.contracts.dataset import Split
from automl.contracts.distillation import DistillationReport
from automl.contracts.job import JobSpec
from automl.contracts.report import Report
from engine.compress.distill import distill
from engine.compress.soft_targets import Recipe
from engine.data.text_tokens import version_texts
from engine.data.version import DatasetVersion
from engine.errors import JobInvalidError
from engine.events import EventLog
from engine.job import Job, StoppedError
from engine.tasks import task_part
from runtime import selftest
from tests.engine.jobs import events, make_job, run_here, trained_once
from tests.engine.text_store import counted_once

TASK = "text_classification"
FEW = 40


@pytest.fixture(scope="module")
def teacher():
    """Weighted n-grams of many texts."""
    return trained_once(family="tfidf_linear", params={}, task=TASK, num_items=400) / "artefact"


@pytest.fixture(scope="module")
def unlabelled(tmp_path_factory):
    folder = tmp_path_factory.mktemp("unlabelled")
    task_part(TASK, "example").write(folder, num_items=300, seed=8)
    version = DatasetVersion.open(folder)
    return version_texts(version, version.records())


@contextmanager
def _student(workdir, cache_dir, family="tfidf_linear", params=None, **example):
    """A job whose version has few texts."""
    make_job(
        workdir, cache_dir=cache_dir, family=family, params=params or {}, task=TASK, **{"num_items": FEW, "seed": 5, **example}
    )
    with EventLog(workdir / "events.jsonl") as log:
        yield Job(workdir, JobSpec.read(workdir / "job.json"), log)


def _accuracy(artefact):
    splits = {split.split: split for split in Report.read(artefact / "report.json").splits}
    return splits[Split.TEST].metrics["accuracy"]


def test_student_learns_what_its_labels_do_not_say(tmp_path, cache_dir, teacher, unlabelled):
    alone = make_job(
        tmp_path / "alone", cache_dir=cache_dir, family="tfidf_linear", params={}, task=TASK, num_items=FEW, seed=5
    )
    assert run_here(alone) == 0, events(alone)[-1]
    with _student(tmp_path / "taught", cache_dir) as job:
        report = distill(job, teacher, unlabelled)
    assert _accuracy(job.artefact_dir) > _accuracy(alone / "artefact")
    assert report.student_metric == pytest.approx(_accuracy(job.artefact_dir))
    assert report.gap <= 0.15
    assert DistillationReport.read(job.artefact_dir / "distillation.json") == report
    assert (report.num_labelled, report.num_unlabelled) == (24, 300)
    assert report.teacher.job == "job_test"
    assert report.teacher.model_bytes == (teacher / "model.onnx").stat().st_size
    for side in (report.teacher, report.student):
        assert 0 < side.graph_ms < side.answer_ms
    assert selftest.replay(job.artefact_dir).is_passed


def test_network_is_taught_and_reads_words_of_unlabelled_texts(tmp_path, cache_dir, teacher, unlabelled):
    params = {"epochs": 6, "batch_size": 16, "lr": 1e-2}
    with _student(tmp_path / "job", cache_dir, family="text_gru", params=params) as job:
        report = distill(job, teacher, [*unlabelled, "  ", "zyzzyva arrives"], Recipe(temperature=1.0, hard_fraction=0.0))
    assert report.num_unlabelled == 301
    assert report.student_metric > 0.6
    assert "zyzzyva" in (job.artefact_dir / "tokenizer.json").read_text(encoding="utf-8")
    assert len({event.values["loss"] for event in events(job.workdir, "metric") if event.split == Split.TRAIN}) == 6
    assert selftest.replay(job.artefact_dir).is_passed


def test_without_unlabelled_texts_the_labelled_ones_are_taught(tmp_path, cache_dir, teacher):
    with _student(tmp_path / "job", cache_dir) as job:
        assert distill(job, teacher, []).num_unlabelled == 0


def test_several_labels_are_taught(tmp_path, cache_dir, unlabelled):
    workdir = counted_once()
    with _student(tmp_path / "job", cache_dir, labels="several") as job:
        report = distill(job, workdir / "artefact", unlabelled)
    assert report.student_metric > 0.6


@pytest.mark.parametrize(
    ("student", "message"),
    [
        ({"params": {"is_balanced": True}}, "not balanced"),
        ({"num_labels": 3}, "other labels"),
        ({"labels": "several"}, "other labels"),
    ],
)
def test_what_cannot_be_taught_is_refused(tmp_path, cache_dir, teacher, student, message):
    with _student(tmp_path / "job", cache_dir, **student) as job, pytest.raises(JobInvalidError, match=message):
        distill(job, teacher, ["one more"])
    assert not job.artefact_dir.exists()


def test_no_artefact_is_no_teacher(tmp_path, cache_dir):
    with _student(tmp_path / "job", cache_dir) as job, pytest.raises(JobInvalidError, match="cannot be read"):
        distill(job, tmp_path / "nothing", [])


def test_student_stops_on_request(tmp_path, cache_dir, teacher, unlabelled):
    with _student(tmp_path / "job", cache_dir) as job:
        (job.workdir / "control").mkdir()
        (job.workdir / "control" / "stop").write_text("cancelled")
        with pytest.raises(StoppedError):
            distill(job, teacher, [*unlabelled, "a text that no cache has"])
    assert not job.artefact_dir.exists()
