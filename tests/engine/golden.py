"""Golden samples of answers, and how far other answers are from them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from automl.contracts.artefact import MANIFEST_FILE, ArtefactManifest, GoldenSample
from automl.contracts.task import OutputKind
from engine.answers import answer_kind
from engine.artefact import parity
from runtime.answers import answers_kind


def golden_sample(file: str, answer: np.ndarray, output: OutputKind) -> GoldenSample:
    return GoldenSample.model_validate({"file": file, **answer_kind(output).golden(answer)})


def difference(sample: GoldenSample, answer: np.ndarray, output: OutputKind) -> float:
    labels = [str(number) for number in range(len(sample.scores) or 2)]
    expected = {"labels": labels, "detections": (), **sample.model_dump(mode="json")}
    return answers_kind(output.value)(labels).difference(expected, answer, None)


def replayed(folder: Path, tolerance: float) -> float:
    """The largest difference between an artefact's graph and the model that was trained."""
    manifest = ArtefactManifest.read(folder / MANIFEST_FILE)
    return parity.check(folder, manifest.decode, manifest.output, tolerance=tolerance)
