import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from engine.data.backend import FrozenBackbone


@pytest.fixture(scope="module")
def onnx_path(tmp_path_factory) -> Path:
    """Bytes in, a convolution, an average: the shape of a real backbone in ten lines."""
    kernel = np.random.default_rng(0).normal(size=(16, 3, 3, 3)).astype(np.float32)
    nodes = [
        helper.make_node("Cast", ["pictures"], ["floats"], to=TensorProto.FLOAT),
        helper.make_node("Transpose", ["floats"], ["planes"], perm=[0, 3, 1, 2]),
        helper.make_node("Conv", ["planes", "kernel"], ["maps"], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["maps"], ["positive"]),
        helper.make_node("GlobalAveragePool", ["positive"], ["pooled"]),
        helper.make_node("Flatten", ["pooled"], ["features"]),
    ]
    graph = helper.make_graph(
        nodes,
        "backbone",
        [helper.make_tensor_value_info("pictures", TensorProto.UINT8, ["batch", 24, 24, 3])],
        [helper.make_tensor_value_info("features", TensorProto.FLOAT, ["batch", 16])],
        [numpy_helper.from_array(kernel, "kernel")],
    )
    path = tmp_path_factory.mktemp("onnx") / "backbone.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10), path)
    return path


PICTURES = np.random.default_rng(1).integers(0, 256, (7, 24, 24, 3), dtype=np.uint8)


def test_fastest_backend_gives_the_features_of_onnxruntime(onnx_path):
    exact = FrozenBackbone(onnx_path, backend="onnxruntime")
    fast = FrozenBackbone(onnx_path)
    expected = exact.run(PICTURES)
    assert expected.shape == (7, 16)
    assert np.linalg.norm(fast.run(PICTURES) - expected) < 0.02 * np.linalg.norm(expected)
    assert exact.name == "onnxruntime"


def test_results_of_two_calls_are_apart(onnx_path):
    backbone = FrozenBackbone(onnx_path)
    first = backbone.run(PICTURES[:3])
    copied = first.copy()
    second = backbone.run(PICTURES[3:6])
    assert np.array_equal(first, copied)
    assert not np.array_equal(first, second)


def test_fast_backend_that_disagrees_is_dropped(onnx_path):
    backbone = FrozenBackbone(onnx_path)
    if backbone.name == "onnxruntime":
        pytest.skip("this CPU has no bfloat16, so there is no second backend")
    run_fast = backbone._run_fast
    backbone._run_fast = lambda pictures: run_fast(pictures) * 1.5
    expected = FrozenBackbone(onnx_path, backend="onnxruntime").run(PICTURES)
    assert np.array_equal(backbone.run(PICTURES), expected)
    assert backbone.name == "onnxruntime"


_SILENT = """
import socket, sys
def refuse(*arguments, **options):
    raise SystemExit("a socket was opened")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
from pathlib import Path
from engine.data.backend import FrozenBackbone
FrozenBackbone(Path(sys.argv[1]))
assert sys.modules["openvino"], "not the thing to test"
assert not [name for name in sys.modules if name.startswith("openvino_telemetry.")]
"""


def test_no_output_is_written(onnx_path, tmp_path):
    environment = {"HOME": str(tmp_path), "PATH": "", "PYTHONPATH": ":".join(path for path in sys.path if path)}
    subprocess.run([sys.executable, "-c", _SILENT, str(onnx_path)], check=True, env=environment, timeout=120)
    assert not list(tmp_path.iterdir()), "the runtimes' telemetry keeps an id in the home folder"
