"""What the training and the test pictures are made of: cut-outs with exact masks, and photographs to lay them on.

All come from Debian's registry, by the same cards and the same checks as other assets, and stay there: nothing is vendored.
Training and test share no kind of thing and no photograph: cut-outs are told apart by their folder, photographs by their
package. Shapes: H height, W width.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from engine.assets.card import AssetCard, read_card
from engine.assets.fetch import fetch_source

Split = Literal["train", "test"]
Pixels = NDArray[Any]
"""Bytes; OpenCV's own types say no more."""

CLIPART = AssetCard(
    title="Open Clip Art Library",
    registry="debian",
    package="openclipart-png",
    version="1:0.18+dfsg-19",
    file="usr/share/openclipart/png",
    sha256="f07f1545a2970c2cf3fa339bc2405da1a95cf2b1827bfa05bf73eb1c20291c02",
    size_bytes=130910028,
    licence="CC0-1.0",
    source="openclipart.org",
    converter="stamp_pictures",
)
OPENCV_PHOTOS = AssetCard(
    title="Pictures of OpenCV's examples",
    registry="debian",
    package="opencv-doc",
    version="4.6.0+dfsg-12",
    file="usr/share/doc/opencv-doc/examples",
    sha256="4b12681df35878207ac7097dc66184b2ae552e4bf4ddd2af04a0f03ed0b8682a",
    size_bytes=95715012,
    licence="Apache-2.0 AND BSD-3-Clause",
    source="OpenCV's samples",
    converter="stamp_pictures",
)
SKIMAGE_PHOTOS = AssetCard(
    title="Pictures of scikit-image",
    registry="debian",
    package="python3-skimage",
    version="0.19.3-8",
    file="usr/lib/python3/dist-packages/skimage/data",
    sha256="728d88c3e3440f1f3712de0805dc834d29248ff07e1eec8c0f3da07606f752f9",
    size_bytes=20713608,
    licence="BSD-3-Clause",
    source="scikit-image's gallery",
    converter="stamp_pictures",
)

TEST_STAMPS = ("food", "household", "plants", "vehicles", "animals/birds", "hobbies")
"""Folders of stamps that the training never sees."""
_NO_THINGS = ("symbols/alphabets", "symbols/math", "symbols/music")
"""Glyphs and lines: nobody clicks at them in a photograph."""
_TRAIN_PHOTOS = """
    aero1 aero3 apple baboon blox board building butterfly cards fruits graf1 graf3 home leuvenA leuvenB
    licenseplate_motion messi5 orange rubberwhale1 smarties squirrel_cls starry_night stuff WindowsLogo HappyFish
    ela_original box_in_scene scenetext01 scenetext02 scenetext03 scenetext04 scenetext05 scenetext06 pca_test1
    chicky_512 left right sudoku Blender_Suzanne1 basketball1 000 001 002
"""
_TEST_PHOTOS = """
    astronaut brick chelsea coffee color grass gravel hubble_deep_field ihc motorcycle_left retina rocket coins
"""
_MAX_CUTOUT_PX = 320
_MAX_PHOTO_PX = 900
_NUM_CLIPARTS = 1000
_MAX_CLIPART_BYTES = 100_000
"""The rest is a few posters of up to 600 megapixels."""
_MIN_OPAQUE_FRACTION, _MAX_OPAQUE_FRACTION = 0.2, 0.93
"""Of its frame: less is a drawing of lines, more is a flag or a page."""


@dataclass(frozen=True)
class Material:
    """Cut-outs (RGBA, cropped to what shows) and photographs (RGB)."""

    stamps: tuple[Pixels, ...]
    cliparts: tuple[Pixels, ...]
    photos: tuple[Pixels, ...]


def material(split: Split) -> Material:
    """Fetches and reads what one side of the split is made of; about 400 MB are downloaded and dropped again.

    Raises:
        AssetMissingError: Debian's registry cannot be reached.
        AssetChangedError: a package holds other bytes than its card promises.
    """
    with tempfile.TemporaryDirectory(prefix="click-mask-") as scratch:
        cards = {"stamps": read_card("tuxpaint_stamps"), "photos": OPENCV_PHOTOS if split == "train" else SKIMAGE_PHOTOS}
        if split == "train":
            cards["cliparts"] = CLIPART
        folders: dict[str, Path] = {}
        for name, card in cards.items():
            Path(scratch, name).mkdir()
            folders[name] = fetch_source(card, Path(scratch, name))
        return material_in(split, folders["stamps"], folders["photos"], folders.get("cliparts"))


def material_in(split: Split, stamps: Path, photos: Path, cliparts: Path | None = None) -> Material:
    """The same from folders that are here already."""
    paths = [path for path in sorted(stamps.rglob("*.png")) if _side_of(path.relative_to(stamps).as_posix()) == split]
    drawn = [path for path in sorted(cliparts.rglob("*.png")) if path.stat().st_size < _MAX_CLIPART_BYTES] if cliparts else []
    chosen = np.random.default_rng(0).permutation(len(drawn))[: 2 * _NUM_CLIPARTS]
    found = {path.stem: path for path in sorted(photos.rglob("*")) if path.suffix in {".jpg", ".png"}}
    names = (_TRAIN_PHOTOS if split == "train" else _TEST_PHOTOS).split()
    return Material(
        stamps=_cutouts(paths),
        cliparts=_cutouts([drawn[at] for at in chosen])[:_NUM_CLIPARTS],
        photos=tuple(_photo(found[name]) for name in dict.fromkeys(names) if name in found),
    )


def _side_of(name: str) -> Split | None:
    if name.startswith(_NO_THINGS):
        return None
    return "test" if name.startswith(TEST_STAMPS) else "train"


def _cutouts(paths: list[Path]) -> tuple[Pixels, ...]:
    found = (_cutout(path) for path in paths)
    return tuple(pixels for pixels in found if pixels is not None)


def _cutout(path: Path) -> Pixels | None:
    """The picture cropped to what shows; None when its alpha is no mask of a thing."""
    with Image.open(path) as picture:
        rgba = picture.convert("RGBA")
    box = rgba.getchannel("A").point(lambda alpha: 255 if alpha > 127 else 0).getbbox()
    if box is None or min(box[2] - box[0], box[3] - box[1]) < 24:
        return None
    cropped = rgba.crop(box)
    cropped.thumbnail((_MAX_CUTOUT_PX, _MAX_CUTOUT_PX), Image.Resampling.LANCZOS)
    pixels_HW4 = np.asarray(cropped)
    share = float((pixels_HW4[..., 3] > 127).mean())
    return pixels_HW4 if _MIN_OPAQUE_FRACTION < share < _MAX_OPAQUE_FRACTION else None


def _photo(path: Path) -> Pixels:
    with Image.open(path) as picture:
        rgb = picture.convert("RGB")
    rgb.thumbnail((_MAX_PHOTO_PX, _MAX_PHOTO_PX), Image.Resampling.LANCZOS)
    return np.asarray(rgb)
