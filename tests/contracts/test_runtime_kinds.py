"""Every kind of items and of answers that the shipped runtime knows: found by listing, and held to what callers rely on."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import runtime
from automl.contracts.annotation import Annotations
from automl.contracts.artefact import MANIFEST_FILE, SAMPLES_DIR
from automl.contracts.task import OutputKind
from runtime import answers, items, selftest
from runtime.errors import ArtefactUnreadableError, RuntimeFault
from runtime.predictor import Predictor
from runtime.run_lengths import runs_unpack
from tests.exporters.artefact_factory import artefact_write
from tests.exporters.row_artefact_factory import row_artefact_write
from tests.exporters.text_artefact_factory import text_artefact_write

RUNTIME = Path(runtime.__file__).parent
MAKERS: dict[tuple[str, str], Callable[[Path], Path]] = {
    ("image", "class_scores"): artefact_write,
    ("image", "label_scores"): partial(artefact_write, output=OutputKind.LABEL_SCORES),
    ("image", "boxes"): partial(artefact_write, output=OutputKind.BOXES),
    ("image", "mask"): partial(artefact_write, output=OutputKind.MASK),
    ("image", "instances"): partial(artefact_write, output=OutputKind.INSTANCES),
    ("image", "quads"): partial(artefact_write, output=OutputKind.QUADS),
    ("image", "vector"): partial(artefact_write, output=OutputKind.VECTOR),
    ("image", "number"): partial(artefact_write, output=OutputKind.NUMBER),
    ("image", "heat_map"): partial(artefact_write, output=OutputKind.HEAT_MAP),
    ("text", "class_scores"): text_artefact_write,
    ("row", "class_scores"): row_artefact_write,
    ("row", "number"): partial(row_artefact_write, output=OutputKind.NUMBER),
}
"""An artefact for each kind at least."""


@pytest.fixture(scope="module", params=sorted(MAKERS), ids="-".join)
def artefact(request, tmp_path_factory) -> Path:
    return MAKERS[request.param](tmp_path_factory.mktemp("kinds") / "artefact")


@pytest.fixture(scope="module")
def predictor(artefact) -> Predictor:
    ready = Predictor()
    ready.setup(artefact)
    return ready


def size(annotation: dict) -> float:
    """What answers are ordered by: pixels of a label's mask, else the score."""
    is_of_label = "counts" in annotation and "box" not in annotation
    return sum(runs_unpack(annotation["counts"])[1::2]) if is_of_label else annotation.get("score", 0.0)


def golden(artefact: Path) -> list[tuple[dict, bytes]]:
    samples = selftest.samples_read(artefact, ())
    return [(sample, (artefact / SAMPLES_DIR / sample["file"]).read_bytes()) for sample in samples]


def test_every_kind_is_tried_and_every_output_of_the_contract_has_its_kind():
    assert {kind for kind, _ in MAKERS} == set(items.NAMES)
    assert {kind for _, kind in MAKERS} == set(answers.NAMES) == {output.value for output in OutputKind}


@pytest.mark.parametrize(("place", "field"), [(("decode", "kind"), "item"), (("output",), "answer")])
def test_unknown_kind_is_an_error_that_names_it(place, field, tmp_path):
    folder = artefact_write(tmp_path / "artefact")
    manifest = json.loads((folder / MANIFEST_FILE).read_bytes())
    inner = manifest
    for name in place[:-1]:
        inner = inner[name]
    inner[place[-1]] = "smell"
    (folder / MANIFEST_FILE).write_text(json.dumps(manifest))
    with pytest.raises(ArtefactUnreadableError, match=rf"{field} called 'smell'"):
        Predictor().setup(folder)


def test_golden_samples_are_answered_as_they_say(artefact, predictor):
    for sample, data in golden(artefact):
        decoded = predictor.decode(data)
        answer = predictor.predict(decoded)
        predictor.answers.check(answer)
        assert predictor.answers.difference(sample, answer, decoded) <= predictor.tolerance
        assert predictor.answers.difference(sample, answer + np.float32(0.3), decoded) > predictor.tolerance


def test_answers_are_annotations_best_first_and_as_easydl_has_them(artefact, predictor):
    for _, data in golden(artefact):
        decoded = predictor.decode(data)
        answer = predictor.predict(decoded)
        found = predictor.encode(answer, decoded, threshold=0.0)
        assert len(Annotations.validate_python(found)) == len(found) <= predictor.answers.default_top
        ranks = [size(annotation) for annotation in found]
        is_read = "attributes" in found[0]  # lines of text come as they are read
        assert is_read or ranks == sorted(ranks, reverse=True)
        best, doubt = predictor.judge(answer)
        assert best is None or best.items() <= found[int(np.argmax(ranks))].items()
        assert doubt is None or 0.0 <= doubt <= 1.0
        assert all(json.dumps(predictor.answers.easydl(annotation)) for annotation in found)
        assert "target" in predictor.answers.easydl_cells(found[0], "target")
        Annotations.validate_python(predictor.passing(answer, decoded))


def test_a_kept_item_is_read_again_to_the_same_answer(artefact, predictor):
    calls = predictor.items.calls(predictor.items)
    for _, data in golden(artefact):
        tensor = np.array([data if predictor.items.name != "row" else cells(data)], dtype=object)
        request = calls.tensor_request({predictor.items.name: tensor}, is_binary=True)
        decoded = calls.read(request.items, request)
        logged = calls.log_bytes(data if predictor.items.name != "row" else json.loads(cells(data)))
        assert logged is not None
        assert np.array_equal(predictor.predict(predictor.decode(logged)), predictor.predict(decoded))


def cells(data: bytes) -> bytes:
    return json.dumps(json.loads(data)["cells"]).encode()


@pytest.mark.parametrize("name", items.NAMES)
def test_description_is_whole_and_empty_requests_are_refused(name):
    kind = items.items_kind(name)
    assert kind.name == name
    description = kind.calls.description(None)
    assert description.noun
    assert "application/json" in description.contents
    assert all("schema" in content for content in description.contents.values())
    assert all(issubclass(fault, RuntimeFault) and 400 <= fault.status < 500 for fault in description.faults)
    assert kind.calls.too_many in description.faults
    assert kind.calls.max_items > 0


def test_nobody_outside_its_folder_asks_for_a_kind_by_name():
    names = "|".join([*items.NAMES, *answers.NAMES])
    asks = re.compile(rf"""(==|!=|\bin\b|\bcase\b)\s*[({{\[]?\s*["']({names})["']|\bis_(text|boxes|number|row|image)\b""")
    modules = [path for path in RUNTIME.rglob("*.py") if path.parent.parent.name != "items" and path.parent.name != "answers"]
    assert len(modules) > 20
    assert [str(path) for path in modules if asks.search(path.read_text(encoding="utf-8"))] == []


def test_a_kind_imports_no_other():
    for path in RUNTIME.rglob("*.py"):
        folder = path.relative_to(RUNTIME).parts
        if folder[0] not in {"items", "answers"}:
            continue
        names = items.NAMES if folder[0] == "items" else answers.NAMES
        own = folder[1].removesuffix(".py")
        imported = set(re.findall(r"^from \.+(\w+)", path.read_text(encoding="utf-8"), re.MULTILINE))
        assert not imported & (set(names) - {own}), path


def test_copy_without_a_kind_still_answers_for_the_others(tmp_path):
    """What is shipped is a folder: a kind that is not there is unknown, and nobody else misses it."""
    folder = tmp_path / "artefact"
    artefact_write(folder)
    shutil.copytree(RUNTIME, tmp_path / "cut" / "runtime", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "cut" / "__init__.py").touch()
    shutil.rmtree(tmp_path / "cut" / "runtime" / "items" / "row")
    (tmp_path / "cut" / "runtime" / "answers" / "number.py").unlink()
    command = [sys.executable, "-m", "cut.runtime.selftest", str(folder)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert '"is_passed":true' in done.stdout, done.stderr
