"""Areas that do not count: in every format that has masks, and as foreign sets mark them."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from automl.contracts.annotation import IGNORED_LABEL, Mask
from automl.contracts.dataset import ItemRecord, Label, LabelSet, MediaFacts, Split
from labeling.formats import mask_png
from runtime.run_lengths import counts_of, pixels_of, runs_unpack
from studio.datasets.files.formats import format_load, format_names, written_labels
from tests.labeling.formats.material import Version, read, write

LABELS = LabelSet(labels=(Label(name="cat", color="#ff0000"), Label(name="dog", color="#00ff00")))
PARTS = {"cat": (slice(0, 3), slice(0, 4)), IGNORED_LABEL: (slice(3, 5), slice(0, 6))}


def _mask(label: str) -> Mask:
    is_inside_HW = np.zeros((5, 6), dtype=np.uint8)
    is_inside_HW[PARTS[label]] = 1
    return Mask(label=label, width=6, height=5, counts=counts_of(is_inside_HW))


def _png(values_HW: np.ndarray, mode: str = "L") -> bytes:
    out = io.BytesIO()
    Image.fromarray(values_HW.astype(np.uint8), mode=mode).save(out, "PNG")
    return out.getvalue()


FORMS = [name for name in format_names(is_written=True) if "mask" in format_load(name).KINDS]


@pytest.mark.parametrize("name", FORMS)
def test_ignored_areas_come_back(name):
    form, digest = format_load(name), "0" * 64
    media = MediaFacts(width=6, height=5, format="png", size_bytes=9)
    shapes = tuple(map(_mask, PARTS))
    facts = {"item": f"itm_{0:026d}", "name": "a.png", "blob": digest, "split": Split.TRAIN, "group": digest}
    record = ItemRecord(media=media, annotations=shapes, provenance="test", **facts)
    labels = written_labels(form, LABELS, has_ignored=True)
    reading, _ = read(form, write(form, Version(labels, [record], {digest: _png(np.zeros((5, 6)))})))
    (found,) = reading.annotations.values()
    assert {(one.label, one.counts) for one in found} == {(one.label, one.counts) for one in shapes}


@pytest.mark.parametrize(
    ("place", "values", "expected"),
    [
        ("SegmentationClass/a.png", [0, 1, 255], {"1", IGNORED_LABEL}),
        ("gtFine/train/ulm/a_gtFine_labelIds.png", [7, 26, 3, 14], {"road", "car", IGNORED_LABEL}),
        ("gtFine/train/ulm/a_gtFine_labelTrainIds.png", [0, 13, 255], {"road", "car", IGNORED_LABEL}),
    ],
)
def test_foreign_masks_say_what_does_not_count(place, values, expected):
    picture = "leftImg8bit/train/ulm/a_leftImg8bit.png" if "gtFine" in place else "JPEGImages/a.jpg"
    beside = {"gtFine/train/ulm/a_gtFine_instanceIds.png": _png(np.full((2, 2), 9))} if "gtFine" in place else {}
    reading = mask_png.read([picture], {place: _png(np.array([values])), **beside})
    assert not reading.complaints
    (found,) = reading.annotations.values()
    assert {one.label for one in found} == expected
    ignored = next(one for one in found if one.label == IGNORED_LABEL)
    shown = pixels_of(runs_unpack(ignored.counts), width=len(values), height=1)[0].tolist()
    assert shown == [int(value in {3, 14, 255}) for value in values]
