"""Replays the golden samples: no parity, no artefact."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from automl.contracts.artefact import EXPECTED_FILE, MODEL_FILE, SAMPLES_DIR, TOKENIZER_FILE, GoldenSamples
from automl.contracts.task import OutputKind
from engine.artefact.golden import difference
from engine.artefact.session import Session
from engine.data.image import read_picture
from engine.data.text import TextTokenizer, read_text
from engine.errors import ParityError


def check(folder: Path, output: OutputKind, *, tolerance: float) -> float:
    """Compares the graph's answers with those that the torch model gave, and returns the largest difference.

    Args:
        folder: holds ``model.onnx`` and ``samples/``.
        output: what the graph answers.
        tolerance: largest difference that is allowed.

    Raises:
        ParityError: an answer differs by more, or is not a number.
    """
    session = Session(folder / MODEL_FILE)
    golden = GoldenSamples.read(folder / SAMPLES_DIR / EXPECTED_FILE)
    read = _reader(folder)
    largest = 0.0
    for sample in golden.samples:
        item = read(folder / SAMPLES_DIR / sample.file)
        found = difference(sample, session.run(item[None])[0], output)
        if not found <= tolerance:
            raise ParityError(f"The exported graph is off by {found:.2g} on sample {sample.file}; allowed are {tolerance:.2g}.")
        largest = max(largest, found)
    return largest


def _reader(folder: Path) -> Callable[[Path], np.ndarray]:
    """How a sample becomes the graph's input: a tokenizer beside the graph says that samples are texts."""
    if not (folder / TOKENIZER_FILE).exists():
        return read_picture
    tokenizer = TextTokenizer((folder / TOKENIZER_FILE).read_text(encoding="utf-8"))
    return lambda path: np.array(tokenizer.ids(read_text(path)), dtype=np.int64)
