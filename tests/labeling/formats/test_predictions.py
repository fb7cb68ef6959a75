"""What models said, in files of the peers' own packages: proposed with its source, or kept with its score."""

from __future__ import annotations

import contextlib
import io
import json
import uuid
from pathlib import Path

import numpy as np
import pytest
from pycocotools import mask as coco_mask
from pycocotools.coco import COCO

from automl.contracts.annotation import Annotations, Box, ClassLabel
from labeling.formats import coco, label_studio
from labeling.geometry import mask_pixels
from labeling.models import Suggestion
from studio.datasets.models import Item, Reject
from studio.datasets.uploads.label_files import LabelFilter
from tests.support.project_setup import home, ingest, picture, setup, setup_of_several, zip_of

__all__ = ["home", "setup", "setup_of_several"]

CASES = Path(__file__).parent / "cases"
IMAGES = [
    {"id": 7, "file_name": "one.png", "width": 40, "height": 30},
    {"id": 9, "file_name": "two.png", "width": 40, "height": 30},
]
CATEGORIES = [{"id": 3, "name": "cat"}, {"id": 5, "name": "dog"}]
STUDIO = (CASES / "label_studio_predictions.json").read_bytes()


def results() -> list[dict]:
    """Boxes as pycocotools makes them of a detector's output, and a mask as it encodes one."""
    rows = np.array([[7, 1, 2, 10, 5, 0.75, 5], [7, 3, 4, 6, 6, 0.25, 3]])
    with contextlib.redirect_stdout(io.StringIO()):
        boxes = COCO().loadNumpyAnnotations(rows)
    pixels = np.zeros((30, 40), dtype=np.uint8)
    pixels[5:9, 10:20] = 1
    runs = coco_mask.encode(np.asfortranarray(pixels))
    mask = {"image_id": 9, "category_id": 3, "segmentation": runs | {"counts": runs["counts"].decode()}, "score": 0.5}
    return [
        *({key: float(value) for key, value in row.items() if key != "bbox"} | {"bbox": row["bbox"]} for row in boxes),
        mask,
    ]


def listed(**more: object) -> bytes:
    return json.dumps({"images": IMAGES, "categories": CATEGORIES} | more).encode()


def test_results_that_pycocotools_judges_are_predictions():
    files = {"image_info.json": listed(), "detections_results.json": json.dumps(results(), default=float).encode()}
    reading = coco.read(["one.png", "two.png"], files)
    assert reading.complaints == []
    assert reading.annotations == {}
    dog, cat = reading.predictions["one.png"]
    assert dog == Box(label="dog", x=1, y=2, width=10, height=5, score=0.75)
    assert (cat.label, cat.score) == ("cat", 0.25)
    (mask,) = reading.predictions["two.png"]
    assert (mask.score, mask_pixels(mask).sum()) == (0.5, 40)


def test_results_go_with_the_images_of_their_split():
    one, two = ({"images": [image | {"id": 1}], "categories": CATEGORIES} for image in IMAGES)
    row = [{"image_id": 1, "category_id": 3, "bbox": [0, 0, 1, 1], "score": 0.5}]
    files = {"instances_train.json": one, "instances_val.json": two, "val_results.json": row}
    reading = coco.read(["one.png", "two.png"], {name: json.dumps(data).encode() for name, data in files.items()})
    assert reading.predictions.keys() == {"two.png"}


@pytest.mark.parametrize(
    ("row", "place", "code"),
    [
        ({"image_id": 8, "category_id": 3, "bbox": [0, 0, 1, 1], "score": 0.5}, "r.json (× 1)", "label_image_missing"),
        ({"image_id": 7, "category_id": 4, "bbox": [0, 0, 1, 1], "score": 0.5}, "r.json: [0]", "label_unknown"),
        ({"image_id": 7, "category_id": 3, "bbox": [0, 0, 1, 1]}, "r.json: [0]", "annotation_invalid"),
        ({"image_id": [7], "category_id": 3, "score": 0.5}, "r.json: [0]", "annotation_invalid"),
    ],
)
def test_a_result_that_cannot_be_used_is_reported(row, place, code):
    reading = coco.read(["one.png", "two.png"], {"a.json": listed(), "r.json": json.dumps([row]).encode()})
    assert [(one.name, one.code) for one in reading.complaints] == [(place, code)]
    assert reading.predictions == {}


def test_predictions_of_the_label_studio_sdk_are_no_annotations():
    reading = label_studio.read(["one.png", "two.png"], {"tasks.json": STUDIO})
    assert reading.complaints == []
    assert reading.annotations == {}
    (box,) = reading.predictions["one.png"]
    assert (box.label, box.x, box.y, box.width, box.height, box.score, box.id) == ("dog", 4, 6, 12, 12, 0.75, "dog-1")
    (cat,) = reading.predictions["two.png"]
    assert (cat.label, cat.score) == ("cat", 0.8)  # the prediction's score: the result has none


def test_a_persons_annotation_goes_before_a_models():
    tasks = json.loads(STUDIO)
    tasks[1]["annotations"] = [{"result": [{"type": "choices", "value": {"choices": ["dog"]}}]}]
    reading = label_studio.read(["two.png"], {"tasks.json": json.dumps(tasks[1:]).encode()})
    assert reading.annotations == {"two.png": (ClassLabel(label="dog"),)}
    assert reading.predictions == {}


def test_imported_predictions_wait_as_suggestions_with_their_source(setup):
    files = {"one.png": picture(1), "two.png": picture(2), "tasks.json": STUDIO}
    upload = ingest(setup.dataset, zip_of(files), labels="auto")
    # The project takes class labels, so the box is told and not taken.
    assert set(Reject.objects.values_list("name", "code")) == {("one.png (box × 1)", "kind_not_allowed")}
    two = Item.objects.get(name="two.png")
    assert (two.state, two.annotations, upload.num_labelled) == ("unlabelled", None, 0)
    row = Suggestion.objects.get()
    assert (row.item_id, row.provenance, row.uncertainty_fraction) == (two.id, f"import:{upload.id}", pytest.approx(0.2))
    shown = setup.client().get(f"/api/labeling/suggestions?items={two.id}").json()[two.id]
    assert shown["annotations"] == [{"kind": "class", "label": "cat", "score": 0.8, "id": "cat-1"}]
    assert (shown["by"], shown["confidence"]) == (f"import:{upload.id}", pytest.approx(0.8))


def test_boxes_of_a_detector_are_proposed_where_the_task_takes_boxes(setup, monkeypatch):
    monkeypatch.setattr(
        "studio.datasets.uploads.label_files.LabelFilter.of", lambda project: LabelFilter(frozenset({"box", "mask"}), True)
    )
    ingest(setup.dataset, zip_of({"one.png": picture(1), "two.png": picture(2)}))
    files = {"image_info.json": listed(), "results.json": json.dumps(results(), default=float).encode()}
    upload = ingest(setup.dataset, zip_of(files), labels="auto")
    assert not Reject.objects.filter(upload=upload).exists()
    rows = {row.item.name: row for row in Suggestion.objects.select_related("item")}
    assert {name: len(row.annotations) for name, row in rows.items()} == {"one.png": 2, "two.png": 1}
    assert rows["one.png"].uncertainty_fraction == 0.75  # of the least sure box
    assert Item.objects.filter(state="annotated").count() == 0
    again = ingest(setup.dataset, zip_of(files), labels="auto")
    assert {row.provenance for row in Suggestion.objects.all()} == {f"import:{again.id}"}


def test_what_is_annotated_already_is_not_proposed_again(setup):
    ingest(setup.dataset, zip_of({"cat/two.png": picture(2)}), labels="folder")
    Item.objects.update(name="two.png")
    upload = ingest(setup.dataset, zip_of({"tasks.json": json.dumps(json.loads(STUDIO)[1:]).encode()}), labels="auto")
    assert list(Reject.objects.filter(upload=upload).values_list("name", "code")) == [("two.png", "label_kept")]
    assert not Suggestion.objects.exists()


def save(client, item: Item, annotations: list[dict]) -> int:
    body = {"annotations": annotations, "revision": item.revision, "operation": str(uuid.uuid4())}
    status = client.put(f"/api/labeling/items/{item.id}/annotations", body, content_type="application/json").status_code
    item.refresh_from_db()
    return status


def test_a_score_that_came_by_import_stays_when_a_person_says_more(setup_of_several):
    setup = setup_of_several
    table = b"file,label,score\na.png,rose|red,0.25|0.5\n"
    ingest(setup.dataset, zip_of({"a.png": picture(1), "l.csv": table}), labels="auto")
    item = Item.objects.get()
    rose, red = item.annotations
    assert (rose["score"], red["score"], item.state) == (0.25, 0.5, "annotated")
    client = setup.client()
    assert save(client, item, [rose]) == 200
    assert save(client, item, [rose, red]) == 200  # what was taken away comes back by undo
    assert [one["score"] for one in Annotations.dump_python(Annotations.validate_python(item.annotations))] == [0.25, 0.5]
    assert save(client, item, [rose, red | {"score": 0.75}]) == 422
    assert item.revision == 3


def test_a_score_of_another_item_is_no_excuse(setup_of_several):
    setup = setup_of_several
    ingest(
        setup.dataset,
        zip_of({"a.png": picture(1), "b.png": picture(2), "l.csv": b"file,label,score\na.png,rose,0.25\n"}),
        labels="auto",
    )
    other = Item.objects.get(name="b.png")
    assert save(setup.client(), other, [{"kind": "class", "label": "rose", "score": 0.25}]) == 422
