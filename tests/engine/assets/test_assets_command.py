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
        ("efficientnet_lite2", "weights.safetensors"),
        ("tuxpaint_stamps", "pictures.zip"),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / file).touch()
        read_card(name).write(tmp_path / name / "card.json")
    return tmp_path


def _run(*arguments):
    return subprocess.run([sys.executable, "-m", "engine.assets", *arguments], capture_output=True, text=True, check=False)


def test_quickstart_ends_with_the_pictures(store):
    answer = _run("quickstart", "--assets-dir", str(store))
    assert answer.returncode == 0, answer.stderr
    last = json.loads(answer.stdout.splitlines()[-1])
    assert last == {"fraction": 1.0, "message": "ready", "pictures": str(store / "tuxpaint_stamps" / "pictures.zip")}


def test_fetch_brings_all_weights_by_default(store):
    answer = _run("fetch", "--assets-dir", str(store))
    assert answer.returncode == 0, answer.stderr
    assert [line.split(":")[0] for line in answer.stdout.splitlines()] == ["efficientnet_lite0", "efficientnet_lite2"]


def test_unknown_name_ends_badly_with_a_reason(store):
    answer = _run("fetch", "--assets-dir", str(store), "nonsense")
    assert answer.returncode == 1
    assert "no asset 'nonsense'" in answer.stderr
