"""Boxes: stamps on photographs with true boxes, easy and as in the quick start; other pictures of the same stamps are asked.

Nothing is made by hand: a person without a detector of his own has none to compare with.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from benchmarks._digits import ASSETS_DIR
from benchmarks.harness import SkippedError
from engine.assets.fetch import AssetMissingError
from engine.tasks.object_detection.example import GeneratedPicture
from runtime.predictor import Predictor

ASSETS = ("yolov3_tiny", "efficientnet_lite0")
NAMES = ("things_easy", "things_medium")
QUICK = ("things_easy",)
EXTRA = ()
SMOKE = ""
_LEVELS = {"things_easy": "easy", "things_medium": "medium"}
_NUM_TRAINING, _NUM_TEST = 120, 100
_WIDTH_PX, _HEIGHT_PX = 640, 480


def load(name: str, seed: int, folder: Path) -> BoxSet:
    """Draws a set.

    Raises:
        SkippedError: its packages are not there.
    """
    from engine.tasks.object_detection import scenes

    del folder
    try:
        source = scenes.material(ASSETS_DIR, is_held_out=False)
    except AssetMissingError as error:
        raise SkippedError(error.message) from error
    random = np.random.default_rng(seed)
    level = scenes.LEVELS[_LEVELS[name]]
    drawn = [
        scenes.scene(source, level, random, width_px=_WIDTH_PX, height_px=_HEIGHT_PX) for _ in range(_NUM_TRAINING + _NUM_TEST)
    ]
    return BoxSet(name, scenes.LABELS, drawn[:_NUM_TRAINING], drawn[_NUM_TRAINING:])


@dataclass(frozen=True)
class BoxSet:
    """Pictures with true boxes."""

    name: str
    labels: tuple[str, ...]
    training: Sequence[GeneratedPicture]
    test: Sequence[GeneratedPicture]
    options: Mapping[str, str] = field(default_factory=dict)
    task = "object_detection"

    @property
    def num_training(self) -> int:
        """Pictures to upload."""
        return len(self.training)

    @property
    def num_test(self) -> int:
        """Pictures that are asked."""
        return len(self.test)

    def upload(self, walk: Any, project: Mapping[str, Any]) -> None:
        """Uploads pictures beside one file of COCO's format."""
        job = walk.upload(project["dataset"], self._archive(), name=f"{self.name}.zip", labels="auto")
        assert job["state"] == "succeeded", job

    def ask(self, predictor: Predictor) -> NDArray:
        """Detections ``_ND6`` as the shipped graph gives them, labels in the order of the set."""
        places = np.array([self.labels.index(label) for label in predictor.labels] + [-1], dtype=np.float32)
        answers = [predictor.predict(predictor.decode(_jpeg(each))) for each in self.test]
        found_ND6 = np.stack(answers).astype(np.float32)
        found_ND6[..., 5] = places[found_ND6[..., 5].astype(np.int64)]
        return found_ND6

    def baselines(self) -> dict[str, NDArray]:
        """None."""
        return {}

    def measures(self, answers: NDArray, places: NDArray[np.intp] | None = None) -> dict[str, float]:
        """AP50 in points, and AP averaged over overlaps."""
        from engine.tasks.object_detection import metrics

        chosen = np.arange(self.num_test) if places is None else places
        found = metrics.metrics(answers[chosen], self._targets()[chosen], self.labels)
        return {"ap50": 100 * found["ap50"], "ap": found["ap"]}

    def _targets(self) -> NDArray[np.float32]:
        most = max(len(each.boxes) for each in self.test)
        targets_NM5 = np.tile(np.array([0, 0, 0, 0, -1], dtype=np.float32), (self.num_test, most, 1))
        for row, each in enumerate(self.test):
            for place, box in enumerate(each.boxes):
                left, top = box.x / _WIDTH_PX, box.y / _HEIGHT_PX
                right, bottom = (box.x + box.width) / _WIDTH_PX, (box.y + box.height) / _HEIGHT_PX
                targets_NM5[row, place] = (left, top, right, bottom, self.labels.index(box.label))
        return targets_NM5

    def _archive(self) -> bytes:
        buffer = io.BytesIO()
        images: list[dict[str, object]] = []
        annotations: list[dict[str, object]] = []
        with zipfile.ZipFile(buffer, "w") as archive:
            for number, each in enumerate(self.training, start=1):
                name = f"pictures/{number:04d}.jpg"
                archive.writestr(name, _jpeg(each))
                images.append({"id": number, "file_name": name, "width": _WIDTH_PX, "height": _HEIGHT_PX})
                for box in each.boxes:
                    sides = [box.x, box.y, box.width, box.height]
                    entry = {"id": len(annotations) + 1, "image_id": number, "category_id": self.labels.index(box.label) + 1}
                    annotations.append({**entry, "bbox": sides, "area": box.width * box.height, "iscrowd": 0})
            categories = [{"id": place, "name": label} for place, label in enumerate(self.labels, start=1)]
            document = {"images": images, "categories": categories, "annotations": annotations}
            archive.writestr("annotations.json", json.dumps(document))
        return buffer.getvalue()


def _jpeg(drawn: GeneratedPicture) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(drawn.picture_HWC).save(buffer, "JPEG", quality=88)
    return buffer.getvalue()
