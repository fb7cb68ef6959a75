"""The model that a study ships: learned once more, alone or as the mean of several, and what its report says of it."""

from __future__ import annotations

import shutil
import signal
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from automl.contracts.artefact import ANSWERS_FILE, WEIGHTS_FILE, ArtefactManifest
from automl.contracts.dataset import Split
from automl.contracts.job import JobSpec, RefitOrder, StopReason
from automl.contracts.report import Report
from engine.data.version import DatasetVersion
from engine.events import EventLog
from engine.job import Job
from engine.tasks import task_part
from engine.training.members import Member
from engine.training.members import chosen as members_chosen
from engine.training.prepare import prepare
from runtime import selftest
from tests.engine.jobs import SMALL_RESNET, TASK, events, make_job, run_here, start, trained_once

LEARNS = (Split.TRAIN, Split.VALIDATION)


@pytest.fixture(scope="session")
def probe_one(tmp_path_factory, cache_dir, store) -> Path:
    """A linear probe that says one label, of the pictures of ``trained``."""
    params = {"resolution_px": 128}
    folder = tmp_path_factory.mktemp("probe-one")
    workdir = make_job(folder / "job", cache_dir=cache_dir, assets_dir=store, family="linear_probe", params=params)
    assert run_here(workdir) == 0, events(workdir)[-1]
    return workdir


def _refit(
    tmp_path: Path, members: list[Path], *, learns=LEARNS, ratio=1.0, store: Path | None = None, cache_dir: Path
) -> Path:
    workdir = tmp_path / "refit"
    workdir.mkdir(parents=True)
    first = members[0]
    shutil.copytree(first / "data", workdir / "data")
    folders = []
    for number, member in enumerate(members):
        shutil.copytree(member / "artefact", workdir / "members" / str(number))
        folders.append(f"members/{number}")
    spec = JobSpec.read(first / "job.json")
    order = RefitOrder(members=tuple(folders), learns=learns, max_answer_ratio=ratio)
    update = {"kind": "refit", "train": None, "refit": order, "cache_dir": str(cache_dir)}
    if store is not None:
        update["assets_dir"] = str(store)
    JobSpec.model_validate(spec.model_dump() | update).write(workdir / "job.json")
    return workdir


def _say(workdir: Path, number: int, sure: float, *, turn: int, split: Split = Split.VALIDATION) -> None:
    """Writes answers to a split: right with ``sure``, but for every third item from ``turn`` on, which is just missed."""
    data = DatasetVersion.open(workdir / "data")
    records = data.records(split)
    targets = task_part(TASK, "data").targets(records, data.manifest.label_set.names, data.manifest.task_options)
    path = workdir / "members" / str(number) / ANSWERS_FILE
    answers = load_file(path)
    num_labels = answers[Split.VALIDATION].shape[1]
    answer = np.full((len(targets), num_labels), (1.0 - sure) / (num_labels - 1), dtype=np.float32)
    answer[np.arange(len(targets)), targets] = sure
    wrong = np.arange(len(targets)) % 3 == turn
    answer[wrong] = np.roll(answer[wrong], 1, axis=1)
    save_file({**answers, split.value: answer}, path)


def test_a_network_learns_from_validation_too_and_keeps_its_report(trained, tmp_path, cache_dir):
    workdir = _refit(tmp_path, [trained], cache_dir=cache_dir)
    assert run_here(workdir) == 0, events(workdir)[-1]
    judged, shipped = (Report.read(folder / "artefact" / "report.json") for folder in (trained, workdir))
    assert [split.metrics for split in shipped.splits] == [split.metrics for split in judged.splits]
    assert {split.split for split in shipped.splits if split.is_learned} == {Split.VALIDATION}
    assert shipped.judgement == judged.judgement
    assert shipped.shipped is not None
    data = DatasetVersion.open(workdir / "data")
    assert shipped.shipped.num_more == len(data.records(Split.VALIDATION))
    assert shipped.shipped.num_learned == len(data.records(Split.TRAIN)) + len(data.records(Split.VALIDATION))
    manifest = ArtefactManifest.read(workdir / "artefact" / "artefact.json")
    assert (manifest.learned, manifest.lineage.members) == (LEARNS, ("trl_test",))
    before, after = (load_file(folder / "artefact" / WEIGHTS_FILE) for folder in (trained, workdir))
    assert before.keys() == after.keys()
    assert any(not np.array_equal(before[name], after[name]) for name in before)
    assert selftest.replay(workdir / "artefact").is_passed


def test_the_mean_of_two_is_one_graph_that_says_whose_it_is(trained, probe_one, store, tmp_path, cache_dir):
    workdir = _refit(tmp_path, [trained, probe_one], ratio=100.0, store=store, cache_dir=cache_dir)
    _say(workdir, 0, 0.7, turn=0)
    _say(workdir, 1, 0.7, turn=1)
    assert run_here(workdir) == 0, events(workdir)[-1]
    report = Report.read(workdir / "artefact" / "report.json")
    assert report.shipped is not None
    assert len(report.shipped.trials) == 2
    validation = next(split for split in report.splits if split.split is Split.VALIDATION)
    assert validation.metrics["log_loss"] < report.shipped.alone[Split.VALIDATION].get("log_loss", np.inf)
    assert report.judgement is not None
    assert report.judgement.metrics == validation.metrics
    parts = load_file(workdir / "artefact" / WEIGHTS_FILE)
    assert {name.split(".")[0] for name in parts} == {"0", "1"}
    assert selftest.replay(workdir / "artefact").is_passed


def test_a_mean_that_is_no_better_is_not_made(probe_one, trained, store, tmp_path, cache_dir):
    workdir = _refit(tmp_path, [probe_one, trained], ratio=100.0, store=store, cache_dir=cache_dir)
    _say(workdir, 0, 0.9, turn=5)
    _say(workdir, 1, 0.4, turn=1)
    assert run_here(workdir) == 0
    assert events(workdir)[-1].stopped is StopReason.PRUNED
    assert not (workdir / "artefact").exists()


@pytest.mark.parametrize("takes_turns", [True, False])
def test_items_that_took_turns_say_what_a_mean_is_worth(probe_one, store, tmp_path, cache_dir, takes_turns):
    workdir = _refit(tmp_path, [probe_one, probe_one], store=store, cache_dir=cache_dir)
    data = DatasetVersion.open(workdir / "data")
    for number, sure in enumerate((0.999999, 0.6)):  # on validation nothing is better than the first alone
        path = workdir / "members" / str(number) / ANSWERS_FILE
        answers = load_file(path)
        assert len(answers["train"]) == len(data.records(Split.TRAIN))
        if not takes_turns:
            save_file({name: answer for name, answer in answers.items() if name != "train"}, path)
        _say(workdir, number, sure, turn=5)
        if takes_turns:
            _say(workdir, number, 0.9, turn=number, split=Split.TRAIN)
    members = [Member.open(workdir / "members" / str(number)) for number in (0, 1)]
    with EventLog(workdir / "events.jsonl") as log:
        judged = prepare(Job(workdir, JobSpec.read(workdir / "job.json"), log), members[0].manifest.train)
    objective = judged.task.objective(judged.options)
    item = judged.items.graph_input(judged.rows(Split.VALIDATION)[:1])[0]
    mean = members_chosen(members, judged.targets, objective, item=item, ratio=100.0)
    assert len(mean.members) == (2 if takes_turns else 1)


def test_a_mean_may_not_take_longer_than_allowed(probe_one, trained, store, tmp_path, cache_dir):
    workdir = _refit(tmp_path, [probe_one, trained], ratio=1.001, store=store, cache_dir=cache_dir)
    _say(workdir, 0, 0.7, turn=0)
    _say(workdir, 1, 0.7, turn=1)
    assert run_here(workdir) == 0
    assert events(workdir)[-1].stopped is StopReason.PRUNED


def test_an_order_to_finish_ends_it_without_a_model(trained, tmp_path, cache_dir):
    workdir = _refit(tmp_path, [trained], cache_dir=cache_dir)
    (workdir / "control").mkdir()
    (workdir / "control" / "stop").write_text("finish")
    assert run_here(workdir) == 0
    assert events(workdir)[-1].stopped is StopReason.CANCELLED
    assert not (workdir / "artefact").exists()


def test_a_head_learns_from_test_only_when_requested(probe_one, store, tmp_path, cache_dir):
    workdir = _refit(tmp_path, [probe_one], learns=(*LEARNS, Split.TEST), store=store, cache_dir=cache_dir)
    assert run_here(workdir) == 0, events(workdir)[-1]
    judged, shipped = (Report.read(folder / "artefact" / "report.json") for folder in (probe_one, workdir))
    assert [split.metrics for split in shipped.splits] == [split.metrics for split in judged.splits]
    assert {split.split for split in shipped.splits if split.is_learned} == {Split.VALIDATION, Split.TEST}
    assert shipped.shipped is not None
    data = DatasetVersion.open(workdir / "data")
    assert (shipped.shipped.num_learned, shipped.shipped.num_more) == (len(data.records()), len(data.records(Split.TEST)))


def test_a_killed_refit_goes_on_and_ends_with_the_same_model(tmp_path, cache_dir):
    judged = trained_once(params={**SMALL_RESNET, "epochs": 4})
    whole, killed = (_refit(tmp_path / name, [judged], cache_dir=cache_dir) for name in ("whole", "killed"))
    assert run_here(whole) == 0, events(whole)[-1]
    process = start(killed)
    deadline_s = time.monotonic() + 60
    while not events(killed, "checkpoint") and process.poll() is None and time.monotonic() < deadline_s:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL, (killed / "log.txt").read_text()
    assert not (killed / "artefact" / "artefact.json").exists()
    assert start(killed).wait() == 0, (killed / "log.txt").read_text()
    assert [event.attempt for event in events(killed, "started")] == [1, 2]
    for name in (WEIGHTS_FILE, "model.onnx"):
        assert (killed / "artefact" / name).read_bytes() == (whole / "artefact" / name).read_bytes()


def test_a_refit_that_was_killed_while_it_wrote_starts_its_artefact_anew(probe_one, store, tmp_path, cache_dir):
    for number in range(5):  # on a busy machine it may have ended before anybody saw that it writes
        workdir = _refit(tmp_path / str(number), [probe_one], learns=(*LEARNS, Split.TEST), store=store, cache_dir=cache_dir)
        process = start(workdir)
        deadline_s = time.monotonic() + 60
        while not (workdir / "artefact" / "model.onnx").exists() and process.poll() is None and time.monotonic() < deadline_s:
            time.sleep(0.002)
        with suppress(ProcessLookupError):
            process.send_signal(signal.SIGKILL)
        if process.wait() == -signal.SIGKILL:
            break
    else:
        pytest.fail("it ended each time before it was killed")
    assert start(workdir).wait() == 0, (workdir / "log.txt").read_text()
    assert Report.read(workdir / "artefact" / "report.json").shipped is not None
    assert selftest.replay(workdir / "artefact").is_passed
