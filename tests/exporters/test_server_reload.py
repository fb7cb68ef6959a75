"""The serving folder may change at any time; no call fails because of it."""

from __future__ import annotations

import shutil
import threading
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from numpy.typing import NDArray

from runtime.backends._onnxruntime import OnnxRuntimeGraph
from runtime.backends.onnxruntime_cpu import OnnxRuntimeCpu
from runtime.hashes import hashes_write
from runtime.predictor import Predictor
from tests.exporters.artefact_factory import artefact_write, picture_bytes
from tests.exporters.prediction_server import SECRET, Server, Serving, key_row, running, wait_for

PNG = picture_bytes(3)


class Load:
    """Calls without pause from several threads, and remembers every answer."""

    def __init__(self, server: Server, name: str, num_threads: int = 3) -> None:
        self.answers: Counter[tuple[int, str]] = Counter()
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._url = f"{server.address}/v1/deployments/{name}/predict"
        self._threads = [threading.Thread(target=self._run) for _ in range(num_threads)]

    def __enter__(self) -> Load:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        for thread in self._threads:
            thread.join()

    def _run(self) -> None:
        with httpx.Client(timeout=30, headers={"Authorization": f"Bearer {SECRET}"}) as client:
            while not self._stopping.is_set():
                try:
                    response = client.post(self._url, content=PNG)
                    answer = response.status_code, response.json().get("model", response.text)
                except httpx.TransportError as error:
                    answer = 0, repr(error)
                with self._lock:
                    self.answers[answer] += 1


def test_new_artefact_takes_over_under_load_without_a_failed_call(serving: Serving, tmp_path: Path) -> None:
    dirs = [artefact_write(tmp_path / str(seed), seed=seed) for seed in range(10, 14)]
    serving.deploy("dep_a", dirs[0], artefact="art_0")
    with running(serving) as server:
        with Load(server, "dep_a") as load:
            wait_for(lambda: load.answers[200, "art_0"] > 20, "answers of art_0")
            for number in range(1, 4):
                serving.deploy("dep_a", dirs[number], artefact=f"art_{number}")
                serving.wait_for_status("dep_a", artefact=f"art_{number}", state="ready")
                wait_for(lambda n=number: load.answers[200, f"art_{n}"] > 20, f"answers of art_{number}")
        assert {status for status, _ in load.answers} == {200}, load.answers
        assert {model for _, model in load.answers} == {f"art_{n}" for n in range(4)}
        server.stop()
    # Every answer has its line, and the line names the model that gave it.
    logged = Counter((line["status"], line["artefact"]) for line in serving.log("dep_a"))
    assert logged == load.answers


@pytest.mark.parametrize("name", ["model.onnx", "artefact.json"])
def test_file_with_a_wrong_byte_is_not_served(serving: Serving, tmp_path: Path, name: str) -> None:
    artefact = artefact_write(tmp_path / "artefact")
    hashes_write(artefact, ["artefact.json", "model.onnx"])
    serving.deploy("dep_whole", artefact)
    copy = tmp_path / "copy"
    shutil.copytree(artefact, copy)
    whole = (copy / name).read_bytes()
    place = whole.rindex(b"dog") if name.endswith(".json") else len(whole) // 2
    (copy / name).write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
    serving.deploy("dep_damaged", copy)
    with running(serving) as server:
        assert server.predict("dep_whole", content=PNG).status_code == 200
        status = serving.wait_for_status("dep_damaged", state="failed")
        assert status["code"] == "artefact_damaged"
        assert name in status["message"]
        refused = server.predict("dep_damaged", content=PNG)
        assert (refused.status_code, refused.json()["code"]) == (503, "deployment_failed")
        (copy / name).write_bytes(whole)
        serving.deploy("dep_damaged", copy, min_uncertainty=0.4)
        serving.wait_for_status("dep_damaged", state="ready", code=None)
        assert server.predict("dep_damaged", content=PNG).status_code == 200


def test_artefact_that_cannot_be_loaded_never_replaces_one_that_answers(
    serving: Serving, artefact_dir: Path, tmp_path: Path
) -> None:
    broken = artefact_write(tmp_path / "broken")
    (broken / "model.onnx").write_bytes(b"no model")
    serving.deploy("dep_a", artefact_dir, artefact="art_good")
    with running(serving) as server:
        serving.deploy("dep_a", broken, artefact="art_bad")
        status = serving.wait_for_status("dep_a", state="failed")
        assert status["code"] == "artefact_unreadable"
        assert status["message"]
        assert server.predict("dep_a", content=PNG).json()["model"] == "art_good"
        serving.deploy("dep_a", artefact_dir, artefact="art_good")
        serving.wait_for_status("dep_a", state="ready")


def test_model_with_other_number_of_labels_is_refused(serving: Serving, tmp_path: Path) -> None:
    odd = artefact_write(tmp_path / "odd")
    other = artefact_write(tmp_path / "other", labels=("a", "b"))
    (odd / "model.onnx").write_bytes((other / "model.onnx").read_bytes())
    serving.deploy("dep_odd", odd)
    with running(serving):
        assert "3 labels" in serving.wait_for_status("dep_odd", state="failed")["message"]


def test_deployments_come_stop_start_and_go(serving: Serving, artefact_dir: Path) -> None:
    with running(serving) as server:
        assert server.predict("dep_new", content=PNG).status_code == 404
        serving.deploy("dep_new", artefact_dir)
        serving.wait_for_status("dep_new", state="ready")
        assert server.predict("dep_new", content=PNG).status_code == 200
        serving.deploy("dep_new", artefact_dir, state="stopped")
        serving.wait_for_status("dep_new", state="stopped")
        assert server.predict("dep_new", content=PNG).json()["code"] == "deployment_stopped"
        serving.deploy("dep_new", artefact_dir)
        serving.wait_for_status("dep_new", state="ready")
        assert server.predict("dep_new", content=PNG).status_code == 200
        (serving.folder / "deployments" / "dep_new.json").unlink()
        wait_for(lambda: server.predict("dep_new", content=PNG).status_code == 404, "the deployment to go")
        assert serving.status("dep_new") == {}


def test_thresholds_change_without_a_restart(serving: Serving, several_labels_dir: Path) -> None:
    serving.deploy("dep_t", several_labels_dir, thresholds={"cat": 0.0, "dog": 0.0, "鸟": 0.0})
    with running(serving) as server:

        def labels() -> set[str]:
            return {a["label"] for a in server.predict("dep_t", content=PNG).json()["predictions"][0]["annotations"]}

        assert labels() == {"cat", "dog", "鸟"}
        serving.deploy("dep_t", several_labels_dir, thresholds={"cat": 0.0, "dog": 1.0, "鸟": 1.0})
        wait_for(lambda: labels() == {"cat"}, "the new thresholds")


def test_key_that_is_withdrawn_stops_working(serving: Serving, artefact_dir: Path) -> None:
    serving.deploy("dep_a", artefact_dir)
    with running(serving) as server:
        assert server.predict("dep_a", content=PNG).status_code == 200
        serving.keys(key_row("my_other"))
        wait_for(lambda: server.predict("dep_a", content=PNG).status_code == 401, "the key to be gone")
        assert server.predict("dep_a", secret="my_other", content=PNG).status_code == 200


def test_key_and_deployment_work_from_the_moment_they_are_written(serving: Serving, artefact_dir: Path) -> None:
    serving.deploy("dep_a", artefact_dir)
    with running(serving) as server:
        for number in range(5):
            serving.keys(key_row(f"my_{number}"))
            assert server.predict("dep_a", secret=f"my_{number}", content=PNG).status_code == 200


def test_changes_are_noticed_within_half_a_second(serving: Serving, artefact_dir: Path) -> None:
    serving.deploy("dep_a", artefact_dir)
    with running(serving) as server:
        began_at = time.monotonic()
        serving.deploy("dep_a", artefact_dir, state="stopped")
        wait_for(lambda: server.predict("dep_a", content=PNG).status_code == 503, "the stop")
        assert time.monotonic() - began_at < 1.0  # half a second, and as much again for a busy machine


def test_unreadable_file_leaves_what_was_served(serving: Serving, artefact_dir: Path) -> None:
    serving.deploy("dep_a", artefact_dir)
    with running(serving) as server:
        (serving.folder / "deployments" / "dep_a.json").write_text("{")
        serving.deploy("dep_b", artefact_dir)
        serving.wait_for_status("dep_b", state="ready")
        assert server.predict("dep_a", content=PNG).status_code == 200


def test_server_is_ready_only_when_its_models_are_warm(serving: Serving, artefact_dir: Path) -> None:
    for number in range(5):
        serving.deploy(f"dep_{number}", artefact_dir)
    server = Server(serving)
    try:
        wait_for(server.is_ready, "the server")
        assert [server.predict(f"dep_{n}", content=PNG).status_code for n in range(5)] == [200] * 5
    finally:
        server.stop()


def test_calls_in_flight_are_answered_when_the_server_is_asked_to_end(serving: Serving, artefact_dir: Path) -> None:
    serving.deploy("dep_a", artefact_dir, max_body_bytes=64 << 20)
    large = picture_bytes(1, "PNG", width=3000, height=3000)
    answers: list[int] = []
    with running(serving) as server:
        threads = [
            threading.Thread(target=lambda: answers.append(server.predict("dep_a", content=large).status_code))
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        time.sleep(0.2)  # the point of the test is a call that is under way; decoding one of these takes longer than this
        server.process.terminate()
        for thread in threads:
            thread.join()
        assert server.process.wait(30) == 0
    assert answers == [200] * 4
    assert len(serving.log("dep_a")) == 4


class RecordingGraph(OnnxRuntimeGraph):
    """Notes how often it was run."""

    num_runs = 0

    def run(self, feeds: Mapping[str, NDArray[Any]]) -> NDArray[np.float32]:
        RecordingGraph.num_runs += 1
        return super().run(feeds)


class RecordingBackend(OnnxRuntimeCpu):
    """The usual one, with such graphs."""

    @staticmethod
    def open(model: Path, output: str) -> RecordingGraph:
        return RecordingGraph(model, output, ["CPUExecutionProvider"])


def test_a_model_has_answered_once_before_it_is_there_for_callers(artefact_dir: Path) -> None:
    """The watcher swaps models in, and the server says that it is ready, only after ``setup``."""
    predictor = Predictor()
    predictor.setup(artefact_dir, RecordingBackend)
    assert RecordingGraph.num_runs == 1
    predictor.predict(predictor.decode(PNG))
    assert RecordingGraph.num_runs == 2
