"""Pictures of many things in a folder a thing to begin with: stamps seen again and again, a little differently each time.

A stamp is one thing, as a product is. Its pictures are laid on plain ground of different colours, turned, cropped and lit as a
phone would take them; so what has to be learned is what stays the same.
"""

from __future__ import annotations

import io
import zipfile
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import numpy as np
from PIL import Image

from automl.contracts.words import Words
from engine.assets.fetch import AssetMissingError, Progress
from engine.assets.quickstart import pictures
from engine.tasks.image_similarity.example import badge

words = Words(__file__)

LABELS_FROM = "folder"
_THINGS = {
    "bird adelaide-rosella": "adelaide_rosella",
    "bird albino_peahen": "white_peahen",
    "bird blackbird": "blackbird",
    "bird cartoon-penguin_with_spider": "penguin_with_spider",
    "bird cartoon-pengwin": "cheering_penguin",
    "bird cartoon-tux": "tux",
    "bird chicken_profile": "grey_hen",
    "bird crow": "crow",
    "christmas Candy_cane_photo_1": "candy_cane_1",
    "christmas Candy_cane_photo_2": "candy_cane_2",
    "christmas Christmas_Tree_photo": "christmas_tree",
    "christmas Christmas_pudding": "christmas_pudding",
    "christmas German_Christmas_toy": "german_christmas_toy",
    "christmas Mince_Pie": "mince_pie",
    "christmas Roast_turkey": "roast_turkey",
    "christmas Santa": "santa_claus",
    "coin 00_symbols-dollars_1_dollar": "1_dollar",
    "coin 00_symbols-dollars_2_cent": "us_cent",
    "coin 00_symbols-euro_1_euro": "1_euro",
    "coin 00_symbols-euro_2_cent": "euro_cent",
    "coin 00_symbols-gbp_1_pound": "1_pound",
    "coin 00_symbols-gbp_2_penny": "penny",
    "coin 00_symbols-yen_1_yen": "yen",
    "coin canadian-coins-001penny": "canadian_penny",
    "flower adeenia": "desert_rose",
    "flower anemone_red": "red_anemone",
    "flower anthoorium": "anthurium",
    "flower appooppanthady": "milkweed_seed",
    "flower bolsom": "balsam",
    "flower chemparathi": "hibiscus",
    "flower daffodil": "daffodil",
    "flower flower1": "other_flower",
    "fruit Apricot_whole": "apricot",
    "fruit Cherry_Stella": "cherry",
    "fruit Strawberry2": "strawberry",
    "fruit apple_fuji": "fuji_apple",
    "fruit apple_granny_smith": "granny_smith_apple",
    "fruit apple_green": "green_apple",
    "fruit apple_red": "red_apple",
    "fruit apple_sierra_beauty": "sierra_beauty_apple",
}
"""What the stamps show, by kind and file; the names are words."""
LABEL_NAMES = {stamp: words(f"thing.{thing}") for stamp, thing in _THINGS.items()}
NUM_THINGS, PICTURES_PER_THING = 40, 10
_PER_KIND = 8
"""Things of one kind, e.g. birds, at most."""
_SIDE_PX = 256
_SEED = 29
_ZIP_TIME = (2020, 1, 1, 0, 0, 0)


def write_zip(
    target: Path,
    assets_dir: Path,
    on_progress: Progress | None = None,
    *,
    num_things: int = NUM_THINGS,
    pictures_per_thing: int = PICTURES_PER_THING,
    names: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Writes the zip, whole or not at all: stamps, or patterned badges where those cannot be had.

    Args:
        target: the zip.
        assets_dir: the store.
        on_progress: called with how far it is, 0..1.
        num_things: folders.
        pictures_per_thing: in each folder.
        names: of the folders, by kind and file of the stamp; badges and what is missing keep theirs.
    """
    generator = np.random.default_rng(_SEED)
    things = _stamps(assets_dir, num_things)
    partial = target.with_name(target.name + ".partial")
    stamps = sorted(things) if things else [f"badge {number + 1}" for number in range(num_things)]
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_STORED) as archive:
        for number, name in enumerate(stamps):
            for turn in range(pictures_per_thing):
                seen = _seen(things[name], generator) if things else badge(name, generator, side_px=_SIDE_PX)
                archive.writestr(zipfile.ZipInfo(f"{names.get(name, name)}/{turn + 1:02d}.jpg", _ZIP_TIME), _jpeg(seen))
            if on_progress is not None:
                on_progress((number + 1) / len(stamps))
    partial.replace(target)


def _stamps(assets_dir: Path, most: int) -> dict[str, Image.Image]:
    """Cut-outs by name; none where they cannot be had."""
    try:
        path = pictures("tuxpaint_cutouts", assets_dir)
    except AssetMissingError:
        return {}
    found: dict[str, Image.Image] = {}
    by_kind: defaultdict[str, int] = defaultdict(int)
    with zipfile.ZipFile(path) as archive:
        for member in archive.namelist():
            kind, _, name = member.removesuffix(".png").partition("/")
            if by_kind[kind] < _PER_KIND and len(found) < most:
                by_kind[kind] += 1
                with Image.open(io.BytesIO(archive.read(member))) as picture:
                    found[f"{kind} {name}"] = picture.convert("RGBA")
    return found


def _seen(stamp: Image.Image, generator: np.random.Generator) -> Image.Image:
    """One picture of a stamp."""
    ground = tuple(int(value) for value in generator.integers(90, 256, 3))
    picture = Image.new("RGB", (_SIDE_PX, _SIDE_PX), ground)
    share = generator.uniform(0.5, 0.95) * _SIDE_PX / max(stamp.size)
    small = stamp.resize((max(1, round(stamp.width * share)), max(1, round(stamp.height * share))))
    turned = small.rotate(generator.uniform(-30, 30), Image.Resampling.BICUBIC, expand=True)
    margin_2 = np.maximum(np.array(picture.size) - np.array(turned.size), 0)
    left, top = (int(value) for value in generator.uniform(0, 1, 2) * margin_2)
    picture.paste(turned, (left, top), turned)
    lit_HWC = np.asarray(picture, dtype=np.float64) * generator.uniform(0.6, 1.2) * generator.uniform(0.9, 1.1, 3)
    return Image.fromarray(np.clip(lit_HWC + generator.normal(0, 6, lit_HWC.shape), 0, 255).astype(np.uint8))


def _jpeg(picture: Image.Image) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=90)
    return buffer.getvalue()
