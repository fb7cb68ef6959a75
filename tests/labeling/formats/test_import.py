"""From an archive to items and back: formats recognised by themselves, splits kept, nothing lost without a word."""

from __future__ import annotations

import io
import json
import tarfile
import zipfile

import numpy as np
import pytest
from pycocotools import mask as coco_mask

from automl.contracts.annotation import Annotations, Box, ClassLabel, Polygon, RotatedBox
from labeling.models import Suggestion
from studio.accounts.models import AuditRow
from studio.datasets.files.formats import format_names
from studio.datasets.items.outlines import boxes_around
from studio.datasets.models import Item, Reject
from studio.datasets.uploads.label_files import LabelFilter, label_sources
from studio.datasets.versions.manifest import dataset_records, version_commit
from studio.projects.services import project_update
from tests.support.project_setup import home, ingest, picture, setup, setup_make, setup_of_several, tar_of, zip_of

__all__ = ["home", "setup", "setup_of_several"]

# What a project of class labels can take.
CLASS_FORMATS = (
    "base64_tsv",
    "coco",
    "createml",
    "csv_labels",
    "cvat",
    "datumaro_json",
    "doccano",
    "easydl",
    "huggingface",
    "image_folder",
    "label_studio",
    "labelme",
    "webdataset",
)


def labels_by_blob(dataset) -> dict[str, list[str] | None]:
    rows = Item.objects.filter(dataset=dataset, deleted_at=None)
    return {row.blob: None if row.annotations is None else [one["label"] for one in row.annotations] for row in rows}


def splits(dataset) -> dict[str, str]:
    return dict(Item.objects.filter(dataset=dataset, deleted_at=None).values_list("blob", "split"))


def rejects(upload) -> list[tuple[str, str]]:
    return sorted(Reject.objects.filter(upload=upload).values_list("name", "code"))


@pytest.fixture
def filled(setup_of_several):
    """Items of all splits, some with two labels, one with none, one that nobody looked at."""
    table = "file,label,split\n" + "".join(f"{n}.png,{'rose|red' if n % 2 else 'tulip'},{s}\n" for n, s in SPLIT_OF.items())
    files = {f"{n}.png": picture(n) for n in range(8)} | {"labels.csv": (table + "6.png,,train\n").encode()}
    ingest(setup_of_several.dataset, zip_of(files), labels="auto")
    setup_of_several.refresh()
    return setup_of_several


SPLIT_OF = {0: "train", 1: "test", 2: "validation", 3: "train", 4: "test", 5: "val"}


def test_a_table_tells_labels_and_splits(filled):
    rows = {item.name: item for item in Item.objects.filter(dataset=filled.dataset)}
    assert [rows[f"{n}.png"].split for n in range(6)] == ["train", "test", "validation", "train", "test", "validation"]
    assert [rows[f"{n}.png"].state for n in (6, 7)] == ["annotated", "unlabelled"]


def test_every_class_format_is_tried():
    assert set(CLASS_FORMATS) < set(format_names())


@pytest.mark.parametrize("form", CLASS_FORMATS)
def test_a_download_is_recognised_and_brings_everything_back(filled, form):
    version, _ = version_commit(dataset=filled.dataset, actor=filled.actor)
    answer = filled.client().get(f"/api/versions/{version.id}/download?format={form}")
    data = b"".join(answer.streaming_content)
    assert int(answer["Content-Length"]) == len(data)
    other = setup_make(email=f"{form}@example.org", options={"labels": "several"})
    name = "d.tar" if form == "webdataset" else "d.zip"
    upload = ingest(other.dataset, data, name=name, labels="auto")
    assert rejects(upload) == []
    annotated = Item.objects.filter(dataset=filled.dataset, state="annotated")
    assert labels_by_blob(other.dataset) == {row.blob: [one["label"] for one in row.annotations] for row in annotated}
    assert splits(other.dataset) == dict(annotated.values_list("blob", "split"))


def test_a_broken_download_goes_on(filled):
    version, _ = version_commit(dataset=filled.dataset, actor=filled.actor)
    url, client = f"/api/versions/{version.id}/download?format=coco", filled.client()
    whole = client.get(f"/api/versions/{version.id}/download?format=csv_labels")
    data = b"".join(whole.streaming_content)
    url = url.replace("coco", "csv_labels")
    middle = len(data) // 2
    rest = client.get(url, headers={"Range": f"bytes={middle}-", "If-Range": whole["ETag"]})
    assert (rest.status_code, rest["Content-Range"]) == (206, f"bytes {middle}-{len(data) - 1}/{len(data)}")
    assert b"".join(rest.streaming_content) == data[middle:]
    part = client.get(url, headers={"Range": "bytes=10-19"})
    assert b"".join(part.streaming_content) == data[10:20]
    assert client.get(url, headers={"Range": f"bytes={len(data)}-"}).status_code == 416
    changed = client.get(url, headers={"Range": "bytes=5-", "If-Range": '"other"'})
    assert (changed.status_code, b"".join(changed.streaming_content)) == (200, data)


def test_a_download_is_recorded_once_however_many_parts_it_has(filled):
    version, _ = version_commit(dataset=filled.dataset, actor=filled.actor)
    url, client = f"/api/versions/{version.id}/download?format=csv_labels", filled.client()
    parts = [client.get(url, headers={"Range": f"bytes={start}-{start + 9}"}) for start in (20, 0, 10)]
    assert [part.status_code for part in parts] == [206] * 3
    rows = AuditRow.objects.filter(workspace=filled.workspace, action="version.downloaded")
    row = rows.get()
    assert (row.subject, row.actor_id, row.detail) == (version.id, filled.owner.id, {"format": "csv_labels", "pictures": True})
    assert row.address == "127.0.0.1"
    client.get(url, headers={"Range": "bytes=99999999-"})
    assert client.get(f"{url}x").status_code == 422
    assert rows.count() == 1
    client.get(f"{url}&pictures=false", headers={"Range": "bytes=0-"})
    client.get(url)
    assert rows.count() == 3


def test_label_files_alone_can_be_downloaded(filled):
    version, _ = version_commit(dataset=filled.dataset, actor=filled.actor)
    answer = filled.client().get(f"/api/versions/{version.id}/download?format=cvat&pictures=false")
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as archive:
        assert archive.testzip() is None
        assert archive.namelist() == ["version.json", *(f"{part}.xml" for part in ("test", "train", "validation"))]


def test_a_version_tells_what_each_format_would_lose(filled):
    version, _ = version_commit(dataset=filled.dataset, actor=filled.actor)
    found = {one["name"]: one for one in filled.client().get(f"/api/versions/{version.id}/formats").json()}
    assert set(found) == set(CLASS_FORMATS)
    assert found["webdataset"]["loses"] == []
    assert "the colours of labels" in [one["en"] for one in found["image_folder"]["loses"]]
    everything = {one["name"]: one for one in filled.client().get("/api/label-formats").json()}
    assert set(everything) == set(format_names())
    assert "holes in polygons" in [one["en"] for one in everything["yolo"]["loses"]]


def test_annotations_that_the_task_does_not_take_are_reported_with_their_number(setup):
    images = [{"id": 1, "file_name": "a.png", "width": 40, "height": 30}]
    box = {"image_id": 1, "category_id": 1, "bbox": [1, 1, 5, 5]}
    found = {"images": images, "categories": [{"id": 1, "name": "cat"}], "annotations": [box | {"id": 1}, box | {"id": 2}]}
    upload = ingest(setup.dataset, zip_of({"a.png": picture(1), "l.json": json.dumps(found).encode()}), labels="auto")
    assert rejects(upload) == [("a.png (box × 2)", "kind_not_allowed")]
    assert Item.objects.get().state == "unlabelled"


def test_outlines_become_boxes_where_the_task_takes_boxes(db, home):
    setup = setup_make(task="object_detection")
    common = {"image_id": 1, "category_id": 1, "bbox": [0, 0, 0, 0]}
    shapes = [
        {"segmentation": [[2, 3, 10, 3, 6, 9]]},
        {"segmentation": [[1, 1, 4, 1, 4, 4], [20, 10, 24, 10, 24, 18]]},
        {"segmentation": [[1, 1, 5, 1, 9, 1]]},
        {"segmentation": {"size": [30, 40], "counts": [100, 20, 1080]}},
        {"bbox": [1, 2, 3, 4]},
    ]
    found = {
        "images": [{"id": 1, "file_name": "a.png", "width": 40, "height": 30}],
        "categories": [{"id": 1, "name": "cat"}],
        "annotations": [common | {"id": number} | shape for number, shape in enumerate(shapes)],
    }
    upload = ingest(setup.dataset, zip_of({"a.png": picture(1), "l.json": json.dumps(found).encode()}), labels="auto")
    boxes = [(one["kind"], one["x"], one["y"], one["width"], one["height"]) for one in Item.objects.get().annotations]
    # The run lengths reach from row 10 of column 3 to the end of that column: their box was computed from their pixels.
    assert boxes == [("box", 2, 3, 8, 6), ("box", 1, 1, 23, 17), ("box", 3, 10, 1, 20), ("box", 1, 2, 3, 4)]
    assert rejects(upload) == [("a.png (polygon × 1)", "kind_not_allowed"), ("pictures.zip (× 3)", "outlines_boxed")]


@pytest.mark.parametrize(
    ("rule", "code", "label"), [(None, "areas_overlap_drawn", "car"), ("order", "areas_overlap_ordered", "road")]
)
def test_areas_that_overlap_are_told_of_and_lie_above_one_another_by_the_projects_rule(db, home, rule, code, label):
    setup = setup_make(task="semantic_segmentation")
    if rule is not None:
        setup.project = project_update(project=setup.project, actor=setup.actor, overlap=rule)
        setup.refresh()
    road, car, sky = [0, 10, 40, 10, 40, 30, 0, 30], [10, 5, 30, 5, 30, 20, 10, 20], [0, 0, 40, 0, 40, 5, 0, 5]
    areas = [(1, 1, road), (1, 2, car), (2, 1, road), (2, 3, sky)]
    found = {
        "images": [{"id": number, "file_name": f"{number}.png", "width": 40, "height": 30} for number in (1, 2)],
        "categories": [{"id": number, "name": name} for number, name in enumerate(("road", "car", "sky"), start=1)],
        "annotations": [{"image_id": image, "category_id": one, "segmentation": [ring]} for image, one, ring in areas],
    }
    files = {f"{number}.png": picture(number) for number in (1, 2)} | {"l.json": json.dumps(found).encode()}
    upload = ingest(setup.dataset, zip_of(files), labels="auto")
    assert [one for one in rejects(upload) if one[1].startswith("areas")] == [("pictures.zip (× 1)", code)]
    setup.refresh()
    assert setup.project.labels.names == ("road", "car", "sky")
    drawn = [[shape.label for shape in record.annotations] for record in dataset_records(setup.dataset)]
    assert sorted(drawn) == sorted([["car", "road"] if rule else ["road", "car"], ["sky", "road"] if rule else ["road", "sky"]])
    assert [each[-1] for each in drawn if "car" in each] == [label]


def test_an_item_is_not_labelled_by_halves(db, home):
    """One of two boxes cannot be read: the item waits, listed, with the other box proposed."""
    setup = setup_make(task="object_detection")
    common = {"image_id": 1, "category_id": 1}
    found = {
        "images": [{"id": 1, "file_name": "a.png", "width": 40, "height": 30}],
        "categories": [{"id": 1, "name": "cat"}],
        "annotations": [common | {"bbox": [1, 2, 3, 4]}, common | {"bbox": [1, 2, -3, 4]}],
    }
    upload = ingest(setup.dataset, zip_of({"a.png": picture(1), "l.json": json.dumps(found).encode()}), labels="auto")
    assert rejects(upload) == [("l.json: annotations[1]", "annotation_invalid")]
    item = Item.objects.get()
    assert item.state == "unlabelled"
    assert [one["x"] for one in Suggestion.objects.get(item=item.id).annotations] == [1]


def test_objects_of_coco_without_a_box_are_boxed_by_it_or_by_their_pixels(db, home):
    setup = setup_make(task="object_detection")
    pixels = np.zeros((30, 40), dtype=np.uint8)
    pixels[5:9, 10:20] = 1
    packed = coco_mask.encode(np.asfortranarray(pixels))
    runs = [305, 4, *[26, 4] * 9]
    common = {"image_id": 1, "category_id": 1}
    shapes = [
        {"segmentation": {"size": [30, 40], "counts": [100, 20, 1080]}, "bbox": [10.25, 5.5, 9.5, 3.125]},
        {"segmentation": {"size": [30, 40], "counts": packed["counts"].decode()}},
        {"segmentation": {"size": [30, 40], "counts": [*runs, 1200 - sum(runs)]}, "iscrowd": 1},
        {"keypoints": [11, 6, 2, 12, 7, 2], "num_keypoints": 2, "bbox": [10, 5, 9, 4]},
    ]
    found = {
        "images": [{"id": 1, "file_name": "a.png", "width": 40, "height": 30}],
        "categories": [{"id": 1, "name": "cat", "keypoints": ["nose", "tail"]}],
        "annotations": [common | {"id": number} | shape for number, shape in enumerate(shapes)],
    }
    upload = ingest(setup.dataset, zip_of({"a.png": picture(1), "l.json": json.dumps(found).encode()}), labels="auto")
    boxes = [(one["x"], one["y"], one["width"], one["height"]) for one in Item.objects.get().annotations]
    assert boxes == [(10.25, 5.5, 9.5, 3.125), (10, 5, 10, 4), (10, 5, 10, 4), (10, 5, 9, 4)]
    assert rejects(upload) == [("pictures.zip (× 4)", "outlines_boxed")]


def test_coco_without_places_labels_pictures(setup):
    """As datumaro writes ``coco_labels``."""
    found = {
        "images": [{"id": n, "file_name": f"{n}.png", "width": 40, "height": 30} for n in (1, 2)],
        "categories": [{"id": 1, "name": "cat", "supercategory": ""}],
        "annotations": [{"id": 1, "image_id": 1, "category_id": 1}],
    }
    files = {f"images/train/{n}.png": picture(n) for n in (1, 2)}
    upload = ingest(setup.dataset, zip_of(files | {"annotations/labels_train.json": json.dumps(found).encode()}), labels="auto")
    assert rejects(upload) == [("train → validation (× 1)", "validation_carved")] or rejects(upload) == []
    assert sorted(found for found in labels_by_blob(setup.dataset).values()) == [[], ["cat"]]


def test_a_turned_box_becomes_the_box_around_it_once():
    turned = RotatedBox(id="one", label="cat", center_x=10, center_y=10, width=8, height=2, angle_deg=90)
    boxes, num = boxes_around((turned, ClassLabel(label="cat")))
    assert num == 1
    assert boxes[1] == ClassLabel(label="cat")
    (box,) = (one for one in boxes if isinstance(one, Box))
    assert (box.id, box.label) == ("one", "cat")
    assert (box.x, box.y, box.width, box.height) == pytest.approx((9, 6, 2, 8))
    # An object that has its box keeps it.
    own = Box(id="one", label="cat", x=1, y=1, width=2, height=2)
    assert boxes_around((own, turned)) == ((own, turned), 0)


def test_a_project_takes_what_its_task_allows():
    taker = LabelFilter(kinds=frozenset({"box", "polygon"}), takes_several=False)
    box = Box(label="a", x=0, y=0, width=1, height=1)
    allowed, complaints = taker.allowed((box, ClassLabel(label="a"), ClassLabel(label="b")), "x.png")
    assert allowed == (box,)
    assert [(one.name, one.code) for one in complaints] == [("x.png (class × 2)", "kind_not_allowed")]
    assert taker.allowed((), "x.png") == ((), [])
    assert taker.allowed((ClassLabel(label="a"),), "x.png")[0] is None


def test_fractions_become_pixels_when_the_picture_is_known(setup, monkeypatch):
    monkeypatch.setattr(
        "studio.datasets.uploads.label_files.LabelFilter.of", lambda project: LabelFilter(frozenset({"box", "polygon"}), False)
    )
    files = {
        "images/val/a.png": picture(1, size=(40, 20)),
        "labels/val/a.txt": b"0 0.5 0.5 0.5 0.5\n0 0 0 1 0 1 1\n",
        "data.yaml": b"names: [cat]\n",
    }
    upload = ingest(setup.dataset, tar_of(files), name="d.tar.gz", labels="auto")
    assert rejects(upload) == []
    item = Item.objects.get()
    box, polygon = Annotations.validate_python(item.annotations)
    assert box == Box(label="cat", x=10, y=5, width=20, height=10)
    assert polygon == Polygon(label="cat", points=((0, 0), (40, 0), (40, 20)))
    assert item.split == "validation"


def test_an_item_that_is_there_never_moves(setup):
    one = picture(1)
    ingest(setup.dataset, zip_of({"train/rose/1.png": one, "test/tulip/2.png": picture(2)}), labels="auto")
    before = splits(setup.dataset)
    ingest(setup.dataset, zip_of({"test/rose/1.png": one, "train/tulip/3.png": picture(3)}), labels="auto")
    after = splits(setup.dataset)
    assert before.items() < after.items()


def test_label_files_without_data_speak_of_the_items_that_are_there(setup):
    ingest(setup.dataset, zip_of({"a.png": picture(1), "b.png": picture(2)}))
    rows = [{"labels": [{"name": "cat"}]}, {"labels": []}]
    upload = ingest(
        setup.dataset, zip_of({f"{n}.json": json.dumps(row).encode() for n, row in zip("ab", rows, strict=True)}), labels="auto"
    )
    assert {row.name: len(row.annotations) for row in Item.objects.all()} == {"a.png": 1, "b.png": 0}
    assert (upload.num_items, upload.num_labelled, rejects(upload)) == (0, 2, [])


def test_pictures_in_one_folder_stay_unlabelled(setup):
    upload = ingest(setup.dataset, zip_of({"holiday/1.png": picture(1), "holiday/2.png": picture(2)}), labels="auto")
    assert (upload.num_items, upload.num_labelled, rejects(upload)) == (2, 0, [])


def test_label_files_of_no_known_format_are_reported(setup):
    upload = ingest(setup.dataset, zip_of({"1.png": picture(1), "notes.json": b'{"a": 1}'}), labels="auto")
    assert ("pictures.zip", "format_unknown") in rejects(upload)
    (found,) = setup.client().get(f"/api/datasets/{setup.dataset.id}/uploads").json()["items"]
    assert (found["num_rejected"], found["num_noted"]) == (1, 1)  # the notes themselves are no picture; the archive was taken


def test_colours_come_along(setup):
    head = b"<annotations><meta><task><labels><label><name>cat</name><color>#123456</color></label></labels></task></meta>"
    xml = head + b'<image id="0" name="a.png" width="40" height="30"><tag label="cat"/></image></annotations>'
    ingest(setup.dataset, zip_of({"a.png": picture(1), "annotations.xml": xml}), labels="auto")
    setup.refresh()
    assert [(one.name, one.color) for one in setup.project.labels.labels] == [("cat", "#123456")]


def test_an_unknown_source_of_labels_lists_the_known_ones(setup):
    made = (
        setup.client()
        .post(f"/api/datasets/{setup.dataset.id}/uploads", {"name": "a.png", "size_bytes": 0}, content_type="application/json")
        .json()
    )
    url = f"/api/datasets/{setup.dataset.id}/uploads/{made['id']}/finish"
    answer = setup.client().post(url, {"labels": "polaroid"}, content_type="application/json")
    assert answer.status_code == 422
    assert "label_studio" in json.dumps(answer.json())


@pytest.mark.parametrize("source", label_sources())
def test_an_upload_keeps_whatever_source_of_labels_there_is(setup, source):
    upload = ingest(setup.dataset, zip_of({"a.png": picture(1)}), labels=source)
    upload.refresh_from_db()
    assert (upload.labels, upload.state) == (source, "done")
    upload.full_clean(exclude=["blob"])


def test_labels_can_be_had_while_the_set_is_not_fit_for_training(setup):
    """One picture a label: no version is cut of that, but what was labelled belongs to who labelled it."""
    ingest(setup.dataset, zip_of({"rose/a.png": picture(1), "tulip/b.png": picture(2)}), labels="folder")
    ingest(setup.dataset, zip_of({"c.png": picture(3)}))
    client = setup.client()
    body = {"project": setup.project.id}
    blocked = client.post("/api/labeling/snapshots", body, content_type="application/json")
    assert (blocked.status_code, blocked.json()["code"]) == (422, "version_blocked")
    forms = [one["name"] for one in client.get(f"/api/projects/{setup.project.id}/label-formats").json()]
    assert set(forms) == set(CLASS_FORMATS)
    expected = {row.blob: ["rose" if row.name.startswith("rose") else "tulip"] for row in Item.objects.exclude(name="c.png")}
    for number, form in enumerate(forms):
        answer = client.get(f"/api/projects/{setup.project.id}/labels/download?format={form}")
        data = b"".join(answer.streaming_content)
        other = setup_make(email=f"working{number}@example.org")
        upload = ingest(other.dataset, data, name="d.tar" if form == "webdataset" else "d.zip", labels="auto")
        assert [one for one in rejects(upload) if not one[1].startswith("validation")] == []
        assert labels_by_blob(other.dataset) == expected
    alone = client.get(f"/api/projects/{setup.project.id}/labels/download?format=coco&pictures=false")
    with zipfile.ZipFile(io.BytesIO(b"".join(alone.streaming_content))) as archive:
        assert all(name.startswith("annotations/") for name in archive.namelist())
    assert client.get(f"/api/projects/{setup.project.id}/labels/download?format=polaroid").status_code == 422
    stranger = setup_make(email="stranger@example.org")
    assert stranger.client().get(f"/api/projects/{setup.project.id}/labels/download").status_code == 404


def test_a_tar_of_a_download_is_read_by_tarfile(filled):
    version, _ = version_commit(dataset=filled.dataset, actor=filled.actor)
    data = b"".join(filled.client().get(f"/api/versions/{version.id}/download?format=webdataset").streaming_content)
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        names = archive.getnames()
    assert names[:2] == ["__meta__/version", "__meta__/labels"]
    assert len({name.partition(".")[0] for name in names[2:]}) == 7
