"""Replays the golden samples: no parity, no artefact."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from automl.contracts.artefact import EXPECTED_FILE, MODEL_FILE, SAMPLES_DIR, GoldenSamples
from engine.artefact.session import Session
from engine.data.image import read_picture
from engine.errors import ParityError


def check(folder: Path, *, tolerance: float) -> float:
    """Compares the graph's answers with those that the torch model gave, and returns the largest difference.

    Args:
        folder: holds ``model.onnx`` and ``samples/``.
        tolerance: largest difference of a score that is allowed.

    Raises:
        ParityError: a score differs by more, or is not a number.
    """
    session = Session(folder / MODEL_FILE)
    golden = GoldenSamples.read(folder / SAMPLES_DIR / EXPECTED_FILE)
    largest = 0.0
    for sample in golden.samples:
        picture_HWC = read_picture(folder / SAMPLES_DIR / sample.file)
        difference = float(np.abs(session.scores(picture_HWC[None])[0] - np.array(sample.scores)).max())
        if not difference <= tolerance:
            raise ParityError(
                f"The exported graph is off by {difference:.2g} on sample {sample.file}; allowed are {tolerance:.2g}."
            )
        largest = max(largest, difference)
    return largest
