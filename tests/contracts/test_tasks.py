"""Every task type found below ``engine/tasks/`` keeps the same promises."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from automl.contracts.annotation import Annotations
from automl.contracts.artefact import ArtefactManifest, Report
from automl.contracts.task import Severity, TaskSpec
from engine.artefact import parity
from engine.data.version import DatasetVersion
from engine.models import families_for
from engine.tasks import task_names, task_part, task_spec
from tests.engine.jobs import REPOSITORY, events, losses, make_job, run_here, start

_LIGHT = ("spec", "check", "metrics")
_PARTS = (*_LIGHT, "data", "head", "loss", "portable", "example")


@pytest.fixture(params=task_names())
def name(request):
    return request.param


@pytest.fixture
def example(name, tmp_path):
    task_part(name, "example").write(tmp_path / "data")
    return DatasetVersion.open(tmp_path / "data")


@pytest.fixture(scope="module")
def jobs(tmp_path_factory):
    """One trained job a task, on the cheapest family that needs no weights from elsewhere."""
    torch.set_num_threads(1)
    folder = tmp_path_factory.mktemp("jobs")
    made = {}
    for name in task_names():
        made[name] = _job(name, folder / name, folder / "cache")
        assert run_here(made[name]) == 0, events(made[name])[-1]
    return made


def _job(name, workdir, cache_dir):
    family = next(each for each in families_for(task_spec(name)) if not each.is_frozen and each.sizes[0].asset is None)
    resolutions = next(param.choices for param in family.params if param.name == "resolution_px")
    smallest = min(choice for choice in resolutions if choice > 0)
    params = {"epochs": 2, "batch_size": 8, "resolution_px": smallest, "augment": "none", "label_smoothing": 0.0}
    return make_job(workdir, cache_dir=cache_dir, task=name, family=family.name, params=params)


def test_there_are_tasks_and_unknown_names_list_them():
    assert task_names()
    with pytest.raises(ValueError, match=task_names()[0]):
        task_spec("no_such_task")


def test_name_is_the_folder_and_every_part_is_there(name):
    assert task_spec(name).name == name
    for part in _PARTS:
        task_part(name, part)
    package = importlib.import_module(f"engine.tasks.{name}")
    text = Path(next(iter(package.__path__)), "README.md").read_text(encoding="utf-8")
    assert "How to label" in text
    assert "如何标注" in text


def test_light_parts_import_without_torch(name):
    lines = [f"import engine.tasks.{name}.{part}" for part in _LIGHT]
    heavy = "{'torch', 'cv2', 'onnxruntime', 'django', 'pyarrow'}"
    program = "; ".join(["import sys", *lines, f"print(sorted({heavy} & set(sys.modules)))"])
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_spec_survives_its_json(name):
    spec = task_spec(name)
    assert TaskSpec.model_validate_json(spec.model_dump_json()) == spec
    for option in spec.options:
        assert option.default in {choice.value for choice in option.choices}


def test_example_is_valid_and_repeatable(name, example, tmp_path):
    manifest = example.manifest
    problems = task_part(name, "check").problems(example.records(), manifest.label_set, manifest.task_options)
    assert problems == []
    again = task_part(name, "example").write(tmp_path / "again")
    assert again == manifest
    other = task_part(name, "example").write(tmp_path / "other", seed=1)
    assert other.id != manifest.id


def test_every_seeded_fault_is_found_and_has_a_remedy(name, example):
    manifest = example.manifest
    faults = task_part(name, "example").faults(example.records(), manifest.label_set)
    assert faults
    for code, (records, label_set) in faults.items():
        problems = task_part(name, "check").problems(records, label_set, manifest.task_options)
        found = [problem for problem in problems if problem.code == code]
        assert found, f"{code} was not found"
        assert all(problem.remedy.en and problem.remedy.zh and problem.message.zh for problem in found)
        severities = [problem.severity for problem in problems]
        assert severities == sorted(severities, key=lambda severity: severity != Severity.BLOCKING)


def test_metrics_are_in_range_and_have_the_stated_sign(name, example):
    spec, manifest = task_spec(name), example.manifest
    labels = manifest.label_set.names
    targets = task_part(name, "data").targets(example.records(), labels, manifest.task_options)
    module = task_part(name, "metrics")
    perfect_NL = np.eye(len(labels))[targets]
    perfect = module.metrics(module.Answers.of(perfect_NL, targets))
    worst = module.metrics(module.Answers.of(np.roll(perfect_NL, 1, axis=1), targets))
    assert list(perfect) == [metric.name for metric in spec.metrics]
    for metric in spec.metrics:
        better, worse = perfect[metric.name], worst[metric.name]
        assert (better > worse) == metric.is_higher_better
        if metric.unit == "fraction":
            assert better == 1.0
            assert 0.0 <= worse < 0.1
        else:
            assert 0.0 <= better < worse
    empty = module.Answers.of(perfect_NL[:0], targets[:0])
    with pytest.raises(ValueError, match="without items"):
        module.metrics(empty)


def test_two_epochs_lower_the_loss(name, jobs):
    found = losses(jobs[name])
    assert len(found) == 2
    assert found[1] < found[0]


def test_same_seed_gives_the_same_losses_in_another_process(name, jobs, tmp_path):
    again = _job(name, tmp_path / "job", jobs[name].parent / "cache")
    assert start(again).wait() == 0, (again / "log.txt").read_text()
    assert losses(again) == losses(jobs[name])


def test_portable_graph_equals_torch(name, jobs):
    folder = jobs[name] / "artefact"
    tolerance = ArtefactManifest.read(folder / "artefact.json").tolerance
    assert parity.check(folder, tolerance=tolerance / 10) <= tolerance / 10


def test_predictions_are_annotations_the_task_allows(name, jobs):
    spec = task_spec(name)
    for split in Report.read(jobs[name] / "artefact" / "report.json").splits:
        assert set(split.metrics) == {metric.name for metric in spec.metrics}
        for item in split.items:
            predictions = Annotations.validate_python([each.model_dump() for each in item.prediction])
            assert predictions
            assert {each.kind for each in predictions} <= set(spec.annotation.kinds)
            assert all(each.score is not None for each in predictions)


def test_artefact_says_an_output_kind_of_the_task(name, jobs):
    manifest = ArtefactManifest.read(jobs[name] / "artefact" / "artefact.json")
    assert manifest.output in task_spec(name).outputs
    assert manifest.task == name
