"""Model updates that fit and that do not, and what a product of any language does with each."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from automl.contracts.artefact import MODEL_FILE
from automl.contracts.task import OutputKind
from exporters.bundle import zip_write
from exporters.model_update.target import _assemble
from tests.exporters.artefact_factory import artefact_write
from tests.exporters.sabotage import reseal, swap_labels
from tests.support.once import made_once

RENAMED = "renamed"
REFUSED = {
    "newer": "update_too_new",
    "boxes": "update_other_task",
    RENAMED: "update_other_labels",
    "swapped": "update_selftest_failed",
    "damaged": "artefact_damaged",
    "no-hashes": "update_invalid",
    "no-facts": "update_invalid",
}
"""Updates that do not fit ``artefact_write(...)``, with the code of the refusal."""


def updates_made() -> Path:
    """A folder with every update as a file and as a folder; ``good`` fits."""
    return made_once("updates-of-products", _make)


def _make(place: Path) -> None:
    place.mkdir()
    artefacts = {
        "good": artefact_write(place / "good-made", seed=7),
        "boxes": artefact_write(place / "boxes-made", output=OutputKind.BOXES),
        RENAMED: artefact_write(place / "renamed-made", labels=("owl", "crow", "tit")),
    }
    changes: dict[str, Callable[[Path], object]] = {
        "newer": lambda folder: (folder / "update.json").write_text(json.dumps({"format": 2, "model": "art_x"})),
        "swapped": lambda folder: (swap_labels(folder / "artefact"), reseal(folder / "artefact")),
        "damaged": lambda folder: (folder / "artefact" / MODEL_FILE).write_bytes(b"none"),
        "no-hashes": lambda folder: (folder / "artefact" / "hashes.json").unlink(),
        "no-facts": lambda folder: ((folder / "artefact" / "artefact.json").write_text("{}"), reseal(folder / "artefact")),
    }
    for name in ("good", *REFUSED):
        folder = place / name
        _assemble(artefacts.get(name, artefacts["good"]), folder, "birds", f"art_{name}")
        if name in changes:
            changes[name](folder)
        zip_write(folder, place / f"{name}.zip")
    (place / "cut.zip").write_bytes((place / "good.zip").read_bytes()[:-2000])
    with zipfile.ZipFile(place / "evil.zip", "w") as packed:
        packed.writestr("../../out.txt", "x")


def play(update: Callable[..., dict[str, Any]], answer: Callable[[], Any], home: Path, suffix: str = "") -> None:
    """Goes through all scenes.

    Args:
        update: calls the product's ``update`` with these words; what it prints.
        answer: what the product answers to a picture.
        home: the product's folder, in which ``models`` lies.
        suffix: of the names of updates: ``.zip``, or nothing where the product takes unpacked folders.
    """
    made, first = updates_made(), answer()
    for name, code in REFUSED.items():
        assert update(f"{made / name}{suffix}")["code"] == code, name
    files = ("cut", "evil") if suffix else ()
    assert {update(f"{made / name}{suffix}")["code"] for name in files} <= {"update_invalid"}
    assert list((home / "models").iterdir()) == []
    assert not (home / "out.txt").exists()
    assert update("--rollback")["code"] == "update_none_before"
    assert answer() == first
    for _ in range(2):  # the same again changes nothing
        shown = update(f"{made / 'good'}{suffix}")
        assert Path(shown["artefact_dir"]).is_relative_to(home / "models"), shown
        assert (shown.get("model", "art_good"), shown.get("can_roll_back", True)) == ("art_good", True)
    second = answer()
    assert second != first
    assert "artefact_dir" in update(f"{made / RENAMED}{suffix}", "--allow-other-labels")
    assert answer() not in (first, second)
    assert update("--rollback")["artefact_dir"] == shown["artefact_dir"]
    assert answer() == second
    assert update("--rollback")["code"] == "update_none_before"
    assert len([path for path in (home / "models").iterdir() if path.is_dir()]) == 1
