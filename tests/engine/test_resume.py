"""Kill the process at any step: the next attempt ends with the weights of a run that nobody killed."""

from __future__ import annotations

import signal
import time

import pytest

from automl.contracts.report import Report
from engine.training import loop
from engine.training.checkpoint import CheckpointStore
from tests.engine.jobs import SMALL_RESNET, events, losses, make_job, run_here, start, trained_once

_PARAMS = {**SMALL_RESNET, "epochs": 4}
_PIECES = {
    **_PARAMS,
    "averaging": "ema",
    "mixing": "cutmix",
    "loss": "focal",
    "is_drawn_evenly": True,
    "max_gradient_norm": 5,
    "first_layer_lr_percent": 30,
    "frozen_epochs": 1,
    "patience": 2,
}


def _killed_after_checkpoint(workdir):
    process = start(workdir)
    deadline_s = time.monotonic() + 60
    while not events(workdir, "checkpoint") and process.poll() is None and time.monotonic() < deadline_s:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL, (workdir / "log.txt").read_text()


def test_killed_run_ends_with_the_same_weights(tmp_path, cache_dir):
    whole = trained_once(params=_PARAMS)
    killed = make_job(tmp_path / "killed", cache_dir=cache_dir, params=_PARAMS)
    _killed_after_checkpoint(killed)
    assert not (killed / "artefact").exists()
    assert start(killed).wait() == 0, (killed / "log.txt").read_text()

    first, second = events(killed, "started")
    assert (first.attempt, first.resumed_from_step) == (1, None)
    assert second.attempt == 2
    assert second.resumed_from_step >= events(killed, "checkpoint")[0].step > 0
    for name in ("weights.safetensors", "model.onnx"):
        assert (killed / "artefact" / name).read_bytes() == (whole / "artefact" / name).read_bytes()
    whole_curves, killed_curves = (Report.read(job / "artefact" / "report.json").curves for job in (whole, killed))
    assert killed_curves == whole_curves


def test_a_run_killed_at_its_first_checkpoint_of_an_epochs_last_step_ends_the_same(tmp_path, cache_dir, monkeypatch):
    """The epoch is judged before: whoever goes on there begins with the next one. With every piece of training there is."""
    whole = trained_once(params=_PIECES)
    killed = make_job(tmp_path / "killed", cache_dir=cache_dir, params=_PIECES)
    last_step = next(event.step for event in events(whole, "metric"))
    save = loop._save

    class KilledError(BaseException):
        pass

    def saved(store, state, job):
        save(store, state, job)
        if state["step"] == last_step:
            raise KilledError

    monkeypatch.setattr(loop, "LOOK_EVERY_S", 0.0)
    monkeypatch.setattr(loop, "CHECKPOINT_EVERY_S", -1.0)
    monkeypatch.setattr(loop, "_save", saved)
    with pytest.raises(KilledError):
        run_here(killed)
    monkeypatch.setattr(loop, "_save", save)
    assert run_here(killed) == 0
    assert events(killed, "started")[1].resumed_from_step == last_step
    name = "weights.safetensors"
    assert (killed / "artefact" / name).read_bytes() == (whole / "artefact" / name).read_bytes()
    whole_curves, killed_curves = (Report.read(job / "artefact" / "report.json").curves for job in (whole, killed))
    assert killed_curves == whole_curves


def test_another_seed_gives_other_losses(tmp_path, cache_dir, trained):
    """That the same one gives the same, in another process too, ``tests/contracts`` asks of every task."""
    other = make_job(tmp_path / "other", cache_dir=cache_dir, seed=4)
    assert run_here(other) == 0
    assert losses(other) != losses(trained)


def test_damaged_checkpoint_falls_back_to_the_one_before(tmp_path):
    store = CheckpointStore(tmp_path)
    store.save(10, {"step": 10})
    store.save(20, {"step": 20})
    path = tmp_path / "step-00000020.pt"
    path.write_bytes(path.read_bytes()[:100])
    assert store.load() == {"step": 10}
    store.save(30, {"step": 30})
    assert sorted(each.name for each in tmp_path.iterdir()) == ["step-00000020.pt", "step-00000030.pt"]


def test_absent_checkpoints_start_from_the_beginning(tmp_path):
    assert CheckpointStore(tmp_path / "none").load() is None
