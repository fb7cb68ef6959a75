"""The job ``distill`` as a runner starts it."""

import json

from automl.contracts.artefact import ArtefactManifest
from automl.contracts.distillation import DistillationReport
from automl.contracts.job import UNLABELLED_FILE, JobSpec
from tests.engine.jobs import events, make_job, run_here, trained_once

TASK = "text_classification"


def _job(workdir, cache_dir, **spec):
    make_job(workdir, cache_dir=cache_dir, family="tfidf_linear", params={}, task=TASK, num_items=60)
    order = JobSpec.read(workdir / "job.json").model_copy(update={"kind": "distill", **spec})
    order.write(workdir / "job.json")
    return workdir


def test_a_student_is_taught_by_order(tmp_path, cache_dir):
    teacher = trained_once(family="tfidf_linear", params={}, task=TASK, num_items=400)
    workdir = _job(tmp_path / "job", cache_dir, artefact="taught_by", lineage={"teacher": "art_1"})
    (workdir / "taught_by").symlink_to(teacher / "artefact", target_is_directory=True)
    (workdir / UNLABELLED_FILE).write_text("".join(json.dumps(f"text {number}\nof two lines") + "\n" for number in range(9)))
    assert run_here(workdir) == 0, events(workdir)[-1]
    assert DistillationReport.read(workdir / "artefact" / "distillation.json").num_unlabelled == 9
    manifest = ArtefactManifest.read(workdir / "artefact" / "artefact.json")
    assert manifest.lineage.teacher == "art_1"
    assert events(workdir)[-1].metrics == manifest.metrics["validation"]


def test_an_order_without_a_teacher_is_refused(tmp_path, cache_dir):
    workdir = _job(tmp_path / "job", cache_dir)
    assert run_here(workdir) == 1
    assert events(workdir)[-1].code == "job_invalid"
