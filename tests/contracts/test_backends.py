"""Every backend of the shipped runtime, found by listing: what it computes, alone and asked from several threads."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from runtime.backends import NAMES, USUAL, GraphError, backend_kind
from runtime.errors import ArtefactUnreadableError
from runtime.predictor import MODEL_FILE, Predictor
from tests.exporters.artefact_factory import artefact_write, picture_bytes, plain_model
from tests.exporters.text_artefact_factory import text_artefact_write

MOST_APART = 0.05
"""Of a score in bfloat16, whose numbers have 8 bits; those of 32 bits keep to the artefact's tolerance."""


def can_run(name: str, model: Path) -> bool:
    """Whether this machine has the library and such instructions."""
    if not backend_kind(name).is_there():
        return False
    try:
        backend_kind(name).open(model, "scores")
    except GraphError as error:
        return "the processor computes nothing in" not in str(error)
    return True


@pytest.fixture(scope="module", params=NAMES)
def name(request: pytest.FixtureRequest, pictures: Path) -> str:
    if not can_run(request.param, pictures / MODEL_FILE):
        pytest.skip(f"this machine does not run {request.param}")
    return str(request.param)


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return artefact_write(tmp_path_factory.mktemp("pictures") / "artefact", model=plain_model())


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return text_artefact_write(tmp_path_factory.mktemp("texts") / "artefact")


def ready(artefact: Path, name: str = USUAL) -> Predictor:
    predictor = Predictor()
    predictor.setup(artefact, name)
    return predictor


def test_the_usual_one_is_always_there() -> None:
    assert USUAL in NAMES
    assert backend_kind(USUAL).is_there()


def test_it_says_what_it_is(name: str) -> None:
    backend = backend_kind(name)
    assert backend.name == name
    assert backend.platform.endswith("_onnx")
    assert any(character.isdigit() for character in backend.version())


def test_scores_are_those_of_the_usual_one_whatever_the_picture_s_size(name: str, pictures: Path) -> None:
    usual, other = ready(pictures), ready(pictures, name)
    most = MOST_APART if name.endswith("bf16") else usual.tolerance
    for side in (48, 64, 48, 81):
        item = usual.decode(picture_bytes(side, width=side, height=side - 8))
        assert other.predict(item) == pytest.approx(usual.predict(item), abs=most)


def test_threads_do_not_see_one_another_s_answers(name: str, texts: Path) -> None:
    predictor = ready(texts, name)
    items = [predictor.decode(("late again, " * number).encode()) for number in range(1, 13)]
    alone = [predictor.predict(item) for item in items]
    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(predictor.predict, items * 8))
    assert all(np.array_equal(one, other) for one, other in zip(alone * 8, together, strict=True))


def test_values_that_the_graph_cannot_take_are_an_error_of_its_own(name: str, pictures: Path) -> None:
    with pytest.raises(GraphError):
        ready(pictures, name).run({"picture": np.zeros((1, 40, 40, 4), dtype=np.uint8)})


def test_a_file_that_is_no_graph_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / MODEL_FILE).write_bytes(b"no graph")
    with pytest.raises(GraphError):
        backend_kind(name).open(tmp_path / MODEL_FILE, "scores")


def test_unknown_backend_is_named(pictures: Path) -> None:
    with pytest.raises(ArtefactUnreadableError, match="no kind of backend called 'abacus'"):
        ready(pictures, "abacus")


def test_asking_what_is_there_imports_no_library_and_openvino_comes_without_its_telemetry() -> None:
    code = (
        "import sys\n"
        "from runtime.backends import NAMES, backend_kind\n"
        "there = [name for name in NAMES if backend_kind(name).is_there()]\n"
        "assert 'openvino' not in sys.modules\n"
        "[backend_kind(name).version() for name in there]\n"
        "assert ('openvino' in sys.modules) == ('openvino_f32' in there)\n"
        "assert not [name for name in sys.modules if name.startswith('openvino_telemetry.')]\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
