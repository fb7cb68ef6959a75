"""The commands that the platform runs, over a store that is filled already: no network."""

import json
import subprocess
import sys

import pytest

from engine.assets.card import read_card


@pytest.fixture
def store(tmp_path):
    for name, file in (
        ("efficientnet_lite0", "weights.safetensors"),
        ("efficientnet_lite1", "weights.safetensors"),
        ("efficientnet_lite2", "weights.safetensors"),
        ("minilm_l6", "weights.safetensors"),
        ("minilm_l6_tokenizer", "tokenizer.json"),
        ("multilingual_e5_small", "weights.safetensors"),
        ("multilingual_e5_small_tokenizer", "tokenizer.json"),
        ("pp_ocr_v6_small_detector", "weights.safetensors"),
        ("pp_ocr_v6_small_recogniser", "weights.safetensors"),
        ("yolov3_tiny", "weights.safetensors"),
        ("tuxpaint_stamps", "pictures.zip"),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / file).touch()
        read_card(name).write(tmp_path / name / "card.json")
    return tmp_path


def _run(*arguments, module="engine.assets"):
    return subprocess.run([sys.executable, "-m", module, *arguments], capture_output=True, text=True, check=False)


def test_quickstart_writes_a_zip_and_says_where_its_labels_are(store, tmp_path):
    (store / "tuxpaint_stamps" / "pictures.zip").write_bytes(b"the pictures")
    out = tmp_path / "out.zip"
    where = ("--assets-dir", str(store), "--out", str(out))
    answer = _run("image_classification", *where, module="engine.tasks.shared.quickstart")
    assert answer.returncode == 0, answer.stderr
    assert json.loads(answer.stdout.splitlines()[-1]) == {"fraction": 1.0, "message": "ready", "labels": "folder"}
    assert out.read_bytes() == b"the pictures"


def test_fetch_brings_all_weights_by_default(store):
    answer = _run("fetch", "--assets-dir", str(store))
    assert answer.returncode == 0, answer.stderr
    assert [line.split(":")[0] for line in answer.stdout.splitlines()] == [
        "efficientnet_lite0",
        "efficientnet_lite1",
        "efficientnet_lite2",
        "minilm_l6",
        "multilingual_e5_small",
        "pp_ocr_v6_small_detector",
        "pp_ocr_v6_small_recogniser",
        "yolov3_tiny",
    ]


def test_unknown_name_ends_badly_with_a_reason(store):
    answer = _run("fetch", "--assets-dir", str(store), "nonsense")
    assert answer.returncode == 1
    assert "no asset 'nonsense'" in answer.stderr


def test_a_filled_store_is_read_without_torch(store):
    """Every start of the platform asks for all weights: it must not pay for an import of seconds."""
    code = (
        "import sys; from engine.assets.__main__ import main; sys.argv = ['assets', 'fetch', '--assets-dir', sys.argv[1]]; "
        "status = main(); print('torch' in sys.modules); sys.exit(status)"
    )
    answer = subprocess.run([sys.executable, "-c", code, str(store)], capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.splitlines()[-1] == "False"
