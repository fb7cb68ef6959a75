"""Pictures: digits, clothes, stamps, and stamps laid on photographs; some with a rare class or few of each."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from benchmarks._digits import ASSETS_DIR
from benchmarks.harness import SkippedError
from benchmarks.small_sets._labelled import Labelled, LabelledSet, drawn, logistic
from engine.assets.fetch import AssetMissingError

ASSETS = ("efficientnet_lite0", "efficientnet_lite1", "efficientnet_lite2")
NAMES = ("digits", "digits_few", "clothes", "shirts_rare", "stamps", "scenes", "scenes_many")
QUICK = ("digits", "stamps")
SMOKE = ""
EXTRA = ("arrows", "blobs", "digits_clean", "digits_noisy")
"""Only with ``--only``: labels that a mirror turns into others, labels that it keeps, and 200 digits with or without noise."""
_CLOTHES = ("T-shirt", "trousers", "pullover", "dress", "coat", "sandal", "shirt", "sneaker", "bag", "boot")
_RARE = {"shirt": 20, "T-shirt": 400}
_NUM_SCENES, _NUM_MANY, _PER_MANY, _TEST_MANY = 1_000, 30, 6, 14
_SIDE_PX = 256
_PIXELS = 28
_NUM_DRAWN, _ARROW_PX, _NUM_NOISY, _NOISE = 1_000, 64, 200, 0.1


def load(name: str, seed: int, folder: Path) -> LabelledSet:
    """Draws a set.

    Raises:
        SkippedError: its package is not there.
    """
    del folder
    counts: dict[str, int] | int
    try:
        match name:
            case "digits" | "digits_few":
                items = list(_digits())
                counts = 500 if name == "digits" else dict.fromkeys("038", 5)
            case "digits_clean" | "digits_noisy":
                items, counts = list(_digits()), _NUM_NOISY
            case "arrows" | "blobs":
                items, counts = list(_shapes(seed, is_directed=name == "arrows")), 120
            case "clothes" | "shirts_rare":
                items = list(_clothes())
                counts = 500 if name == "clothes" else _RARE
                items = items if name == "clothes" else _rare(items)
            case "stamps":
                items, counts = list(_zipped("tuxpaint_stamps")), 240
            case _:
                items = list(_scenes(seed, is_many=name == "scenes_many"))
                counts = dict.fromkeys({each.label for each in items}, _PER_MANY) if name == "scenes_many" else 400
    except AssetMissingError as error:
        raise SkippedError(error.message) from error
    training, test = drawn(items, counts, seed)
    if name == "digits_noisy":
        training = _mislabelled(training, seed)
    return LabelledSet(name, "image_classification", "png", training, test, _by_hand)


def _zipped(card: str) -> Iterator[Labelled]:
    from engine.assets.quickstart import pictures

    with zipfile.ZipFile(pictures(card, ASSETS_DIR)) as archive:
        for name in sorted(archive.namelist()):
            yield Labelled(archive.read(name), name.split("/")[0])


def _digits() -> Iterator[Labelled]:
    from benchmarks._digits import digits

    pictures_NHWC, targets_N = digits(5_000, 28)
    for picture_HWC, digit in zip(pictures_NHWC, targets_N.tolist(), strict=True):
        yield Labelled(png(picture_HWC), str(digit))


def _clothes() -> Iterator[Labelled]:
    from benchmarks._feature_sets import source_of

    for picture_HWC, number in source_of("fashion"):
        yield Labelled(png(picture_HWC), _CLOTHES[int(number)])


def _mislabelled(items: list[Labelled], seed: int) -> list[Labelled]:
    """One in ten with another label, drawn evenly."""
    random, labels = np.random.default_rng(seed), sorted({each.label for each in items})
    wrong = set(random.choice(len(items), round(_NOISE * len(items)), replace=False).tolist())
    return [
        Labelled(each.content, str(random.choice([label for label in labels if label != each.label]))) if row in wrong else each
        for row, each in enumerate(items)
    ]


def _shapes(seed: int, *, is_directed: bool) -> Iterator[Labelled]:
    """Arrows that point left or right, or discs and squares, of any size and place."""
    random = np.random.default_rng(seed)
    for row in range(_NUM_DRAWN):
        picture_HWC = random.integers(150, 256, (_ARROW_PX, _ARROW_PX, 3)).astype(np.uint8)
        colour = [int(each) for each in random.integers(0, 100, 3)]
        half, (x, y) = int(random.integers(12, 22)), random.integers(24, 40, 2).tolist()
        if is_directed:
            label, step = (("left", -half), ("right", half))[row % 2]
            cv2.arrowedLine(picture_HWC, (x - step, y), (x + step, y), colour, 3, tipLength=0.4)
        elif label := ("disc", "")[row % 2]:
            cv2.circle(picture_HWC, (x, y), half, colour, -1)
        else:
            label = "square"
            cv2.rectangle(picture_HWC, (x - half, y - half), (x + half, y + half), colour, -1)
        yield Labelled(png(picture_HWC), label)


def _rare(items: list[Labelled]) -> list[Labelled]:
    """Two of the kinds that are hard to tell apart, in the test as rare as in training."""
    common = [each for each in items if each.label == "T-shirt"]
    rare = [each for each in items if each.label == "shirt"]
    return common + rare[: len(common) // 10]


def _scenes(seed: int, *, is_many: bool) -> Iterator[Labelled]:
    """One stamp on a photograph: of which of five kinds, or which of thirty stamps."""
    from engine.data.paste import Canvas, turned
    from engine.tasks.object_detection.scenes import LABELS, material

    source, random = material(ASSETS_DIR, is_held_out=False), np.random.default_rng(seed)
    stamps = [(kind, cutout) for kind in LABELS for cutout in source.cutouts[kind]]
    order = random.permutation(len(stamps))[:_NUM_MANY]
    number = _NUM_MANY * (_PER_MANY + _TEST_MANY) if is_many else _NUM_SCENES
    for row in range(number):
        if is_many:
            place = row % _NUM_MANY
            label, cutout = f"stamp-{place:02d}", stamps[order[place]][1]
        else:
            label = LABELS[row % len(LABELS)]
            cutout = source.cutouts[label][random.integers(len(source.cutouts[label]))]
        photo_HWC = source.photos[random.integers(len(source.photos))]
        canvas = Canvas(cv2.resize(_cut(photo_HWC, random), (_SIDE_PX, _SIDE_PX), interpolation=cv2.INTER_AREA))
        angle = float(random.uniform(-30, 30))
        piece = turned(cutout, longest_px=_SIDE_PX * float(random.uniform(0.25, 0.6)), angle_deg=angle)
        height, width = piece.shape[:2]
        left, top = (int(random.integers(0, max(1, _SIDE_PX - side))) for side in (width, height))
        canvas.lay(piece, left=left, top=top)
        yield Labelled(png(canvas.picture_HW3), label)


def _cut(photo_HWC: NDArray[np.uint8], random: np.random.Generator) -> NDArray[np.uint8]:
    side = int(min(photo_HWC.shape[:2]) * random.uniform(0.5, 1.0))
    top, left = (int(random.integers(0, length - side + 1)) for length in photo_HWC.shape[:2])
    return np.ascontiguousarray(photo_HWC[top : top + side, left : left + side])


def png(picture_HWC: NDArray[np.uint8]) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(picture_HWC).save(buffer, "PNG")
    return buffer.getvalue()


def _by_hand(small: LabelledSet) -> dict[str, NDArray]:
    """A head on features of the same weights, its strength by folds, and a support vector machine on pixels."""
    pictures = [_opened(each) for each in (*small.training, *small.test)]
    targets_N, number = small.targets(small.training), small.num_training
    features_ND = _seen(pictures)
    pixels_ND = (
        np.stack([cv2.resize(each, (_PIXELS, _PIXELS), interpolation=cv2.INTER_AREA).ravel() for each in pictures]) / 255.0
    )
    return {
        "probe": logistic(features_ND[:number], targets_N, features_ND[number:], is_scaled=True),
        "svm on pixels": _svm(pixels_ND[:number], targets_N, pixels_ND[number:]),
    }


def _opened(item: Labelled) -> NDArray[np.uint8]:
    with Image.open(io.BytesIO(item.content)) as picture:
        return np.asarray(picture.convert("RGB"))


def _seen(pictures: list[NDArray[np.uint8]]) -> NDArray:
    """Features of EfficientNet-Lite0 at its own size."""
    from benchmarks._feature_sets import CACHE_DIR
    from engine import frozen
    from engine.data.image import resize_picture

    backbone = frozen.load_backbone("linear_probe", "0", ASSETS_DIR).eval()
    name = frozen.graph_name(frozen.fingerprint(backbone), 224)
    runtime = frozen.exported(backbone, name=name, resolution_px=224, cache_dir=CACHE_DIR, num_threads=1)
    return np.concatenate([runtime.run(resize_picture(each, height_px=224, width_px=224)[None]) for each in pictures])


def _svm(train_ND: NDArray, targets_N: NDArray[np.int64], test_MD: NDArray) -> NDArray:
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.model_selection import GridSearchCV
    from sklearn.svm import SVC

    num_folds = max(2, min(4, int(np.bincount(targets_N).min())))
    search = GridSearchCV(SVC(), {"C": [1.0, 10.0]}, cv=num_folds).fit(train_ND, targets_N)
    model = CalibratedClassifierCV(search.best_estimator_, ensemble=False, cv=num_folds)
    found: NDArray = model.fit(train_ND, targets_N).predict_proba(test_MD)
    return found
