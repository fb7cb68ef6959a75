"""Persons from photographs in the public domain before other backgrounds, for portrait matting. Same material, same zip.

Eleven persons in seven photographs; who tests shares no photograph with who trains, so the report is about strangers.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import numpy as np
from PIL import Image

from automl.contracts.dataset import Split
from automl.contracts.words import Words
from engine.assets.fetch import Progress
from engine.assets.quickstart import pictures
from engine.tasks.semantic_segmentation import subject_scenes
from engine.tasks.shared.scenes import Material

words = Words(__file__)

LABELS_FROM = "auto"
LABEL = "person"
LABEL_NAMES = {LABEL: words(f"label.{LABEL}")}
NUM_PICTURES = 80
LAYOUT = subject_scenes.Layout(
    label=LABEL, size=(0.7, 1.1), max_angle_deg=8.0, second_rate=0.15, middle=None, blur_px=(0.5, 6.0)
)
TEST_PERSONS = ("astronaut", "man_with_torch", "woman_in_blue", "woman_in_red")
CARDS = ("portrait_officer", "portrait_astronaut", "portrait_cameraman", "endless_sky_scenes")
_TEST_PLACE_EVERY = 4
_SEED = 33


def write_zip(
    target: Path,
    assets_dir: Path,
    on_progress: Progress | None = None,
    *,
    names: Mapping[str, str] = MappingProxyType({}),
    num_pictures: int = NUM_PICTURES,
) -> None:
    """Writes the zip, whole or not at all; other persons and places test than train.

    Raises:
        AssetMissingError: the photographs are not in the store and cannot be had.
    """
    subject_scenes.write_zip(
        target,
        sources(assets_dir),
        LAYOUT,
        name=names.get(LABEL, LABEL),
        num_pictures=num_pictures,
        seed=_SEED,
        on_progress=on_progress,
    )


def sources(assets_dir: Path) -> dict[Split, Material]:
    """Who and what trains and tests.

    Raises:
        AssetMissingError: the photographs are not in the store and cannot be had.
    """
    persons: dict[str, Image.Image] = {}
    places: list[Image.Image] = []
    for card in CARDS:
        with zipfile.ZipFile(pictures(card, assets_dir)) as archive:
            for entry in sorted(archive.namelist()):
                picture = Image.open(io.BytesIO(archive.read(entry)))
                if entry.startswith("person/"):
                    persons[Path(entry).stem] = picture
                else:
                    places.append(picture)
    found = {}
    for split in (Split.TRAIN, Split.TEST):
        is_test = split is Split.TEST
        found[split] = Material(
            cutouts={name: (np.asarray(one),) for name, one in persons.items() if (name in TEST_PERSONS) == is_test},
            photos=tuple(
                np.asarray(place.convert("RGB"))
                for number, place in enumerate(places)
                if (number % _TEST_PLACE_EVERY == _TEST_PLACE_EVERY - 1) == is_test
            ),
        )
    return found
