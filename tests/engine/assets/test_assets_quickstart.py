import gzip
import io
import zipfile
from collections import Counter

import numpy as np
import pytest
from PIL import Image

from engine.assets import keep, quickstart
from engine.assets.card import read_card
from engine.assets.fetch import AssetMissingError
from engine.assets.quickstart import pictures, quickstart_pictures
from engine.tasks.image_classification import quickstart as image_classification
from engine.tasks.image_classification.quickstarts import parts


def _stamps(folder):
    """Two cut-outs a label, one of them in a folder below and one of them large."""
    for place in quickstart._STAMP_FOLDERS.values():
        (folder / place / "cartoon").mkdir(parents=True)
        Image.new("RGBA", (30, 20), (255, 0, 0, 128)).save(folder / place / "half.png")
        Image.new("LA", (1200, 600), (0, 0)).save(folder / place / "cartoon" / "clear.png")
    return folder


def _digits(path):
    rows = [",".join([str(digit * 20)] * 784 + [str(digit)]) for digit in range(10) for _ in range(60)]
    path.write_bytes(gzip.compress("\n".join(rows).encode()))
    return path


@pytest.fixture
def sources(tmp_path, monkeypatch):
    """What the registries would bring; take an entry out to lose that registry."""
    found = {"debian": _stamps(tmp_path / "stamps"), "pypi": _digits(tmp_path / "digits.csv.gz")}

    def bring(card, scratch_dir, on_progress):
        if card.registry not in found:
            raise AssetMissingError("no such registry here")
        return found[card.registry]

    monkeypatch.setattr(keep, "fetch_source", bring)
    return found


def test_stamps_lie_on_white_below_their_label(sources, tmp_path):
    with zipfile.ZipFile(quickstart_pictures(tmp_path / "store")) as archive:
        names = archive.namelist()
        assert Counter(name.split("/")[0] for name in names) == dict.fromkeys(quickstart._STAMP_FOLDERS, 2)
        with Image.open(io.BytesIO(archive.read("bird/half.jpg"))) as half:
            assert np.allclose(half.getpixel((5, 5)), (255, 127, 127), atol=3)
        with Image.open(io.BytesIO(archive.read("bird/cartoon-clear.jpg"))) as clear:
            assert clear.size == (512, 256)
            assert np.asarray(clear).min() >= 254


def test_digits_stand_in_where_stamps_cannot_be_had(sources, tmp_path):
    del sources["debian"]
    with zipfile.ZipFile(quickstart_pictures(tmp_path / "store")) as archive:
        names = archive.namelist()
        assert Counter(name.split("/")[0] for name in names) == {str(digit): 50 for digit in range(10)}
        with Image.open(io.BytesIO(archive.read("3/3-001.png"))) as digit:
            assert digit.size == (28, 28)
            assert digit.getpixel((0, 0)) == 60


def test_folders_are_named_in_the_language_asked_for(sources, tmp_path):
    names = {label: title.in_language("zh") for label, title in image_classification.LABEL_NAMES.items()}
    image_classification.write_zip(tmp_path / "zh.zip", tmp_path / "store", names=names)
    with zipfile.ZipFile(quickstart_pictures(tmp_path / "store")) as english, zipfile.ZipFile(tmp_path / "zh.zip") as chinese:
        assert {name.split("/")[0] for name in chinese.namelist()} == set(names.values())
        assert chinese.read("路标/half.jpg") == english.read("road sign/half.jpg")


def test_parts_differ_from_photo_to_photo_and_lie_in_folders(tmp_path):
    names = {label: title.in_language("zh") for label, title in parts.LABEL_NAMES.items()}
    for name in ("one.zip", "two.zip"):
        parts.write_zip(tmp_path / name, tmp_path, names=names, pictures_per_label=2)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        assert Counter(name.split("/")[0] for name in archive.namelist()) == dict.fromkeys(names.values(), 2)
        assert len({archive.read(name) for name in archive.namelist()}) == 2 * len(names)


def test_neither_registry_is_a_missing_asset(sources, tmp_path):
    sources.clear()
    with pytest.raises(AssetMissingError):
        quickstart_pictures(tmp_path / "store")


def test_same_pictures_make_the_same_zip(sources, tmp_path):
    first = quickstart_pictures(tmp_path / "one").read_bytes()
    assert quickstart_pictures(tmp_path / "two").read_bytes() == first


def test_card_of_weights_holds_no_pictures(sources, tmp_path):
    assert read_card("efficientnet_lite0").converter == "torch_weights"
    with pytest.raises(ValueError, match="holds no pictures"):
        pictures("efficientnet_lite0", tmp_path / "store")
