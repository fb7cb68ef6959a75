"""What other people's programs write is read right, and they read what we write."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path

import numpy as np
import pytest
from pycocotools import mask as coco_mask
from pycocotools.coco import COCO

from automl.contracts.annotation import Box, ClassLabel, Keypoint, Keypoints, Mask, Polygon
from automl.contracts.dataset import ItemRecord, Label, LabelSet, MediaFacts, Skeleton, SkeletonEdge, Split
from labeling.formats import coco, csv_labels, cvat, label_studio, labelme, mask_png, voc, yolo
from labeling.formats._brush import brush_pack, brush_unpack
from labeling.geometry import bounds_of, mask_pixels, polygon_pixels
from runtime.run_lengths import counts_of, pixels_of, runs_bounds, runs_of, runs_pack, runs_unpack
from studio.datasets.files.formats import format_detect

CASES = Path(__file__).parent / "cases"
"""Files made by the peers' own packages; ``make_cases.py`` there makes them again."""


@pytest.mark.parametrize("seed", range(20))
def test_run_lengths_are_those_of_pycocotools(seed):
    chance = np.random.default_rng(seed)
    height, width = chance.integers(1, 60, size=2)
    pixels = (chance.random((height, width)) < chance.random()).astype(np.uint8)
    theirs = coco_mask.encode(np.asfortranarray(pixels))
    assert counts_of(pixels) == theirs["counts"].decode()
    assert runs_unpack(theirs["counts"].decode()) == runs_of(pixels)
    assert (pixels_of(runs_of(pixels), width=width, height=height) == coco_mask.decode(theirs)).all()
    assert (runs_bounds(counts_of(pixels), height=int(height)) or (0, 0, 0, 0)) == bounds_of(pixels)
    if pixels.any():
        assert runs_bounds(counts_of(pixels), height=int(height)) == tuple(coco_mask.toBbox(theirs))


def test_long_runs_are_packed_as_by_pycocotools():
    runs = [5_000_000, 1, 3_999_999, 70_000, 12, 1_000_000]
    theirs = coco_mask.frPyObjects({"size": [1, sum(runs)], "counts": runs}, 1, sum(runs))
    assert runs_pack(runs) == theirs["counts"].decode()


SKELETON = Skeleton(points=("nose", "tail"), edges=(SkeletonEdge(start="nose", end="tail"),))
LABELS = LabelSet(labels=(Label(name="cat", color="#ff0000", skeleton=SKELETON), Label(name="dog", color="#00ff00")))
HOLE = ((4.0, 4.0), (8.0, 4.0), (8.0, 8.0), (4.0, 8.0))
RING = ((2.0, 2.0), (12.0, 2.0), (12.0, 12.0), (2.0, 12.0))


def record() -> ItemRecord:
    pixels = np.zeros((20, 30), dtype=np.uint8)
    pixels[3:9, 5:22] = 1
    return ItemRecord(
        item="itm_" + "0" * 26,
        name="a.png",
        blob="0" * 64,
        media=MediaFacts(width=30, height=20, format="png", size_bytes=1),
        split=Split.TRAIN,
        group="g",
        provenance="person:usr_x",
        annotations=(
            Box(label="dog", x=1, y=2, width=3, height=4, score=0.5),
            Mask(label="dog", width=30, height=20, counts=counts_of(pixels)),
            Polygon(label="cat", points=RING, holes=(HOLE,)),
            Polygon(label="cat", points=RING, id="two"),
            Polygon(label="cat", points=tuple((x + 15, y) for x, y in RING), id="two"),
            Keypoints(label="cat", points=(Keypoint(name="nose", x=1, y=2), Keypoint(name="tail", x=3, y=4, visibility=1))),
        ),
    )


def test_pycocotools_loads_our_coco_with_the_same_masks(tmp_path):
    one = record()
    files = {file.path: file for file in coco.write([one], labels=LABELS, blob=lambda _: b"")}
    path = tmp_path / "instances_train.json"
    path.write_bytes(b"".join(files["annotations/instances_train.json"].chunks))
    with contextlib.redirect_stdout(io.StringIO()):
        theirs = COCO(str(path))
    box, mask, holed, parts, points = theirs.loadAnns(theirs.getAnnIds())
    assert (box["bbox"], box["score"]) == ([1, 2, 3, 4], 0.5)
    assert (theirs.annToMask(mask) == mask_pixels(one.annotations[1])).all()
    assert (theirs.annToMask(holed) == polygon_pixels([one.annotations[2]], width=30, height=20)).all()
    assert theirs.annToMask(holed)[6, 6] == 0
    assert theirs.annToMask(parts).sum() == 2 * coco_mask.area(coco_mask.frPyObjects([sum(RING, ())], 20, 30))[0]
    assert (points["keypoints"], points["num_keypoints"]) == ([1, 2, 2, 3, 4, 1], 2)
    cat = theirs.loadCats(1)[0]
    assert (cat["name"], cat["keypoints"], cat["skeleton"]) == ("cat", ["nose", "tail"], [[1, 2]])


def case(folder: str) -> tuple[list[str], dict[str, bytes]]:
    root = CASES / folder
    files = {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}
    return list(files), {name: data for name, data in files.items() if not name.endswith(".png")}


def read_case(form, name: str, folder: str):
    names, label_files = case(folder)
    assert format_detect(names, label_files) == name
    own = {path: data for path, data in label_files.items() if form.is_label_file(path)}
    assert own.keys() == label_files.keys()
    reading = form.read([path for path in names if path not in own], own)
    assert reading.complaints == []
    by_base = {Path(path).stem: annotations for path, annotations in reading.annotations.items()}
    return by_base, {Path(path).stem: split for path, split in reading.splits.items()}, reading


BOTH = {"one": Split.TRAIN, "two": Split.VALIDATION}


def test_coco_of_datumaro():
    annotations, splits, reading = read_case(coco, "coco", "coco")
    box, polygon, mask = annotations["one"]
    assert (box.label, box.x, box.width, box.attributes[0].name) == ("dog", 2, 10, "occluded")
    assert (polygon.label, polygon.points) == ("cat", ((1, 1), (9, 1), (9, 9)))
    assert mask_pixels(mask).sum() == 76
    assert (annotations["two"], splits, list(reading.labels)) == ((), BOTH, ["cat", "dog"])


def test_coco_keypoints_of_datumaro():
    annotations, splits, reading = read_case(coco, "coco", "coco_keypoints")
    (points,) = annotations["one"]
    assert [(one.name, one.x, one.y, one.visibility) for one in points.points] == [("nose", 1, 2, 2), ("tail", 3, 4, 1)]
    assert reading.labels["cat"].skeleton == SKELETON
    assert splits == BOTH


def test_voc_of_datumaro():
    annotations, splits, _ = read_case(voc, "voc", "voc")
    (box,) = annotations["one"]
    assert (box.label, box.x, box.y, box.width, box.height) == ("dog", 2, 3, 10, 5)
    assert [one.name for one in box.attributes] == ["occluded"]
    assert "two" not in annotations  # it has no file of its own: nobody says that it was looked at
    assert splits == BOTH


def test_yolo_of_datumaro():
    annotations, splits, reading = read_case(yolo, "yolo", "yolo")
    (box,) = annotations["one"]
    assert (box.label, reading.is_relative) == ("dog", True)
    assert [box.x * 30, box.y * 20, box.width * 30, box.height * 20] == pytest.approx([2, 3, 10, 5], abs=1e-3)
    assert (annotations["two"], splits) == ((), BOTH)


def test_datumaro_takes_every_line_of_our_yolo_as_numbers():
    """It passes over a file whose first line has a field with other characters than digits and points, such as ``1e-05``."""
    thin = Box(label="cat", x=0, y=0, width=0.0002, height=4)
    outline = Polygon(label="cat", points=((0.0002, 0.0001), (9, 1), (9, 9)))
    one = record().model_copy(update={"annotations": (thin, outline)})
    files = {file.path: file for file in yolo.write([one], labels=LABELS, blob=lambda _: b"")}
    lines = files["labels/train/a.txt"].data.decode().splitlines()
    assert all(field.replace(".", "").isdigit() for line in lines for field in line.split(" "))
    assert [float(field) for field in lines[0].split(" ")] == pytest.approx([0, 0.0001 / 30, 0.1, 0.0002 / 30, 0.2], abs=1e-12)
    assert float(lines[1].split(" ")[1]) == pytest.approx(0.0002 / 30, abs=1e-12)


def test_cvat_of_datumaro():
    annotations, splits, _ = read_case(cvat, "cvat", "cvat")
    box, polygon, tag = annotations["one"]
    assert (box.label, box.x, box.y, box.width, box.height) == ("dog", 2, 3, 10, 5)
    assert (polygon.points, tag) == (((1, 1), (9, 1), (9, 9)), ClassLabel(label="cat"))
    assert (annotations["two"], splits) == ((), BOTH)


def test_brush_of_label_studio():
    theirs = json.loads((CASES / "brush.json").read_text())
    pixels = brush_unpack(theirs, width=30, height=20)
    assert pixels.sum() == 76
    assert pixels[5, 4] == 1
    assert pixels[14, 19] == 1
    assert (brush_unpack(brush_pack(pixels), width=30, height=20) == pixels).all()


def test_a_task_as_label_studio_exports_it():
    size = {"original_width": 200, "original_height": 100, "image_rotation": 0}
    place = {"x": 10, "y": 20, "width": 30, "height": 40, "rotation": 0}
    region = {"id": "Ab1", "from_name": "label", "to_name": "image", "origin": "manual"}
    results = [
        region | size | {"type": "rectanglelabels", "value": place | {"rectanglelabels": ["Car"]}},
        region | size | {"from_name": "colour", "type": "choices", "value": place | {"choices": ["red"]}},
        {"from_name": "weather", "to_name": "image", "type": "choices", "value": {"choices": ["rain"]}},
    ]
    task = {
        "id": 7,
        "data": {"image": "/data/upload/1/0a1b2c3d-street.jpg"},
        "annotations": [{"id": 1, "completed_by": 1, "result": results, "was_cancelled": False}],
        "predictions": [],
    }
    skipped = {
        "id": 8,
        "data": {"image": "/data/local-files/?d=pics/b.jpg"},
        "annotations": [{"was_cancelled": True, "result": []}],
    }
    reading = label_studio.read(["street.jpg", "pics/b.jpg"], {"export.json": json.dumps([task, skipped]).encode()})
    assert reading.complaints == []
    box, weather = reading.annotations["street.jpg"]
    assert (box.label, box.x, box.y, box.width, box.height, box.id) == ("Car", 20, 20, 60, 40, "Ab1")
    assert [(one.name, one.value) for one in box.attributes] == [("colour", "red")]
    assert weather == ClassLabel(label="rain")
    assert "pics/b.jpg" not in reading.annotations


@pytest.mark.parametrize("suffix", ["xlsx", "parquet", "tsv"])
def test_tables_of_spreadsheets_and_data_frames(suffix):
    rows = [("image", "class", "subset"), ("a.png", "cat", "train"), ("b.png", None, "test"), ("c.png", "7", "val")]
    reading = csv_labels.read(["a.png", "b.png", "c.png"], {f"t.{suffix}": table(rows, suffix)})
    assert reading.complaints == []
    assert {name: [one.label for one in annotations] for name, annotations in reading.annotations.items()} == {
        "a.png": ["cat"],
        "b.png": [],
        "c.png": ["7"],
    }
    assert reading.splits == {"a.png": Split.TRAIN, "b.png": Split.TEST, "c.png": Split.VALIDATION}


def table(rows: list[tuple[str | None, ...]], suffix: str) -> bytes:
    import openpyxl
    import pyarrow as pa
    import pyarrow.parquet as pq

    if suffix == "tsv":
        return "\n".join("\t".join(cell or "" for cell in row) for row in rows).encode("utf-16")
    out = io.BytesIO()
    if suffix == "xlsx":
        book = openpyxl.Workbook()
        for row in rows:
            book.active.append(row)
        book.save(out)
    else:
        pq.write_table(pa.table({head: [row[at] for row in rows[1:]] for at, head in enumerate(rows[0])}), out)
    return out.getvalue()


def test_columns_of_zeros_and_ones_are_labels():
    data = b"filename,cat,dog\na.png,1,0\nb.png,1,1\nc.png,0,0\n"
    reading = csv_labels.read(["a.png", "b.png", "c.png"], {"_classes.csv": data})
    annotations = {name: [one.label for one in found] for name, found in reading.annotations.items()}
    assert annotations == {"a.png": ["cat"], "b.png": ["cat", "dog"], "c.png": []}


def test_labelme_of_its_own_program():
    found = {
        "version": "5.4.1",
        "flags": {"good": True, "bad": False},
        "shapes": [
            {"label": "cat", "points": [[9.0, 8.0], [1.0, 2.0]], "group_id": None, "shape_type": "rectangle", "flags": {}},
            {
                "label": "cat",
                "points": [[1, 1], [5, 1], [5, 5]],
                "group_id": 3,
                "shape_type": "polygon",
                "flags": {"cut": True},
            },
        ],
        "imagePath": "..\\pics\\a.jpg",
        "imageData": None,
        "imageHeight": 20,
        "imageWidth": 30,
    }
    reading = labelme.read(["pics/a.jpg"], {"json/x.json": json.dumps(found).encode()})
    good, box, polygon = reading.annotations["pics/a.jpg"]
    assert (good.label, box.x, box.y, box.width, box.height) == ("good", 1, 2, 8, 6)
    assert (polygon.id, polygon.attributes[0].name) == ("group-3", "cut")


def test_masks_as_cvat_colours_them():
    from PIL import Image

    picture = Image.new("RGB", (4, 3), (0, 0, 0))
    picture.putpixel((1, 1), (0, 128, 0))
    out = io.BytesIO()
    picture.save(out, "PNG")
    rows = b"# label:color_rgb:parts:actions\nbackground:0,0,0::\ncat:128,0,0::\ndog:0,128,0::\n"
    reading = mask_png.read(["JPEGImages/a.jpg"], {"SegmentationClass/a.png": out.getvalue(), "labelmap.txt": rows})
    (mask,) = reading.annotations["JPEGImages/a.jpg"]
    assert mask.label == "dog"
    assert list(zip(*np.nonzero(mask_pixels(mask)), strict=True)) == [(1, 1)]
