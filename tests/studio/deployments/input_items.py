"""Items of each kind for tests of changed inputs: usual ones, and ones that are otherwise in a known way. Bytes as kept."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

from automl.contracts.artefact import MANIFEST_FILE, ArtefactManifest
from automl.contracts.dataset import Split
from automl.contracts.reference import InputReference
from engine.artefact.reference import JudgedContents, reference_write
from tests.exporters.artefact_factory import artefact_write, picture
from tests.exporters.row_artefact_factory import row_artefact_write
from tests.exporters.text_artefact_factory import text_artefact_write

WORDS = ("the", "cat", "sat", "on", "a", "warm", "mat", "and", "saw", "birds", "fly", "over", "fields", "at", "night")
GERMAN = ("die", "Eichhörnchengeschwindigkeit", "überschreitet", "Geschwindigkeitsbegrenzungen")
CITIES = ("Paris", "上海", "Graz")


def usual_picture(seed: int, *, light: float = 1.0) -> bytes:
    file = BytesIO()
    picture(seed).point(lambda value: int(value * light)).save(file, "PNG")
    return file.getvalue()


def usual_text(seed: int) -> bytes:
    chance = random.Random(seed)
    return " ".join(chance.choices(WORDS, k=chance.randint(5, 25))).encode()


def usual_row(seed: int, **cells: str) -> bytes:
    chance = random.Random(seed)
    row = {
        "age": f"{chance.gauss(40, 10):.0f}",
        "city": chance.choice(CITIES),
        "income": f"{chance.gauss(2000, 300):.0f}",
        "since": "02.01.2021",
        "note": " ".join(chance.choices(WORDS, k=5)),
    }
    return json.dumps({"cells": row | cells}, ensure_ascii=False).encode()


def _german(seed: int) -> bytes:
    return " ".join(random.Random(seed).choices(GERMAN, k=4)).encode()


Make = Callable[[int], bytes]
USUAL: dict[str, Make] = {"image": usual_picture, "text": usual_text, "row": usual_row}
DRIFTED: dict[str, tuple[str, Make, str, str]] = {
    "darkened": ("image", lambda seed: usual_picture(seed, light=0.3), "brightness", "darker"),
    "short": ("text", lambda seed: b" ".join(usual_text(seed).split()[:3]), "length", "shorter"),
    "german": ("text", _german, "word_length", "Words are longer"),
    "chinese": ("text", lambda seed: f"今天很好，第{seed}次".encode(), "other_script", "non-Latin"),
    "older": ("row", lambda seed: usual_row(seed, age=str(random.Random(seed).randint(60, 90))), "column:age", "higher"),
    "unseen": ("row", lambda seed: usual_row(seed, city="Linz"), "column:city", "“city”"),
    "missing": ("row", lambda seed: usual_row(seed, income=""), "column:income", "missing more often"),
}
"""Kind, items, the fact that they are otherwise in, and what is said of it."""
ARTEFACTS = {"image": artefact_write, "text": text_artefact_write, "row": row_artefact_write}


def refer(folder: Path, kind: str, *, number: int = 300, first: int = 100_000) -> InputReference:
    """Writes the reference of an artefact that was judged on so many usual items."""
    contents = [USUAL[kind](seed) for seed in range(first, first + number)]
    judged = JudgedContents("dsv_test", (Split.TEST,), contents)
    reference_write(folder, ArtefactManifest.read(folder / MANIFEST_FILE), judged, None)
    return InputReference.read(folder / "reference.json")
