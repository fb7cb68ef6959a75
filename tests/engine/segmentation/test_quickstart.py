"""The examples of pixels: the same each time, and read by the platform without a complaint."""

from __future__ import annotations

import io
import zipfile

import numpy as np
import pytest
from PIL import Image

from automl.contracts.annotation import Mask
from automl.contracts.dataset import Split
from engine.tasks.semantic_segmentation import parcel_scenes, quickstart
from engine.tasks.semantic_segmentation.quickstarts import cutouts, parcels, portraits
from engine.tasks.shared.coco_zip import ANNOTATIONS_FILE
from labeling.formats import coco
from runtime.run_lengths import pixels_of, runs_unpack


def test_examples_are_read_as_masks_of_what_is_seen(tmp_path):
    fractions: list[float] = []
    quickstart.write_zip(tmp_path / "one.zip", tmp_path, fractions.append, num_pictures=11)
    quickstart.write_zip(tmp_path / "two.zip", tmp_path, num_pictures=11)
    content = (tmp_path / "one.zip").read_bytes()
    assert content == (tmp_path / "two.zip").read_bytes()
    assert (fractions[-1], fractions) == (1.0, sorted(fractions))
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = archive.namelist()
        reading = coco.read(names, {ANNOTATIONS_FILE: archive.read(ANNOTATIONS_FILE)})
        pictures = {name: np.asarray(Image.open(io.BytesIO(archive.read(name)))) for name in reading.annotations}
    assert not reading.complaints
    assert len(pictures) == 11
    assert [name for name, shapes in reading.annotations.items() if not shapes] == ["pictures/0009.jpg"]
    for name, shapes in reading.annotations.items():
        for shape in shapes:
            assert isinstance(shape, Mask)
            is_inside_HW = pixels_of(runs_unpack(shape.counts), width=shape.width, height=shape.height) != 0
            assert is_inside_HW.shape == pictures[name].shape[:2]
            if shape.label == "hole":
                assert pictures[name][is_inside_HW].mean() < 60, "a hole is dark"


@pytest.mark.parametrize(
    ("module", "num_test"), [(parcels, 0), (cutouts, 1), (portraits, 1)], ids=["parcels", "cutouts", "portraits"]
)
def test_other_examples_mark_what_they_name(module, num_test, tmp_path, scene_store):
    names = {label: title.in_language("zh") for label, title in module.LABEL_NAMES.items()}
    module.write_zip(tmp_path / "some.zip", scene_store, names=names, num_pictures=5)
    with zipfile.ZipFile(tmp_path / "some.zip") as archive:
        reading = coco.read(archive.namelist(), {ANNOTATIONS_FILE: archive.read(ANNOTATIONS_FILE)})
    assert not reading.complaints
    assert len(reading.annotations) == 5
    assert list(reading.splits.values()).count(Split.TEST) == num_test
    shapes = [shape for each in reading.annotations.values() for shape in each]
    assert {shape.label for shape in shapes} <= set(names.values())
    assert all(0.0 < pixels_of(runs_unpack(shape.counts), width=480, height=360).mean() < 0.9 for shape in shapes)


def test_water_is_darker_than_fields():
    """Labels lie where the surfaces are."""
    generator = np.random.default_rng(0)
    levels = {"water": [], "farmland": []}
    for _ in range(4):
        drawn = parcel_scenes.scene(generator, width_px=240, height_px=180)
        for shape in drawn.shapes:
            is_inside_HW = pixels_of(runs_unpack(shape.counts), width=240, height=180) != 0
            levels.get(shape.label, []).append(drawn.picture_HWC[is_inside_HW].mean())
    assert max(levels["water"]) < min(levels["farmland"])
