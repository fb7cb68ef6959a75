"""Small faults planted into a copy of an artefact; a check that lets one pass is no check."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

from automl.contracts.artefact import HASHES_FILE, MANIFEST_FILE, MODEL_FILE
from runtime.hashes import hashes_write


def flip_weight(folder: Path) -> None:
    """Changes the sign of one weight of the last layer."""

    def flipped(weight: np.ndarray) -> np.ndarray:
        changed = weight.copy()
        place = np.unravel_index(np.abs(weight).argmax(), weight.shape)
        changed[place] = -changed[place]
        return changed

    _change(folder, "weight", flipped)


def swap_channels(folder: Path) -> None:
    """Lets the first layer see BGR."""
    _change(folder, "kernel", lambda kernel: np.ascontiguousarray(kernel[:, ::-1]))


def swap_labels(folder: Path) -> None:
    """Swaps the first two lines of the label list."""
    path = folder / MANIFEST_FILE
    manifest = json.loads(path.read_text(encoding="utf-8"))
    labels = manifest["label_set"]["labels"]
    labels[0], labels[1] = labels[1], labels[0]
    path.write_text(json.dumps(manifest), encoding="utf-8")


FAULTS: tuple[Callable[[Path], None], ...] = (flip_weight, swap_channels, swap_labels)


def reseal(folder: Path) -> None:
    """Writes the hashes of what is there, as if the fault had been in the artefact before it was sealed."""
    if (folder / HASHES_FILE).exists():
        hashes_write(folder, json.loads((folder / HASHES_FILE).read_bytes()))


def sabotaged(artefact_dir: Path, copy: Path, fault: Callable[[Path], None]) -> Path:
    """A copy of the artefact with the fault in it."""
    shutil.copytree(artefact_dir, copy)
    fault(copy)
    reseal(copy)
    return copy


def _change(folder: Path, name: str, change: Callable[[np.ndarray], np.ndarray]) -> None:
    path = folder / MODEL_FILE
    model = onnx.load(path)
    (constant,) = [constant for constant in model.graph.initializer if constant.name == name]
    constant.CopyFrom(numpy_helper.from_array(change(numpy_helper.to_array(constant)), name))
    onnx.save(model, path)
