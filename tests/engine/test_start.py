"""Training that goes on from an earlier model: it begins with what that one knew, whatever became of the labels."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import torch
from safetensors.torch import load_file

from automl.contracts.artefact import MANIFEST_FILE, TOKENIZER_FILE, WEIGHTS_FILE, ArtefactManifest
from automl.contracts.dataset import LabelSet, Split, VersionManifest, record_to_row
from automl.contracts.job import LEARNED_FILE, START_DIR, JobSpec, TrainConfig
from automl.contracts.modality import Modality
from engine.data.version import DatasetVersion
from engine.events import EventLog
from engine.job import Job
from engine.models import families_for, family_part, family_spec
from engine.tasks import task_names, task_part, task_spec
from engine.training.network import new_model
from engine.training.prepare import prepare
from engine.training.start import continued
from tests.engine.jobs import events, losses, make_job, run_here, start, trained_once

TASK = "text_classification"
CNN = {"batch_size": 8, "lr": 2e-3}
ORDER = {"family": "text_cnn", "task": TASK, "num_items": 120}
KNOWN = ("cat", "dog", "emu")
CONTINUED = [
    (task, family.name)
    for task in task_names()
    for family in families_for(task_spec(task))
    if family.can_continue and family.is_searched
]
"""Of a task, families that a search tries: those of the others have the same last layer."""


@pytest.fixture(scope="module")
def earlier() -> Path:
    """A model that has learned for a while, on four labels."""
    return trained_once(params={**CNN, "epochs": 40}, **ORDER)


def _job(folder: Path, cache_dir: Path, earlier: Path | None, *, epochs: int = 2, **changes) -> Path:
    """An order to train on the same items, from an earlier model or anew."""
    job = make_job(folder, cache_dir=cache_dir, params={**CNN, "epochs": epochs}, **{**ORDER, **changes})
    if earlier is not None:
        spec = JobSpec.read(job / "job.json")
        train = spec.train.model_copy(update={"start_from": "art_earlier"})
        spec.model_copy(update={"train": train}).write(job / "job.json")
        (job / START_DIR).mkdir()
        (job / START_DIR / "art_earlier").symlink_to(earlier / "artefact", target_is_directory=True)
    return job


def _with_labels(job: Path, names: tuple[str, ...]) -> Path:
    """Leaves only the labels named, in this order, and the items that carry them."""
    data = job / "data"
    version = DatasetVersion.open(data)
    records = [record for record in version.records() if record.annotations[0].label in names]
    (shard,) = version.manifest.shards
    pq.write_table(pa.Table.from_pylist([record_to_row(record) for record in records]), data / shard)
    labels = {label.name: label for label in version.manifest.label_set.labels}
    manifest = VersionManifest.read(data / "version.json")
    label_set = LabelSet(labels=tuple(labels[name] for name in names))
    manifest.model_copy(update={"label_set": label_set, "num_items": len(records)}).write(data / "version.json")
    return job


def _first_model(job: Path) -> tuple[torch.nn.Module, tuple[str, ...]]:
    """What training begins with, and its labels."""
    with EventLog(job / "events.jsonl") as log:
        running = Job(job, JobSpec.read(job / "job.json"), log)
        prepared = prepare(running)
        return new_model(prepared, running), prepared.labels


def _model(task: str, family: str, num_labels: int) -> torch.nn.Module:
    backbone = family_part(family, "network").build(family_spec(family).sizes[0].name)
    return task_part(task, "head").build(backbone, backbone.num_features, num_labels).eval()


def _by_label(model, raw):
    """What a model says of labels, these along the last axis."""
    if hasattr(model, "candidates"):
        return model.candidates(raw)[1]
    return raw[:, 1:].movedim(1, -1) if raw.ndim == 4 else raw  # of pixels the first is that of none


def _failure(job: Path) -> str:
    assert run_here(job) == 1
    return events(job, "failed")[-1].code


@pytest.mark.parametrize(("task", "family"), CONTINUED, ids="-".join)
def test_a_label_is_answered_for_as_before_wherever_it_stands(task, family):
    torch.manual_seed(0)
    before, moved, more = _model(task, family, 3), _model(task, family, 3), _model(task, family, 4)
    with torch.no_grad():
        for parameter in before.parameters():
            parameter.add_(0.01 * torch.randn_like(parameter))
    moved.load_state_dict(continued(moved, before.state_dict(), KNOWN, ("emu", "cat", "dog")))
    is_text = task_spec(task).modality is Modality.TEXT
    items = torch.randint(5, 100, (2, 24)) if is_text else torch.rand(2, 3, 64, 64) * 255
    with torch.no_grad():
        by_moved, by_before = (_by_label(model, model(items)) for model in (moved, before))
    torch.testing.assert_close(by_moved, by_before[..., [2, 0, 1]])
    more.load_state_dict(continued(more, before.state_dict(), KNOWN, ("emu", "fox", "cat", "dog")))
    back = continued(before, more.state_dict(), ("emu", "fox", "cat", "dog"), KNOWN)
    torch.testing.assert_close(back, before.state_dict())


@pytest.mark.parametrize("predictor", ["predictor", "said"])
@pytest.mark.parametrize(("task", "family"), [("object_detection", "faster_rcnn"), ("instance_segmentation", "mask_rcnn")])
def test_weights_of_earlier_releases_are_found_by_the_names_that_they_had(task, family, predictor):
    """Detectors in two stages had one head without a name of its own; ``predictor`` of both stages was ``said`` before that."""
    torch.manual_seed(0)
    before, now = _model(task, family, 3), _model(task, family, 3)
    stored = {
        name.removeprefix("heads.0.").replace("predictor", predictor): tensor for name, tensor in before.state_dict().items()
    }
    assert {name.rpartition(".")[0] for name in stored} >= {"hidden.0", predictor, f"proposer.{predictor}"}
    now.load_state_dict(continued(now, stored, KNOWN, KNOWN))
    torch.testing.assert_close(now.state_dict(), before.state_dict())


def test_two_epochs_more_are_better_than_two_anew(tmp_path, cache_dir, earlier):
    anew, more = _job(tmp_path / "anew", cache_dir, None), _job(tmp_path / "more", cache_dir, earlier)
    assert run_here(anew) == run_here(more) == 0
    first, second = (ArtefactManifest.read(job / "artefact" / MANIFEST_FILE) for job in (anew, more))
    assert second.metrics[Split.TEST]["log_loss"] < 0.5 * first.metrics[Split.TEST]["log_loss"]
    assert losses(more)[0] < losses(anew)[-1]
    assert (first.train.start_from, second.train.start_from) == (None, "art_earlier")
    assert (more / "artefact" / TOKENIZER_FILE).read_bytes() == (earlier / "artefact" / TOKENIZER_FILE).read_bytes()


def test_labels_come_and_go(tmp_path, cache_dir, earlier):
    whole, names = _first_model(_job(tmp_path / "whole", cache_dir, earlier))
    fewer = _with_labels(_job(tmp_path / "fewer", cache_dir, earlier), (names[2], names[0]))
    model, labels = _first_model(fewer)
    assert labels == (names[2], names[0])
    assert torch.equal(model.head.weight, whole.head.weight[[2, 0]])
    assert run_here(fewer) == 0
    again = _job(tmp_path / "again", cache_dir, fewer)
    model, labels = _first_model(again)
    assert labels == names
    learned = load_file(fewer / "artefact" / WEIGHTS_FILE)["head.weight"]
    assert torch.equal(model.head.weight, torch.stack([learned[1], 0 * learned[0], learned[0], 0 * learned[0]]))
    assert run_here(again) == 0
    assert ArtefactManifest.read(again / "artefact" / MANIFEST_FILE).label_set.names == names


def test_texts_keep_the_tokenizer_and_may_be_cut_elsewhere(tmp_path, cache_dir, earlier):
    job = _with_labels(_job(tmp_path / "job", cache_dir, earlier), _first_model(earlier)[1][:2])
    spec = JobSpec.read(job / "job.json")
    train = spec.train.model_copy(update={"params": {**spec.train.params, "max_tokens": 64}})
    spec.model_copy(update={"train": train}).write(job / "job.json")
    with EventLog(job / "events.jsonl") as log:
        reader = prepare(Job(job, JobSpec.read(job / "job.json"), log)).reader
    definition = json.loads((earlier / "artefact" / TOKENIZER_FILE).read_text())
    assert reader.tokenizer.max_tokens == 64
    assert json.loads(reader.tokenizer.definition)["model"] == definition["model"]


def test_a_killed_run_ends_with_the_same_weights(tmp_path, cache_dir, earlier):
    whole, killed = (_job(tmp_path / name, cache_dir, earlier, epochs=40) for name in ("whole", "killed"))
    assert run_here(whole) == 0
    process = start(killed)
    deadline_s = time.monotonic() + 60
    while not events(killed, "checkpoint") and process.poll() is None and time.monotonic() < deadline_s:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL, (killed / "log.txt").read_text()
    assert start(killed).wait() == 0, (killed / "log.txt").read_text()
    assert events(killed, "started")[1].resumed_from_step > 0
    assert (killed / "artefact" / WEIGHTS_FILE).read_bytes() == (whole / "artefact" / WEIGHTS_FILE).read_bytes()


def test_who_learned_what_judges_now_is_reported(tmp_path, cache_dir, earlier):
    job = _job(tmp_path / "job", cache_dir, earlier)
    version = DatasetVersion.open(job / "data")
    seen = [record.blob for split in (Split.TRAIN, Split.TEST) for record in version.records(split)]
    (job / START_DIR / LEARNED_FILE).write_text("\n".join(seen))
    _first_model(job)
    (warning,) = events(job, "warning")
    assert warning.code == "start_seen"
    assert warning.message.startswith(f"{len(version.records(Split.TEST))} of ")


def test_what_cannot_be_gone_on_from_is_refused(tmp_path, cache_dir, earlier):
    assert _failure(_job(tmp_path / "family", cache_dir, earlier, family="text_bag")) == "start_unsuitable"
    bare = tmp_path / "bare"
    (bare / "artefact").mkdir(parents=True)
    (bare / "artefact" / MANIFEST_FILE).write_bytes((earlier / "artefact" / MANIFEST_FILE).read_bytes())
    (bare / "artefact" / TOKENIZER_FILE).write_bytes((earlier / "artefact" / TOKENIZER_FILE).read_bytes())
    assert _failure(_job(tmp_path / "bare_job", cache_dir, bare)) == "start_weights_missing"
    assert _failure(_job(tmp_path / "absent", cache_dir, tmp_path / "nowhere")) == "start_unsuitable"


@pytest.mark.parametrize("name", ["..", "a/b", "/etc"])
def test_a_model_to_start_from_is_named_and_no_path(name):
    with pytest.raises(ValueError, match="start_from"):
        TrainConfig(family="text_cnn", size="small", params={}, start_from=name)


def test_a_family_that_cannot_go_on_reports_it(tmp_path, cache_dir, earlier):
    job = _job(tmp_path / "job", cache_dir, earlier)
    spec = JobSpec.read(job / "job.json")
    train = TrainConfig(
        family="tfidf_linear", size=family_spec("tfidf_linear").sizes[0].name, params={}, start_from="art_earlier"
    )
    spec.model_copy(update={"train": train}).write(job / "job.json")
    assert _failure(job) == "start_unsuitable"
