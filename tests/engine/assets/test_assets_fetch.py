"""Fetching by card, against a wheel made here and an index that is a folder: no network."""

import hashlib
import json
import pickle
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from engine.assets import card as cards
from engine.assets import fetch, keep
from engine.assets.card import AssetUnknownError, card_names, read_card
from engine.assets.fetch import AssetChangedError, AssetMissingError
from engine.assets.keep import stored_file
from engine.assets.quickstart import pictures
from engine.assets.store import holds_weights, weights

TENSORS = {"stem.weight": torch.arange(6.0).reshape(2, 3), "head.bias": torch.ones(4)}


def _wheel(folder: Path, payload: bytes) -> None:
    folder.mkdir(exist_ok=True)
    info = "tiny_weights-1.0.dist-info"
    with zipfile.ZipFile(folder / "tiny_weights-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("tiny_weights/net.pth", payload)
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: tiny-weights\nVersion: 1.0\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")


def _torch_file(folder: Path, content: object) -> bytes:
    torch.save(content, folder / "net.pth")
    return (folder / "net.pth").read_bytes()


@pytest.fixture
def registry(tmp_path, monkeypatch):
    """A card ``tiny`` and the only index that pip may ask. Call it with a payload to publish the wheel."""
    cards_dir = tmp_path / "cards"
    cards_dir.mkdir()
    monkeypatch.setattr(keep, "read_card", lambda name: cards.read_card(name, cards_dir))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "index"))

    def publish(payload: bytes | None, promised: bytes | None = None, **changes: object) -> None:
        if payload is not None:
            _wheel(tmp_path / "index", payload)
        promised = promised or payload or b""
        fields = {
            "title": "Tiny",
            "registry": "pypi",
            "package": "tiny-weights",
            "version": "1.0",
            "file": "tiny_weights/net.pth",
            "sha256": hashlib.sha256(promised).hexdigest(),
            "size_bytes": max(1, len(promised)),
            "licence": "Apache-2.0",
            "source": "made by a test",
            "converter": "torch_weights",
        }
        (cards_dir / "tiny.json").write_text(json.dumps(fields | changes))

    return publish


def test_weights_are_kept_as_safetensors_with_their_card(registry, tmp_path):
    registry(_torch_file(tmp_path, TENSORS))
    path = weights("tiny", tmp_path / "store")
    found = load_file(path)
    assert found.keys() == TENSORS.keys()
    assert all(torch.equal(found[name], TENSORS[name]) for name in TENSORS)
    assert json.loads((path.parent / "card.json").read_text())["licence"] == "Apache-2.0"
    assert sorted(entry.name for entry in (tmp_path / "store").iterdir()) == ["tiny", "tiny.lock"], "no scratch is left"


def test_second_time_needs_no_registry(registry, tmp_path, monkeypatch):
    registry(_torch_file(tmp_path, TENSORS))
    first = weights("tiny", tmp_path / "store")
    monkeypatch.setattr(keep, "fetch_source", None)
    assert weights("tiny", tmp_path / "store") == first


def test_many_ask_and_one_fetches(registry, tmp_path, monkeypatch):
    registry(_torch_file(tmp_path, TENSORS))
    calls = []

    def counted(*arguments):
        calls.append(1)
        return fetch.fetch_source(*arguments)

    monkeypatch.setattr(keep, "fetch_source", counted)
    with ThreadPoolExecutor(4) as pool:
        paths = {future.result() for future in [pool.submit(weights, "tiny", tmp_path / "store") for _ in range(4)]}
    assert len(paths) == len(calls) == 1


def test_changed_card_or_file_is_fetched_again(registry, tmp_path):
    registry(_torch_file(tmp_path, TENSORS))
    kept = weights("tiny", tmp_path / "store")
    whole = kept.read_bytes()
    kept.write_bytes(whole[:-1] + b"?")
    assert weights("tiny", tmp_path / "store").read_bytes() == whole
    kept.unlink()
    assert weights("tiny", tmp_path / "store").read_bytes() == whole
    other = _torch_file(tmp_path, {"stem.weight": torch.zeros(1)})
    registry(other)
    assert load_file(weights("tiny", tmp_path / "store")).keys() == {"stem.weight"}


def test_other_bytes_than_promised_are_refused(registry, tmp_path):
    registry(_torch_file(tmp_path, TENSORS), promised=b"something else")
    with pytest.raises(AssetChangedError, match="SHA-256") as caught:
        weights("tiny", tmp_path / "store")
    assert caught.value.code == "asset_changed"
    assert not (tmp_path / "store" / "tiny").exists()


def test_wheel_without_the_file_is_refused(registry, tmp_path):
    registry(b"x", file="tiny_weights/other.pth")
    with pytest.raises(AssetChangedError, match=r"does not hold tiny_weights/other\.pth"):
        weights("tiny", tmp_path / "store")


def test_pickled_code_is_never_run(registry, tmp_path):
    trap = tmp_path / "sprung"

    class Trap:
        def __reduce__(self):
            return (Path.touch, (trap,))

    torch.save({"stem.weight": Trap()}, tmp_path / "net.pth", pickle_module=pickle)
    registry((tmp_path / "net.pth").read_bytes())
    with pytest.raises(AssetChangedError, match="more than tensors"):
        weights("tiny", tmp_path / "store")
    assert not trap.exists()


def test_absent_package_is_a_missing_asset_with_a_hint(registry, tmp_path):
    registry(None)
    with pytest.raises(AssetMissingError, match=r"tiny-weights 1\.0 could not be fetched") as caught:
        weights("tiny", tmp_path / "store")
    assert caught.value.code == "asset_missing"
    assert caught.value.hint


def test_absent_client_is_a_missing_asset(registry, tmp_path, monkeypatch):
    registry(b"x", registry="debian", converter="stamp_pictures")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(AssetMissingError, match="apt-get"):
        pictures("tiny", tmp_path / "store")


def test_failed_conversion_leaves_no_half_asset(registry, tmp_path):
    registry(_torch_file(tmp_path, TENSORS))

    def convert(source, target):
        target.write_bytes(b"half")
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        stored_file("tiny", "weights.safetensors", tmp_path / "store", lambda card: convert)
    assert not (tmp_path / "store" / "tiny").exists()


def test_unknown_card_lists_the_known(tmp_path):
    with pytest.raises(AssetUnknownError, match="efficientnet_lite0"):
        weights("nonsense", tmp_path)


@pytest.mark.parametrize("name", card_names())
def test_every_card_is_whole(name):
    card = read_card(name)
    assert card.licence
    assert (card.preprocessing is not None or card.tokenizer is not None) == holds_weights(card)
