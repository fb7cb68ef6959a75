"""Real pictures for a first model: a zip with one folder a label, as a person would upload it.

Colour stamps come from Debian; where that registry cannot be had, digits come from PyPI, on any operating system. No torch
here: the platform may import this module.
"""

from __future__ import annotations

import csv
import gzip
import io
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from PIL import Image

from engine.assets.card import AssetCard
from engine.assets.fetch import AssetMissingError, Progress
from engine.assets.keep import Convert, stored_file
from engine.assets.persons import persons_and_places

_ZIP_FILE = "pictures.zip"
_MAX_SIDE_PX = 512
# Same pictures, same zip: the platform then recognises it as uploaded already.
_ZIP_TIME = (2020, 1, 1, 0, 0, 0)
# The folders with at least 18 pictures of one kind of thing; alphabets and playing pieces are left out.
_STAMP_FOLDERS = {
    "bird": "animals/birds",
    "christmas": "seasonal/christmas",
    "coin": "symbols/money",
    "flower": "plants/flowers",
    "fruit": "food/fruit",
    "house": "town/houses",
    "insect": "animals/insects",
    "mammal": "animals/mammals",
    "road sign": "town/roadsigns",
    "vegetable": "food/vegetables",
    "vehicle": "vehicles",
}
STAMP_LABELS = tuple(_STAMP_FOLDERS)
_CUTOUT_SIDE_PX = 320
_PHOTOGRAPHS = {
    "aero1",
    "aloeL",
    "basketball1",
    "board",
    "box_in_scene",
    "building",
    "ela_original",
    "graf1",
    "home",
    "left",
    "messi5",
    "pca_test1",
    "rubberwhale1",
    "starry_night",
    "stuff",
    "sudoku",
    "text_defocus",
}
"""Those that show no animal, fruit, flower or vehicle, so that they can lie behind stamps of these."""
_DIGITS_PER_LABEL = 50
_DIGIT_SIDE_PX = 28

NamedPicture = tuple[str, bytes]


def quickstart_pictures(assets_dir: Path, on_progress: Progress | None = None) -> Path:
    """A zip of real labelled pictures, fetched once: about 350 colour stamps in 11 folders, else 500 digits in 10.

    Raises:
        AssetMissingError: neither set is in the store and no registry can be reached.
    """
    try:
        return pictures("tuxpaint_stamps", assets_dir, on_progress)
    except AssetMissingError:
        return pictures("mnist_digits", assets_dir, on_progress)


def pictures(card_name: str, assets_dir: Path, on_progress: Progress | None = None) -> Path:
    """The pictures of a card as a zip with one folder a label; fetched once.

    Raises:
        AssetUnknownError: there is no such card.
        AssetMissingError: it is not in the store and cannot be had now.
        AssetChangedError: the package holds other bytes than the card promises.
    """
    return stored_file(card_name, _ZIP_FILE, assets_dir, _converter, on_progress)


def _converter(card: AssetCard) -> Convert:
    match card.converter:
        case "stamp_pictures":
            return lambda source, target: _write_zip(target, _stamps(source))
        case "stamp_cutouts":
            return lambda source, target: _write_zip(target, _cutouts(source))
        case "photographs":
            return lambda source, target: _write_zip(target, _photographs(source))
        case "person_cutouts":
            return lambda source, target: _write_zip(target, persons_and_places(source))
        case "digit_pictures":
            return lambda source, target: _write_zip(target, _digits(source))
        case _:
            raise ValueError(f"{card.title} holds no pictures")


def _write_zip(target: Path, named_pictures: Iterable[NamedPicture]) -> None:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for name, data in named_pictures:
            archive.writestr(zipfile.ZipInfo(name, _ZIP_TIME), data)


def _stamps(stamps_dir: Path) -> Iterator[NamedPicture]:
    """Cut-outs laid over white, as JPEG."""
    for label, folder in _STAMP_FOLDERS.items():
        for path in sorted((stamps_dir / folder).rglob("*.png")):
            with Image.open(path) as picture:
                cutout = picture.convert("RGBA")
            flat = Image.alpha_composite(Image.new("RGBA", cutout.size, "white"), cutout).convert("RGB")
            flat.thumbnail((_MAX_SIDE_PX, _MAX_SIDE_PX))
            # A name is one only within its folder.
            name = "-".join(path.relative_to(stamps_dir / folder).with_suffix("").parts)
            yield f"{label}/{name}.jpg", _encoded(flat, "JPEG")


def _cutouts(stamps_dir: Path) -> Iterator[NamedPicture]:
    """Stamps with an alpha that leaves something out, as PNG."""
    for label, folder in _STAMP_FOLDERS.items():
        for path in sorted((stamps_dir / folder).rglob("*.png")):
            with Image.open(path) as picture:
                cutout = picture.convert("RGBA")
            alpha_HW = np.asarray(cutout.getchannel("A"))
            if alpha_HW.min() < 128 <= alpha_HW.max():
                cutout.thumbnail((_CUTOUT_SIDE_PX, _CUTOUT_SIDE_PX))
                name = "-".join(path.relative_to(stamps_dir / folder).with_suffix("").parts)
                yield f"{label}/{name}.png", _encoded(cutout, "PNG")


def _photographs(data_dir: Path) -> Iterator[NamedPicture]:
    for path in sorted(data_dir.iterdir()):
        if path.stem in _PHOTOGRAPHS and path.suffix in {".jpg", ".png"}:
            with Image.open(path) as picture:
                yield f"photo/{path.stem}.jpg", _encoded(picture.convert("RGB"), "JPEG")


def _digits(csv_path: Path) -> Iterator[NamedPicture]:
    """The first pictures of each digit; a row is 784 grey values and the digit."""
    num_of: Counter[str] = Counter()
    with gzip.open(csv_path, "rt", newline="") as rows:
        for row in csv.reader(rows):
            label = row[-1]
            if num_of[label] < _DIGITS_PER_LABEL:
                num_of[label] += 1
                grey_HW = np.array(row[:-1], dtype=np.float32).astype(np.uint8).reshape(_DIGIT_SIDE_PX, _DIGIT_SIDE_PX)
                yield f"{label}/{label}-{num_of[label]:03d}.png", _encoded(Image.fromarray(grey_HW), "PNG")


def _encoded(picture: Image.Image, file_format: str) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, file_format, quality=90)
    return buffer.getvalue()
