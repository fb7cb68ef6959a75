"""The quick starts of a shelf check: photographs whose boxes are where the packs are, and packs in a folder a product."""

from __future__ import annotations

import io
import json
import zipfile

import numpy as np
from PIL import Image

from engine.tasks.image_similarity.quickstarts import packs as packs_quickstart
from engine.tasks.object_detection.quickstarts import shelf
from engine.tasks.shared.coco_zip import ANNOTATIONS_FILE
from engine.tasks.shared.packs import KNOWN, NEW, PRODUCTS
from engine.tasks.shared.shelf_scenes import shelf_photo


def test_photographs_have_a_box_around_each_pack_and_the_same_code_gives_the_same_zip(tmp_path):
    for name in ("one.zip", "two.zip"):
        shelf.write_zip(tmp_path / name, tmp_path, names={"pack": "商品"}, num_photos=2)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        document = json.loads(archive.read(ANNOTATIONS_FILE))
        picture = Image.open(io.BytesIO(archive.read(document["images"][0]["file_name"])))
    assert picture.size == (960, 720)
    assert [each["name"] for each in document["categories"]] == ["商品"]
    for entry in document["annotations"]:
        x, y, width, height = entry["bbox"]
        assert x >= 0
        assert y >= 0
        assert x + width <= 960
        assert y + height <= 720
        assert min(width, height) > 20


def test_boxes_hold_what_was_drawn_there():
    photo = shelf_photo(np.random.default_rng(3), ["cola_zero"])
    dark_HW = photo.picture_HWC.max(axis=2) < 60
    inside_HW = np.zeros_like(dark_HW)
    for pack in photo.packs:
        inside_HW[round(pack.top) : round(pack.top + pack.height), round(pack.left) : round(pack.left + pack.width)] = True
    assert dark_HW[inside_HW].mean() > 0.4
    assert dark_HW[~inside_HW].mean() < 0.02


def test_packs_lie_in_folders_of_the_products_that_are_not_new(tmp_path):
    packs_quickstart.write_zip(tmp_path / "packs.zip", tmp_path, names={"cola": "可乐"}, pictures_per_product=2)
    with zipfile.ZipFile(tmp_path / "packs.zip") as archive:
        folders = {name.partition("/")[0] for name in archive.namelist()}
        assert len(archive.namelist()) == 2 * len(KNOWN)
    assert folders == {*KNOWN, "可乐"} - {"cola"}
    assert set(NEW) < set(PRODUCTS)
