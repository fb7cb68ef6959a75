"""A model-only update: what fits is taken over by a running server, what does not is refused, and there is a way back."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from exporters.build import build
from runtime.updates import InstalledModels
from tests.exporters.artefact_factory import artefact_write
from tests.exporters.prediction_server import wait_for
from tests.exporters.sabotage import reseal, swap_channels, swap_labels

ENVIRONMENT = {**os.environ, "VENV": sys.prefix, "PYTHONPATH": ""}


@pytest.fixture(scope="module")
def other_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Another model of the same labels."""
    return artefact_write(tmp_path_factory.mktemp("other") / "model", seed=7)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, artefact_dir: Path, other_dir: Path) -> Path:
    """A folder with a bundle, and an update for it that fits."""
    folder = tmp_path_factory.mktemp("updates")
    build("model_update", other_dir, folder, {"name": "birds"}, model="art_second")
    build("onprem_server", artefact_dir, folder, {"name": "birds"}, model="art_first")
    return folder


@pytest.fixture
def bundle(made: Path, tmp_path: Path) -> Path:
    with tarfile.open(made / "birds-server.tar.gz") as tar:
        tar.extractall(tmp_path, filter="data")
    return tmp_path / "birds-server"


def update(bundle: Path, *arguments: str) -> tuple[int, dict[str, object]]:
    command = [str(bundle / "start"), "update", *arguments]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    return done.returncode, json.loads(done.stdout)


def repacked(update_file: Path, place: Path, change: Callable[[Path], None]) -> Path:
    """The same update after a change of its files, hashes of the artefact made anew."""
    folder = place / "opened"
    with zipfile.ZipFile(update_file) as packed:
        packed.extractall(folder)
    change(folder)
    reseal(folder / "artefact")
    with zipfile.ZipFile(place / "changed.zip", "w") as packed:
        for path in sorted(folder.rglob("*")):
            packed.write(path, path.relative_to(folder))
    return place / "changed.zip"


def test_running_workers_take_an_update_over_and_go_back(
    made: Path, bundle: Path, free_port: int, tmp_path: Path, artefact_dir: Path
) -> None:
    picture = (artefact_dir / "samples/0.png").read_bytes()
    client = httpx.Client(base_url=f"http://127.0.0.1:{free_port}", headers={"Connection": "close"})
    with (tmp_path / "stderr").open("w") as errors:
        command = [str(bundle / "start"), "--port", str(free_port), "--workers", "2"]
        process = subprocess.Popen(command, env=ENVIRONMENT, stderr=errors)

    def answered_by() -> set[str]:
        """By a connection each, so that the workers share them."""
        try:
            posted = [client.post("/v1/deployments/birds/predict", content=picture) for _ in range(12)]
        except httpx.TransportError:
            return set()
        assert {answer.status_code for answer in posted} == {200}
        return {answer.json()["model"] for answer in posted}

    def workers() -> set[int]:
        return {int(pid) for pid in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()}

    try:
        wait_for(lambda: answered_by() == {"art_first"}, "the workers")
        assert update(bundle, str(made / "birds-update.zip")) == (
            0,
            {"model": "art_second", "artefact_dir": str(InstalledModels(bundle).current().artefact_dir), "can_roll_back": True},
        )
        wait_for(lambda: answered_by() == {"art_second"}, "the new model")
        assert update(bundle, "--rollback")[1]["model"] == "art_first"
        wait_for(lambda: answered_by() == {"art_first"}, "the model before")
        assert update(bundle, "--rollback")[1]["code"] == "update_none_before"
        killed = workers().pop()
        os.kill(killed, signal.SIGKILL)
        wait_for(lambda: len(workers() - {killed}) == 2, "another worker")
        for _ in range(5):  # those of the worker that was killed are counted as well, from when it wrote last
            assert answered_by() == {"art_first"}

        def counted() -> int:
            (line,) = [each for each in client.get("/metrics").text.splitlines() if each.startswith("modelyard_items_total")]
            return int(line.rpartition(" ")[2])

        wait_for(lambda: counted() >= 60, "the counts of both workers")
    finally:
        process.terminate()
        assert process.wait(30) == 0


def test_update_that_does_not_fit_is_refused_and_the_model_before_stays(
    made: Path, bundle: Path, tmp_path: Path, boxes_dir: Path, artefact_dir: Path
) -> None:
    good = made / "birds-update.zip"

    def in_update(**facts: object) -> Callable[[Path], None]:
        def change(folder: Path) -> None:
            (folder / "update.json").write_text(json.dumps({"format": 1, "model": "art_x", **facts}))

        return change

    def in_manifest(change_of: Callable[[dict], object]) -> Callable[[Path], None]:
        def change(folder: Path) -> None:
            manifest = json.loads((folder / "artefact/artefact.json").read_text())
            change_of(manifest)
            (folder / "artefact/artefact.json").write_text(json.dumps(manifest))

        return change

    (tmp_path / "text.zip").write_text("no archive")
    (tmp_path / "cut.zip").write_bytes(good.read_bytes()[:-2000])
    build("model_update", boxes_dir, tmp_path, {"name": "boxes"})
    files = {"text.zip": "update_invalid", "cut.zip": "update_invalid", "boxes-update.zip": "update_other_task"}
    changes = [
        (in_update(format=2), "update_too_new"),
        (in_manifest(lambda manifest: manifest.update(schema_version=99)), "update_too_new"),
        (lambda folder: swap_channels(folder / "artefact"), "update_selftest_failed"),
        (lambda folder: swap_labels(folder / "artefact"), "update_selftest_failed"),
        (lambda folder: (folder / "artefact/model.onnx").write_bytes(b"none"), "update_selftest_failed"),
        (lambda folder: (folder / "artefact/artefact.json").write_text("{}"), "update_invalid"),
    ]
    for number, (change, code) in enumerate(changes):
        (tmp_path / str(number)).mkdir()
        files[str(repacked(good, tmp_path / str(number), change))] = code
    for name, code in files.items():
        status, refusal = update(bundle, str(tmp_path / name))
        assert (status, refusal["code"]) == (1, code), name
        assert refusal["hint"]
    evil = tmp_path / "evil.zip"
    with zipfile.ZipFile(evil, "w") as packed:
        packed.writestr("../../out.txt", "x")
    assert update(bundle, str(evil))[1]["code"] == "update_invalid"
    assert not list(tmp_path.rglob("out.txt"))
    assert InstalledModels(bundle).current().artefact_dir == bundle / "artefact"
    assert list((bundle / "models").iterdir()) == []
    build("model_update", artefact_write(tmp_path / "renamed", labels=("owl", "crow", "tit")), tmp_path, {"name": "renamed"})
    renamed = str(tmp_path / "renamed-update.zip")
    assert update(bundle, renamed)[1]["code"] == "update_other_labels"
    assert update(bundle, renamed, "--allow-other-labels")[0] == 0


def test_update_killed_at_any_moment_leaves_a_whole_model(made: Path, bundle: Path) -> None:
    program = [sys.executable, "-m", "server", "update", str(made / "birds-update.zip")]
    for delay in (0.02, 0.1, 0.25, 0.4, 0.6, 0.8, 1.2):
        process = subprocess.Popen(program, cwd=bundle, stdout=subprocess.DEVNULL, start_new_session=True)
        try:
            process.wait(delay)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        shown = subprocess.run([sys.executable, "-m", "server", "--selftest"], cwd=bundle, capture_output=True, check=False)
        assert shown.returncode == 0, shown.stdout
    assert update(bundle, str(made / "birds-update.zip"))[1]["model"] == "art_second"
    assert len([path for path in (bundle / "models").iterdir() if path.is_dir()]) == 1


def test_installed_package_takes_an_update(made: Path, artefact_dir: Path, other_dir: Path, tmp_path: Path) -> None:
    report = build("python_sdk", artefact_dir, tmp_path, {"package": "birds"})
    with zipfile.ZipFile(tmp_path / report.file) as wheel:
        wheel.extractall(tmp_path)
    picture = str(artefact_dir / "samples/0.png")

    def run(*arguments: str) -> dict[str, object]:
        command = [sys.executable, "-m", "birds", *arguments]
        return json.loads(subprocess.run(command, cwd=tmp_path, capture_output=True, check=True).stdout)

    before = run(picture)
    assert run("update", str(made / "birds-update.zip"))["model"] == "art_second"
    assert run("--selftest")["is_passed"]
    assert run(picture)["annotations"] != before["annotations"]
    run("update", "--rollback")
    assert run(picture) == before
