"""Every task type found below ``engine/tasks/`` keeps the same promises."""

from __future__ import annotations

import importlib
import re
import signal
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest
import torch

from automl.contracts.annotation import Annotations
from automl.contracts.artefact import ArtefactManifest
from automl.contracts.family import FeatureKind
from automl.contracts.report import Report
from automl.contracts.task import Severity, TaskSpec
from engine.data.version import DatasetVersion
from engine.models import families_for
from engine.tasks import task_names, task_part, task_spec
from tests.engine.golden import replayed
from tests.engine.jobs import brief_order, events, host_cache, losses, make_job, start, trained_once
from tests.support.imports import heavy_imports

_LIGHT = ("spec", "check", "metrics")
_PARTS = (*_LIGHT, "data", "portable", "example")
_OF_NETWORKS = ("head",)
_OF_STEPS = ("loss",)
"""What learns from rows, from normal items alone, or what is alike, brings its own way of fitting."""


@pytest.fixture(params=task_names())
def name(request):
    return request.param


@pytest.fixture
def example(name, tmp_path):
    task_part(name, "example").write(tmp_path / "data")
    return DatasetVersion.open(tmp_path / "data")


@pytest.fixture(scope="module", params=task_names())
def trained_task(request):
    """A task and a trained job of it, on the cheapest family that needs no weights from elsewhere."""
    torch.set_num_threads(1)
    return request.param, trained_once(**_order(request.param))


_SMALL_FAMILIES = {"semantic_segmentation": "unet"}
"""Where the first family that begins from scratch is too large to learn anything in seconds."""


def _order(name):
    """Of a job that learns something in seconds."""
    if _learns_from_rows(name):  # a booster tells of each tree, but the linear model is there in a second
        return {"task": name, "family": "table_linear", "params": {}}
    families = families_for(task_spec(name))
    trained = [family for family in families if not family.is_frozen] or families
    family = next(family for family in trained if any(size.asset is None for size in family.sizes if size.is_searched))
    return brief_order(name, _SMALL_FAMILIES.get(name, family.name))


def _problems(name, records, label_set, manifest):
    """What the checker finds; of a table it gets the columns too."""
    columns = {} if manifest.columns is None else {"columns": manifest.columns}
    return task_part(name, "check").problems(records, label_set, manifest.task_options, **columns)


def _learns_from_rows(name):
    return task_spec(name).consumes is FeatureKind.ROWS


def _learns_by_steps(name):
    return task_spec(name).consumes not in {
        FeatureKind.ROWS,
        FeatureKind.ANOMALIES,
        FeatureKind.EMBEDDING,
        FeatureKind.TEXT_LINES,
    }


def _reported_losses(name, job):
    """Of training; where there are no epochs of batches, of validation as the fit reports it."""
    if not _learns_from_rows(name):
        return losses(job)
    return [next(iter(event.values.values())) for event in events(job, "metric")]


def test_there_are_tasks_and_unknown_names_list_them():
    assert task_names()
    with pytest.raises(ValueError, match=task_names()[0]):
        task_spec("no_such_task")


def test_name_is_the_folder_and_every_part_is_there(name):
    assert task_spec(name).name == name
    own = () if task_spec(name).consumes in {FeatureKind.ROWS, FeatureKind.TEXT_LINES} else _OF_NETWORKS
    for part in _PARTS + own + (_OF_STEPS if _learns_by_steps(name) else ()):
        task_part(name, part)
    package = importlib.import_module(f"engine.tasks.{name}")
    text = Path(next(iter(package.__path__)), "README.md").read_text(encoding="utf-8")
    assert "How to label" in text
    assert "如何标注" in text


def test_drawing_is_small_and_names_nothing_from_elsewhere(name):
    drawing = (Path(task_part(name, "spec").__file__).parent / "illustration.svg").read_text()
    assert ElementTree.fromstring(drawing).get("viewBox") == "0 0 160 100"
    assert len(drawing) < 4000
    assert not re.search(r"href|url\(|<script|<style", drawing)


def test_quick_starts_are_the_modules_of_their_folder_and_of_families_that_fit(name):
    task = task_spec(name)
    folder = Path(importlib.import_module(f"engine.tasks.{name}").__file__).parent / "quickstarts"
    assert {each.name for each in task.quickstarts} == {file.stem for file in folder.glob("[a-z]*.py")}
    families = {family.name for family in families_for(task)}
    for each in task.quickstarts:
        assert set(each.families) <= families
        module = importlib.import_module(f"engine.tasks.{name}.quickstarts.{each.name}")
        assert module.LABELS_FROM
        assert callable(module.write_zip)


def test_upload_help_fits_beside_the_field_in_every_language(name):
    examples = task_spec(name).upload_help
    assert 2 <= len(examples) <= 3
    for example in examples:
        for language in ("en", "zh"):
            assert 4 <= len(example.title.in_language(language)) <= 45
            lines = example.drawing.in_language(language).splitlines()
            assert 2 <= len(lines) <= 4
            assert max(map(len, lines)) <= 26


def test_light_parts_import_without_torch(name):
    modules = tuple(f"engine.tasks.{each}.{part}" for each in task_names() for part in _LIGHT)
    found = heavy_imports(modules, ("torch", "cv2", "onnxruntime", "django", "pyarrow"))
    assert [found[f"engine.tasks.{name}.{part}"] for part in _LIGHT] == [[]] * len(_LIGHT)


def test_spec_survives_its_json(name):
    spec = task_spec(name)
    assert TaskSpec.model_validate_json(spec.model_dump_json()) == spec
    for option in spec.options:
        assert option.default in {choice.value for choice in option.choices}


def test_example_is_valid_and_repeatable(name, example, tmp_path):
    manifest = example.manifest
    # It is small on purpose, and that is the one thing to say of it.
    assert {problem.code for problem in _problems(name, example.records(), manifest.label_set, manifest)} <= {"test_few"}
    again = task_part(name, "example").write(tmp_path / "again")
    assert again == manifest
    other = task_part(name, "example").write(tmp_path / "other", seed=1)
    assert other.id != manifest.id


def test_every_seeded_fault_is_found_and_has_a_remedy(name, example):
    manifest = example.manifest
    faults = task_part(name, "example").faults(example.records(), manifest.label_set)
    assert faults
    for code, (records, label_set) in faults.items():
        problems = _problems(name, records, label_set, manifest)
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
    right, wrong = task_part(name, "example").answers(targets, labels)
    perfect = module.metrics(right, targets, labels)
    worst = module.metrics(wrong, targets, labels)
    measured = spec.metrics_of(manifest.task_options)
    assert list(perfect) == [metric.name for metric in measured]
    for metric in measured:
        better, worse = perfect[metric.name], worst[metric.name]
        assert (better > worse) == metric.is_higher_better
        if metric.unit == "fraction":
            assert better == 1.0
            # The worst ranking still has a label's share of the items for its precision.
            assert 0.0 <= worse < (0.5 if metric.name == "average_precision_macro" else 0.1)
        else:
            assert 0.0 <= better < worse
    with pytest.raises(ValueError, match="without items"):
        module.metrics(right[:0], targets[:0], labels)


def test_training_lowers_the_loss(trained_task):
    name, job = trained_task
    found = _reported_losses(name, job)
    assert len(found) == 2 or not _learns_by_steps(name)
    assert min(found[1:]) < found[0]


def test_same_seed_gives_the_same_losses_in_another_process(trained_task, tmp_path):
    """It is killed when it has told the last of them: to judge and to publish the model again says nothing of losses."""
    name, job = trained_task
    again = make_job(tmp_path / "job", cache_dir=host_cache(), **_order(name))
    process, expected = start(again), _reported_losses(name, job)
    while process.poll() is None and len(_reported_losses(name, again)) < len(expected):
        time.sleep(0.02)
    if process.poll() is None:
        process.send_signal(signal.SIGKILL)
    process.wait()
    assert _reported_losses(name, again) == expected, (again / "log.txt").read_text()


def test_portable_graph_equals_the_model(trained_task):
    folder = trained_task[1] / "artefact"
    manifest = ArtefactManifest.read(folder / "artefact.json")
    tolerance = manifest.tolerance / 10
    assert replayed(folder, tolerance) <= tolerance


def test_predictions_are_annotations_the_task_allows(trained_task):
    name, job = trained_task
    spec = task_spec(name)
    for split in Report.read(job / "artefact" / "report.json").splits:
        assert set(split.metrics) == {metric.name for metric in spec.metrics_of({})}
        given = [each.model_dump() for item in split.items for each in item.prediction]
        # A detector of lines that begins with nothing finds none within two epochs.
        assert given or spec.consumes is FeatureKind.TEXT_LINES
        predictions = Annotations.validate_python(given)
        assert {each.kind for each in predictions} <= set(spec.annotation.kinds)
        assert all(each.score is not None for each in predictions)


def test_artefact_says_an_output_kind_of_the_task(trained_task):
    name, job = trained_task
    manifest = ArtefactManifest.read(job / "artefact" / "artefact.json")
    assert manifest.output in task_spec(name).outputs
    assert manifest.task == name
