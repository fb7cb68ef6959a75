"""The examples of pixels: the same each time, and read by the platform without a complaint."""

from __future__ import annotations

import io
import zipfile

import numpy as np
from PIL import Image

from automl.contracts.annotation import Mask
from engine.tasks.semantic_segmentation import quickstart
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
        reading = coco.read(names, {quickstart.ANNOTATIONS_FILE: archive.read(quickstart.ANNOTATIONS_FILE)})
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
