"""Layouts as their makers' documentation shows them, where no package at hand writes them; and uploads of whole archives."""

from __future__ import annotations

import io
import json
import struct

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from pyarrow import feather

from automl.contracts.annotation import Box
from automl.contracts.modality import Modality
from studio.datasets.files.formats import format_detect, format_load, format_names
from studio.datasets.models import Item, Reject
from tests.labeling.formats.test_from_peers import files_of
from tests.support.project_setup import home, ingest, picture, setup_make, zip_of

__all__ = ["home"]


def boxes_of(name: str, files: dict[str, bytes], *pictures: str) -> dict[str, object]:
    """What a format reads, having been recognised."""
    assert format_detect([*files, *pictures], claimed(files, Modality.IMAGE), Modality.IMAGE) == name
    form = format_load(name)
    reading = form.read(list(pictures), {path: data for path, data in files.items() if form.is_label_file(path)})
    assert reading.complaints == []
    boxes = {
        path: [(one.label, one.x, one.y, one.width, one.height) if isinstance(one, Box) else one.label for one in annotations]
        for path, annotations in reading.annotations.items()
    }
    return {"said": boxes, "splits": {path: split.value for path, split in reading.splits.items()}}


def claimed(files: dict[str, bytes], modality: Modality) -> dict[str, bytes]:
    forms = [format_load(name) for name in format_names(modality)]
    return {name: data for name, data in files.items() if any(form.is_label_file(name) for form in forms)}


def test_createml():
    rows = [
        {"image": "a.jpg", "annotations": [{"label": "cat", "coordinates": {"x": 10, "y": 8, "width": 4, "height": 6}}]},
        {"image": "b.jpg", "annotations": []},
    ]
    found = boxes_of("createml", {"train/_annotations.createml.json": json.dumps(rows).encode()}, "train/a.jpg", "train/b.jpg")
    assert found["said"] == {"train/a.jpg": [("cat", 8, 5, 4, 6)], "train/b.jpg": []}
    assert found["splits"] == {"train/a.jpg": "train", "train/b.jpg": "train"}


def test_vertex():
    rows = [
        {
            "imageGcsUri": "gs://bucket/folder/a%20b.jpg",
            "boundingBoxAnnotations": [{"displayName": "cat", "xMin": 0.25, "yMin": "0.5", "xMax": 0.75, "yMax": 1.0}],
            "dataItemResourceLabels": {"aiplatform.googleapis.com/ml_use": "validation"},
        },
        {"imageGcsUri": "gs://bucket/folder/c.jpg", "classificationAnnotation": {"displayName": "dog"}},
        {"imageGcsUri": "gs://bucket/folder/d.jpg"},
    ]
    data = b"\n".join(json.dumps(row).encode() for row in rows)
    found = boxes_of("vertex", {"import.jsonl": data}, "folder/a b.jpg", "folder/c.jpg", "folder/d.jpg")
    assert found["said"] == {"folder/a b.jpg": [("cat", 0.25, 0.5, 0.5, 0.5)], "folder/c.jpg": ["dog"]}
    assert found["splits"] == {"folder/a b.jpg": "validation"}


def test_roboflow_csv_keeps_the_splits_of_its_folders():
    head = b"filename,width,height,class,xmin,ymin,xmax,ymax\n"
    files = {f"{part}/_annotations.csv": head + b"a.jpg,40,30,cat,1,2,5,8\n" for part in ("train", "valid", "test")}
    found = boxes_of("csv_labels", files, "train/a.jpg", "valid/a.jpg", "test/a.jpg")
    assert found["splits"] == {"train/a.jpg": "train", "valid/a.jpg": "validation", "test/a.jpg": "test"}
    assert set(map(tuple, found["said"].values())) == {(("cat", 1, 2, 4, 6),)}


def test_metadata_jsonl_of_objects_and_of_classes_named_by_the_card():
    rows = [
        {"file_name": "a.png", "objects": {"bbox": [[302.0, 109.0, 73.0, 52.0]], "categories": [1]}},
        {"file_name": "sub/b.png", "objects": {"bbox": [], "categories": []}},
        {"file_name": "c.png"},
    ]
    classes = {"name": "categories", "sequence": {"class_label": {"names": {"0": "dog", "1": "cat"}}}}
    objects = {"name": "objects", "struct": [{"name": "bbox", "sequence": {"sequence": "float32"}}, classes]}
    card = f"---\n{yaml.safe_dump({'dataset_info': {'features': [objects]}})}---\n# A set\n"
    files = {"train/metadata.jsonl": b"\n".join(json.dumps(row).encode() for row in rows), "README.md": card.encode()}
    found = boxes_of("hf_metadata", files, "train/a.png", "train/sub/b.png", "train/c.png")
    assert found["said"] == {"train/a.png": [("cat", 302, 109, 73, 52)], "train/sub/b.png": []}
    classes = b'{"file_name": "0001.png", "label": "cat"}\n{"file_name": "0002.png", "label": "dog"}\n'
    found = boxes_of("hf_metadata", {"metadata.jsonl": classes}, "0001.png", "0002.png")
    assert found["said"] == {"0001.png": ["cat"], "0002.png": ["dog"]}


def test_kitti_passes_over_regions_that_nobody_annotated():
    lines = (
        b"Car 0.88 3 -0.69 0.00 192.37 402.31 374.00 1.60 1.57 3.23 -2.70 1.74 3.68 -1.29\n"
        b"DontCare -1 -1 -10 503.89 169.71 590.61 190.13 -1 -1 -1 -1000 -1000 -1000 -10\n"
    )
    found = boxes_of("kitti", {"training/label_2/000001.txt": lines}, "training/image_2/000001.png")
    assert found["said"] == {"training/image_2/000001.png": [("Car", 0, 192.37, 402.31, pytest.approx(181.63))]}


def test_open_images_of_the_set_itself():
    boxes = b"ImageID,Source,LabelName,Confidence,XMin,XMax,YMin,YMax,IsOccluded\n00a,xclick,/m/01g317,1,0.25,0.75,0.5,1,1\n"
    labels = b"ImageID,Source,LabelName,Confidence\n00b,verification,/m/01g317,0\n"
    files = {
        "train-annotations-bbox.csv": boxes,
        "validation-annotations-human-imagelabels.csv": labels,
        "class-descriptions-boxable.csv": b"/m/01g317,Person\n",
    }
    found = boxes_of("open_images", files, "train/00a.jpg", "validation/00b.jpg")
    assert found["said"] == {"train/00a.jpg": [("Person", 0.25, 0.5, 0.5, 0.5)], "validation/00b.jpg": []}


def test_open_images_takes_of_two_pictures_of_a_name_that_of_the_split():
    boxes = b"ImageID,Source,LabelName,Confidence,XMin,XMax,YMin,YMax\n%s,,cat,1,0.25,0.75,0.5,1\n"
    files = {
        "annotations/train-annotations-bbox.csv": boxes % b"deep",
        "annotations/test-annotations-bbox.csv": boxes % b"sub/deep",
        "annotations/val-annotations-bbox.csv": boxes % b"other",
    }
    pictures = ["images/train/deep.jpg", "images/test/sub/deep.jpg", "images/val/other.jpg", "images/val/sub/other.jpg"]
    found = boxes_of("open_images", files, *pictures)
    assert set(found["said"]) == set(pictures[:3])


def test_wider_face_of_the_set_itself():
    text = (
        b"0--Parade/a.jpg\n1\n449 330 122 149 0 0 0 0 0 0 \n0--Parade/b.jpg\n0\n0 0 0 0 0 0 0 0 0 0 \n"
        b"0--Parade/c.jpg\n2\n78 221 7 8 2 0 0 0 0 0 \n78 238 14 17 2 0 0 0 0 0 \n"
    )
    pictures = [f"WIDER_train/images/0--Parade/{one}.jpg" for one in "abc"]
    found = boxes_of("wider_face", {"wider_face_split/wider_face_train_bbx_gt.txt": text}, *pictures)
    a, b, c = pictures
    places = {a: [("face", 449, 330, 122, 149)], b: [], c: [("face", 78, 221, 7, 8), ("face", 78, 238, 14, 17)]}
    assert found["said"] == places


def test_lists_name_classes_by_number_and_word_and_may_quote_names():
    files = {"train_list.txt": b'images/a.jpg 0\n"images/b c".jpg 1\n', "label_list.txt": b"0 red rose\n1 tulip\n"}
    found = boxes_of("image_list", files, "images/a.jpg", "images/b c.jpg")
    assert found["said"] == {"images/a.jpg": ["red rose"], "images/b c.jpg": ["tulip"]}
    assert found["splits"] == {"images/a.jpg": "train", "images/b c.jpg": "train"}


NUMBERED = {f"train/{one}.cls": str(at).encode() for at, one in enumerate("abc")}


@pytest.mark.parametrize(
    ("place", "names"),
    [
        ("classnames.txt", b"x\ny\nz\n"),
        ("classes.json", b'["x", "y", "z"]'),
        ("sub/class_to_idx.json", b'{"z": 2, "y": 1, "x": 0}'),
        ("id2label.json", b'{"0": "x", "2": "z", "1": "y"}'),
    ],
)
def test_classes_of_webdataset_are_named_by_a_list(place: str, names: bytes):
    pictures = [f"train/{one}.png" for one in "abc"]
    found = boxes_of("webdataset", NUMBERED | {place: names}, *pictures)
    assert found["said"] == dict(zip(pictures, (["x"], ["y"], ["z"]), strict=True))


def test_numbers_of_classes_without_names_are_taken_and_reported(db, home):
    setup = setup_make()
    data = {f"train/{one}.png": picture(at) for at, one in enumerate("abc")}
    upload = ingest(setup.dataset, zip_of(data | NUMBERED), labels="auto")
    assert items(setup.dataset) == {f"train/{one}.png": [str(at)] for at, one in enumerate("abc")}
    assert rejects(upload) == {("train/a.cls", "class_numbers")}


def test_captions_beside_pictures_are_no_labels():
    pictures = [f"{one}.png" for one in range(6)]
    files = {f"{one}.txt": f"a picture of {one} things".encode() for one in range(6)}
    assert format_detect([*pictures, *files], files, Modality.IMAGE) is None


# --- through an upload -------------------------------------------------------------------------------------------------


def rejects(upload) -> set[tuple[str, str]]:
    found = Reject.objects.filter(upload=upload).values_list("name", "code")
    return {one for one in found if not one[1].startswith("validation")}


def items(dataset) -> dict[str, list[str] | None]:
    rows = Item.objects.filter(dataset=dataset)
    return {row.name: None if row.annotations is None else [one["label"] for one in row.annotations] for row in rows}


def test_parquet_with_pictures_becomes_items_alone_and_in_an_archive(db, home):
    alone, packed = setup_make(task="object_detection"), setup_make(email="b@example.org", task="object_detection")
    files = files_of("datasets-parquet-objects")
    for name, data in files.items():
        upload = ingest(alone.dataset, data, name=name.rpartition("/")[2], kind="file", labels="auto")
        assert rejects(upload) == set()
    ingest(packed.dataset, zip_of(files | {"README.md": b"# A set"}), labels="auto")
    expected = {"one.png": ["cat", "traffic light"], "sub_two.png": ["traffic light"], "花.png": ["cat"], "none.png": []}
    assert items(alone.dataset) == expected
    assert items(packed.dataset) == expected
    assert set(Item.objects.values_list("name", "split")) == {
        ("one.png", "train"),
        ("sub_two.png", "train"),
        ("花.png", "validation"),
        ("none.png", "test"),
    }


def test_a_folder_of_save_to_disk_leaves_nothing_refused(db, home):
    setup = setup_make()
    upload = ingest(setup.dataset, zip_of(files_of("datasets-save_to_disk-classes")), labels="auto")
    assert rejects(upload) == set()
    assert items(setup.dataset) == {
        "one.png": ["cat"],
        "sub_two.png": ["traffic light"],
        "花.png": ["cat"],
        "none.png": ["traffic light"],
    }


@pytest.mark.parametrize("name", ["camvid", "cityscapes", "kitti_segmentation", "voc_segmentation"])
@pytest.mark.parametrize("labels", ["auto", "none"])
def test_masks_are_reported_and_left_out(db, home, name, labels):
    setup = setup_make(task="object_detection")
    upload = ingest(setup.dataset, zip_of(files_of(f"datumaro-{name}")), labels=labels)
    assert Item.objects.count() == 4
    assert set(Item.objects.values_list("state", flat=True)) == {"unlabelled"}
    left_out = {place for place, code in rejects(upload) if code == "mask_left_out"}
    assert len(left_out) >= 3
    assert not any(one.endswith(".png") for one, code in rejects(upload) if code != "mask_left_out")


def test_mvtec_is_read_by_its_folders(db, home):
    setup = setup_make()
    files = {f"bottle/{part}/{n}.png": picture(n) for n, part in enumerate(("train/good", "test/good", "test/broken_large"))}
    masks = {"bottle/ground_truth/broken_large/2_mask.png": picture(9)}
    upload = ingest(setup.dataset, zip_of(files | masks), labels="auto")
    assert rejects(upload) == {("bottle/ground_truth/broken_large/2_mask.png", "mask_left_out")}
    assert items(setup.dataset) == {
        "bottle/train/good/0.png": ["good"],
        "bottle/test/good/1.png": ["good"],
        "bottle/test/broken_large/2.png": ["broken_large"],
    }


def test_fasttext_is_distinguished_from_texts(db, home):
    setup = setup_make(task="text_classification")
    lines = b"__label__good a fine day\n__label__bad a sad day\nnobody said\n"
    upload = ingest(setup.dataset, lines, name="reviews.txt", kind="file", labels="auto")
    assert rejects(upload) == set()
    assert items(setup.dataset) == {"reviews.txt#1": ["good"], "reviews.txt#2": ["bad"], "reviews.txt#3": None}
    other = setup_make(email="b@example.org", task="text_classification")
    ingest(other.dataset, zip_of({"train.txt": lines, "test.txt": b"__label__good so fine"}), labels="auto")
    assert len(items(other.dataset)) == 4
    assert set(Item.objects.filter(dataset=other.dataset, split="test").values_list("text", flat=True)) == {"so fine"}
    plain = setup_make(email="c@example.org", task="text_classification")
    upload = ingest(plain.dataset, zip_of({"a.txt": b"one text", "b.txt": b"another"}), labels="auto")
    assert (rejects(upload), len(items(plain.dataset))) == (set(), 2)


@pytest.mark.parametrize("suffix", ["feather", "arrow"])
def test_tables_of_arrow_become_rows(db, home, suffix):
    setup = setup_make(task="tabular_prediction")
    table = pa.table({"price": [1.5, 2.0], "zip": ["01067", "10115"], "sold": [True, None]})
    out = io.BytesIO()
    if suffix == "feather":
        feather.write_feather(table, out)
    else:
        with pa.ipc.new_stream(out, table.schema) as writer:
            writer.write_table(table)
    upload = ingest(setup.dataset, out.getvalue(), name=f"t.{suffix}", kind="file", labels="auto")
    assert rejects(upload) == set()
    assert [json.loads(one)["cells"] for one in Item.objects.order_by("name").values_list("text", flat=True)] == [
        {"price": "1.5", "sold": "true", "zip": "01067"},
        {"price": "2", "zip": "10115"},
    ]


def test_our_parquet_has_the_features_that_datasets_reads(db, home):
    from labeling.formats import huggingface
    from tests.labeling.formats.test_names import LABELS, item

    records = [item(index, name) for index, name in enumerate(("a/deep.jpg", "b/deep.jpg"))]
    (file,) = huggingface.write(iter(records), labels=LABELS, blob=lambda _: b"picture")
    found = pq.read_table(io.BytesIO(b"".join(file.chunks)))
    features = json.loads(found.schema.metadata[b"huggingface"])["info"]["features"]
    assert file.path == "data/train-00000-of-00001.parquet"
    assert features["label"] == {"names": ["cat", "dog"], "_type": "ClassLabel"}
    assert found.column("image").to_pylist()[1] == {"bytes": b"picture", "path": "b/deep.jpg"}
    assert found.column("objects").to_pylist()[0] == {"bbox": [[1.25, 2.5, 3.125, 4.0625]], "category": [1]}


def mnist(numbers: list[int], *, grey: int) -> tuple[bytes, bytes]:
    """Files of pictures of 4 x 3 in a grey of their own, and of their classes."""
    pictures = np.stack([np.full((3, 4), grey + at, np.uint8) for at in range(len(numbers))])
    return (
        bytes((0, 0, 8, 3)) + struct.pack(">3I", *pictures.shape) + pictures.tobytes(),
        bytes((0, 0, 8, 1)) + struct.pack(">I", len(numbers)) + bytes(numbers),
    )


def test_mnist_as_its_makers_publish_it(db, home):
    files = dict(zip(("train-images-idx3-ubyte", "train-labels-idx1-ubyte"), mnist([7, 1], grey=20), strict=True))
    files |= dict(zip(("t10k-images.idx3-ubyte", "t10k-labels.idx1-ubyte"), mnist([7], grey=90), strict=True))
    setup = setup_make()
    upload = ingest(setup.dataset, zip_of(files), labels="auto")
    assert rejects(upload) == {("t10k-images.idx3-ubyte", "class_numbers")}
    assert items(setup.dataset) == {
        "train-images-idx3-ubyte/000001.png": ["7"],
        "train-images-idx3-ubyte/000002.png": ["1"],
        "t10k-images/000001.png": ["7"],
    }
    rows = Item.objects.filter(dataset=setup.dataset)
    assert {(row.width, row.height) for row in rows} == {(4, 3)}
    assert [row.name for row in rows if row.split == "test"] == ["t10k-images/000001.png"]


@pytest.mark.parametrize("head", ["", "label," + ",".join(f"pixel{at}" for at in range(1, 26)) + "\n"])
def test_rows_of_pixels_alone_and_in_an_archive(db, home, head):
    rows = head + "".join(f"{number}," + ",".join([str(20 * at)] * 25) + "\n" for at, number in enumerate((7, 1, -1)))
    alone, packed = setup_make(), setup_make(email="b@example.org")
    ingest(alone.dataset, rows.encode(), name="fashion-mnist_train.csv", kind="file", labels="auto")
    ingest(
        packed.dataset,
        zip_of({"x_test.csv": rows.encode(), "labels.txt": b"\n".join(b"c%d" % at for at in range(8))}),
        labels="auto",
    )
    assert [labels for _, labels in sorted(items(alone.dataset).items())] == [["7"], ["1"], None]
    assert [labels for _, labels in sorted(items(packed.dataset).items())] == [["c7"], ["c1"], None]
    assert not Item.objects.filter(dataset=alone.dataset, split="test").exists()
    assert set(Item.objects.filter(dataset=packed.dataset).values_list("split", flat=True)) == {"test"}
