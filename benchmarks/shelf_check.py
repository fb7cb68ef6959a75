"""Packs on photos of shelves, found by a detector and named by a gallery: both trained as the quick start trains them.

Photographs are drawn (``engine/tasks/shared/shelf_scenes.py``), so every pack's box and product are known; those that are
judged have a seed that no training has. The gallery has five pictures of each product that the quick start knows. Six more
products stand on the shelves that no model and no gallery has seen: they should be unknown, until five packs of each are added
from other photos, as a person clicks them. A pack counts as found if a box overlaps it by half (IoU), each box once. The anchor
names the same boxes by their pixels: the nearest of as many pictures of each product, all at 16 x 16 in colour.
"""

from __future__ import annotations

import io
import sys
import tempfile
import time
import zipfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from benchmarks._platform import walking
from benchmarks.harness import Claim, Options, main
from engine.tasks import task_spec
from engine.tasks.image_similarity.quickstarts import packs as pack_pictures
from engine.tasks.object_detection.quickstarts import shelf as shelf_photos
from engine.tasks.shared.packs import KNOWN, NEW
from engine.tasks.shared.shelf_scenes import Pack, ShelfPhoto, shelf_photo
from modelyard import Client, Shelf
from modelyard import Pack as Found
from tests.journeys.walk import Walk

PER_PRODUCT = 5
FOUND, NAMED, ADDED = 0.95, 0.95, 0.9
_JUDGED_SEED, _ADDED_SEED = 9_001, 9_002
_IOU = 0.5
_PIXELS = 16
_ON_TWO_CORES_S = 300.0


def _ranges(task: str, quickstart: str) -> dict[str, Any]:
    """What a quick start asks the study for."""
    (spec,) = (each for each in task_spec(task).quickstarts if each.name == quickstart)
    return {family: {name: {"low": low} for name, low in params.items()} for family, params in spec.at_least.items()}


@dataclass(frozen=True)
class _Sizes:
    """How much is trained and judged."""

    num_photos: int = shelf_photos.NUM_PHOTOS
    pictures_per_product: int = pack_pictures.PICTURES_PER_PRODUCT
    num_judged: int = 40
    most_added_from: int = 60
    ranges: Mapping[str, Any] = field(
        default_factory=lambda: {**_ranges("object_detection", "shelf"), **_ranges("image_similarity", "packs")}
    )


_SMALLEST = _Sizes(8, 12, 1, 1, {"yolo": {"epochs": {"high": 2}, "resolution_px": {"choices": [96]}}})


@dataclass
class _Score:
    """Packs that were judged."""

    num_packs: int = 0
    num_boxes: int = 0
    num_found: int = 0
    known: list[bool] = field(default_factory=list)
    """Of each pack that was found and that the gallery knew from the start: whether it was named rightly."""
    anchor: list[bool] = field(default_factory=list)
    new: list[bool] = field(default_factory=list)
    """Of each other one that was found."""
    new_unknown: list[bool] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


def measure(options: Options) -> list[Claim]:
    """What is found, what is named, and what five pictures of a new product change."""
    sizes = options.pick(_Sizes(), smoke=_SMALLEST, quick=_Sizes(num_judged=10))
    with walking("efficientnet_lite0", "yolov3_tiny") as walk, tempfile.TemporaryDirectory() as folder:
        detector, detector_s = _trained(
            walk,
            Path(folder, "object_detection.zip"),
            _photos_written(sizes),
            family="yolo",
            labels="auto",
            ranges=sizes.ranges,
        )
        namer, namer_s = _trained(
            walk,
            Path(folder, "image_similarity.zip"),
            _packs_written(sizes),
            family="metric_learning",
            labels="folder",
            ranges=sizes.ranges,
        )
        gallery = _gallery(walk, namer)
        project = Client(walk.platform.url, walk.key()).project(detector["project"])
        shelf = project.create_shelf("Drinks", deployment=project.deployment(detector["id"]), gallery=gallery)
        judged = [
            shelf_photo(generator) for generator in [np.random.default_rng(_JUDGED_SEED)] for _ in range(sizes.num_judged)
        ]
        before = _judged(shelf, judged, _nearest_pixels(_pictures(Path(folder))))
        num_added = _new_added(shelf, sizes.most_added_from)
        after = _judged(shelf, judged, lambda _: "")
    sys.stderr.write(
        f"trained in {detector_s:.0f} s and {namer_s:.0f} s; {before.num_found} of {before.num_packs} packs found, "
        f"{before.num_boxes - before.num_found} boxes around nothing; a photo takes {np.median(before.seconds):.2f} s\n"
        f"before: known named {_mean(before.known):.4f}, new called unknown {_mean(before.new_unknown):.4f}\n"
        f"after {num_added} crops: known named {_mean(after.known):.4f}, new named {_mean(after.new):.4f}, "
        f"unknown {_mean(after.new_unknown):.4f}\n"
    )
    found, known, anchor = before.num_found / before.num_packs, _mean(before.known), _mean(before.anchor)
    what = f"{before.num_packs} packs on {sizes.num_judged} held-out photos"
    return [
        Claim("shelf_check", "seconds to train the detector", detector_s, _ON_TWO_CORES_S, detector_s, _ON_TWO_CORES_S, True),
        Claim("shelf_check", f"share of {what} that are found", found, 1.0, found, FOUND),
        Claim("shelf_check", "share of known ones that are named rightly, of those found", known, anchor, known, NAMED),
        Claim(
            "shelf_check",
            "the same of new ones after five pictures",
            _mean(after.new),
            _mean(before.new),
            _mean(after.new),
            ADDED,
        ),
    ]


def _photos_written(sizes: _Sizes) -> Callable[[Path], None]:
    return lambda target: shelf_photos.write_zip(target, target.parent, num_photos=sizes.num_photos)


def _packs_written(sizes: _Sizes) -> Callable[[Path], None]:
    return lambda target: pack_pictures.write_zip(target, target.parent, pictures_per_product=sizes.pictures_per_product)


def _trained(
    walk: Walk, archive: Path, written: Callable[[Path], None], *, family: str, labels: str, ranges: Mapping[str, Any]
) -> tuple[dict[str, Any], float]:
    """The deployment of a model that one trial made, as the page's quick start orders it, and the seconds of training."""
    written(archive)
    task = archive.stem
    project = walk.call("POST", "/projects", json={"workspace": walk.workspace, "name": task, "task": task, "task_options": {}})
    job = walk.upload(project["dataset"], archive.read_bytes(), labels=labels)
    assert job["state"] == "succeeded", job
    version = walk.snapshot(project["id"])
    start = time.perf_counter()
    ordered = {"families": [family], "refits": False, "ranges": {family: ranges[family]} if family in ranges else None}
    study, trials = walk.study_ended(walk.study(project["id"], version["id"], **ordered)["id"], timeout_s=1800)
    seconds = time.perf_counter() - start
    assert study["state"] == "succeeded", (study, trials)
    artefact = next(trial["artefact"] for trial in trials if trial["id"] == study["best_trial"])
    return walk.deploy(project["id"], artefact, keep_inputs="none"), seconds


def _gallery(walk: Walk, namer: Mapping[str, Any]) -> str:
    body = {"name": "Products", "deployment": namer["id"]}
    gallery: str = walk.call("POST", f"/projects/{namer['project']}/galleries", json=body)["id"]
    while walk.call("POST", f"/galleries/{gallery}/items", json={"per_name": PER_PRODUCT})["left"]:
        pass
    return gallery


def _judged(shelf: Shelf, photos: Sequence[ShelfPhoto], anchor: Callable[[Image.Image], str]) -> _Score:
    score = _Score()
    for photo in photos:
        start = time.perf_counter()
        answer = shelf.check(_jpeg(photo))
        score.seconds.append(time.perf_counter() - start)
        score.num_packs, score.num_boxes = score.num_packs + len(photo.packs), score.num_boxes + len(answer.packs)
        for pack, found in _pairs(photo.packs, answer.packs):
            score.num_found += 1
            if pack.product in NEW:
                score.new.append(found.name == pack.product)
                score.new_unknown.append(found.name is None)
            else:
                score.known.append(found.name == pack.product)
                box = found.box
                sides = (box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"])
                score.anchor.append(anchor(Image.fromarray(photo.picture_HWC).crop(sides)) == pack.product)
    return score


def _new_added(shelf: Shelf, most_photos: int) -> int:
    """Adds five packs of each new product, from photos that are not judged; returns how many crops that were."""
    generator, number = np.random.default_rng(_ADDED_SEED), defaultdict[str, int](int)
    for _ in range(most_photos):
        if len(number) == len(NEW) and min(number.values()) >= PER_PRODUCT:
            break
        photo = shelf_photo(generator)
        clicked = defaultdict[str, list[Found]](list)
        for pack, found in _pairs(photo.packs, shelf.check(_jpeg(photo)).packs):
            if pack.product in NEW and number[pack.product] < PER_PRODUCT:
                number[pack.product] += 1
                clicked[pack.product].append(found)
        for product, own in clicked.items():
            shelf.add(_jpeg(photo), own, product)
    return sum(number.values())


def _pairs(packs: Iterable[Pack], found: Sequence[Found]) -> list[tuple[Pack, Found]]:
    """Packs with the box that lies on them, each box once, the best overlap first."""
    overlaps = sorted(
        ((_overlap(pack, each.box), place, number) for place, pack in enumerate(packs) for number, each in enumerate(found)),
        reverse=True,
    )
    by_place, used = dict(enumerate(packs)), set[int]()
    pairs = []
    for overlap, place, number in overlaps:
        if overlap >= _IOU and place in by_place and number not in used:
            used.add(number)
            pairs.append((by_place.pop(place), found[number]))
    return pairs


def _overlap(pack: Pack, box: Mapping[str, float]) -> float:
    wide = min(pack.left + pack.width, box["x"] + box["width"]) - max(pack.left, box["x"])
    high = min(pack.top + pack.height, box["y"] + box["height"]) - max(pack.top, box["y"])
    shared = max(0.0, wide) * max(0.0, high)
    return shared / (pack.width * pack.height + box["width"] * box["height"] - shared)


def _nearest_pixels(named: Sequence[tuple[str, Image.Image]]) -> Callable[[Image.Image], str]:
    """Names a picture by the nearest of these, pixel by pixel."""
    known_NP = np.stack([_small(picture) for _, picture in named])
    return lambda picture: named[int(((known_NP - _small(picture)) ** 2).sum(axis=1).argmin())][0]


def _pictures(folder: Path) -> list[tuple[str, Image.Image]]:
    """The first pictures of each product: those that the gallery is filled with are no better."""
    with zipfile.ZipFile(folder / "image_similarity.zip") as archive:
        names = [f"{key}/{number:02d}.jpg" for key in KNOWN for number in range(1, PER_PRODUCT + 1)]
        return [(name.partition("/")[0], Image.open(io.BytesIO(archive.read(name))).convert("RGB")) for name in names]


def _small(picture: Image.Image) -> NDArray[np.float64]:
    return np.asarray(picture.resize((_PIXELS, _PIXELS)), dtype=np.float64).ravel()


def _jpeg(photo: ShelfPhoto) -> bytes:
    out = io.BytesIO()
    Image.fromarray(photo.picture_HWC).save(out, "JPEG", quality=88)
    return out.getvalue()


def _mean(values: Sequence[bool]) -> float:
    return sum(values) / len(values) if values else 0.0


if __name__ == "__main__":
    main(measure)
