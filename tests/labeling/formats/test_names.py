"""Names and folders of items in a download: as they came, in every format whose items are files of their own."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
import yaml

from automl.contracts.annotation import Box, ClassLabel, Polygon
from automl.contracts.dataset import ItemRecord, Label, LabelSet, MediaFacts, Split
from automl.contracts.modality import Modality
from labeling.formats._writing import Paths
from studio.datasets.files.formats import format_load, format_names
from studio.datasets.models import Item, SplitSource
from studio.datasets.versions.manifest import version_commit
from tests.labeling.formats.material import Version, read, write
from tests.support.project_setup import home, ingest, picture, setup_make, zip_of

__all__ = ["home"]

LABELS = LabelSet(labels=(Label(name="cat", color="#ff0000"), Label(name="dog", color="#00ff00")))
NAMES = {
    "UPPER.JPG": "UPPER.JPG",
    "a/deep.jpg": "a/deep.jpg",
    "b/deep.jpg": "b/deep.jpg",
    "花 朵/é.png": "花 朵/é.png",
    "images/train/plain.png": "plain.png",
    "dots.in.name.webp": "dots.in.name.webp",
    "quest?ion.png": "quest_ion.png",
    "table.csv": "table.csv.jpeg",
}
WITHIN = {"base64_tsv", "conll", "huggingface"}
"""Items lie within their files."""
WRITTEN = tuple(name for name in format_names(Modality.IMAGE, is_written=True) if name not in WITHIN)


def item(index: int, name: str, split: Split = Split.TRAIN) -> ItemRecord:
    media = MediaFacts(width=40, height=30, format="jpeg", size_bytes=1)
    outline = Polygon(label="cat", points=((1, 1), (9, 1), (9, 9)))
    annotations = (ClassLabel(label="cat"), Box(label="dog", x=1.25, y=2.5, width=3.125, height=4.0625), outline)
    fields = {"item": f"itm_{index:026d}", "name": name, "blob": f"{index:064d}", "split": split, "group": "g"}
    return ItemRecord(**fields, media=media, annotations=annotations, provenance="person:usr_x")


@pytest.mark.parametrize("name", WRITTEN)
def test_names_and_folders_are_kept(name):
    form = format_load(name)
    version = Version(LABELS, [item(index, one) for index, one in enumerate(NAMES)], {})
    written = write(form, version)
    ends = list(NAMES.values())
    if name == "webdataset":  # a sample's files share what stands before the first dot
        ends = [f"{stem.replace('.', '_')}.{suffix.lower()}" for stem, _, suffix in (one.rpartition(".") for one in ends)]
    if name == "image_folder":  # the folder above a picture is its label
        ends = [end.replace("/", "_") for end in ends]
    by_blob = {blob: path for path, blob in written.blob_of.items()}
    for index, end in enumerate(ends):
        assert by_blob[f"{index:064d}"].endswith(f"/{end}")
    reading, blob_of = read(form, written)
    assert reading.complaints == []
    assert {blob_of[path] for path, annotations in reading.annotations.items() if annotations} == set(by_blob)


def test_what_would_be_called_the_same_is_distinguished():
    paths = Paths()
    found = [paths.path(item(index, name), "x") for index, name in enumerate(("a.png", "A.PNG", "a.jpg", "s/a.png", "s/a.png"))]
    assert found == ["x/a.png", "x/A.0000000001.PNG", "x/a.0000000002.jpg", "x/s/a.png", "x/s/a.0000000004.png"]
    paths = Paths(by_stem=False)
    assert [paths.path(item(index, name)) for index, name in enumerate(("a.png", "a.jpg"))] == ["a.png", "a.jpg"]


@pytest.mark.parametrize(("name", "place", "mark"), [("coco", "annotations/instances_train.json", b'"original_name":"q?.jpg"'),
    ("voc", "Annotations/q_.xml", b"<original_name>q?.jpg</original_name>"),
    ("labelme", "train/q_.json", b'"original_name": "q?.jpg"')])  # fmt: skip
def test_a_name_that_had_to_change_stands_in_the_labels(name, place, mark):
    written = write(format_load(name), Version(LABELS, [item(0, "q?.jpg")], {}))
    assert mark in written.label_files[place]


def test_a_download_brings_names_and_folders_back(db, home):
    files = {"a/deep.png": picture(1), "b/deep.png": picture(2), "UPPER.PNG": picture(3), "sub/new/x.png": picture(4)}
    table = b"file,label\na/deep.png,cat\nb/deep.png,dog\nUPPER.PNG,cat\nsub/new/x.png,dog\n"
    first, second = setup_make(), setup_make(email="second@example.org")
    ingest(first.dataset, zip_of(files | {"labels.csv": table}), labels="auto")
    assert set(Item.objects.values_list("name", flat=True)) == set(files)
    for name, split in zip(files, ("train", "test", "validation", "train"), strict=True):
        Item.objects.filter(name=name).update(split=split, split_by=SplitSource.PERSON)
    for number in range(2):  # nothing grows from one download to the next
        version, _ = version_commit(dataset=first.dataset, actor=first.actor)
        data = b"".join(first.client().get(f"/api/versions/{version.id}/download?format=csv_labels").streaming_content)
        ingest(second.dataset, data, labels="auto")
        found = dict(Item.objects.filter(dataset=second.dataset).values_list("blob", "name"))
        splits = dict(Item.objects.filter(dataset=first.dataset).values_list("blob", "split"))
        names = Item.objects.filter(dataset=first.dataset).values_list("blob", "name")
        bare = {blob: name.removeprefix(f"{splits[blob]}/") for blob, name in names}
        assert found == {blob: f"{splits[blob]}/{name}" for blob, name in bare.items()}
        assert set(bare.values()) == set(files)
        first, second = second, setup_make(email=f"third{number}@example.org")


def test_pictures_of_equal_names_in_two_folders_are_told_apart():
    names = ["images/1.png", "images/sub/1.png"]

    def coco(*files: str):
        boxes = [{"id": at, "image_id": at, "category_id": 1, "bbox": [at, 1, 2, 3]} for at, _ in enumerate(files)]
        images = [{"id": at, "file_name": file} for at, file in enumerate(files)]
        content = {"images": images, "annotations": boxes, "categories": [{"id": 1, "name": "cat"}]}
        return format_load("coco").read(names, {"annotations/instances.json": json.dumps(content).encode()})

    found = coco("1.png", "sub/1.png")
    assert found.complaints == []
    assert {name: [box.x for box in boxes] for name, boxes in found.annotations.items()} == {names[0]: [0], names[1]: [1]}
    # Where folders are left out, either may be meant.
    found = coco("1.png", "1.png")
    assert found.annotations == {}
    assert {problem.code for problem in found.complaints} == {"label_file_ambiguous", "label_image_missing"}


def test_a_file_beside_each_picture_goes_with_the_one_as_deep_in_folders():
    box = "<bndbox><xmin>{x}</xmin><ymin>1</ymin><xmax>9</xmax><ymax>9</ymax></bndbox>"
    xml = f"<annotation><object><name>cat</name>{box}</object></annotation>"
    files = {"Annotations/1.xml": xml.format(x=1).encode(), "Annotations/sub/1.xml": xml.format(x=2).encode()}
    names = ["JPEGImages/1.jpg", "JPEGImages/sub/1.jpg"]
    found = format_load("voc").read(names, files)
    assert found.complaints == []
    assert {name: boxes[0].x for name, boxes in found.annotations.items()} == {names[0]: 1, names[1]: 2}


def test_a_list_names_pictures_from_a_folder_that_was_not_packed():
    names = ["obj_train_data/1.png", "obj_train_data/sub/1.png"]
    lines = {name.replace(".png", ".txt"): b"0 0.5 0.5 0.1 0.1" for name in names}
    lists = {"train.txt": "\n".join(f"data/{name}" for name in names).encode(), "obj.names": b"cat"}
    found = format_load("yolo").read(names, {**lines, **lists})
    assert found.complaints == []
    assert found.splits == dict.fromkeys(names, Split.TRAIN)


def test_paths_of_yolo_are_taken_from_the_folder_of_their_file(tmp_path):
    """As ``check_det_dataset`` of Ultralytics resolves them: ``path`` if there is one, else the folder of the YAML file."""
    written = write(format_load("yolo"), Version(LABELS, [item(0, "a.jpg"), item(1, "s/b.jpg", Split.VALIDATION)], {}))
    with zipfile.ZipFile(buffer := io.BytesIO(), "w") as archive:
        for path, data in {**written.label_files, **dict.fromkeys(written.blob_of, b"")}.items():
            archive.writestr(path, data)
    zipfile.ZipFile(buffer).extractall(tmp_path)
    data = yaml.safe_load((tmp_path / "data.yaml").read_text())
    assert "path" not in data
    assert set(data) == {"train", "val", "names"}
    for part, count in (("train", "a.jpg"), ("val", "s/b.jpg")):
        folder = (tmp_path / data[part]).resolve()
        assert (folder / count).exists()
        label = str(folder / count).replace("/images/", "/labels/").removesuffix(".jpg") + ".txt"
        assert (tmp_path / label).read_text().startswith("1 ")
    assert data["names"] == {0: "cat", 1: "dog"}


def test_yolo_names_no_folder_that_is_not_there():
    """Ultralytics asks for both parts and refuses a folder that is missing."""
    for splits, train, val in (((Split.TRAIN,), "train", "train"), ((Split.TRAIN, Split.TEST), "train", "test")):
        items = [item(place, f"{place}.jpg", split) for place, split in enumerate(splits)]
        written = write(format_load("yolo"), Version(LABELS, items, {}))
        data = yaml.safe_load(written.label_files["data.yaml"])
        assert (data["train"], data["val"]) == (f"images/{train}", f"images/{val}")


def test_labels_of_voc_are_declared():
    written = write(format_load("voc"), Version(LABELS, [item(0, "a.jpg")], {}))
    assert written.label_files["labelmap.txt"].decode().splitlines()[1:] == [
        "background:0,0,0::",
        "cat:255,0,0::",
        "dog:0,255,0::",
    ]


def test_a_file_of_cvat_holds_one_subset_and_is_called_after_it():
    """What datumaro wants of it: it passes over pictures of another subset than the file's name."""
    written = write(format_load("cvat"), Version(LABELS, [item(0, "a.jpg"), item(1, "s/a.jpg", Split.TEST)], {}))
    assert set(written.label_files) == {"train.xml", "test.xml"}
    assert b'name="s/a.jpg" subset="test"' in written.label_files["test.xml"]
    assert set(written.blob_of) == {"images/train/a.jpg", "images/test/s/a.jpg"}
