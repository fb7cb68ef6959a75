"""Makes the files beside it with the peers' own packages: install datumaro and label-studio-sdk, then run it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
from datumaro.components.annotation import AnnotationType, Bbox, Label, LabelCategories, Mask, Points, PointsCategories, Polygon
from datumaro.components.dataset import Dataset
from datumaro.components.dataset_base import DatasetItem
from datumaro.components.media import Image
from label_studio_sdk.converter.brush import mask2rle
from label_studio_sdk.label_interface import LabelInterface
from label_studio_sdk.label_interface.objects import PredictionValue, TaskValue

HERE = Path(__file__).parent
FORMATS = {
    "coco_instances": "coco",
    "coco_person_keypoints": "coco_keypoints",
    "voc_detection": "voc",
    "yolo": "yolo",
    "cvat": "cvat",
}


def mask() -> np.ndarray:
    """An L of pixels in a picture of 30 x 20."""
    pixels = np.zeros((20, 30), dtype=np.uint8)
    pixels[5:15, 4:8] = 1
    pixels[12:15, 4:20] = 1
    return pixels


def dataset(kind: str) -> Dataset:
    """Two pictures in two splits, the second without anything on it."""
    box = Bbox(2, 3, 10, 5, label=1, id=1, group=1, attributes={"occluded": True})
    shapes = {
        "coco": [Polygon([1, 1, 9, 1, 9, 9], label=0, id=2, group=2), Mask(mask(), label=1, id=3, group=3), box],
        "coco_keypoints": [Points([1, 2, 3, 4], [2, 1], label=0, id=5, group=5), Bbox(1, 2, 3, 3, label=0, id=5, group=5)],
        "cvat": [box, Polygon([1, 1, 9, 1, 9, 9], label=0, id=2, attributes={"occluded": False}), Label(0)],
    }
    picture = np.full((20, 30, 3), 90, dtype=np.uint8)
    items = [
        DatasetItem("one", subset="train", media=Image.from_numpy(picture, ext=".png"), annotations=shapes.get(kind, [box])),
        DatasetItem("two", subset="val", media=Image.from_numpy(picture + 9, ext=".png"), annotations=[]),
    ]
    categories = {AnnotationType.label: LabelCategories.from_iterable(["cat", "dog"])}
    if kind == "coco_keypoints":
        points = PointsCategories()
        points.add(0, ["nose", "tail"], {(0, 1)})
        categories[AnnotationType.points] = points
    return Dataset.from_iterable(items, categories=categories)


CONFIG = """<View><Image name="image" value="$image"/>
<RectangleLabels name="box" toName="image"><Label value="dog"/></RectangleLabels>
<Choices name="class" toName="image"><Choice value="cat"/><Choice value="dog"/></Choices></View>"""


def predictions() -> list[dict[str, Any]]:
    """Two tasks that nobody has annotated: a box with a score of its own, and a class under the prediction's score."""
    controls = LabelInterface(CONFIG)
    size = {"original_width": 40, "original_height": 30, "image_rotation": 0}
    box = controls.get_control("box").label(label="dog", x=10, y=20, width=30, height=40, rotation=0)._dict()
    kind = controls.get_control("class").label(label="cat")._dict()
    given = {
        "one.png": PredictionValue(model_version="detector", score=0.4, result=[box | size | {"id": "dog-1", "score": 0.75}]),
        "two.png": PredictionValue(model_version="classifier", score=0.8, result=[kind | {"id": "cat-1"}]),
    }
    tasks = [TaskValue(data={"image": f"/data/upload/1/0a1b2c3d-{name}"}, predictions=[one]) for name, one in given.items()]
    return [task.model_dump(mode="json", exclude_none=True) for task in tasks]


def main() -> None:
    """Writes one folder a format."""
    for name, folder in FORMATS.items():
        shutil.rmtree(HERE / folder, ignore_errors=True)
        dataset(folder).export(str(HERE / folder), name, save_media=True)
    (HERE / "label_studio_predictions.json").write_text(json.dumps(predictions()))
    (HERE / "brush.json").write_text(json.dumps(mask2rle(mask() * 255)))


if __name__ == "__main__":
    main()
