"""Which backend a server on premise takes: tried on copies of the runtime, with backends of all sorts put beside its own."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from exporters.bundle import runtime_copy
from exporters.check import RUNTIME_PACKAGES, isolated_command
from runtime.backends import USUAL
from tests.exporters.artefact_factory import artefact_write

REMEMBERING = '''
"""Runs each input once, then knows it by heart."""

from .onnxruntime_cpu import OnnxRuntimeCpu


class Remembering(OnnxRuntimeCpu):
    name = "remembering"

    @staticmethod
    def open(model, output):
        return _Graph(OnnxRuntimeCpu.open(model, output))


class _Graph:
    def __init__(self, graph):
        self._graph, self._known = graph, {}

    def run(self, feeds):
        key = tuple((name, feed.shape, feed[..., ::7, 0].tobytes()) for name, feed in feeds.items())
        if key not in self._known:
            self._known[key] = self._graph.run(feeds)
        return self._known[key]


KIND = Remembering
'''
WRONG = '''
"""Answers at once, and nonsense."""

import numpy as np

from .onnxruntime_cpu import OnnxRuntimeCpu


class Wrong(OnnxRuntimeCpu):
    name = "wrong"

    @staticmethod
    def open(model, output):
        return Wrong()

    def run(self, feeds):
        return np.full((1, 3), 0.3, dtype=np.float32)


KIND = Wrong
'''
LATE = '''
"""Compiles for longer than anybody waits."""

import time

from .onnxruntime_cpu import OnnxRuntimeCpu


class Late(OnnxRuntimeCpu):
    name = "late"

    @staticmethod
    def open(model, output):
        time.sleep(60)


KIND = Late
'''
BROKEN = '''
"""Cannot run any graph."""

from .kind import GraphError
from .onnxruntime_cpu import OnnxRuntimeCpu


class Broken(OnnxRuntimeCpu):
    name = "broken"

    @staticmethod
    def open(model, output):
        raise GraphError("no such operator")


KIND = Broken
'''
PROBE = """
import json, logging, pathlib, sys, time

logging.basicConfig(level=logging.INFO, stream=sys.stderr)
from copy_of.runtime.backend_choice import backend_choose

began_at = time.monotonic()
choice = backend_choose(pathlib.Path(sys.argv[1]), budget_s=float(sys.argv[2]))
said = {each.backend: each.why or each.ms for each in choice.tried}
print(json.dumps({"chosen": choice.predictor.backend.name, "tried": said, "s": time.monotonic() - began_at}))
"""


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model whose pictures take some milliseconds, so that knowing them by heart is faster whatever the machine does."""
    return artefact_write(tmp_path_factory.mktemp("large") / "artefact", min_side_px=1200)


def tried(folder: Path, artefact: Path, budget_s: float, **backends: str) -> tuple[dict, str]:
    """What a runtime with these backends beside its own chooses, where no other library is installed, and its log."""
    runtime_copy(folder / "copy_of" / "runtime")
    (folder / "copy_of" / "__init__.py").touch()
    for name, source in backends.items():
        (folder / "copy_of" / "runtime" / "backends" / f"{name}.py").write_text(source)
    (folder / "probe.py").write_text(PROBE)
    command = isolated_command(folder, "probe", [str(artefact), str(budget_s)], list(RUNTIME_PACKAGES))
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), done.stderr


def test_the_fastest_of_those_that_answer_right_is_taken(large: Path, tmp_path: Path) -> None:
    shown, log = tried(tmp_path, large, 60.0, remembering=REMEMBERING, wrong=WRONG, broken=BROKEN)
    assert shown["chosen"] == "remembering"
    assert shown["tried"]["remembering"] < shown["tried"][USUAL]
    assert shown["tried"]["wrong"].startswith("a golden sample differs by")
    assert "no such operator" in shown["tried"]["broken"]
    assert "remembering runs the model" in log
    assert "no such operator" in log


def test_what_is_not_ready_in_time_is_left_out(artefact_dir: Path, tmp_path: Path) -> None:
    shown, _ = tried(tmp_path, artefact_dir, 0.5, late=LATE)
    assert shown["chosen"] == USUAL
    assert shown["tried"] == {"late": "it was not ready in time"}
    assert shown["s"] < 30


def test_a_machine_with_one_backend_tries_nothing(artefact_dir: Path, tmp_path: Path) -> None:
    shown, log = tried(tmp_path, artefact_dir, 60.0)
    assert (shown["chosen"], shown["tried"], log) == (USUAL, {}, "")
