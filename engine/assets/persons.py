"""Cut-outs of persons in photographs that are in the public domain, and places to put behind them.

``outlines/persons.json`` has, by name, the picture that shows the person and the rings around what belongs to them: x and y of
each corner in pixels of that picture, and what lies within an even number of rings is outside. The rings were drawn by hand
and drawn to the nearest edge by GrabCut (Rother et al. 2004); what a person holds belongs to the person.
Shapes: H height, W width.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PIL import Image, ImageChops, ImageDraw, ImageFilter

_OUTLINES_FILE = Path(__file__).parent / "outlines" / "persons.json"
_PLACES_FOLDER = "land"
_PLACES = [
    "badlands0",
    "beach0",
    "beach2",
    "beach3",
    "beach5",
    "canyon7",
    "city4",
    "city6",
    "city8",
    "city10",
    "city11",
    "city12",
    "desert1",
    "fields1",
    "fields5",
    "fields6",
    "fields7",
    "fog0",
    "forest1",
    "forest3",
    "forest5",
    "lava1",
    "mountain1",
    "mountain5",
    "sea3",
    "sky7",
    "snow3",
    "station1",
    "station2",
    "station3",
    "station4",
    "water8",
]
"""Of the game's landscapes, those that are in the public domain; some others are not."""
_SUBPIXELS = 4
_SPREAD_PX = 2


def persons_and_places(source: Path) -> Iterator[tuple[str, bytes]]:
    """Persons as ``person/<name>.png`` with alpha, places as ``place/<name>.jpg``.

    Args:
        source: a picture, or the folder of the game's pictures.
    """
    is_one = source.is_file()
    for name, outline in json.loads(_OUTLINES_FILE.read_text(encoding="utf-8")).items():
        path = source if is_one and source.name == outline["picture"] else source / outline["picture"]
        if path.is_file():
            buffer = io.BytesIO()
            _cutout(path, outline["rings"]).save(buffer, "PNG")
            yield f"person/{name}.png", buffer.getvalue()
    if not is_one:
        for name in _PLACES:
            yield f"place/{name}.jpg", (source / _PLACES_FOLDER / f"{name}.jpg").read_bytes()


def _cutout(path: Path, rings: list[list[float]]) -> Image.Image:
    """The person alone, edges smooth; outside are the person's own colours, for whoever blends or enlarges the edge."""
    with Image.open(path) as picture:
        shown = picture.convert("RGB")
    fine_size = shown.width * _SUBPIXELS, shown.height * _SUBPIXELS
    inside = Image.new("1", fine_size)
    for ring in rings:
        one = Image.new("1", fine_size)
        ImageDraw.Draw(one).polygon([part * _SUBPIXELS for part in ring], fill=1)
        inside = ImageChops.logical_xor(inside, one)
    alpha = inside.convert("L").resize(shown.size, Image.Resampling.BOX)
    sure = alpha.point(lambda value: 255 * (value == 255))
    near = ImageFilter.GaussianBlur(_SPREAD_PX)
    spread_HW3 = np.asarray(Image.composite(shown, Image.new("RGB", shown.size), sure).filter(near), dtype=np.float32)
    weight_HW1 = np.asarray(sure.filter(near), dtype=np.float32)[..., None] / 255
    around_HW3 = np.clip(spread_HW3 / np.maximum(weight_HW1, 1 / 255), 0, 255).astype(np.uint8)
    cutout = Image.composite(shown, Image.fromarray(around_HW3), sure)
    cutout.putalpha(alpha)
    return cutout.crop(alpha.getbbox())
