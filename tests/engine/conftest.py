"""Artefacts that many tests look at: trained once, never changed by a test."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

from engine.assets.card import read_card
from engine.tasks.shared.scenes import LABELS
from tests.engine.jobs import fill_store, host_cache, trained_once


@pytest.fixture(scope="session", autouse=True)
def _one_thread():
    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def cache_dir() -> Path:
    return host_cache()


@pytest.fixture(scope="session")
def store(tmp_path_factory) -> Path:
    return fill_store(tmp_path_factory.mktemp("assets"))


@pytest.fixture(scope="session")
def trained() -> Path:
    return trained_once()


@pytest.fixture(scope="session")
def probed() -> Path:
    """A linear probe that may say several labels."""
    params = {"resolution_px": 128, "is_balanced": True}
    return trained_once(store_of="linear_probe", family="linear_probe", params=params, labels="several")


@pytest.fixture
def scene_store(tmp_path):
    """Stamps and photographs as the store would keep them."""
    for name, entries in (
        ("tuxpaint_cutouts", [f"{kind}/{number}.png" for kind in (*LABELS, "coin") for number in range(4)]),
        ("opencv_photos", [f"photo/{number}.png" for number in range(4)]),
        ("portrait_officer", ["person/officer.png"]),
        ("portrait_astronaut", ["person/astronaut.png"]),
        ("portrait_cameraman", []),
        ("endless_sky_scenes", [f"place/{number}.png" for number in range(4)]),
    ):
        folder = tmp_path / "store" / name
        folder.mkdir(parents=True)
        read_card(name).write(folder / "card.json")
        with zipfile.ZipFile(folder / "pictures.zip", "w") as archive:
            for number, entry in enumerate(entries):
                stamp = np.full((30, 40, 4), 10 * (number % 20), dtype=np.uint8)
                stamp[4:26, 4:36, 3] = 255
                buffer = io.BytesIO()
                Image.fromarray(stamp).save(buffer, "PNG")
                archive.writestr(entry, buffer.getvalue())
    return tmp_path / "store"
