"""What the customer does with a product: unpack, install, start, call, and check it again on his own machine."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path

import httpx
import pytest
from packaging.requirements import Requirement

from exporters.build import build
from exporters.bundle import PLACEHOLDER
from exporters.errors import ExportCheckFailedError, OptionInvalidError
from runtime.backends import backend_kind
from tests.exporters.artefact_factory import LABELS, artefact_write, picture_bytes, plain_model
from tests.exporters.prediction_server import wait_for
from tests.exporters.row_artefact_factory import row_artefact_write
from tests.exporters.sabotage import FAULTS, flip_weight, reseal

OLD = {"numpy": "1.26.4", "onnxruntime": "1.20.1", "pillow": "10.4.0"}

VENV = Path(sys.prefix)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory, artefact_dir: Path) -> Path:
    folder = tmp_path_factory.mktemp("onprem")
    report = build("onprem_server", artefact_dir, folder, {"name": "birds", "port": 8099})
    with tarfile.open(folder / report.file) as tar:
        tar.extractall(folder, filter="data")
    return folder / "birds-server"


@pytest.fixture(scope="module")
def package_dir(tmp_path_factory: pytest.TempPathFactory, artefact_dir: Path) -> Path:
    folder = tmp_path_factory.mktemp("sdk")
    report = build("python_sdk", artefact_dir, folder, {"package": "birds", "version": "2.3.4"})
    assert report.file == "birds-2.3.4-py3-none-any.whl"
    install = ["-m", "pip", "install", "--no-deps", "--no-index", "--quiet", "--target", str(folder / "site")]
    subprocess.run([sys.executable, *install, str(folder / report.file)], check=True)
    return folder / "site"


def start(bundle: Path, *arguments: str, **options: object) -> subprocess.Popen:
    # The bundle may use an environment that is there already; making one would need the network.
    environment = {**os.environ, "VENV": str(VENV), "PYTHONPATH": ""}
    return subprocess.Popen([str(bundle / "start"), *arguments], env=environment, text=True, **options)


@pytest.fixture
def address(bundle: Path, tmp_path: Path, free_port: int) -> Iterator[str]:
    (tmp_path / "keys.txt").write_text("first-secret\n\nsecond-secret\n")
    process = start(bundle, "--port", str(free_port), "--keys", str(tmp_path / "keys.txt"), "--log", str(tmp_path / "log"))
    url = f"http://127.0.0.1:{free_port}"
    try:
        wait_for(lambda: is_up(url), "the bundle's server")
        yield url
    finally:
        process.terminate()
        assert process.wait(30) == 0


def is_up(url: str) -> bool:
    try:
        return httpx.get(f"{url}/health").status_code == 200
    except httpx.TransportError:
        return False


def test_archive_holds_what_is_needed_and_nothing_of_the_workshop(bundle: Path) -> None:
    files = {path.relative_to(bundle).as_posix() for path in bundle.rglob("*") if path.is_file()}
    assert {
        "start",
        "Dockerfile",
        ".dockerignore",
        "README.md",
        "README.zh-CN.md",
        "requirements.txt",
        "artefact/model.onnx",
    } <= files
    assert not any(name.endswith((".safetensors", "report.json")) for name in files)
    assert os.access(bundle / "start", os.X_OK)
    rendered = [bundle / name for name in files if not name.startswith(("artefact/", "server/runtime/"))]
    assert not [path for path in rendered if PLACEHOLDER.search(path.read_text(encoding="utf-8"))]
    assert "8099" in (bundle / "README.md").read_text(encoding="utf-8")


def test_requirements_are_ranges_that_hold_what_the_check_ran_with(bundle: Path) -> None:
    needed = [Requirement(line) for line in (bundle / "requirements.txt").read_text().splitlines()]
    assert {"numpy", "onnxruntime", "pillow", "uvicorn"} <= {each.name for each in needed}
    for each in needed:
        assert each.specifier.contains(version(each.name)), each
        assert {specifier.operator for specifier in each.specifier} == {">=", "<"}, each


def test_server_says_what_runs_its_model(bundle: Path, free_port: int) -> None:
    process = start(bundle, "--port", str(free_port), "--backend", "onnxruntime_cpu", stderr=subprocess.PIPE)
    url = f"http://127.0.0.1:{free_port}"
    try:
        wait_for(lambda: is_up(url), "the bundle's server")
        assert httpx.get(f"{url}/health").json() == {
            "status": "ready",
            "backends": {"birds": "onnxruntime_cpu"},
            "models": {"birds": "job_test"},
            "attached": {"birds": {"gallery": None, "templates": None}},
        }
        assert 'modelyard_backend{deployment="birds",' in httpx.get(f"{url}/metrics").text
        parameters = httpx.get(f"{url}/v2/models/birds").json()["parameters"]
        assert (parameters["backend"], "backends_tried" in parameters) == ("onnxruntime_cpu", False)
    finally:
        process.terminate()
        assert "with onnxruntime_cpu" in process.communicate(timeout=30)[1]


@pytest.mark.skipif(not backend_kind("openvino_f32").is_there(), reason="OpenVINO has no wheels for this processor")
def test_bundle_with_openvino_tries_it_and_serves(tmp_path: Path, free_port: int) -> None:
    artefact = artefact_write(tmp_path / "artefact", model=plain_model())
    report = build("onprem_server", artefact, tmp_path, {"name": "birds", "openvino": True})
    with tarfile.open(tmp_path / report.file) as tar:
        tar.extractall(tmp_path, filter="data")
    bundle = tmp_path / "birds-server"
    (needed,) = (line for line in (bundle / "requirements.txt").read_text().splitlines() if line.startswith("openvino"))
    assert Requirement(needed).specifier.contains(version("openvino"))
    process = start(bundle, "--port", str(free_port), stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{free_port}"
    try:
        wait_for(lambda: is_up(url), "the bundle's server")
        parameters = httpx.get(f"{url}/v2/models/birds").json()["parameters"]
        assert {"openvino_f32", "openvino_bf16"} <= parameters["backends_tried"].keys()
        assert httpx.get(f"{url}/health").json()["backends"] == {"birds": parameters["backend"]}
    finally:
        process.terminate()
        assert process.wait(30) == 0


@pytest.mark.skipif(not backend_kind("openvino_f32").is_there(), reason="OpenVINO has no wheels for this processor")
def test_openvino_is_refused_for_a_model_that_it_cannot_run(tmp_path: Path) -> None:
    with pytest.raises(ExportCheckFailedError, match=r"^with OpenVINO, .*OpenVINO cannot run the graph") as refused:
        build("onprem_server", row_artefact_write(tmp_path / "rows"), tmp_path / "built", {"openvino": True})
    assert refused.value.hint.startswith("Export without OpenVINO")


def test_bundle_answers_the_cloud_s_api(address: str, bundle: Path, artefact_dir: Path) -> None:
    expected = json.loads((artefact_dir / "samples/expected.json").read_bytes())
    picture = (artefact_dir / "samples/0.png").read_bytes()
    url = f"{address}/v1/deployments/birds/predict?top=3"
    assert httpx.post(url, content=picture).json()["code"] == "api_key_missing"
    assert httpx.post(url, content=picture, headers={"Authorization": "Bearer wrong"}).status_code == 401
    answer = httpx.post(url, content=picture, headers={"Authorization": "Bearer second-secret"}).json()
    given = {a["label"]: a["score"] for a in answer["predictions"][0]["annotations"]}
    assert given == pytest.approx(dict(zip(expected["labels"], expected["samples"][0]["scores"], strict=True)), abs=1e-4)
    easydl = httpx.post(
        f"{address}/birds/ImageClassification",
        params={"access_token": "first-secret"},
        content=json.dumps({"image": base64.b64encode(picture).decode(), "top_num": 1}),
    ).json()
    assert easydl["results"][0]["name"] == max(given, key=given.__getitem__)


def test_bundle_names_the_model_as_the_platform_does(tmp_path: Path, artefact_dir: Path) -> None:
    report = build("onprem_server", artefact_dir, tmp_path, {}, model="art_0123")
    with tarfile.open(tmp_path / report.file) as tar:
        settings = json.load(tar.extractfile("model-server/server/settings.json"))
    assert (settings["model"], settings["artefact"]) == ("art_0123", "job_test")


def test_container_asks_for_its_health_without_curl(bundle: Path, free_port: int, tmp_path: Path) -> None:
    dockerfile = (bundle / "Dockerfile").read_text()
    assert '["python", "-m", "server.health"]' in dockerfile
    environment = {
        **os.environ,
        "MODEL_SERVER_PORT": str(free_port),
        "MODEL_SERVER_METRICS_TOKEN": "of-the-collector",
        "VENV": str(VENV),
    }
    ask = [
        sys.executable,
        "-I",
        "-c",
        "import runpy, sys; sys.path.insert(0, '.'); runpy.run_module('server.health', run_name='__main__')",
    ]

    def is_healthy() -> bool:
        return subprocess.run(ask, cwd=bundle, env=environment, stderr=subprocess.DEVNULL, check=False).returncode == 0

    assert not is_healthy()
    process = subprocess.Popen([str(bundle / "start")], env=environment)
    try:
        wait_for(is_healthy, "the container's health")
        seen = [
            httpx.get(f"http://127.0.0.1:{free_port}/metrics", headers={"Via": "1.1 proxy", "Authorization": f"Bearer {shown}"})
            for shown in ("of-the-collector", "of-somebody-else")
        ]
        assert [answer.status_code for answer in seen] == [200, 401]
    finally:
        process.terminate()
        assert process.wait(30) == 0
    wrong = subprocess.run(
        [str(bundle / "start")], env=environment | {"MODEL_SERVER_KEEP_INPUTS": "some"}, capture_output=True, check=False
    )
    assert b"MODEL_SERVER_KEEP_INPUTS must be one of none, uncertain, all" in wrong.stderr


def test_page_is_self_contained(address: str) -> None:
    response = httpx.get(f"{address}/")
    assert response.headers["content-type"].startswith("text/html")
    assert "/v1/deployments/birds/predict" in response.text
    for foreign in ("http://", "https://", "src=", "@import"):
        assert foreign not in response.text.replace("src =", "")


def test_bundle_checks_itself(bundle: Path) -> None:
    process = start(bundle, "--selftest", stdout=subprocess.PIPE)
    shown = json.loads(process.communicate()[0])
    assert process.returncode == 0
    assert shown["is_passed"]
    assert shown["num_samples"] == 3


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_bundle_notices_what_happened_to_it_on_the_way(bundle: Path, fault: Callable[[Path], None]) -> None:
    artefact = bundle / "artefact"
    before = {path: path.read_bytes() for path in artefact.rglob("*") if path.is_file()}
    try:
        fault(artefact)
        process = start(bundle, "--selftest", stdout=subprocess.PIPE)
        assert json.loads(process.communicate()[0])["code"] == "artefact_damaged"
        assert process.returncode == 2
        reseal(artefact)
        process = start(bundle, "--selftest", stdout=subprocess.PIPE)
        shown = json.loads(process.communicate()[0])
        assert process.returncode == 1
        assert not shown["is_passed"]
        assert shown["max_difference"] > shown["tolerance"]
    finally:
        for path, content in before.items():
            path.write_bytes(content)


def test_easydl_address_can_be_left_out(tmp_path: Path, artefact_dir: Path) -> None:
    report = build("onprem_server", artefact_dir, tmp_path, {"easydl_path": False})
    with tarfile.open(tmp_path / report.file) as tar:
        settings = tar.extractfile("model-server/server/settings.json")
        assert settings is not None
        assert json.load(settings)["easydl_path"] is None


def sdk(package_dir: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(package_dir), "PYTHONUTF8": "1"}
    return subprocess.run(
        [sys.executable, "-B", *arguments], env=environment, cwd=package_dir, capture_output=True, text=True, check=False
    )


def test_installed_package_predicts_from_all_it_promises(package_dir: Path, artefact_dir: Path) -> None:
    code = """
import json, pathlib, sys
import numpy as np
from PIL import Image
from birds import Model
path = sys.argv[1]
model = Model()
forms = [path, pathlib.Path(path), pathlib.Path(path).read_bytes(), Image.open(path), np.asarray(Image.open(path))]
print(json.dumps([model.predict(form, top=3) for form in forms]))
for wrong in [(np.zeros((4, 4), np.uint8), {}), (path, {"top": 0}), (path, {"threshold": 2})]:
    try:
        model.predict(wrong[0], **wrong[1])
    except ValueError as error:
        print(error)
"""
    sample = artefact_dir / "samples/1.png"
    done = sdk(package_dir, "-c", code, str(sample))
    assert done.returncode == 0, done.stderr
    answers, *errors = done.stdout.splitlines()
    first, *others = json.loads(answers)
    assert {a["label"] for a in first} == set(LABELS)
    assert others == [first] * 4
    assert len(errors) == 3


def test_package_has_a_command_line(package_dir: Path, tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(picture_bytes(1, "JPEG"))
    (tmp_path / "broken.jpg").write_bytes(b"x")
    done = sdk(package_dir, "-m", "birds", str(tmp_path / "a.jpg"), str(tmp_path / "broken.jpg"), "--top", "1")
    assert done.returncode == 1
    (line,) = done.stdout.splitlines()
    assert len(json.loads(line)["annotations"]) == 1
    assert "broken.jpg" in done.stderr


def test_package_checks_itself(package_dir: Path, tmp_path: Path) -> None:
    assert sdk(package_dir, "-m", "birds", "--selftest").returncode == 0
    copy = tmp_path / "site"
    shutil.copytree(package_dir, copy)
    flip_weight(copy / "birds" / "artefact")
    assert sdk(copy, "-m", "birds", "--selftest").returncode == 2
    reseal(copy / "birds" / "artefact")
    assert sdk(copy, "-m", "birds", "--selftest").returncode == 1


def test_wheel_says_what_it_needs(package_dir: Path) -> None:
    (wheel,) = package_dir.parent.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        metadata = archive.read("birds-2.3.4.dist-info/METADATA").decode()
    needed = [Requirement(line.partition(": ")[2]) for line in metadata.splitlines() if line.startswith("Requires-Dist")]
    assert {each.name for each in needed} == {"numpy", "onnxruntime", "pillow"}
    assert all(each.specifier.contains(version(each.name)) for each in needed)
    # An environment of two years ago takes the model in without an upgrade.
    assert all(each.specifier.contains(OLD[each.name]) for each in needed)
    assert "torch" not in metadata


def test_wheel_of_boxes_says_that_it_answers_with_boxes(boxes_dir: Path, tmp_path: Path) -> None:
    report = build("python_sdk", boxes_dir, tmp_path, {"package": "things"})
    with zipfile.ZipFile(tmp_path / report.file) as archive:
        metadata = archive.read("things-1.0.0.dist-info/METADATA").decode()
    assert '"kind": "box"' in metadata
    assert '"kind": "class"' not in metadata


@pytest.mark.parametrize("name", ["numpy", "json", "class", "onnxruntime", "pillow"])
def test_package_name_that_is_taken_is_refused(name: str, tmp_path: Path, artefact_dir: Path) -> None:
    with pytest.raises(OptionInvalidError, match=name):
        build("python_sdk", artefact_dir, tmp_path, {"package": name})
