"""Replays the golden samples: no parity, no artefact."""

from __future__ import annotations

from pathlib import Path

from automl.contracts.artefact import EXPECTED_FILE, SAMPLES_DIR, GoldenSamples
from automl.contracts.base import Contract
from automl.contracts.task import OutputKind
from engine.artefact.session import session_of
from engine.errors import ParityError
from runtime.answers import answers_kind
from runtime.errors import RuntimeFault
from runtime.items import items_kind


def check(folder: Path, decode: Contract, output: OutputKind, *, tolerance: float) -> float:
    """Compares the graph's answers with those that the trained model gave, and returns the largest difference.

    The samples are read from their files as the shipped runtime reads them, and compared as it compares them.

    Args:
        folder: holds the graphs, ``samples/`` and what else reading needs.
        decode: how items are read, from the manifest.
        output: what the graph answers.
        tolerance: largest difference that is allowed.

    Raises:
        ParityError: an answer differs by more or is not a number, or the runtime cannot read a sample.
        ValueError: the runtime knows no such kind of items or of answers.
    """
    session = session_of(folder)
    golden = GoldenSamples.read(folder / SAMPLES_DIR / EXPECTED_FILE)
    values = decode.model_dump(mode="json")
    items = items_kind(values["kind"])(values, session.inputs, folder)
    answers = answers_kind(output.value)(golden.labels)
    largest = 0.0
    for sample in golden.samples:
        expected = {"labels": golden.labels, "detections": (), **sample.model_dump(mode="json")}
        try:
            item = items.decode((folder / SAMPLES_DIR / sample.file).read_bytes())
            found = answers.difference(expected, session.answers(items.feeds(item))[0], item)
        except RuntimeFault as fault:
            raise ParityError(f"The runtime refuses sample {sample.file}: {fault.detail}") from fault
        if not found <= tolerance:
            raise ParityError(f"The exported graph is off by {found:.2g} on sample {sample.file}; allowed are {tolerance:.2g}.")
        largest = max(largest, found)
    return largest
