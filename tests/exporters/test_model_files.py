"""A model's own files, format by format: the read-me's program runs, and answers as the trained model does."""

from __future__ import annotations

import dataclasses
import json
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest

from automl.contracts.target import MissingTools
from exporters._model_files.build import DEVICE_PRODUCT, _convert, format_target
from exporters.build import build, options_checked, target_find, target_names
from exporters.coreml_model.target import FORMAT as COREML
from exporters.errors import ConversionError, ToolMissingError
from exporters.executorch_model.target import FORMAT as EXECUTORCH
from exporters.litert_model.target import FORMAT as LITERT
from exporters.mnn_model.target import FORMAT as MNN
from exporters.ncnn_model.target import FORMAT as NCNN
from exporters.onnx_model.target import FORMAT as ONNX
from exporters.openvino_ir.target import FORMAT as OPENVINO
from runtime.predictor import Predictor
from tests.exporters.artefact_factory import SIDE_PX, artefact_write, picture_bytes, tiny_model
from tests.exporters.row_artefact_factory import row_artefact_write
from tests.exporters.support import needs_extra

DEVICE_FORMATS = [COREML, EXECUTORCH, LITERT, NCNN]
FORMATS = [name for name in target_names() if target_find(name).spec.group == "format"]


def unpacked(target: str, artefact: Path, place: Path, **options: str) -> Path:
    needs_extra(target)
    report = build(target, artefact, place, options)
    with tarfile.open(place / report.file) as tar:
        tar.extractall(place, filter="data")
    (folder,) = [path for path in place.iterdir() if path.is_dir()]
    return folder


def _files_of_the_model(folder: Path) -> list[Path]:
    return [path for place in (folder / "model").glob("model.*") for path in (place, *place.rglob("*")) if path.is_file()]


@pytest.fixture(scope="module")
def artefact(tmp_path_factory) -> Path:
    return artefact_write(tmp_path_factory.mktemp("model") / "artefact")


@pytest.mark.parametrize("target", FORMATS)
def test_the_programs_of_the_read_me_answer_as_the_model_does(target, artefact, tmp_path):
    folder = unpacked(target, artefact, tmp_path)
    (folder / "picture.jpg").write_bytes(picture_bytes(1))
    trained = Predictor()
    trained.setup(artefact)
    item = trained.decode((folder / "picture.jpg").read_bytes())
    expected = trained.predict(item)
    for read_me in ("README.md", "README.zh-CN.md"):
        (code,) = re.findall(r"```python\n(.*?)```", (folder / read_me).read_text(encoding="utf-8"), re.DOTALL)
        command = [sys.executable, "-c", f"{code}\nimport json\nprint()\nprint(json.dumps(answer.tolist()))"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        (answer,) = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[[")]
        assert np.allclose(answer[0], expected, atol=1e-4)
    done = subprocess.run([sys.executable, "predict.py", "picture.jpg", "none.jpg"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 1
    assert "none.jpg: " in done.stderr
    (shown,) = [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"file"')]
    usual = trained.encode(expected, item)
    assert [each["label"] for each in shown["annotations"]] == [each["label"] for each in usual]
    assert [each["score"] for each in shown["annotations"]] == pytest.approx([each["score"] for each in usual], abs=1e-4)


@pytest.mark.parametrize("target", FORMATS)
def test_a_changed_file_is_refused(target, artefact, tmp_path):
    folder = unpacked(target, artefact, tmp_path)
    largest = max(_files_of_the_model(folder), key=lambda path: path.stat().st_size)
    largest.write_bytes(largest.read_bytes()[:-1] + b"?")
    done = subprocess.run([sys.executable, "predict.py", "--selftest"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 2
    assert '"code":"artefact_damaged"' in done.stdout.replace(" ", "")


@pytest.mark.parametrize("form", [MNN, OPENVINO], ids=lambda form: form.name)
def test_what_a_format_lacks_is_named(form, tmp_path):
    """Rows are not offered in these formats; this is what a family would say whose graph has such operations."""
    model = row_artefact_write(tmp_path / "artefact")
    with pytest.raises(ConversionError, match="LabelEncoder") as caught:
        _convert(form.converter, form.title, model, ("fp32",))
    assert caught.value.code == "conversion_failed"
    assert (model / "model.onnx").exists()


RESIZING = """
#include <cstdio>
#include "resize.hpp"
int main(int, char** arguments) {
  const int width = std::atoi(arguments[1]), height = std::atoi(arguments[2]), side = std::atoi(arguments[3]);
  std::vector<std::uint8_t> pixels(3 * width * height);
  if (std::fread(pixels.data(), 1, pixels.size(), stdin) != pixels.size()) return 1;
  for (float value : resized(pixels.data(), width, height, side)) std::fwrite(&value, sizeof value, 1, stdout);
}
"""


def test_the_resize_in_c_plus_plus_is_that_of_the_graph(artefact, tmp_path):
    (tmp_path / "main.cpp").write_text(RESIZING)
    parts = str(DEVICE_PRODUCT)
    subprocess.run(
        ["c++", "-std=c++17", "-O1", "-Wall", "-Werror", "-I", parts, "main.cpp", "-o", "resize"], cwd=tmp_path, check=True
    )
    model = onnx.load(artefact / "model.onnx")
    model.graph.output[0].CopyFrom(onnx.helper.make_tensor_value_info("small", onnx.TensorProto.FLOAT, None))
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    for width, height in ((61, 83), (20, 32), (7, 300)):
        pixels = np.random.default_rng(width).integers(0, 256, (height, width, 3), dtype=np.uint8)
        command = [tmp_path / "resize", str(width), str(height), str(SIDE_PX)]
        done = subprocess.run(command, input=pixels.tobytes(), capture_output=True, check=True)
        (expected,) = session.run(None, {"picture": pixels[None]})
        found = np.frombuffer(done.stdout, np.float32).reshape(expected.shape)
        np.testing.assert_allclose(found, expected, atol=1e-3)


@pytest.mark.parametrize("form", DEVICE_FORMATS, ids=lambda form: form.name)
def test_what_a_phone_s_format_lacks_is_named(form, tmp_path):
    needs_extra(form.name)
    model = tiny_model()
    (node,) = (node for node in model.graph.node if node.output == ["active"])
    node.op_type = "ThresholdedRelu"
    with pytest.raises(ConversionError, match="lacks ThresholdedRelu"):
        _convert(form.converter, form.title, artefact_write(tmp_path / "artefact", model=model), ("fp32",))


def test_a_package_that_is_not_installed_is_named_with_its_cure(artefact, tmp_path):
    form = dataclasses.replace(ONNX, converts_with=("none_such",), extra="phones")
    spec = target_find(form.name).spec
    target = format_target(form, spec.title, spec.summary, accepts=spec.accepts)
    assert target.missing() == MissingTools(names=("none_such",), extra="phones")
    with pytest.raises(ToolMissingError, match=r'none_such: pip install "modelyard\[phones\]"'):
        target.build(artefact, tmp_path, {"name": "model"}, None)


@pytest.mark.parametrize("target", [name for name in FORMATS if "weights" in options_checked(target_find(name).spec, {})])
def test_weights_of_half_the_size_pass_the_check_too(target, tmp_path):
    artefact = artefact_write(tmp_path / "artefact", model=tiny_model(num_features=4096))
    whole, half = (unpacked(target, artefact, tmp_path / weights, weights=weights) for weights in ("fp32", "fp16"))
    sizes = [sum(path.stat().st_size for path in _files_of_the_model(folder)) for folder in (whole, half)]
    assert sizes[1] < 0.7 * sizes[0]


def test_a_converter_that_crashes_is_an_error_too(artefact, tmp_path):
    (tmp_path / "crashes.py").write_text("import os\nos.abort()\n")
    with pytest.raises(ConversionError, match="Any: the converter crashed"):
        _convert(tmp_path / "crashes.py", "Any", artefact, ())
