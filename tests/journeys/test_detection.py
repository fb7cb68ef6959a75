"""Object detection by API: boxes come in as COCO, train, are judged, answer as boxes and go out again. Real processes."""

from __future__ import annotations

import io
import json
import time
import zipfile

import pytest
from PIL import Image, ImageOps

from automl.contracts.dataset import blob_path
from engine.data.version import DatasetVersion
from engine.tasks.object_detection import example

pytestmark = [pytest.mark.journey, pytest.mark.timeout(400)]


def _coco(folder) -> tuple[bytes, list[bytes]]:
    """The task's own example as a COCO archive, and its pictures."""
    manifest = example.write(folder, num_items=60)
    records = DatasetVersion.open(folder).records()
    names = list(manifest.label_set.names)
    pictures = [(folder / blob_path(record.blob)).read_bytes() for record in records]
    images, boxes = [], []
    for number, record in enumerate(records):
        size = {"width": record.media.width, "height": record.media.height}
        images.append({"id": number, "file_name": f"{number}.png", **size})
        for box in record.annotations:
            place = [box.x, box.y, box.width, box.height]
            facts = {"area": box.width * box.height, "iscrowd": 0, "category_id": names.index(box.label)}
            boxes.append({"id": len(boxes), "image_id": number, "bbox": place, **facts})
    categories = [{"id": index, "name": name} for index, name in enumerate(names)]
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("annotations.json", json.dumps({"images": images, "annotations": boxes, "categories": categories}))
        for number, picture in enumerate(pictures):
            archive.writestr(f"images/{number}.png", picture)
    return buffer.getvalue(), pictures


def test_boxes_come_in_train_answer_and_go_out(walk, tmp_path):
    archive, pictures = _coco(tmp_path / "data")
    body = {"workspace": walk.workspace, "name": "Shapes", "task": "object_detection", "task_options": {}}
    project = walk.call("POST", "/projects", json=body)
    job = walk.upload(project["dataset"], archive, name="shapes.zip", labels="auto")
    assert job["state"] == "succeeded", job
    summary = walk.call("GET", f"/datasets/{project['dataset']}/summary")
    assert summary["items"] == 60, summary
    version = walk.snapshot(project["id"])
    train = {
        "family": "fcos",
        "size": "resnet18",
        "params": {"epochs": 8, "batch_size": 8, "resolution_px": 64, "augment": "none"},
    }
    study = walk.study(project["id"], version["id"], families=["fcos"], strategy="single", train=train)
    ended, trials = walk.study_ended(study["id"], timeout_s=240)
    assert ended["state"] == "succeeded", (ended, trials)
    artefact = trials[0]["artefact"]

    report = walk.call("GET", f"/artefacts/{artefact}/report")
    test = next(split for split in report["splits"] if split["split"] == "test")
    assert {"ap50", "ap", "ap75", "precision", "recall", "f1"} <= test["metrics"].keys()
    assert all(len(curve["recall"]) == len(curve["precision"]) == len(curve["score"]) for curve in test["precision_recall"])
    assert sum(size["support"] for size in test["per_size"]) > 0
    items = walk.call("GET", f"/artefacts/{artefact}/report/items", params={"split": "test", "order": "loss"})
    assert items["num_items"] == test["num_items"]
    assert all(item["width_px"] and item["height_px"] for item in items["items"])

    deployment, key = walk.deploy(project["id"], artefact), walk.key()
    predicted = walk.predict({**deployment, "url": deployment["url"] + "?threshold=0.0"}, key, pictures[1])
    annotations = predicted["predictions"][0]["annotations"]
    assert annotations
    assert {each["kind"] for each in annotations} == {"box"}
    assert {each["label"] for each in annotations} <= set(example.LABELS)

    _unsure_pictures_come_back(walk, project, deployment, key, pictures)
    _a_version_goes_out_and_in(walk, version, body)

    exported = walk.call("POST", "/exports", json={"artefact": artefact, "target": "onprem_server", "options": {}})
    done = walk.job(exported["job"]["id"])
    assert done["state"] == "succeeded", done


def _unsure_pictures_come_back(walk, project, deployment, key, pictures):
    """What the model held to be on a picture waits there as a suggestion."""
    for picture in pictures[:12]:
        mirrored = io.BytesIO()
        ImageOps.mirror(Image.open(io.BytesIO(picture))).save(mirrored, "PNG")
        walk.predict(deployment, key, mirrored.getvalue())
    num_calls = 13  # with the one before, which is in the dataset already
    log: list[dict] = []
    while len(log) < num_calls:  # the test's own time limit ends this
        time.sleep(0.2)
        log = walk.call("GET", f"/deployments/{deployment['id']}/log")["items"]
    body = {"deployment": deployment["id"], "min_uncertainty": 0.0, "limit": 50}
    feedback = walk.call("POST", "/labeling/feedback", json=body)
    assert feedback["items"] == num_calls - 1, feedback
    assert walk.job(feedback["job"]["id"])["state"] == "succeeded"
    items = walk.call("GET", f"/datasets/{project['dataset']}/items", params={"state": "unlabelled"})["items"]
    found = walk.call("GET", "/labeling/suggestions", params={"items": ",".join(item["id"] for item in items)})
    annotations_of = {item: one["annotations"] for item, one in found.items()}
    assert annotations_of, "the model held nothing to be there on any picture"
    assert annotations_of.keys() <= {item["id"] for item in items}
    assert {one["input_sha256"] for one in log} >= {item["blob"] for item in items}
    assert all(box["kind"] == "box" and box["score"] > 0 for boxes in annotations_of.values() for box in boxes)


def _a_version_goes_out_and_in(walk, version, body):
    """The formats of detection bring back as many boxes of each label in the same splits."""
    facts = []
    for name in ("coco", "voc", "yolo", "easydl"):
        data = walk.call("GET", f"/versions/{version['id']}/download", params={"format": name, "pictures": "true"})
        back = walk.call("POST", "/projects", json={**body, "name": f"Back from {name}"})
        assert walk.upload(back["dataset"], data, name=f"{name}.zip", labels="auto")["state"] == "succeeded"
        summary = walk.call("GET", f"/datasets/{back['dataset']}/summary")
        facts.append((summary["by_label"], summary["by_split"], summary["annotated"]))
    assert facts == [facts[0]] * 4, facts
    assert facts[0][2] == 60
